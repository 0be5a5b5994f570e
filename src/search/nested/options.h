/* Every variation of the nested searches is an option row here; the methods in presets.c differ only in the values that
 * they set. */
#ifndef SEARCH_NESTED_OPTIONS_H
#define SEARCH_NESTED_OPTIONS_H

#include "soloist.h"

enum nested_search { NESTED_NRPA, NESTED_NMCS, NESTED_NMCTS };
enum nested_codes { NESTED_CODES_AUTO, NESTED_CODES_MOVE, NESTED_CODES_STATE, NESTED_CODES_STEP };

#define NESTED_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    CHOICE(T, search, NESTED_NRPA, "nrpa|nmcs|nmcts",                                                                  \
           "what each level does: nrpa: adapts a policy; nmcs: tries every move; nmcts: grows a tree; by default the " \
           "search that the method is named after")                                                                    \
    INT(T, level, 3, 1, 12, "number of nested levels; the level below them, level 0, is a play-out")                   \
    INT(T, n, 100, 1, 1000000,                                                                                         \
        "number of times that a level calls the level below; nmcts: number of iterations of a level's tree")           \
    REAL(T, alpha, 1, 0, 100, "nrpa: step size by which a policy is adapted towards the best line")                    \
    INT(T, rule, -1, -1, 100,                                                                                          \
        "number of the domain's rule by which play-outs leave out moves; 0: no move is left out; -1: successive runs " \
        "use the rules in turn")                                                                                       \
    REAL(T, bias, 0, -10, 10, "nrpa: weight of the domain's prior in a policy (generalised NRPA)")                     \
    REAL(T, network_bias, 0, 0, 10,                                                                                    \
         "nrpa: weight of the logarithm of a network's prior in a policy; 0: no network is used")                      \
    INT(T, bias_depth, 5, 1, 1000000,                                                                                  \
        "with network_bias: number of moves at the beginning of a line for which the network's prior is used")         \
    INT(T, bias_states, 65536, 1, 16777216, "with network_bias: number of states whose priors each thread remembers")  \
    CHOICE(T, codes, NESTED_CODES_AUTO, "auto|move|state|step",                                                        \
           "what has its own weight in a policy: move: each move; state: each move in each state; step: each move at " \
           "each step of a line; auto: each of the domain's codes for moves or, if the domain has no codes, each "     \
           "move in each state")                                                                                       \
    INT(T, playouts, 1, 1, 1000000,                                                                                    \
        "nrpa: number of play-outs from which level 1 takes the best before it adapts its policy (stabilised NRPA)")   \
    INT(T, repeats, 0, 0, 1000000,                                                                                     \
        "nrpa: a level ends once it has found its best line this many times (limited repetitions); 0: it ends after "  \
        "n calls")                                                                                                     \
    INT(T, beam, 1, 1, 1000, "nrpa: number of best lines, each with its own policy, that the top level keeps")         \
    BOOL(T, diverse, false, "nrpa: the lines that the option `beam` keeps must differ in value or length")             \
    REAL(T, refine, 0, 0, 1e9,                                                                                         \
         "after each run, searches near the run's best line follow, with this many times as many play-outs as the "    \
         "run had; 0: no such searches")                                                                               \
    INT(T, refine_level, 1, 1, 12, "with refine: number of nested levels in each search near the best line")           \
    INT(T, refine_n, 50, 1, 1000000,                                                                                   \
        "with refine: number of times that each level of a search near the best line calls the level below")           \
    INT(T, refine_pull, 5, 1, 1000,                                                                                    \
        "with refine: each search near the best line first adapts its policy to the line a random number of times, "   \
        "from 1 to this number")                                                                                       \
    REAL(T, refine_keep, 1, 0, 1,                                                                                      \
         "with refine: each search near the best line keeps a random number of the line's first moves, at most this "  \
         "share of the line")                                                                                          \
    INT(T, length, 0, 0, 1000000,                                                                                      \
        "maximum number of moves in a play-out; 0: the instance's own limit, or 200 if it has none")                   \
    BOOL(T, race, false,                                                                                               \
         "nrpa: choose among the domain's rules by successive halving: short runs with every rule, then longer runs "  \
         "with the better half, and so on; the last rule left gets a run with n calls per level; then a new race "     \
         "begins")                                                                                                     \
    REAL(T, growth, 6, 1, 100,                                                                                         \
         "with race=true and stages=false: factor by which the number of play-outs per run grows from round to round") \
    BOOL(T, stages, false,                                                                                             \
         "with race: all threads share one race, which also tries rules that refine the best rules; the best lines "   \
         "with different openings are then improved by runs near them and by exact searches of their ends")            \
    INT(T, stages_least, 300000, 0, 1000000000,                                                                        \
        "with stages: if the limits allow fewer play-outs than this number, each thread makes a race of its own, as "  \
        "with stages=false")                                                                                           \
    REAL(T, refined_share, 0.4, 0, 1,                                                                                  \
         "with stages: share of the play-outs that is spent on comparing the best rules with the rules that refine "   \
         "them")                                                                                                       \
    INT(T, refined_least, 40000, 1, 1000000000,                                                                        \
        "with stages: least number of play-outs in each run that compares the best rules with rules that refine "      \
        "them; if the limits do not allow enough runs, fewer rules are compared")                                      \
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
        "with stages: one in this many of the runs that keep the first moves of a line is replaced by a new run from " \
        "the root")                                                                                                    \
    REAL(T, anneal, 0.8, 0, 1,                                                                                         \
         "with stages: share of the runs near the best lines that improve a line by simulated annealing, if the "      \
         "domain's walks have parts; 0: lines are improved by nrpa only")                                              \
    INT(T, anneal_playouts, 300000, 1, 1000000000, "with anneal: number of trials in an annealing run")                \
    REAL(T, anneal_from, 0.003, 1e-9, 1, "with anneal: temperature at the beginning, as a share of the line's score")  \
    REAL(T, anneal_to, 0.00125, 1e-9, 1, "with anneal: temperature at the end, as a share of the line's score")        \
    INT(T, tail, 150000, 0, 1000000000,                                                                                \
        "with stages: number of states that an exact search for a better end of each new best line may visit; 0: no "  \
        "such search")                                                                                                 \
    REAL(T, share, 0, 0, 1, "nrpa: share of the runs that begin with the best line that any thread has found")         \
    INT(T, spread, 0, 0, 11,                                                                                           \
        "nrpa on several ranks: level whose calls all ranks make at the same time with the same policy; the policy "   \
        "is then adapted to the best line of all ranks (Negrevergne and Cazenave 2017); 0: every rank makes runs of "  \
        "its own")                                                                                                     \
    REAL(T, c, 0.4, 0, 1e6, "nmcts: weight of exploration, for results scaled to 0..1")                                \
    INT(T, games, 0, 0, 1000000000,                                                                                    \
        "number of runs, each with its own random numbers; 0: until a limit ends the search")                          \
    BOOL(T, improve, false, "domains that minimise cost: continue to search after the first solution")
SOLOIST_OPTIONS(nested_options, NESTED_OPTIONS);

#endif
