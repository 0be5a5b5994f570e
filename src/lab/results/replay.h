/* Solutions that a store keeps, replayed by the referee before they are counted. */
#ifndef LAB_RESULTS_REPLAY_H
#define LAB_RESULTS_REPLAY_H

#include "lab/results/store.h"

/* Replays the solutions of the solved runs that `which`, an SQL query, gives the numbers of (a ?1 in it is `number`).
 * Runs that the referee does not confirm are from then on not done; *refused: how many. Domains that are not here, such
 * as those of plugins, are taken at their word. */
bool replay_stored(const struct store *store, const soloist *engine, const char *which, int64_t number,
                   int64_t *refused, soloist_error *error);

#endif
