/* Reads a file of JSON lines (run/lines.h), so that it can be merged into a store. */
#ifndef LAB_RESULTS_READ_LINES_H
#define LAB_RESULTS_READ_LINES_H

#include "lab/results/rescue.h"

/* Copies all intact lines into the tables of rescue_make_tables. `rescued` counts the runs that were read and the lines
 * that were damaged. */
bool lines_read_all(const struct store *store, const char *text, size_t length, struct rescued *rescued,
                    soloist_error *error);

#endif
