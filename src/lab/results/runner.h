/* Several workers do the unfinished runs of an experiment, and each result is committed when its run ends. */
#ifndef LAB_RESULTS_RUNNER_H
#define LAB_RESULTS_RUNNER_H

#include "lab/results/store.h"
#include "lab/run/pool.h"

struct runner {
    const struct store *store;
    const soloist *engine;
    int64_t experiment;
    int jobs;
    struct dispatch *dispatch; /* helpers on other ranks; NULL: none */
    soloist_stop_token *stop;  /* may be NULL */
    /* Called by the thread that called runner_run, a few times a second, and at the end. May be NULL. */
    void (*progress)(void *user, const struct pool_progress *progress);
    void *user;
};

struct runner_count {
    uint64_t left;    /* runs that remain */
    uint64_t refused; /* stored runs whose solutions the referee did not confirm, and which were therefore repeated */
};

/* Replays the stored solutions, then executes runs until all are done or the token is stopped. If the store cannot be
 * written, returns false with an error; what was committed stays. Runs that were cancelled, or that could not allocate
 * memory, are not stored; lack of memory is also reported as an error. */
bool runner_run(const struct runner *runner, struct runner_count *count, soloist_error *error);

/* Repeats one stored run; its row holds all that is needed. *same: whether the result has the stored signature. */
bool runner_repeat(const struct store *store, const soloist *engine, int64_t run, soloist_stop_token *stop,
                   soloist_result *result, bool *same, soloist_error *error);

#endif
