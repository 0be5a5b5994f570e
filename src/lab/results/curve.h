/* How a run went on, row by row: a training's losses and the score of its policy alone, a search's best value under a
 * time limit. */
#ifndef LAB_RESULTS_CURVE_H
#define LAB_RESULTS_CURVE_H

#include "lab/results/query.h"
#include "learn/train/training.h"

/* A row, in a list of those to be stored. */
struct curve_row {
    struct curve_row *next;
    int64_t run;
    bool trained; /* else a search's: only row, time_s, value, nodes and iterations count */
    struct training_row training;
    char doing[32]; /* what stands for training.doing, which does not last */
    double value;
    uint64_t nodes, iterations;
};

struct curve_row curve_row_of(int64_t run, const struct training_row *row);

/* The statements that curve_save runs. What goes wrong is reported in the error it was opened with, which must last. */
struct curve_writer {
    struct query forget, add;
};
bool curve_writer_open(struct curve_writer *writer, const struct store *store, soloist_error *error);
void curve_writer_close(struct curve_writer *writer);
/* Puts a row in place of that row and all that came after it: a run that was cut short goes on from an earlier one. */
bool curve_save(struct curve_writer *writer, const struct curve_row *row);

/* A training outside of the lab: its run is as if it had not been made before; then it is done. */
bool curve_begin(const struct store *store, int64_t run, soloist_error *error);
bool curve_end(const struct store *store, int64_t run, double time_s, soloist_error *error);

#endif
