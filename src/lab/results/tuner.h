/* Tuning: trials of a method's options, by successive halving over the instances. All runs are in the store, and they
 * alone determine the next trial, so a stopped tuning continues when it is started again. */
#ifndef LAB_RESULTS_TUNER_H
#define LAB_RESULTS_TUNER_H

#include "lab/results/plan_store.h"
#include "lab/results/runner.h"
#include "lab/tune.h"

enum tuner_way { TUNER_MODEL, TUNER_ENTROPY, TUNER_GRID };

/* The SQL query for the score of the trial with label ?1; %s: the expression whose mean is maximised. */
#define TUNER_SCORE "SELECT avg(%s) FROM runs WHERE label = ?1"

/* The progress, reported after every generation of trials. */
struct tuner_progress {
    size_t trials;    /* number of trials done */
    const char *best; /* NAME:options */
    double score;
    int rung; /* the rung that the best trial has reached; rung TUNE_RUNGS - 1 has all instances */
};

struct tuner {
    const struct store *store;
    const soloist *engine;
    const struct experiment *experiment;
    const struct plan_files *files;
    const char *name, *text; /* name and text of the experiment */
    enum tuner_way way;
    size_t trials;
    int steps; /* for a grid: number of values per range */
    uint64_t seed;
    int jobs;
    struct dispatch *dispatch; /* helpers on other ranks; NULL: none */
    soloist_stop_token *stop;
    void (*runs)(void *user, const struct pool_progress *progress);      /* may be NULL */
    void (*reported)(void *user, const struct tuner_progress *progress); /* may be NULL */
    void *user;
};

/* Runs the tuning. Returns false with an error if it failed or was cancelled. *progress is the final progress; the best
 * setting is written to `best`, which has `room` bytes. */
bool tuner_run(const struct tuner *tuner, struct tuner_progress *progress, char *best, size_t room,
               soloist_error *error);

#endif
