/* Stores of several machines, or of several sittings, made one. */
#ifndef LAB_RESULTS_MERGE_H
#define LAB_RESULTS_MERGE_H

#include "lab/results/rescue.h"

struct merged {
    int64_t runs;    /* that were not finished here before */
    int64_t refused; /* finished there, but the referee does not confirm their solutions: to be run again */
    bool damaged;    /* the other store; then: */
    struct rescued rescued;
};

/* Adds all that another store holds, or where it is damaged all that can still be read. A run is known by its instance,
 * method, seed and limits, an experiment by its name, under which both must have the same text. All or nothing. */
bool store_merge(const struct store *store, const soloist *engine, const char *other, struct merged *merged,
                 soloist_error *error);

#endif
