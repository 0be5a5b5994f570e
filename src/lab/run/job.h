/* One run, a search or a training: its row in the store, and its outcome. */
#ifndef LAB_RUN_JOB_H
#define LAB_RUN_JOB_H

#include "lab/run/trained.h"
#include "learn/train/training.h"

/* A row of a curve, in a list of rows that will be stored. */
struct curve_row {
    struct curve_row *next;
    int64_t run;
    bool trained; /* the run is a training; for a search, only row, time_s, value, nodes and iterations are used */
    struct training_row training;
    char doing[32]; /* copy of training.doing, whose text does not live long enough */
    double value;
    uint64_t nodes, iterations;
};

struct curve_row curve_row_of(int64_t run, const struct training_row *row);

/* The row of a run. */
struct job {
    int64_t id;
    const char *domain, *options, *name, *text, *method, *network;
    soloist_limits limits;
    size_t tally;
};

/* Rows of curves, oldest first. */
struct rows {
    struct curve_row *first, **end;
};

void rows_open(struct rows *rows);
/* False: memory ran out, and the row is left out. */
bool rows_add(struct rows *rows, const struct curve_row *row);
void rows_free(struct curve_row *first);

struct job_outcome {
    struct job_outcome *next;
    const struct job *job;
    soloist_result result;
    soloist_error error;
    double cpu_s;
    bool trained;
    bool measured; /* the run asked for the value of a dead position (dead_run.h), which is `value` */
    float value;
    bool starved; /* an allocation failed: the outcome is not stored, because another attempt may succeed */
    /* A search's curve, or the values of a dead and a live position in rows 0 and 1; stored with the outcome. */
    struct rows rows;
};

void job_outcome_free(struct job_outcome *outcome);
/* A hash of everything in a result that a repetition must reproduce. */
uint64_t job_signature(const soloist_result *result);

/* Where trainings keep their checkpoints and weights, and the callback for their rows. */
struct job_school {
    const soloist *engine;
    const char *folder;
    /* Called from the thread that trains; false: the row is lost. */
    bool (*report)(void *user, const struct curve_row *row);
    void *user;
    struct trained *trained; /* the networks of trainings, which runs share; NULL: they share none */
};

/* Whether an error says that an allocation failed. Referees, networks and trainings report a failed allocation only in
 * the error's text. */
bool job_tells_of_memory(const soloist_error *error);
/* Whether the run is a training. */
bool job_is_training(const struct job *job);
/* Whether the run is a search with the network of a training. */
bool job_wants_trained(const struct job *job);
/* Runs a search or asks for the value of a dead position; *outcome must be zeroed. */
void job_solve(const struct job_school *school, const struct job *job, struct job_outcome *outcome);
/* Runs a training; *outcome must be zeroed. */
void job_train(const struct job_school *school, const struct job *job, struct job_outcome *outcome);
/* To be called once the result of a training is stored: deletes all files of the training except its weights. */
void job_tidy(const struct job_school *school, const struct job *job);

#endif
