/* The contract's property checker: random walks that test any domain against what soloist.h requires. */
#ifndef DOMAIN_VALIDATE_H
#define DOMAIN_VALIDATE_H

#include "soloist_extra.h"

/* Makes `walks` walks of at most `steps` moves from the puzzle's root. Makes the same number of backward walks from its
 * goals, of play-outs by each policy, and of walks by each rule of the domain's group `walk`. In all of them it checks
 * that undo restores each byte; that expand agrees with moves, apply, key, bound and dead; that keys agree with those
 * computed from scratch; that bounds are admissible and consistent if the domain says so; that packed states, printed
 * states and solution texts can be read back; that backward moves undo forward moves; and that nothing is written past
 * the end of a block. False with one sentence that says what fails and where. The same seed gives the same walks. */
bool domain_validate(const soloist_domain *domain, const soloist_puzzle *puzzle, uint64_t seed, int walks, int steps,
                     soloist_error *error);

#endif
