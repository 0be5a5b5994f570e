/* The curve of a run, row by row: for a training, its losses and the score of its policy without search; for a search
 * under a time limit, its best value. */
#ifndef LAB_RESULTS_CURVE_H
#define LAB_RESULTS_CURVE_H

#include "lab/results/query.h"
#include "lab/run/job.h"

/* The statements that curve_save runs. Failures are reported in the error that was given to curve_writer_open; this
 * error must outlive the writer. */
struct curve_writer {
    struct query forget, add;
};
bool curve_writer_open(struct curve_writer *writer, const struct store *store, soloist_error *error);
void curve_writer_close(struct curve_writer *writer);
/* Stores a row and deletes the old row with the same number and all later ones, because a resumed run continues from an
 * earlier checkpoint. */
bool curve_save(struct curve_writer *writer, const struct curve_row *row);

/* For a training outside the lab: curve_begin marks its run as not done, curve_end as done. */
bool curve_begin(const struct store *store, int64_t run, soloist_error *error);
bool curve_end(const struct store *store, int64_t run, double time_s, soloist_error *error);

#endif
