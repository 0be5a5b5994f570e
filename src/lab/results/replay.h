/* Replays stored solutions by the referee before they are counted. */
#ifndef LAB_RESULTS_REPLAY_H
#define LAB_RESULTS_REPLAY_H

#include "lab/results/store.h"

/* Replays the solutions of the solved runs whose numbers the SQL query `which` returns (its ?1 is bound to `number`).
 * Runs that the referee does not confirm are marked as not done; *refused is their number. Solutions of domains that
 * this program lacks, such as those of plugins, are accepted unchecked. */
bool replay_stored(const struct store *store, const soloist *engine, const char *which, int64_t number,
                   int64_t *refused, soloist_error *error);

#endif
