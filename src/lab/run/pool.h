/* Several workers do runs, here and on other ranks; only the calling thread writes results. If several runs end while
 * this thread is writing, it writes their results together the next time, so that short runs do not wait for the disk.
 * Only complete runs are written. */
#ifndef LAB_RUN_POOL_H
#define LAB_RUN_POOL_H

#include "base/dispatch.h"
#include "lab/run/job.h"

/* The progress of the runs with one label. */
struct pool_tally {
    const char *label;
    uint64_t planned, done, solved;
    double time_s; /* total wall time of the runs done */
    double value;  /* sum of the values of the runs solved */
};

struct pool_progress {
    const struct pool_tally *tallies; /* one per label, in the order in which labels appear */
    size_t tally_count;
    uint64_t planned, done, now; /* numbers of runs of the experiment; now: runs done since pool_run was called */
    int working;                 /* number of runs in progress */
    double elapsed_s, left_s;    /* left_s: estimated from the runs done; negative: not known yet */
};

struct pool_wish {
    const soloist *engine;
    const char *folder; /* folder of the checkpoints of trainings */
    /* The runs, in the order in which they begin; pool_run sets their stop tokens. Trainings come before searches,
     * which may need their networks. All instances and methods are run with one seed before the next seed begins. With
     * one seed, instances are run by their numbers, in groups of as many numbers as there are cores: all methods run on
     * one group before the next begins, so that the results of an unfinished experiment can be compared. Within a
     * group, runs with many threads come first, because later they would have to wait until enough cores are free at
     * the same time. */
    struct job *job_list;
    size_t job_count;
    struct pool_tally *tallies; /* one per label; updated as runs end */
    size_t tally_count;
    int jobs;                  /* number of cores to use on this rank */
    struct dispatch *dispatch; /* helpers on other ranks (far.h); NULL: none */
    soloist_stop_token *stop;  /* may be NULL */
    /* Writes rows of running trainings, and the outcomes of runs that have ended (the list begins with the newest).
     * What was written must survive a kill of the process. Called by the thread that called pool_run. If it returns
     * false with an error, all work ends. */
    bool (*commit)(void *book, const struct curve_row *rows, const struct job_outcome *list, soloist_error *error);
    void *book;
    /* Called by the thread that called pool_run, a few times a second, and at the end. May be NULL. */
    void (*progress)(void *user, const struct pool_progress *progress);
    void *user;
};

/* Works until all runs are done or the token is stopped. *done: number of runs that were committed. On failure returns
 * false with an error; what was committed stays. Runs that were cancelled, or that could not allocate memory, are not
 * committed; lack of memory is also reported as an error. */
bool pool_run(const struct pool_wish *wish, uint64_t *done, soloist_error *error);

#endif
