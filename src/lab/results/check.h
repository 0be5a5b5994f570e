/* Checks the report that an experiment defines before any of its runs is made: SQL queries, their columns, and the
 * labels in them. */
#ifndef LAB_RESULTS_CHECK_H
#define LAB_RESULTS_CHECK_H

#include "lab/experiment.h"

/* If something is wrong, returns false with line and column in the error. Uses an empty store in memory. */
bool check_report(const struct experiment *experiment, soloist_error *error);

#endif
