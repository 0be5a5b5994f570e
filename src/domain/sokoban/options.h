/* The options of the two Sokoban domains: the lower bound (D4), what the cost counts, and the deadlock rules (D5). */
#ifndef DOMAIN_SOKOBAN_OPTIONS_H
#define DOMAIN_SOKOBAN_OPTIONS_H

#include "soloist_extra.h"

enum sokoban_bound_kind {
    SOKOBAN_REMAINING,
    SOKOBAN_MANHATTAN,
    SOKOBAN_MATCHING_MANHATTAN,
    SOKOBAN_MATCHING_PUSHES,
};

enum sokoban_tunnels { SOKOBAN_TUNNELS_NONE, SOKOBAN_TUNNELS_KEEPING, SOKOBAN_TUNNELS_OUT };
enum sokoban_goal_cuts { SOKOBAN_GOAL_CUTS_NONE, SOKOBAN_GOAL_CUTS_NEAR, SOKOBAN_GOAL_CUTS_FAR };

enum sokoban_penalties { SOKOBAN_PENALTIES_NONE, SOKOBAN_PENALTIES_SOUND, SOKOBAN_PENALTIES_ROLLING_STONE };
enum sokoban_share { SOKOBAN_SHARE_NONE, SOKOBAN_SHARE_FINDINGS, SOKOBAN_SHARE_PATTERNS, SOKOBAN_SHARE_NEVER };
enum sokoban_pairs_kind { SOKOBAN_PAIRS_AUTO, SOKOBAN_PAIRS_ON, SOKOBAN_PAIRS_OFF };

#define SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                             \
    CHOICE(T, bound, SOKOBAN_MATCHING_PUSHES, "remaining|manhattan|matching-manhattan|matching-pushes",                \
           "lower bound: boxes off goals; distances to the nearest goals; minimum matching by Manhattan or push "      \
           "distances")                                                                                                \
    BOOL(T, freeze, true, "prune freeze deadlocks: boxes that block each other for good, not all on goals")            \
    BOOL(T, wall_line, true, "prune more boxes than goals along a wall that they cannot leave")                        \
    BOOL(T, bipartite, true, "prune if the boxes cannot all reach different goals; frozen boxes keep theirs")          \
    BOOL(T, diagonals, false, "prune boxes along a diagonal that enclose squares which no push can open")

#define SOKOBAN_PUSH_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                               \
    CHOICE(T, optimal, 0, "pushes|moves", "what is minimised: pushes, or all moves of the player")                     \
    SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                 \
    BOOL(T, corrals, true,                                                                                             \
         "PI-corral pruning: first push into parts that the player cannot enter, if that keeps the least pushes "      \
         "(optimal=pushes only)")                                                                                      \
    BOOL(T, corral_deadlocks, true, "prune if a part that the player cannot enter can neither be opened nor solved")   \
    CHOICE(T, pairs, SOKOBAN_PAIRS_AUTO, "auto|on|off",                                                                \
           "prune two boxes that could not be solved even alone, by an exact table; auto: if there are five boxes or " \
           "more")                                                                                                     \
    INT(T, triples, 0, 0, 100000,                                                                                      \
        "prune three boxes that could not be solved even alone, by an exact table of at most this many thousand "      \
        "sets, built once the search has generated half as many states as there are sets; 0: no table")                \
    BOOL(T, deadlock_tables, false,                                                                                    \
         "prune pushes into small patterns of boxes and walls that are dead by precomputed tables")                    \
    CHOICE(T, tunnels, SOKOBAN_TUNNELS_NONE, "none|keeping|out",                                                       \
           "push through a tunnel in one move: keeping: if that keeps the least pushes; out: always, which loses "     \
           "solutions")                                                                                                \
    BOOL(T, goal_macros, false,                                                                                        \
         "a box pushed into the goal room goes on to the next goal to be filled; may lose solutions and the least "    \
         "pushes")                                                                                                     \
    CHOICE(                                                                                                            \
        T, goal_cuts, SOKOBAN_GOAL_CUTS_NONE, "none|near|far",                                                         \
        "with goal_macros, try only the goal macro: near: if the push enters the room; far: if the box can be taken "  \
        "there; may lose solutions")                                                                                   \
    BOOL(T, pattern_deadlocks, false,                                                                                  \
         "small searches after every push learn sets of boxes that are deadlocked; never loses a solution")            \
    CHOICE(                                                                                                            \
        T, penalties, SOKOBAN_PENALTIES_NONE, "none|sound|rolling-stone",                                              \
        "small searches learn sets of boxes that cost more than the bound says; sound: keeps the least pushes, needs " \
        "as many goals as boxes; rolling-stone: may overestimate, so nothing is proved")                               \
    CHOICE(                                                                                                            \
        T, share, SOKOBAN_SHARE_NONE, "none|findings|patterns|never",                                                  \
        "what feature-space searches of one instance share: findings: results of small searches, which saves time; "   \
        "patterns: also the sets of boxes that they found to be deadlocked; the default mix sets share=findings and "  \
        "triples=400 unless one of the two is given; never: as none, and the mix sets neither")                        \
    INT(T, deadlock_nodes, 200, 2, 4000, "with pattern_deadlocks: most positions of one small search")                 \
    INT(T, penalty_nodes, 200, 2, 4000, "with penalties: most positions of one small search")                          \
    INT(T, pattern_zone, 5, 0, 100,                                                                                    \
        "with pattern_deadlocks or penalties: a box this many steps away from its set counts as solved in a small "    \
        "search; 0: only on a goal")

SOLOIST_OPTIONS(sokoban_options, SOKOBAN_PUSH_OPTIONS);
SOLOIST_OPTIONS(sokoban_moves_options, SOKOBAN_SHARED_OPTIONS);

#endif
