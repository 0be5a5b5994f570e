/* The contract's property checker: random walks that hold any domain against what soloist.h demands of it. */
#ifndef DOMAIN_VALIDATE_H
#define DOMAIN_VALIDATE_H

#include "soloist.h"

/* Takes `walks` walks of at most `steps` moves from the puzzle's root, as many backwards from its goals, and as many
 * play-outs of each policy and walks of each rule. On every path: undo restores each byte; expand agrees with moves,
 * apply, key, bound and dead; keys agree with those from nothing; bounds are admissible and consistent where the domain
 * says so; pack, print and solution texts come back as they were; backward moves undo forward ones; nothing is written
 * past a block's end. False with one sentence that says what fails and where; the same seed takes the same walks. */
bool domain_validate(const soloist_domain *domain, const soloist_puzzle *puzzle, uint64_t seed, int walks, int steps,
                     soloist_error *error);

#endif
