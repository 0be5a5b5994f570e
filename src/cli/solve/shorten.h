/* Shortens the solution that a search has found, in domains that can (search/special/polish.h). */
#ifndef CLI_SOLVE_SHORTEN_H
#define CLI_SOLVE_SHORTEN_H

#include "cli/solve/batch.h"

/* Replaces the outcome's solution by a shorter one, if one is found within the limits that batch->shorten sets. By
 * default at most as many states are generated as the search generated, so that results can be repeated, and the time
 * limit applies to search and shortening together. left_s: seconds left of the time limit, 0 if there is none. Nothing
 * is done if the solution is already proved optimal for the objective. */
void shorten_found(const struct batch *batch, const soloist_puzzle *puzzle, double left_s,
                   const soloist_callbacks *callbacks, struct outcome *outcome);

#endif
