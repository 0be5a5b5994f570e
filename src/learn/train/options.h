/* Every setting of a training run is an option row here. Each of the two ways of training (training.h) changes some of
 * these defaults before the user's own options are applied. */
#ifndef LEARN_TRAIN_OPTIONS_H
#define LEARN_TRAIN_OPTIONS_H

#include "base/alias.h"
#include "soloist_extra.h"

enum training_play { TRAINING_BY_SEARCH, TRAINING_BY_PPO, TRAINING_BY_LOOKAHEAD };
enum training_way { TRAINING_CONTINUOUS, TRAINING_GENERATIONS };

#define TRAINING_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    INT(T, batch, 1024, 1, 65536, "positions in a batch")                                                              \
    REAL(T, rate, 3e-3, 0, 10, "learning rate (Adam)")                                                                 \
    INT(T, warm_up, 200, 0, 1000000, "steps in which the learning rate rises to its full value")                       \
    REAL(T, l2, 1e-4, 0, 1, "weight of L2 regularisation")                                                             \
    REAL(T, max_grad_norm, 0, 0, 1e9, "gradients longer than this are clipped; 0: none")                               \
    REAL(T, value_weight, 1, 0, 1e9,                                                                                   \
         "weight of the value's squared error, with values scaled so that the highest is 1")                           \
    REAL(T, underestimate_weight, 1, 0, 1000, "factor on the value's error if the prediction is too low")              \
    REAL(T, overestimate_weight, 1, 0, 1000, "factor on the value's error if the prediction is too high")              \
    REAL(T, value_scale, 1000, 1e-6, 1e9, "points of score that a network's value of 1 stands for")                    \
    BOOL(T, symmetries, true, "show each position in a random symmetry")                                               \
    INT(T, batch_threads, 0, 0, 256, "threads that make batches; 0: a quarter of all")                                 \
    INT(T, net_threads, 0, 0, 256, "threads that compute the network on the CPU; 0: as many as batch_threads")         \
    INT(T, capacity, 2000000, 1, 1000000000, "positions kept to learn from; the oldest are replaced")                  \
    INT(T, validation, 10, 2, 1000000, "one in this many games (generations: positions) is set aside for validation")  \
    INT(T, moves, 32, 1, 1024, "most moves in a position's policy target")                                             \
    INT(T, reorderings, 8, 0, 1024,                                                                                    \
        "random reorderings of a solved game's moves to learn from; 0: only the original order")                       \
    INT(T, steps, 0, 0, 1000000000, "number of training steps; 0: until the time is over")                             \
    REAL(T, row_s, 10, 0.01, 1e9, "seconds between rows of the curve")                                                 \
    INT(T, row_steps, 0, 0, 1000000000, "steps between rows of the curve; 0: by row_s")                                \
    REAL(T, save_s, 120, 0.01, 1e9, "seconds between checkpoints")                                                     \
    INT(T, save_steps, 0, 0, 1000000000, "steps between checkpoints; 0: by save_s")                                    \
    INT(T, boards, 64, 1, 65536, "boards on which the policy alone plays for each row of the curve")                   \
    REAL(T, ema_decay, 0.98, 0, 1,                                                                                     \
         "decay of the weights' running mean, which becomes the trained network; 0: the last weights")                 \
    INT(T, ema_steps, 50, 1, 1000000, "steps between updates of the running mean")                                     \
    REAL(T, solve_time, 0.5, 0, 1e6, "seconds of search for each game made by solving")                                \
    INT(T, solve_iterations, 0, 0, 1000000000, "iterations of search for each game made by solving; 0: by solve_time") \
    REAL(T, dagger, 0.5, 0, 1,                                                                                         \
         "DAgger: share of the games made by solving that begin from positions to which the network played")           \
    INT(T, dagger_steps, 1000, 1, 1000000000, "DAgger: training steps before the network plays such beginnings")       \
    INT(T, solve_games, 0, 0, 1000000000, "most games made by solving; 0: any number")                                 \
    REAL(T, solve_share, 0.3, 0, 1,                                                                                    \
         "share of the training time after which games are made by self-play instead of solving")                      \
    BOOL(T, self_play, true, "make games by self-play after those made by solving")                                    \
    INT(T, trial, 200, 0, 1000000,                                                                                     \
        "after this many games, self-play must score as well as solving, or solving continues for a while; 0: no "     \
        "such test")                                                                                                   \
    INT(T, learning_starts, 0, 0, 1000000000, "positions that must be there before learning begins")                   \
    REAL(T, reuse, 10, 0, 1e9,                                                                                         \
         "how often at most, on average, a position is learned from before learning waits for new ones; 0: no limit")  \
    INT(T, simulations, 100, 1, 1000000000, "self-play: simulations per move")                                         \
    CHOICE(                                                                                                            \
        T, play, 0, "search|ppo|lookahead",                                                                            \
        "self-play: search: moves by tree search; ppo: moves drawn from the policy, which learns by PPO; lookahead: "  \
        "moves drawn from the policy as corrected by the network's value of the state after each move; the policy "    \
        "learns the corrected probabilities")                                                                          \
    INT(T, parallel_games, 0, 0, 65536,                                                                                \
        "self-play: games that each thread plays at once; 0: 64, or 256 for drawn games")                              \
    INT(T, runners, 2, 1, 64, "self-play: batches that the network evaluates at once")                                 \
    REAL(T, refresh_s, 0, 0, 1e9,                                                                                      \
         "self-play: seconds between updates to the newest weights; 0: 20, or 0.25 for drawn games")                   \
    REAL(T, inverse_temperature, 1, 0, 1000,                                                                           \
         "play=lookahead: a move is drawn by its prior times exp(inverse_temperature * advantage / standard "          \
         "deviation)")                                                                                                 \
    REAL(T, gae_lambda, 0.95, 0, 1, "drawn games: GAE lambda")                                                         \
    REAL(T, clip_range, 0.2, 0.001, 1, "drawn games: PPO clip range")                                                  \
    REAL(T, entropy, 0.01, 0, 10, "drawn games: weight of the entropy bonus")                                          \
    INT(T, drawn_capacity, 262144, 1, 1000000000,                                                                      \
        "drawn games: positions kept to learn from; the oldest are replaced")                                          \
    REAL(T, drawn_reuse, 1, 0.01, 1e9, "drawn games: how often, on average, a position is learned from")               \
    CHOICE(T, policy, 0, "action|visits",                                                                              \
           "self-play: what the policy learns: action: the move played; visits: the visit counts of all moves")        \
    CHOICE(T, value, 0, "return|mean",                                                                                 \
           "self-play: what the value learns: return: the final score; mean: the highest mean at the root")            \
    INT(T, generations, 20, 1, 1000000, "generations: number of generations")                                          \
    INT(T, runs, 1000, 1, 1000000000, "generations: games per generation")                                             \
    INT(T, jump_start, 0, 0, 1000000000,                                                                               \
        "generations: simulations per move in the first generation, which has no network; 0: as in the others")        \
    INT(T, patience, 2, 1, 1000, "generations: training ends after this many epochs without a lower validation loss")  \
    INT(T, epochs, 0, 0, 1000000,                                                                                      \
        "generations: a fixed number of epochs per generation, without early stopping; 0: by patience")                \
    BOOL(T, from_scratch, true, "generations: each begins with a new network")

SOLOIST_OPTIONS(training_options, TRAINING_OPTIONS);

/* The same as soloist_options_parse, but options may have their current or former names. */
soloist_code training_options_parse(struct training_options *options, const char *text, soloist_error *error);
/* The same as alias_spell, for the options of training. */
void training_options_spell(const char *text, bool now, const soloist_sink *sink);

#endif
