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
    REAL(T, alpha, 1, 0, 100, "nrpa: step size by which a policy is adapted towards the best sequence of moves")       \
    INT(T, rule, -1, -1, 100,                                                                                          \
        "index of the domain's rule that decides which moves play-outs leave out; 0: no move is left out; -1: "        \
        "successive runs use the rules in turn")                                                                       \
    REAL(T, bias, 0, -10, 10, "nrpa: weight of the domain's prior in a policy (generalised NRPA)")                     \
    REAL(T, network_bias, 0, 0, 10,                                                                                    \
         "nrpa: weight of the logarithm of a network's prior in a policy; 0: no network is used")                      \
    INT(T, bias_depth, 5, 1, 1000000,                                                                                  \
        "with network_bias: number of moves at the beginning of a play-out for which the network's prior is used")     \
    INT(T, bias_states, 65536, 1, 16777216, "with network_bias: number of states whose priors each thread remembers")  \
    CHOICE(T, codes, NESTED_CODES_AUTO, "auto|move|state|step",                                                        \
           "what has its own weight in a policy: move: each move; state: each move in each state; step: each move at " \
           "each step of a play-out; auto: each of the domain's codes for moves or, if the domain has no codes, each " \
           "move in each state")                                                                                       \
    INT(T, playouts, 1, 1, 1000000,                                                                                    \
        "nrpa: number of play-outs from which level 1 takes the best before it adapts its policy (stabilised NRPA)")   \
    INT(T, repeats, 0, 0, 1000000,                                                                                     \
        "nrpa: a level ends once it has found its best sequence of moves this many times (limited repetitions); 0: "   \
        "it ends after n calls")                                                                                       \
    INT(T, beam, 1, 1, 1000,                                                                                           \
        "nrpa: number of best sequences of moves, each with its own policy, that the top level keeps")                 \
    BOOL(T, diverse, false,                                                                                            \
         "nrpa: the sequences of moves that the option `beam` keeps must differ in value or length")                   \
    REAL(T, refine, 0, 0, 1e9,                                                                                         \
         "after each run, further searches try to improve the run's best sequence of moves; the value is the number "  \
         "of their play-outs divided by the number of the run's play-outs; 0: no further searches")                    \
    INT(T, refine_level, 1, 1, 12,                                                                                     \
        "with refine > 0: number of nested levels in each search that tries to improve the best sequence")             \
    INT(T, refine_n, 50, 1, 1000000,                                                                                   \
        "with refine > 0: in each search that tries to improve the best sequence, number of times that a level calls " \
        "the level below")                                                                                             \
    INT(T, refine_pull, 5, 1, 1000,                                                                                    \
        "with refine > 0: each search that tries to improve the best sequence first adapts its policy to this "        \
        "sequence a random number of times, from 1 to the value of this option")                                       \
    REAL(T, refine_keep, 1, 0, 1,                                                                                      \
         "with refine > 0: each search that tries to improve the best sequence keeps a random number of the "          \
         "sequence's first moves, at most this share of the whole sequence")                                           \
    INT(T, length, 0, 0, 1000000,                                                                                      \
        "maximum number of moves in a play-out; 0: the instance's own limit, or 200 if it has none")                   \
    BOOL(T, race, false,                                                                                               \
         "nrpa: choose among the domain's rules by successive halving: short runs with every rule, then longer runs "  \
         "with the better half, and so on; the last rule left gets a run with n calls per level; then a new race "     \
         "begins")                                                                                                     \
    REAL(T, growth, 6, 1, 100,                                                                                         \
         "with race=true and stages=false: factor by which the number of play-outs per run grows from round to round") \
    BOOL(T, stages, false,                                                                                             \
         "with race=true: all threads share one race, which also tries rules that refine the best rules; the best "    \
         "sequences with different openings are stored; after the race, further runs try to improve the stored "       \
         "sequences, usually by keeping the first moves of a sequence and looking for a better continuation; an "      \
         "exact search tries to improve the end of each new best sequence")                                            \
    INT(T, stages_least, 300000, 0, 1000000000,                                                                        \
        "with stages=true: if the limits allow fewer play-outs than this number, each thread makes a race of its "     \
        "own, as with stages=false")                                                                                   \
    REAL(T, refined_share, 0.4, 0, 1,                                                                                  \
         "with stages=true: share of all play-outs for the runs that compare the best rules with the rules that "      \
         "refine them")                                                                                                \
    INT(T, refined_least, 40000, 1, 1000000000,                                                                        \
        "with stages=true: minimum number of play-outs in each run that compares the best rules with rules that "      \
        "refine them; if the limits do not allow enough runs, fewer rules are compared")                               \
    REAL(T, improve_share, 0.4, 0, 1,                                                                                  \
         "with stages=true: share of all play-outs that is spent on improving the best sequences by successive "       \
         "halving; the play-outs that remain are for runs that keep the first moves of a sequence")                    \
    INT(T, cut_playouts, 60000, 1, 1000000000,                                                                         \
        "with stages=true: number of play-outs in a run that keeps the first moves of a sequence")                     \
    REAL(T, cut_keep, 0.5, 0, 1,                                                                                       \
         "with stages=true: a run that keeps the first moves of a sequence keeps less than this share of the "         \
         "sequence's moves")                                                                                           \
    REAL(T, cut_seed, 0.9, 0, 1,                                                                                       \
         "with stages=true: of the runs that keep the first moves of a sequence, the share that starts with the rest " \
         "of this sequence as the best result so far; the other runs start without a best result")                     \
    INT(T, cut_fresh, 10, 1, 1000000000,                                                                               \
        "with stages=true: if this number is N, every N-th run that would keep the first moves of a sequence begins "  \
        "at the root instead")                                                                                         \
    REAL(T, anneal, 0.8, 0, 1,                                                                                         \
         "with stages=true: of the runs that improve the best sequences, the share that does so by simulated "         \
         "annealing, if the domain's walks have parts; 0: sequences are improved by nrpa only")                        \
    INT(T, anneal_playouts, 300000, 1, 1000000000, "with anneal above 0: number of trials in an annealing run")        \
    REAL(T, anneal_from, 0.003, 1e-9, 1,                                                                               \
         "with anneal above 0: temperature at the beginning, as a share of the sequence's score")                      \
    REAL(T, anneal_to, 0.00125, 1e-9, 1,                                                                               \
         "with anneal above 0: temperature at the end, as a share of the sequence's score")                            \
    INT(T, tail, 150000, 0, 1000000000,                                                                                \
        "with stages=true: an exact search tries to improve the end of each new best sequence; the value is the "      \
        "maximum number of states that this search visits; 0: no exact search")                                        \
    REAL(T, share, 0, 0, 1,                                                                                            \
         "nrpa: share of the runs that begin with the best sequence of moves that any thread has found")               \
    INT(T, spread, 0, 0, 11,                                                                                           \
        "nrpa on several ranks: at this level, all ranks make their calls at the same time with the same policy, "     \
        "which is then adapted to the best sequence of all ranks (Negrevergne and Cazenave 2017); 0: every rank "      \
        "makes runs of its own")                                                                                       \
    REAL(T, c, 0.4, 0, 1e6, "nmcts: weight of exploration, for results scaled to 0..1")                                \
    INT(T, games, 0, 0, 1000000000,                                                                                    \
        "number of runs, each with its own random numbers; 0: until a limit ends the search")                          \
    BOOL(T, improve, false, "domains that minimise cost: continue to search after the first solution")
SOLOIST_OPTIONS(nested_options, NESTED_OPTIONS);

#endif
