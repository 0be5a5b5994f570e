/* Writes the result of a run into its row in the store. */
#ifndef LAB_RESULTS_SAVE_H
#define LAB_RESULTS_SAVE_H

#include "lab/results/query.h"
#include "lab/run/values.h"

/* Opens the statement that save_outcome runs. On failure returns false with an error. The query must be closed in
 * either case. */
bool save_open(struct query *query, const struct store *store, soloist_error *error);
/* Changes nothing if the row already has a result. False: the store could not be written. */
bool save_outcome(struct query *query, const struct job_outcome *outcome);
/* Binds the values, in order, to consecutive parameters of the query; the first of these has the number `at`. */
void save_bind(struct query *query, int at, const struct values *values);

#endif
