/* The instances that a command works on: files are split into instances, which are parsed later. */
#ifndef ENGINE_INPUT_H
#define ENGINE_INPUT_H

#include "soloist_extra.h"

/* One file's text. */
struct source {
    char *label; /* the file's name as the user gave it */
    char *text;
    size_t length;
    const soloist_domain *domain; /* NULL: not recognised */
    int instances;                /* number of instances in the whole file, selected or not */
};

/* One instance, not yet parsed. */
struct task {
    const struct source *source;
    int id; /* number of the instance in its file, from 1 */
    soloist_chunk chunk;
    int before; /* number of bytes between the beginning of the line and the chunk */
    /* If the text of the error is not "", the file could not be split into instances; the task then represents the
     * whole file. */
    soloist_error error;
};

struct input {
    struct source **sources;
    size_t source_count;
    struct task *tasks;
    size_t task_count;
    const char *options; /* the domain's options as the user wrote them */
    const char *cost;    /* which cost to count, for a domain that has several; NULL: the domain's options decide */
    bool unreadable;     /* some file could not be read; only the caller sets and reads this */
};

/* Adds a file and takes ownership of its text; the caller then sets its domain. If memory runs out, returns NULL, and
 * the text still belongs to the caller. */
struct source *input_add_source(struct input *input, const char *label, char *text, size_t length);
/* Adds a task for each instance that both selections contain (base/ranges.h; NULL selects all). A file without an
 * instance becomes one task with an error. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code input_add_instances(struct input *input, struct source *source, const char *only, const char *range);
/* Adds one task with an error that concerns the whole file. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code input_add_wrong(struct input *input, const struct source *source, const char *text);
void input_free(struct input *input);

/* Parses a task's instance; on failure *error has a line and a column. */
soloist_code input_puzzle(const struct input *input, const struct task *task, soloist_puzzle *puzzle,
                          soloist_error *error);
/* Parses as input_puzzle does, but returns SOLOIST_STOPPED soon after `stop` is stopped. */
soloist_code input_puzzle_within(const struct input *input, const struct task *task, soloist_stop_token *stop,
                                 soloist_puzzle *puzzle, soloist_error *error);

#endif
