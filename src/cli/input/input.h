/* The instances a command works on: from files, standard input and level sets by name. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/shell/lookup.h"

/* One file's text. */
struct source {
    char *label; /* as the user named it */
    char *text;
    size_t length;
    const soloist_domain *domain; /* NULL: not recognised */
    int instances;                /* in the whole file, selected or not */
};

/* One instance, not yet parsed. */
struct task {
    const struct source *source;
    int id; /* from 1 within its file */
    soloist_chunk chunk;
    soloist_error error; /* text is "" unless the file could not be taken apart: then the task stands for the file */
};

struct input {
    struct source **sources;
    size_t source_count;
    struct task *tasks;
    size_t task_count;
    const char *options; /* of the domain, as given */
    const char *cost;    /* what a domain that can count several things shall count; NULL: as its options say */
    bool unreadable;     /* some file was complained of: the command ends with CLI_BAD */
};

/* Reads every name: FILE, FILE:1-20, a set's name, NAME:1-20, or "-". What cannot be read is complained of and passed
 * over. only: a selection that holds for every file, or NULL. False if the selection is wrong. */
bool input_read(const struct cli *cli, const struct arg_list *names, const struct domain_choice *choice,
                const char *only, struct input *input);
void input_free(struct input *input);

/* Parses a task's instance; on failure *error is located. */
soloist_code input_puzzle(const struct input *input, const struct task *task, soloist_puzzle *puzzle,
                          soloist_error *error);
/* Loads the text a name stands for, with its selection ("" if none) cut off into *range. NULL after a complaint. */
char *input_text(const char *name, char *label, size_t room, const char **range, size_t *length);

#endif
