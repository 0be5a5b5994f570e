/* What is minimised when a solution is shortened, in games that count pushes and moves: first the count that the name
 * begins with, then the other count. */
#ifndef SEARCH_SPECIAL_POLISH_H
#define SEARCH_SPECIAL_POLISH_H

#include "soloist.h"

enum polish_aim { POLISH_PUSHES_MOVES, POLISH_MOVES_PUSHES, POLISH_PUSHES, POLISH_MOVES };

struct polish_result {
    /* The new solution, confirmed by the referee; owned. NULL: the solution to be shortened was refused. */
    char *solution;
    soloist_verdict before, after;
    bool optimal; /* it is proved that no solution is better under the aim */
    uint64_t nodes;
    double time_s;
    soloist_stop stopped; /* SOLOIST_STOP_GOAL: no limit was reached, or the solution is optimal */
};

#endif
