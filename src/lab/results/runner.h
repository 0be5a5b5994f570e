/* The runs of an experiment that are not finished, done by several workers and committed as they end. */
#ifndef LAB_RESULTS_RUNNER_H
#define LAB_RESULTS_RUNNER_H

#include "lab/results/store.h"

/* How far the runs under one label are. */
struct runner_tally {
    const char *label;
    uint64_t planned, done, solved;
    double time_s; /* wall time of those done, all together */
    double value;  /* sum of the values of those solved */
};

struct runner_progress {
    const struct runner_tally *tallies; /* in the order in which labels come up */
    size_t tally_count;
    uint64_t planned, done, now; /* of the experiment; now: done since this call began */
    int working;                 /* runs under way */
    double elapsed_s, left_s;    /* left_s: guessed from the times of those done; negative: not known yet */
};

struct runner {
    const struct store *store;
    const soloist *engine;
    int64_t experiment;
    int jobs;
    const volatile int *cancel; /* may be NULL */
    /* Called from the calling thread, a few times a second, and at the end. May be NULL. */
    void (*progress)(void *user, const struct runner_progress *progress);
    void *user;
};

struct runner_count {
    uint64_t left;    /* runs that remain */
    uint64_t refused; /* stored ones whose solutions the referee did not confirm: they were to be run again */
};

/* Replays what is stored, then runs until all are done, the cancel flag is set or the store cannot be written: then
 * false with an error, and what was committed stays. Runs that a cancel cut short, or to which the machine refused
 * memory, are not stored; of the latter an error tells. */
bool runner_run(const struct runner *runner, struct runner_count *count, soloist_error *error);

/* Repeats one stored run from its row alone. *same: the result has the signature that is stored. */
bool runner_repeat(const struct store *store, const soloist *engine, int64_t run, const volatile int *cancel,
                   soloist_result *result, bool *same, soloist_error *error);

/* A hash over everything in a result that a repetition must give again. */
uint64_t runner_signature(const soloist_result *result);

#endif
