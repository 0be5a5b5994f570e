/* Stores of several machines, or of several sittings, made one. */
#ifndef LAB_RESULTS_MERGE_H
#define LAB_RESULTS_MERGE_H

#include "lab/results/store.h"

/* Adds all that another store holds; *runs are those that were not finished here before. A run is known by its
 * instance, method, seed and limits, an experiment by its name, under which both must have the same text. All or
 * nothing. */
bool store_merge(const struct store *store, const char *other, int64_t *runs, soloist_error *error);

#endif
