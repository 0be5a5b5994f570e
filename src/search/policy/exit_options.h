/* The option rows of the tree search of expert iteration (exit_tree.h). */
#ifndef SEARCH_POLICY_EXIT_OPTIONS_H
#define SEARCH_POLICY_EXIT_OPTIONS_H

#include "soloist.h"

enum exit_final { EXIT_MOST_VISITS, EXIT_DRAWN };

#define EXIT_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                       \
    REAL(T, c, 0.70710678118654752, 0, 1e6,                                                                            \
         "weight of exploration: c in the selection formula Q + c P sqrt(N) / (1 + n), where Q is the mean value "     \
         "below a move, P its prior, n the number of its visits and N the sum of n over the node's moves")             \
    INT(T, per_move, 256, 1, 1000000000, "number of rounds (descents in the tree) before each move")                   \
    INT(T, delay, 8, 1, 65536,                                                                                         \
        "number of states that the network evaluates together; 1: each state is evaluated alone, as soon as the tree " \
        "reaches it")                                                                                                  \
    REAL(T, placeholder, 0.25, 0, 1,                                                                                   \
         "prior of each move of a state that waits for its evaluation; 0: one divided by the number of moves")         \
    INT(T, step_limit, 100, 1, 1000000, "a game that is not solved after this many moves is lost")                     \
    REAL(T, step_cost, 0, 0, 1,                                                                                        \
         "when a state's value is backed up to a node, this number is subtracted for each move between the node and "  \
         "the state; 0: nothing is subtracted, as in Ge (2018)")                                                       \
    CHOICE(T, final, EXIT_MOST_VISITS, "visits|drawn",                                                                 \
           "which move is played: visits: the move with the most visits; drawn: a random move, with probabilities in " \
           "proportion to the visits")                                                                                 \
    BOOL(T, keep, true, "keep the part of the tree below the move that was played")                                    \
    BOOL(T, avoid_played, true, "treat the earlier states of the game as states that the tree has already visited")    \
    BOOL(T, signed_values, false,                                                                                      \
         "the network's values range from -1 to 1 (actor-critic), and the search uses (1 + value) / 2")                \
    BOOL(T, lines, false, "end as soon as the tree holds a solution, without playing it move by move")                 \
    INT(T, games, 1, 0, 1000000000,                                                                                    \
        "number of games; 0: until one is solved or a limit ends the search. With final=visits nothing is random, so " \
        "only one game is played")
SOLOIST_OPTIONS(exit_options, EXIT_OPTIONS);

#endif
