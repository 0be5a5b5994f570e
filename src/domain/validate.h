/* The contract's property checker: random walks that test any domain against what soloist.h requires. */
#ifndef DOMAIN_VALIDATE_H
#define DOMAIN_VALIDATE_H

#include "soloist_extra.h"

/* Makes `walks` walks of at most `steps` moves from the puzzle's root, as many backwards from its goals, and as many
 * play-outs of each policy and walks of each rule. Along them it checks: undo restores each byte; expand agrees with
 * moves, apply, key, bound and dead; keys agree with those computed from scratch; bounds are admissible and consistent
 * if the domain says so; pack, print and solution texts can be read back unchanged; backward moves undo forward ones;
 * nothing is written past a block's end. False with one sentence that says what fails and where; the same seed gives
 * the same walks. */
bool domain_validate(const soloist_domain *domain, const soloist_puzzle *puzzle, uint64_t seed, int walks, int steps,
                     soloist_error *error);

#endif
