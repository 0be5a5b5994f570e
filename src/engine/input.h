/* The instances that are worked on: files taken apart, none of them parsed yet. */
#ifndef ENGINE_INPUT_H
#define ENGINE_INPUT_H

#include "soloist.h"

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
    bool unreadable;     /* for the caller: some file could not be read */
};

/* Adds a file, which takes over the text; the caller sets its domain. NULL without memory: the text stays the
 * caller's. */
struct source *input_add_source(struct input *input, const char *label, char *text, size_t length);
/* Adds a task for each instance that both selections hold (base/ranges.h; NULL holds all). A file without an instance
 * becomes one task that says so. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code input_add_instances(struct input *input, struct source *source, const char *only, const char *range);
/* The file as a whole is wrong: one task that says so. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code input_add_wrong(struct input *input, const struct source *source, const char *text);
void input_free(struct input *input);

/* Parses a task's instance; on failure *error is located. */
soloist_code input_puzzle(const struct input *input, const struct task *task, soloist_puzzle *puzzle,
                          soloist_error *error);

#endif
