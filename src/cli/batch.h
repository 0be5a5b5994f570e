/* Many instances solved by several jobs at once, their outcomes handed over in order. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli/input.h"

/* What became of one instance. */
struct outcome {
    soloist_result result;
    soloist_error error;    /* text is "" if all went well */
    char *board;            /* the instance as text, where the batch keeps boards; owned */
    const char *impossible; /* the domain's sentence that proves it, copied into reason; or NULL */
    char reason[160];
};

struct progress;

struct batch {
    const struct cli *cli;
    const struct input *input;
    const char *method;    /* NULL: auto */
    soloist_limits limits; /* of one job */
    int jobs;
    bool keep_boards;
    struct progress *progress; /* may be NULL */
    /* Called for one outcome after the other, in the order of the tasks, never two at once. The outcome is freed after.
     */
    void (*emit)(void *user, const struct task *task, const struct outcome *outcome);
    void *user;
};

/* Runs until all are done or the cancel flag is set: then what was begun is finished and emitted, and the rest is left.
 * Returns how many tasks were emitted. */
size_t batch_run(const struct batch *batch);

/* Cores that this process may use. */
int batch_cores(void);
/* Bytes that are free for new programs, by the kernel's and the container's count; 0 if neither says. */
size_t batch_free_memory(void);

#endif
