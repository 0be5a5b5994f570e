/* Every variation of the nested searches is an option row here; the methods in presets.c differ only in the values that
 * they set. */
#ifndef SEARCH_NESTED_OPTIONS_H
#define SEARCH_NESTED_OPTIONS_H

#include "soloist.h"

enum nested_search { NESTED_NRPA, NESTED_NMCS, NESTED_NMCTS };
enum nested_codes { NESTED_CODES_AUTO, NESTED_CODES_MOVE, NESTED_CODES_STATE, NESTED_CODES_STEP };

#define NESTED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    CHOICE(T, search, NESTED_NRPA, "nrpa|nmcs|nmcts",                                                                  \
           "what a level does: nrpa: adapts a policy; nmcs: tries every move; nmcts: grows a tree")                    \
    INT(T, level, 3, 1, 12, "levels of nesting; level 0 is a play-out")                                                \
    INT(T, n, 100, 1, 1000000, "calls of the level below that a level makes (nmcts: iterations of its tree)")          \
    REAL(T, alpha, 1, 0, 100, "nrpa: step size of a policy's adaptation towards the best line")                        \
    INT(T, rule, -1, -1, 100,                                                                                          \
        "which moves play-outs leave out; 0: none; k: those of the domain's rule k; -1: each rule in turn")            \
    REAL(T, bias, 0, -10, 10, "nrpa: weight of the domain's prior in a policy (generalised NRPA)")                     \
    REAL(T, network_bias, 0, 0, 10,                                                                                    \
         "nrpa: weight of the logarithm of a network's prior in a policy; 0: no network is used")                      \
    INT(T, bias_depth, 5, 1, 1000000,                                                                                  \
        "with network_bias: number of moves from the root within which the network's prior counts")                    \
    INT(T, bias_states, 65536, 1, 16777216, "with network_bias: states whose priors each thread remembers")            \
    CHOICE(T, codes, NESTED_CODES_AUTO, "auto|move|state|step",                                                        \
           "what has a weight of its own in a policy: move: each move; state: each move in each state; step: each "    \
           "move at each step; auto: the domain's codes, or as state if it has none")                                  \
    INT(T, playouts, 1, 1, 1000000, "nrpa: play-outs before level 1 adapts (stabilised NRPA)")                         \
    INT(T, repeats, 0, 0, 1000000,                                                                                     \
        "nrpa: a level ends once its best line was found this many times (limited repetitions); 0: never")             \
    INT(T, beam, 1, 1, 1000, "nrpa: number of best lines, each with its own policy, that the top level keeps")         \
    BOOL(T, diverse, false, "nrpa: the lines of the beam must differ in value or length")                              \
    REAL(T, refine, 0, 0, 1e9,                                                                                         \
         "after a run: play-outs near its best line, as a multiple of the run's own play-outs; 0: none")               \
    INT(T, refine_level, 1, 1, 12, "with refine: levels of nesting of each search near the line")                      \
    INT(T, refine_n, 50, 1, 1000000, "with refine: calls of the level below that each level of such a search makes")   \
    INT(T, refine_pull, 5, 1, 1000,                                                                                    \
        "with refine: how often at most such a search first adapts its policy to the line")                            \
    REAL(T, refine_keep, 1, 0, 1,                                                                                      \
         "with refine: a beginning of the line, of random length up to this share of it, is kept unchanged")           \
    INT(T, length, 0, 0, 1000000, "most moves in a play-out; 0: the instance's own limit, or 200 if it has none")      \
    BOOL(T, race, false,                                                                                               \
         "nrpa: successive halving: short runs with every rule, then longer runs with the better half, until one run " \
         "with n calls per level is left; then from the beginning")                                                    \
    REAL(T, growth, 6, 1, 100, "with race: play-outs of a run, as a multiple of those in the round before")            \
    REAL(T, share, 0, 0, 1, "nrpa: share of the runs that begin from the best line of all threads")                    \
    REAL(T, c, 0.4, 0, 1e6, "nmcts: weight of exploration; results are scaled to 0..1")                                \
    INT(T, games, 0, 0, 1000000000,                                                                                    \
        "number of runs, each with its own random numbers; 0: until a limit ends the search")                          \
    BOOL(T, improve, false, "continue after the first solution, in a domain that aims at least cost")
SOLOIST_OPTIONS(nested_options, NESTED_OPTIONS);

#endif
