/* Many instances solved by several jobs at once, their outcomes handed over in order. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli/input/input.h"
#include "cli/shell/plugin.h"
#include "engine/identity.h"

/* What a stored result belongs to: search/identity.h, and for a plugin's domain a key of the plugin itself, since a
 * proof made under other rules must not pass for one made under these. */
#define BATCH_IDENTITY_ROOM (IDENTITY_ROOM + PLUGIN_MARK_ROOM)
void batch_identity(const struct cli *cli, const soloist_puzzle *puzzle, char out[BATCH_IDENTITY_ROOM]);

/* What became of one instance. */
struct outcome {
    soloist_result result;
    soloist_error error;    /* text is "" if all went well */
    char *board;            /* the instance as text, where the batch keeps boards; owned */
    const char *impossible; /* the domain's sentence that proves it, copied into reason; or NULL */
    char reason[160];
    char identity[BATCH_IDENTITY_ROOM]; /* "" unless the batch asks for it and the instance is valid */
    bool resumed;                       /* of an earlier run */
};

struct progress;

struct batch {
    const struct cli *cli;
    const struct input *input;
    const char *method;    /* NULL: auto */
    soloist_limits limits; /* of one job */
    int jobs;
    bool keep_boards, identify; /* outcomes hold the board, the identity */
    double polish_s;           /* seconds to shorten each Sokoban solution; 0: not */
    int polish_aim;            /* enum polish_aim */
    struct progress *progress; /* may be NULL */
    /* By task: outcomes known beforehand, which are emitted in their turn and freed; NULL: none. */
    struct outcome **known;
    const size_t *duplicates; /* see duplicates.h; NULL: every task is run */
    /* Called as soon as a task has been run, before those before it may have ended; never two at once. May be NULL. */
    void (*finished)(void *user, const struct task *task, const struct outcome *outcome);
    /* Called for one outcome after the other, in the order of the tasks, never two at once. The outcome is freed after.
     */
    void (*emit)(void *user, const struct task *task, const struct outcome *outcome);
    void *user;
};

/* Runs until all are done or the cancel flag is set: then what was begun is finished and emitted, and the rest is left.
 * Returns how many tasks were emitted. */
size_t batch_run(const struct batch *batch);

/* The outcome of an instance that could not be read or solved. */
void batch_settle(soloist_code code, struct outcome *outcome);
/* Fills in what the batch wants to know of an instance beside its result. */
void batch_describe(const struct batch *batch, const soloist_puzzle *puzzle, struct outcome *outcome);

/* Cores that this process may use. */
int batch_cores(void);
/* Bytes that are free for new programs, by the kernel's and the container's count; 0 if neither says. */
size_t batch_free_memory(void);

#endif
