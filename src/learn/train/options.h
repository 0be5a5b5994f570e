/* Everything about a training run that can be set, each a row. The ways (training.h) begin from these values and change
 * some before the user does. */
#ifndef LEARN_OPTIONS_H
#define LEARN_OPTIONS_H

#include "soloist.h"

enum training_play { TRAINING_BY_SEARCH, TRAINING_BY_PPO, TRAINING_BY_LOOKING };
enum training_way { TRAINING_CONTINUOUS, TRAINING_GENERATIONS };

#define TRAINING_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    INT(T, batch, 1024, 1, 65536, "positions of one step")                                                             \
    REAL(T, rate, 3e-3, 0, 10, "learning rate (Adam)")                                                                 \
    INT(T, warm_up, 200, 0, 1000000, "steps in which the rate rises to it")                                            \
    REAL(T, l2, 1e-4, 0, 1, "weight of the L2 term")                                                                   \
    REAL(T, clip, 0, 0, 1e9, "longest gradient; 0: any")                                                               \
    REAL(T, value_weight, 1, 0, 1e9, "weight of the value's squared error, the highest value counting 1")              \
    REAL(T, under, 1, 0, 1000, "how much more guesses below the value count")                                          \
    REAL(T, over, 1, 0, 1000, "how much more guesses above it count")                                                  \
    REAL(T, value_scale, 1000, 1e-6, 1e9, "points that a network's value of 1 stands for")                             \
    BOOL(T, symmetries, true, "show each position in a random symmetry")                                               \
    INT(T, batch_threads, 0, 0, 256, "threads that make batches; 0: a quarter of all")                                 \
    INT(T, net_threads, 0, 0, 256, "threads that compute the network, on the processor; 0: as many as make batches")   \
    INT(T, capacity, 2000000, 1, 1000000000, "positions kept to learn from; the oldest go")                            \
    INT(T, validation, 10, 2, 1000000, "one in so many games (generations: positions) is kept to try the network on")  \
    INT(T, moves, 32, 1, 1024, "moves that a position's policy target may name")                                       \
    INT(T, orders, 8, 0, 1024, "random reorderings of a solved game's moves to learn from; 0: its own order alone")    \
    INT(T, steps, 0, 0, 1000000000, "steps in all; 0: as long as there is time")                                       \
    REAL(T, row_s, 10, 0.01, 1e9, "seconds between rows of the curve")                                                 \
    INT(T, row_steps, 0, 0, 1000000000, "steps between rows instead; 0: by seconds")                                   \
    REAL(T, save_s, 120, 0.01, 1e9, "seconds between checkpoints")                                                     \
    INT(T, save_steps, 0, 0, 1000000000, "steps between checkpoints instead; 0: by seconds")                           \
    INT(T, boards, 64, 1, 65536, "boards that the policy alone is tried on for each row")                              \
    REAL(T, average, 0.98, 0, 1, "memory of the weights' running mean, which is what is kept; 0: the last weights")    \
    INT(T, average_steps, 50, 1, 1000000, "steps between its looks at the weights")                                    \
    REAL(T, solve_time, 0.5, 0, 1e6, "seconds for a game made by solving")                                             \
    INT(T, solve_iterations, 0, 0, 1000000000, "iterations for it instead; 0: by time")                                \
    REAL(T, lead, 0.5, 0, 1, "DAgger: share of the games by solving that begin where the network's moves lead to")     \
    INT(T, lead_steps, 1000, 1, 1000000000, "steps before it is asked for them")                                       \
    INT(T, solve_games, 0, 0, 1000000000, "games by solving at most; 0: any number")                                   \
    REAL(T, solve_share, 0.3, 0, 1, "share of the time after which games are made by self-play instead")               \
    BOOL(T, self_play, true, "make games by self-play after those by solving")                                         \
    INT(T, trial, 200, 0, 1000000,                                                                                     \
        "games by self-play after which they must score as well as those by solving, or "                              \
        "solving goes on for a while; 0: whatever they score")                                                         \
    INT(T, least, 0, 0, 1000000000, "positions to wait for before learning begins")                                    \
    REAL(T, reuse, 10, 0, 1e9, "learn from a position so often on average at most, and wait for others; 0: any")       \
    INT(T, simulations, 100, 1, 1000000000, "self-play: simulations a move")                                           \
    CHOICE(T, play, 0, "search|draw|look",                                                                             \
           "self-play: moves by tree search; drawn from the policy, which learns from how much better than expected "  \
           "they came out; drawn from it with a look at the value of each move's state, which is what it learns")      \
    INT(T, at_once, 0, 0, 65536, "self-play: games that one thread plays at once; 0: 64, drawn 256")                   \
    INT(T, runners, 2, 1, 64, "self-play: batches that the network judges at once")                                    \
    REAL(T, refresh_s, 0, 0, 1e9, "self-play: seconds between looks at the newest weights; 0: 20, drawn 0.25")         \
    REAL(T, sharp, 1, 0, 1000, "drawn games, looking: how far an advantage of one deviation leads the policy")         \
    REAL(T, trace, 0.95, 0, 1, "drawn games: GAE lambda")                                                              \
    REAL(T, ratio, 0.2, 0.001, 1, "drawn games: PPO clip range")                                                       \
    REAL(T, entropy, 0.01, 0, 10, "drawn games: how much the policy's entropy counts for it")                          \
    INT(T, drawn, 262144, 1, 1000000000, "drawn games: positions kept to learn from; the oldest go")                   \
    REAL(T, drawn_reuse, 1, 0.01, 1e9, "drawn games: learn from a position so often on average")                       \
    CHOICE(T, policy, 0, "action|visits", "self-play: what the policy learns: the move made; visits of all moves")     \
    CHOICE(T, value, 0, "return|mean", "self-play: what the value learns: how the game ended; the root's best mean")   \
    INT(T, generations, 20, 1, 1000000, "generations: how many")                                                       \
    INT(T, runs, 1000, 1, 1000000000, "generations: games in one")                                                     \
    INT(T, jump_start, 0, 0, 1000000000,                                                                               \
        "generations: simulations a move in the first, without a network; 0: as "                                      \
        "ever")                                                                                                        \
    INT(T, patience, 2, 1, 1000, "generations: epochs without a lower validation loss that end one")                   \
    INT(T, epochs, 0, 0, 1000000, "generations: epochs of one, without early stopping; 0: by patience")                \
    BOOL(T, anew, true, "generations: a network begins anew in each")

SOLOIST_OPTIONS(training_options, TRAINING_OPTIONS);

#endif
