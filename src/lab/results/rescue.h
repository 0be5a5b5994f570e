/* Rescues what can still be read of a damaged store. */
#ifndef LAB_RESULTS_RESCUE_H
#define LAB_RESULTS_RESCUE_H

#include "lab/results/store.h"

struct rescued {
    int64_t read, lost; /* finished runs with everything that belongs to them; lost: as far as is known */
};

/* Copies it into the empty database that is attached to `store` as `other`. False with an error: nothing can be read.
 */
bool rescue(const struct store *store, const char *damaged, struct rescued *rescued, soloist_error *error);

#endif
