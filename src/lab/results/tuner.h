/* Tuning: trials of a method's options, by successive halving over the instances. Every trial's runs are in the store
 * and what is tried next follows from them alone, so that a tuning that was stopped goes on by being begun again. */
#ifndef LAB_RESULTS_TUNER_H
#define LAB_RESULTS_TUNER_H

#include "lab/results/plan.h"
#include "lab/results/runner.h"
#include "lab/tune.h"

enum tuner_way { TUNER_MODEL, TUNER_ENTROPY, TUNER_GRID };

/* How far it is, reported after every generation. */
struct tuner_progress {
    size_t trials;    /* done */
    const char *best; /* NAME:options */
    double score;
    int rung; /* that the best has reached: TUNE_RUNGS - 1 is the whole set */
};

struct tuner {
    const struct store *store;
    const soloist *engine;
    const struct experiment *experiment;
    const struct plan_files *files;
    const char *name, *text; /* of the experiment */
    enum tuner_way way;
    size_t trials;
    int steps; /* of a grid's ranges */
    uint64_t seed;
    int jobs;
    const volatile int *cancel;
    void (*runs)(void *user, const struct runner_progress *progress); /* may be NULL */
    void (*reported)(void *user, const struct tuner_progress *progress);  /* may be NULL */
    void *user;
};

/* False with an error, also where it was cancelled. *progress is where it ended; best (its text) holds `room` bytes. */
bool tuner_run(const struct tuner *tuner, struct tuner_progress *progress, char *best, size_t room,
               soloist_error *error);

#endif
