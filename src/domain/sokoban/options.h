/* The options of the two Sokoban domains: the lower bound (D4), what is counted, and the deadlock rules (D5). */
#ifndef SOKOBAN_OPTIONS_H
#define SOKOBAN_OPTIONS_H

#include "soloist.h"

enum sokoban_bound_kind {
    SOKOBAN_REMAINING,
    SOKOBAN_MANHATTAN,
    SOKOBAN_MATCHING_MANHATTAN,
    SOKOBAN_MATCHING_PUSHES,
};

enum sokoban_tunnels { SOKOBAN_TUNNELS_NONE, SOKOBAN_TUNNELS_KEEPING, SOKOBAN_TUNNELS_OUT };
enum sokoban_goal_cuts { SOKOBAN_GOAL_CUTS_NONE, SOKOBAN_GOAL_CUTS_NEAR, SOKOBAN_GOAL_CUTS_FAR };

enum sokoban_penalties { SOKOBAN_PENALTIES_NONE, SOKOBAN_PENALTIES_SOUND, SOKOBAN_PENALTIES_ROLLING_STONE };
enum sokoban_share { SOKOBAN_SHARE_NONE, SOKOBAN_SHARE_FINDINGS, SOKOBAN_SHARE_PATTERNS };
enum sokoban_pairs_kind { SOKOBAN_PAIRS_AUTO, SOKOBAN_PAIRS_ON, SOKOBAN_PAIRS_OFF };

#define SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                             \
    CHOICE(T, bound, SOKOBAN_MATCHING_PUSHES, "remaining|manhattan|matching-manhattan|matching-pushes",                \
           "lower bound: boxes off goals; distance to the nearest goal; least matching by either distance")            \
    BOOL(T, freeze, true, "prune boxes that block each other for good off a goal")                                     \
    BOOL(T, wall_line, true, "prune more boxes than goals along a wall that they cannot leave")                        \
    BOOL(T, bipartite, true, "prune where the boxes cannot have different goals; frozen boxes keep theirs")            \
    BOOL(T, diagonals, false, "prune boxes along a diagonal that shut in squares which no push can open")

#define SOKOBAN_PUSH_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                               \
    CHOICE(T, optimal, 0, "pushes|moves", "cost of a push: 1, or the steps of the walk to it and its own")             \
    SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                 \
    BOOL(                                                                                                              \
        T, corrals, true,                                                                                              \
        "push first into parts that the player cannot enter, where that keeps the least pushes (optimal=pushes only)") \
    BOOL(T, corral_deadlocks, true, "end where a part that the player cannot enter can never be opened nor solved")    \
    CHOICE(T, pairs, SOKOBAN_PAIRS_AUTO, "auto|on|off",                                                                \
           "prune two boxes that could not be solved even alone: an exact table; auto: for five boxes and more")       \
    INT(T, triples, 0, 0, 100000,                                                                                      \
        "prune three boxes that could not be solved even alone: an exact table, made once the search has generated "   \
        "half as many states as it has sets, if those are no more than so many thousands; 0: none")                    \
    BOOL(T, deadlock_tables, false, "prune pushes into small patterns of boxes and walls that tables know as dead")    \
    CHOICE(T, tunnels, SOKOBAN_TUNNELS_NONE, "none|keeping|out",                                                       \
           "pushes through a tunnel as one move: where that keeps the least pushes; always, which loses solutions")    \
    BOOL(T, goal_macros, false,                                                                                        \
         "a box pushed into the room of goals goes on to the goal that is next; least pushes and solutions may be "    \
         "lost")                                                                                                       \
    CHOICE(                                                                                                            \
        T, goal_cuts, SOKOBAN_GOAL_CUTS_NONE, "none|near|far",                                                         \
        "with goal_macros: such a push is the only one looked at, if it enters; if the box can be taken there; lossy") \
    BOOL(T, pattern_deadlocks, false,                                                                                  \
         "small searches from every push learn sets of boxes that are lost; nothing is lost by that")                  \
    CHOICE(T, penalties, SOKOBAN_PENALTIES_NONE, "none|sound|rolling-stone",                                           \
           "small searches learn sets of boxes that cost more than the bound says: sound keeps the least pushes and "  \
           "needs as many goals as boxes; rolling-stone's may count too much, so nothing is proved")                   \
    CHOICE(T, share, SOKOBAN_SHARE_NONE, "none|findings|patterns",                                                     \
           "what feature-space searches of this instance share: what small searches found, which saves time; and the " \
           "sets of boxes that they learned to be lost")                                                               \
    INT(T, deadlock_nodes, 200, 2, 4000, "with pattern_deadlocks: positions of one small search")                      \
    INT(T, penalty_nodes, 200, 2, 4000, "with penalties: positions of one small search")                               \
    INT(T, pattern_zone, 5, 0, 100,                                                                                    \
        "with both: steps from its set at which a box counts as through in a small search; 0: only on a goal")

SOLOIST_OPTIONS(sokoban_options, SOKOBAN_PUSH_OPTIONS);
SOLOIST_OPTIONS(sokoban_moves_options, SOKOBAN_SHARED_OPTIONS);

#endif
