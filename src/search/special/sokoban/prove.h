/* Finds out whether a Sokoban position has a solution: by quick deadlock rules, then by a search within limits. */
#ifndef SEARCH_SPECIAL_SOKOBAN_PROVE_H
#define SEARCH_SPECIAL_SOKOBAN_PROVE_H

#include "domain/sokoban/deadlock/explain.h"

enum prove_verdict { PROVE_UNKNOWN, PROVE_DEAD, PROVE_ALIVE };

struct proof {
    enum prove_verdict verdict;
    struct sokoban_explanation why; /* if dead: the reason */
    soloist_result result;          /* if alive: a solution; the caller frees it */
};

/* Applies the quick deadlock rules within the limits, and subtracts the time that this took from the time limit. False
 * if there is no memory. */
bool prove_examine(const struct sokoban_level *level, soloist_limits *limits, struct sokoban_explanation *why);

/* quick: only the deadlock rules are used, and no search is made. If a search proves that the position is dead, the
 * search is repeated with fewer and fewer boxes, so that `why` names as few boxes as possible within the limits. */
soloist_code prove_position(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                            const soloist_limits *limits, const soloist_callbacks *callbacks, struct proof *proof,
                            soloist_error *error);

#endif
