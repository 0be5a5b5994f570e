/* Runs an experiment and records it in a file of JSON lines (lines.h). A run's line is written and synchronised as soon
 * as the run has ended; a program that is killed loses no line, and the same call, made again, continues the
 * experiment. */
#ifndef LAB_RUN_RECORD_H
#define LAB_RUN_RECORD_H

#include "lab/run/plan.h"
#include "lab/run/pool.h"

struct record_wish {
    const char *path; /* created if it does not exist */
    const soloist *engine;
    const struct experiment *experiment;
    const struct plan_wish *plan;
    const struct plan_files *files;
    int jobs;
    struct dispatch *dispatch; /* helpers on other ranks; NULL: none */
    soloist_stop_token *stop;  /* may be NULL */
    void (*progress)(void *user, const struct pool_progress *progress);
    void *user;
};

struct record_count {
    uint64_t planned, done, solved, trained; /* runs of the experiment */
    uint64_t trainings;                      /* how many of the planned runs are trainings */
    uint64_t memory_stops;                   /* number of searches that stopped at their memory limit */
    uint64_t invalid;                        /* number of runs that failed; `why` says why the first of them failed */
    char why[320];
    /* Only for `warned_label`, the label that had the first warning: number of its runs that ended with a warning. */
    uint64_t warned;
    char warned_label[128], warning[256];
};

/* False with an error. */
bool record_run(const struct record_wish *wish, struct record_count *count, soloist_error *error);

#endif
