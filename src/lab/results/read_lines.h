/* Reads a file of JSON lines (run/lines.h), so that it can be merged into a store. */
#ifndef LAB_RESULTS_READ_LINES_H
#define LAB_RESULTS_READ_LINES_H

#include "lab/results/rescue.h"

/* Creates the empty tables of the database that is attached to `store` as `other`. */
bool lines_make_tables(const struct store *store, soloist_error *error);
/* Copies all intact lines into these tables. `rescued` counts the runs that were read and the lines that were damaged.
 */
bool lines_read_all(const struct store *store, const char *text, size_t length, struct rescued *rescued,
                    soloist_error *error);

#endif
