/* One run: what its row says, and what comes of doing it, a search or a training. */
#ifndef LAB_RESULTS_JOB_H
#define LAB_RESULTS_JOB_H

#include "lab/results/curve.h"

/* What a run's row says. */
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
/* False: there is no memory for it, and it is left out. */
bool rows_add(struct rows *rows, const struct curve_row *row);
void rows_free(struct curve_row *first);

struct outcome {
    struct outcome *next;
    const struct job *job;
    soloist_result result;
    soloist_error error;
    double cpu_s;
    bool trained;
    bool starved;     /* memory was refused: another time more may come of it, so that it is not stored */
    struct rows rows; /* of a search: they are stored with it */
};

void outcome_free(struct outcome *outcome);

/* Where trainings keep their checkpoints and weights, and who is told of their rows. */
struct job_school {
    const soloist *engine;
    const char *folder;
    /* From the thread that trains; false: the row is lost. */
    bool (*report)(void *user, const struct curve_row *row);
    void *user;
};

/* Was memory refused? Referees, networks and trainings say it in words alone. */
bool job_tells_of_memory(const soloist_error *error);
/* Is it a training? Is it a search with the network of one? */
bool job_is_training(const struct job *job);
bool job_wants_trained(const struct job *job);
/* A search; *outcome is zeroed. */
void job_solve(const struct job_school *school, const struct job *job, struct outcome *outcome);
/* A training; *outcome is zeroed. */
void job_train(const struct job_school *school, const struct job *job, struct outcome *outcome);
/* Once its result is stored. */
void job_tidy(const struct job_school *school, const struct job *job);

#endif
