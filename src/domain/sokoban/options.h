/* The options of the two Sokoban domains: which lower bound (D4), what is counted, which deadlock rules (D5). */
#ifndef SOKOBAN_OPTIONS_H
#define SOKOBAN_OPTIONS_H

#include "soloist.h"

enum sokoban_bound_kind {
    SOKOBAN_REMAINING,
    SOKOBAN_MANHATTAN,
    SOKOBAN_MATCHING_MANHATTAN,
    SOKOBAN_MATCHING_PUSHES,
};

#define SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                             \
    CHOICE(T, bound, SOKOBAN_MATCHING_PUSHES, "remaining|manhattan|matching-manhattan|matching-pushes",                \
           "lower bound: boxes off goals; distance to the nearest goal; least matching by either distance")            \
    BOOL(T, freeze, true, "prune boxes that block each other for good off a goal")                                     \
    BOOL(T, wall_line, true, "prune more boxes than goals along a wall that they cannot leave")                        \
    BOOL(T, bipartite, true, "prune where the boxes cannot have different goals; frozen boxes keep theirs")

#define SOKOBAN_PUSH_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                               \
    CHOICE(T, optimal, 0, "pushes|moves", "cost of a push: 1, or the steps of the walk to it and its own")             \
    SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                 \
    BOOL(                                                                                                              \
        T, corrals, true,                                                                                              \
        "push first into parts that the player cannot enter, where that keeps the least pushes (optimal=pushes only)") \
    BOOL(T, corral_deadlocks, false, "prune pushes that shut off a part which can never be solved; fewer nodes, slower")

SOLOIST_OPTIONS(sokoban_options, SOKOBAN_PUSH_OPTIONS);
SOLOIST_OPTIONS(sokoban_moves_options, SOKOBAN_SHARED_OPTIONS);

#endif
