/* Merges the stores of several machines or occasions into one. */
#ifndef LAB_RESULTS_MERGE_H
#define LAB_RESULTS_MERGE_H

#include "lab/results/rescue.h"

struct merged {
    int64_t runs;    /* that were not finished here before */
    int64_t refused; /* finished there, but the referee does not confirm their solutions: to be run again */
    bool damaged;    /* the other store; then: */
    struct rescued rescued;
};

/* Adds everything that another store holds or, if it is damaged, everything that can still be read. A run is identified
 * by its instance, method, seed and limits, an experiment by its name; experiments of the same name must have the same
 * text. All or nothing. */
bool store_merge(const struct store *store, const soloist *engine, const char *other, struct merged *merged,
                 soloist_error *error);

#endif
