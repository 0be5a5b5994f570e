/* Checks the report that an experiment defines before any of its runs is made: SQL queries, their columns, and the
 * labels in them. Says why a query is refused. */
#ifndef LAB_RESULTS_CHECK_H
#define LAB_RESULTS_CHECK_H

#include "lab/experiment.h"
#include "lab/results/store.h"

/* If something is wrong, returns false with line and column in the error. Uses an empty store in memory. */
bool check_report(const struct experiment *experiment, soloist_error *error);

enum { CHECK_REASON = 256 };
/* Why a query on the store was refused, without the name of the store; if a column does not exist, with a similar one
 * of the table, or of all tables if it is NULL. */
void check_reason(const struct store *store, const char *table, const soloist_error *why, char reason[CHECK_REASON]);

#endif
