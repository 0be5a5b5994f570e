/* Every variation of the nested searches is a row here; the methods in presets.c differ only in the values they set. */
#ifndef SEARCH_NESTED_OPTIONS_H
#define SEARCH_NESTED_OPTIONS_H

#include "soloist.h"

enum nested_search { NESTED_NRPA, NESTED_NMCS, NESTED_NMCTS };
enum nested_codes { NESTED_CODES_AUTO, NESTED_CODES_MOVE, NESTED_CODES_STATE, NESTED_CODES_STEP };

#define NESTED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    CHOICE(T, search, NESTED_NRPA, "nrpa|nmcs|nmcts",                                                                  \
           "what a level does: adapts a policy; tries every move; grows a tree")                                       \
    INT(T, level, 3, 1, 12, "levels of nesting; level 0 is a play-out")                                                \
    INT(T, n, 100, 1, 1000000, "calls of the level below that a level makes (nmcts: iterations of its tree)")          \
    REAL(T, alpha, 1, 0, 100, "nrpa: how far a policy moves towards the best line at once")                            \
    INT(T, rule, -1, -1, 100, "moves left out: 0: none; k: by the domain's rule k; -1: each rule in turn")             \
    REAL(T, bias, 0, -10, 10, "nrpa: how much the domain's prior counts in a policy (generalised NRPA)")               \
    REAL(T, network_bias, 0, 0, 10,                                                                                    \
         "nrpa: how much the logarithm of a network's prior counts in a policy; 0: no network is asked")               \
    INT(T, bias_depth, 5, 1, 1000000, "network_bias: moves from the root in which it counts")                          \
    INT(T, bias_states, 65536, 1, 16777216, "network_bias: states whose priors a thread remembers")                    \
    CHOICE(T, codes, NESTED_CODES_AUTO, "auto|move|state|step",                                                        \
           "what a policy tells apart: the domain's codes, else as state; moves; moves in states; moves at steps")     \
    INT(T, playouts, 1, 1, 1000000, "nrpa: play-outs before level 1 adapts (stabilised NRPA)")                         \
    INT(T, repeats, 0, 0, 1000000, "nrpa: a level ends when its best line came so often (limited repetitions); 0: no") \
    INT(T, beam, 1, 1, 1000, "nrpa: best lines, each with a policy, that the top level keeps")                         \
    BOOL(T, diverse, false, "nrpa: lines of the beam differ in value or length")                                       \
    REAL(T, refine, 0, 0, 1e9, "after a run: play-outs near its best line, as a multiple of the run's own")            \
    INT(T, refine_level, 1, 1, 12, "levels of one look")                                                               \
    INT(T, refine_n, 50, 1, 1000000, "calls of a level of one look")                                                   \
    INT(T, refine_pull, 5, 1, 1000, "how often a look's policy is first adapted to the line, at most")                 \
    REAL(T, refine_keep, 1, 0, 1, "share of the line of which a part is kept as it is")                                \
    INT(T, length, 0, 0, 1000000, "most moves of a play-out; 0: what the instance allows, else 200")                   \
    BOOL(T, race, false,                                                                                               \
         "nrpa: runs of all rules, then longer ones of the better half, down to one of n calls a level; then again")   \
    REAL(T, growth, 6, 1, 100, "race: play-outs of a run, as a multiple of those in the round before")                 \
    REAL(T, share, 0, 0, 1, "nrpa: of the runs so many begin from the best line of all threads")                       \
    REAL(T, c, 0.4, 0, 1e6, "nmcts: weight of exploration, results being brought to 0..1")                             \
    INT(T, games, 0, 0, 1000000000, "runs in all, each with its own random numbers; 0: until a limit")                 \
    BOOL(T, improve, false, "go on after the first solution of a least-cost domain")
SOLOIST_OPTIONS(nested_options, NESTED_OPTIONS);

#endif
