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
/* SOKOBAN_RULES_AUTO: the rules that the other options switch on, unless the method has rules of its own (see
 * search_method.rules). */
enum sokoban_rules_kind {
    SOKOBAN_RULES_AUTO,
    SOKOBAN_RULES_ALL,
    SOKOBAN_RULES_NONE,
    SOKOBAN_RULES_KROGER,
    SOKOBAN_RULES_MAROCCHI,
};
enum sokoban_listing { SOKOBAN_LISTING_LEGAL, SOKOBAN_LISTING_LIVE, SOKOBAN_LISTING_MACROS };
enum sokoban_pairs_kind { SOKOBAN_PAIRS_AUTO, SOKOBAN_PAIRS_ON, SOKOBAN_PAIRS_OFF };

#define SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                             \
    CHOICE(T, bound, SOKOBAN_MATCHING_PUSHES, "remaining|manhattan|matching-manhattan|matching-pushes",                \
           "lower bound: remaining: number of boxes off goals; manhattan: sum of all boxes' distances to their "       \
           "nearest goals; matching-manhattan, matching-pushes: least cost of a matching of boxes with goals by "      \
           "Manhattan or push distances")                                                                              \
    BOOL(T, freeze, true,                                                                                              \
         "prune freeze deadlocks: boxes that block each other for good, at least one of them off a goal")              \
    BOOL(T, wall_line, true, "prune positions with more boxes than goals along a wall that the boxes cannot leave")    \
    BOOL(T, bipartite, true,                                                                                           \
         "prune positions in which the boxes cannot all reach different goals; a frozen box keeps its own goal")       \
    BOOL(T, diagonals, false, "prune positions in which boxes along a diagonal enclose squares that no push can open")

#define SOKOBAN_PUSH_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                               \
    CHOICE(T, optimal, 0, "pushes|moves",                                                                              \
           "what is minimised: the number of pushes, or the number of all moves of the player")                        \
    CHOICE(T, rules, SOKOBAN_RULES_AUTO, "auto|all|none|kroger|marocchi",                                              \
           "which deadlock rules and macros are used: all: those that the other options switch on; none: no rules "    \
           "and no macros, so that even pushes onto dead squares are tried; kroger: the rules of Kroger (2024): dead " \
           "squares, freeze deadlocks and wall lines; marocchi: the rules of Marocchi and Crippa (2017): dead "        \
           "squares and freeze deadlocks, tunnels=out, goal_macros, goal_cuts=near and listing=macros; auto: kroger "  \
           "or marocchi if the method comes from that publication, otherwise all. With rules=none, kroger or "         \
           "marocchi, the other options for deadlocks and macros have no effect. There are three exceptions with "     \
           "rules=none: deadlock_tables can still be switched on, a matching bound by push distances is still "        \
           "infinite if boxes cannot reach different goals, and fess keeps its own rules")                             \
    SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                 \
    BOOL(T, corrals, true,                                                                                             \
         "PI-corral pruning: try only pushes into a part of the floor that the player cannot enter, wherever these "   \
         "pushes are enough for a solution with the fewest pushes; has an effect only with optimal=pushes")            \
    BOOL(T, corral_deadlocks, true,                                                                                    \
         "prune positions in which a part of the floor that the player cannot enter can neither be opened nor solved") \
    CHOICE(T, pairs, SOKOBAN_PAIRS_AUTO, "auto|on|off",                                                                \
           "prune positions in which two boxes could not be solved even without the other boxes, according to an "     \
           "exact table; auto: only if the level has five boxes or more")                                              \
    INT(T, triples, 0, 0, 100000,                                                                                      \
        "prune positions in which three boxes could not be solved even without the other boxes, according to an "      \
        "exact table; the value is the maximum size of the table in thousands of sets of three boxes; the table is "   \
        "built once the search has generated half as many states as the table has sets; 0: no table")                  \
    BOOL(T, deadlock_tables, false,                                                                                    \
         "prune pushes that make a small pattern of boxes and walls which is dead according to precomputed tables")    \
    CHOICE(T, tunnels, SOKOBAN_TUNNELS_NONE, "none|keeping|out",                                                       \
           "push a box through a tunnel in one move: keeping: only where a solution with the fewest pushes remains "   \
           "possible; out: always, although solutions may be missed")                                                  \
    BOOL(T, goal_macros, false,                                                                                        \
         "goal macros: a box that enters the goal room is pushed on to the next goal to be filled, in one move; "      \
         "solutions may be missed, even all those with the fewest pushes")                                             \
    CHOICE(T, goal_cuts, SOKOBAN_GOAL_CUTS_NONE, "none|near|far",                                                      \
           "with goal_macros: when to try only the shortest goal macro and no other move: near: if the first push of " \
           "a goal macro enters the goal room; far: also if the goal room is reached only after several pushes; with " \
           "near and far, solutions may be missed")                                                                    \
    CHOICE(T, listing, SOKOBAN_LISTING_LEGAL, "legal|live|macros",                                                     \
           "which moves a search that does not prune may try: legal: every legal push, and the macros as further "     \
           "moves; live: the same moves except pushes onto dead squares; macros: as with live, but each macro "        \
           "replaces the push with which it begins, and goal_cuts is applied")                                         \
    BOOL(T, pattern_deadlocks, false,                                                                                  \
         "after every push, small searches learn which sets of boxes are deadlocked; no solution is missed")           \
    CHOICE(T, penalties, SOKOBAN_PENALTIES_NONE, "none|sound|rolling-stone",                                           \
           "small searches learn which sets of boxes need more pushes than the bound counts for them, and the bound "  \
           "is raised accordingly: sound: the bound stays admissible (this needs as many goals as boxes); "            \
           "rolling-stone: the bound may become too high, so no solution is proved optimal")                           \
    CHOICE(T, share, SOKOBAN_SHARE_NONE, "none|findings|patterns|never",                                               \
           "what several searches by fess on the same level share: findings: results of their small searches, which "  \
           "saves time; patterns: also the deadlocked sets of boxes that the small searches found; never: nothing; "   \
           "none: nothing, except that the method auto uses share=findings,triples=400 if triples and "                \
           "deadlock_tables are off")                                                                                  \
    INT(T, deadlock_nodes, 200, 2, 4000, "with `pattern_deadlocks`: maximum number of positions in one small search")  \
    INT(T, penalty_nodes, 200, 2, 4000, "with `penalties`: maximum number of positions in one small search")           \
    INT(T, pattern_zone, 5, 0, 100,                                                                                    \
        "with `pattern_deadlocks` or `penalties`: a small search counts a box as solved once the box is this many "    \
        "steps away from the examined set of boxes; 0: only once the box is on a goal")

#define SOKOBAN_MOVES_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                              \
    CHOICE(T, rules, SOKOBAN_RULES_AUTO, "auto|all|none",                                                              \
           "which deadlock rules are used: all: those that the other options switch on; none: no rules, so that even " \
           "pushes onto dead squares are tried (but a matching bound by push distances is still infinite if boxes "    \
           "cannot reach different goals); auto: the same as all")                                                     \
    SOKOBAN_SHARED_OPTIONS(T, INT, REAL, BOOL, CHOICE)

SOLOIST_OPTIONS(sokoban_options, SOKOBAN_PUSH_OPTIONS);
SOLOIST_OPTIONS(sokoban_moves_options, SOKOBAN_MOVES_OPTIONS);

#endif
