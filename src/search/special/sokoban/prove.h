/* Whether a Sokoban position has a solution: the quick rules, then a search within limits. */
#ifndef SEARCH_SOKOBAN_PROVE_H
#define SEARCH_SOKOBAN_PROVE_H

#include "domain/sokoban/deadlock/explain.h"

enum prove_verdict { PROVE_UNKNOWN, PROVE_DEAD, PROVE_ALIVE };

struct proof {
    enum prove_verdict verdict;
    struct sokoban_explanation why; /* where dead */
    soloist_result result;          /* where alive: a solution; the caller frees it */
};

/* quick: the rules alone. A search that finds the position dead is repeated with boxes taken away, so that `why` names
 * as few as the limits allow to find out. */
soloist_code prove_position(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                            const soloist_limits *limits, const soloist_callbacks *callbacks, struct proof *proof,
                            soloist_error *error);

#endif
