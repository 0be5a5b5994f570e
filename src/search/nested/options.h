/* Every variation of the nested searches is an option row here; the methods in presets.c differ only in the values that
 * they set. */
#ifndef SEARCH_NESTED_OPTIONS_H
#define SEARCH_NESTED_OPTIONS_H

#include "soloist.h"

enum nested_search { NESTED_NRPA, NESTED_NMCS, NESTED_NMCTS };
enum nested_codes { NESTED_CODES_AUTO, NESTED_CODES_MOVE, NESTED_CODES_STATE, NESTED_CODES_STEP };

#define NESTED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    CHOICE(T, search, NESTED_NRPA, "nrpa|nmcs|nmcts",                                                                  \
           "what each level does: nrpa: adapts a policy; nmcs: tries every move; nmcts: grows a tree; by default "     \
           "the one that the method is named after")                                                                   \
    INT(T, level, 3, 1, 12, "levels of nesting; level 0 is a play-out")                                                \
    INT(T, n, 100, 1, 1000000, "how often a level calls the level below (nmcts: iterations of its tree)")              \
    REAL(T, alpha, 1, 0, 100, "nrpa: step size by which a policy is adapted towards the best line")                    \
    INT(T, rule, -1, -1, 100,                                                                                          \
        "number of the domain's rule by which play-outs leave out moves; 0: no move is left out; -1: the runs use "    \
        "each rule in turn")                                                                                           \
    REAL(T, bias, 0, -10, 10, "nrpa: weight of the domain's prior in a policy (generalised NRPA)")                     \
    REAL(T, network_bias, 0, 0, 10,                                                                                    \
         "nrpa: weight of the logarithm of a network's prior in a policy; 0: no network is used")                      \
    INT(T, bias_depth, 5, 1, 1000000,                                                                                  \
        "with network_bias: the network's prior is used only for the first moves of a line, at most this many")        \
    INT(T, bias_states, 65536, 1, 16777216, "with network_bias: number of states whose priors each thread remembers")  \
    CHOICE(T, codes, NESTED_CODES_AUTO, "auto|move|state|step",                                                        \
           "what has its own weight in a policy: move: each move; state: each move in each state; step: each move at " \
           "each step of a line; auto: each of the domain's codes for moves or, if it has none, the same as state")    \
    INT(T, playouts, 1, 1, 1000000,                                                                                    \
        "nrpa: number of play-outs from which level 1 takes the best before it adapts its policy (stabilised NRPA)")   \
    INT(T, repeats, 0, 0, 1000000,                                                                                     \
        "nrpa: a level ends once it has found its best line this many times (limited repetitions); 0: it ends after "  \
        "n calls")                                                                                                     \
    INT(T, beam, 1, 1, 1000, "nrpa: number of best lines, each with its own policy, that the top level keeps")         \
    BOOL(T, diverse, false, "nrpa: the lines that beam keeps must differ in value or length")                          \
    REAL(T, refine, 0, 0, 1e9,                                                                                         \
         "after each run, search near its best line, with this many times as many play-outs as the run itself; 0: no " \
         "such search")                                                                                                \
    INT(T, refine_level, 1, 1, 12, "with refine: levels of nesting of each search near the best line")                 \
    INT(T, refine_n, 50, 1, 1000000,                                                                                   \
        "with refine: how often each level of a search near the best line calls the level below")                      \
    INT(T, refine_pull, 5, 1, 1000,                                                                                    \
        "with refine: each search near the best line first adapts its policy to the line a random number of times, "   \
        "from 1 to this number")                                                                                       \
    REAL(T, refine_keep, 1, 0, 1,                                                                                      \
         "with refine: each search near the best line keeps the first moves of the line, a random number of them, at " \
         "most this share of all")                                                                                     \
    INT(T, length, 0, 0, 1000000,                                                                                      \
        "maximum number of moves in a play-out; 0: the instance's own limit, or 200 if it has none")                   \
    BOOL(T, race, false,                                                                                               \
         "nrpa: choose the domain's rule by successive halving: short runs with every rule, then longer runs with "    \
         "the better half of the rules, until one rule is left for a run with n calls per level; then begin again")    \
    REAL(T, growth, 6, 1, 100,                                                                                         \
         "with race, without stages: factor by which the play-outs per run grow from round to round")                  \
    BOOL(                                                                                                              \
        T, stages, false,                                                                                              \
        "with race: all threads share one race, which also tries the rules that refine the best ones; the best lines " \
        "with different openings are kept, runs near these lines improve them, and their ends are searched exactly")   \
    INT(T, stages_least, 300000, 0, 1000000000,                                                                        \
        "with stages: if the limits allow fewer play-outs than this, each thread makes a plain race instead")          \
    REAL(T, refined_share, 0.2, 0, 1,                                                                                  \
         "with stages: share of the play-outs that is spent on comparing the best rules with the rules that refine "   \
         "them")                                                                                                       \
    INT(T, refined_least, 40000, 1, 1000000000,                                                                        \
        "with stages: least number of play-outs in each run of this comparison; if the limits allow fewer runs, "      \
        "fewer rules are compared")                                                                                    \
    REAL(T, improve_share, 0.4, 0, 1,                                                                                  \
         "with stages: share of the play-outs for improving the best lines by successive halving; the rest is for "    \
         "runs that keep the first moves of a line")                                                                   \
    INT(T, cut_playouts, 60000, 1, 1000000000,                                                                         \
        "with stages: number of play-outs in a run that keeps the first moves of a line")                              \
    REAL(T, cut_keep, 0.5, 0, 1,                                                                                       \
         "with stages: a run that keeps the first moves of a line keeps less than this share of the line's moves")     \
    REAL(T, cut_seed, 0.9, 0, 1,                                                                                       \
         "with stages: share of the runs that keep the first moves of a line and also begin with the rest of the "     \
         "line as their best line so far")                                                                             \
    INT(T, cut_fresh, 10, 1, 1000000000,                                                                               \
        "with stages: one in so many of the runs that keep the first moves of a line is replaced by a new run from "   \
        "the root")                                                                                                    \
    INT(T, tail, 150000, 0, 1000000000,                                                                                \
        "with stages: number of states that an exact search for a better end of each new best line may visit; 0: no "  \
        "such search")                                                                                                 \
    REAL(T, share, 0, 0, 1, "nrpa: share of the runs that begin with the best line that any thread has found")         \
    INT(T, spread, 0, 0, 11,                                                                                           \
        "nrpa on several ranks: level whose calls are made by all ranks at once with the same policy, which is then "  \
        "adapted to the best of their lines (Negrevergne and Cazenave 2017); 0: every rank makes runs of its own")     \
    REAL(T, c, 0.4, 0, 1e6, "nmcts: weight of exploration, for results scaled to 0..1")                                \
    INT(T, games, 0, 0, 1000000000,                                                                                    \
        "number of runs, each with its own random numbers; 0: until a limit ends the search")                          \
    BOOL(T, improve, false, "continue after the first solution (domains that minimise cost)")
SOLOIST_OPTIONS(nested_options, NESTED_OPTIONS);

#endif
