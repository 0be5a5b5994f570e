/* Every setting of a training run is an option row here. Each way of training (training.h) changes some of the defaults
 * in these rows before the user's own options are applied. */
#ifndef LEARN_TRAIN_OPTIONS_H
#define LEARN_TRAIN_OPTIONS_H

#include "base/alias.h"
#include "net/optimiser.h"
#include "soloist_extra.h"

enum training_play { TRAINING_BY_SEARCH, TRAINING_BY_PPO, TRAINING_BY_LOOKAHEAD, TRAINING_BY_WALKING_BACK };
enum training_way { TRAINING_CONTINUOUS, TRAINING_GENERATIONS, TRAINING_EXPERT_ITERATION, TRAINING_ACTOR_CRITIC };
/* The names of the ways, in the order of enum training_way. */
#define TRAINING_WAYS "continuous|generations|expert-iteration|actor-critic"

#define TRAINING_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                             \
    INT(T, batch, 0, 0, 65536,                                                                                         \
        "number of positions in a batch; 0: 1024 if a graphics card computes the network, 64 if the processor does")   \
    REAL(T, rate, 3e-3, 0, 10, "learning rate")                                                                        \
    CHOICE(T, optimiser, 0, OPTIMISER_NAMES, OPTIMISER_HELP)                                                           \
    REAL(T, square_decay, 0.999, 0, 1,                                                                                 \
         "decay of the running mean of squared gradients (beta 2 of Adam, alpha of RMSProp)")                          \
    REAL(T, epsilon, 1e-8, 0, 1,                                                                                       \
         "Adam and RMSProp: number that is added to the square root of the running mean of squared gradients")         \
    INT(T, warm_up, 200, 0, 1000000,                                                                                   \
        "number of training steps, from the beginning, during which the learning rate rises to its full value")        \
    REAL(T, l2, 1e-4, 0, 1, "weight of L2 regularisation")                                                             \
    REAL(T, max_grad_norm, 0, 0, 1e9,                                                                                  \
         "maximum norm of a gradient; a longer gradient is scaled down to this norm; 0: no maximum")                   \
    REAL(T, value_weight, 1, 0, 1e9,                                                                                   \
         "weight of the value's squared error in the loss; values are scaled so that the highest is 1")                \
    REAL(T, underestimate_weight, 1, 0, 1000,                                                                          \
         "factor by which the value's squared error is multiplied if the prediction is too low")                       \
    REAL(T, overestimate_weight, 1, 0, 1000,                                                                           \
         "factor by which the value's squared error is multiplied if the prediction is too high")                      \
    REAL(T, value_scale, 1000, 1e-6, 1e9, "score in points that a network's value of 1 stands for")                    \
    REAL(T, step_value, 0.01, 1e-9, 1,                                                                                 \
         "least-cost domains with reward=cost: the value of a position is 1 - step_value * (cost still to come), and " \
         "0 if there is no solution")                                                                                  \
    NAME(T, reward, "cost",                                                                                            \
         "least-cost domains: what the value head learns: cost: the cost still to come (see step_value); NAME: the "   \
         "discounted sum of the domain's reward of that name (`soloist info DOMAIN` lists the rewards)")               \
    REAL(T, discount, 0.99, 0, 1,                                                                                      \
         "least-cost domains: discount factor (gamma) per move for later rewards; used if reward is not cost, and "    \
         "always with --way actor-critic")                                                                             \
    INT(T, step_limit, 100, 1, 1000000, "number of moves after which a game counts as not solved")                     \
    INT(T, seeds, 1, 1, 1000000,                                                                                       \
        "least-cost domains: number of times that --method solves each puzzle, each time with a different random "     \
        "seed")                                                                                                        \
    BOOL(T, merge_seeds, false,                                                                                        \
         "least-cost domains, with seeds above 1: if several solutions of a puzzle pass through a position, the "      \
         "policy target of the position contains the moves of all of them; false: each solution gives a target with "  \
         "its own move")                                                                                               \
    INT(T, pairs, 0, 0, 1000000,                                                                                       \
        "least-cost domains: number of positions per solution, chosen at random, from which the network learns; 0: "   \
        "all positions")                                                                                               \
    REAL(T, dead, 0, 0, 1,                                                                                             \
         "least-cost domains: share of the puzzles that also give one dead position to learn from, with value 0 and "  \
         "the same policy target for all moves (Ge 2018, section 3.4)")                                                \
    INT(T, dead_states, 1000, 1, 100000000,                                                                            \
        "with dead > 0: maximum number of positions per puzzle that a depth-first search visits to find a dead "       \
        "position")                                                                                                    \
    REAL(T, levels_share, 1, 0, 1,                                                                                     \
         "share of the puzzles that are taken from the files of --levels; the others are generated")                   \
    BOOL(T, write_games, true, "write every game to games.txt")                                                        \
    BOOL(T, symmetries, true,                                                                                          \
         "transform each position by a random symmetry of the domain before the network learns from it")               \
    INT(T, batch_threads, 0, 0, 256, "number of threads that prepare batches; 0: a quarter of all threads")            \
    INT(T, net_threads, 0, 0, 256,                                                                                     \
        "number of threads that compute the network on the CPU; 0: the number of batch_threads")                       \
    INT(T, capacity, 2000000, 1, 1000000000,                                                                           \
        "maximum number of positions that are kept to learn from; beyond it, new positions replace the oldest")        \
    INT(T, capacity_games, 0, 0, 1000000000,                                                                           \
        "--way generations: number of newest games whose positions are kept to learn from, computed from the mean "    \
        "number of positions per game; 0: only `capacity` limits them")                                                \
    INT(T, game_positions, 0, 0, 1000000,                                                                              \
        "--way generations: number of positions per game, chosen at random, from which the network learns; 0: all "    \
        "positions")                                                                                                   \
    INT(T, validation, 10, 2, 1000000,                                                                                 \
        "if this number is N, one game in N is kept for validation only (with --way generations: one position in N)")  \
    INT(T, moves, 32, 1, 1024, "maximum number of moves in a position's policy target")                                \
    INT(T, reorderings, 8, 0, 1024,                                                                                    \
        "number of random reorderings of each game's moves from which the network learns; 0: it learns from the "      \
        "original order only")                                                                                         \
    INT(T, steps, 0, 0, 1000000000, "number of training steps; 0: until --time is over")                               \
    REAL(T, row_s, 10, 0.01, 1e9, "seconds between rows of the training curve")                                        \
    INT(T, row_steps, 0, 0, 1000000000,                                                                                \
        "number of training steps between rows of the training curve; 0: row_s is used instead")                       \
    REAL(T, save_s, 120, 0.01, 1e9, "seconds between checkpoints")                                                     \
    INT(T, save_steps, 0, 0, 1000000000, "number of training steps between checkpoints; 0: save_s is used instead")    \
    INT(T, save_positions, 0, 0, 1000000000,                                                                           \
        "maximum number of positions in a checkpoint, which keeps the newest ones; 0: all positions, which a resumed " \
        "run needs to give exactly the result of an uninterrupted run")                                                \
    INT(T, boards, 64, 1, 65536,                                                                                       \
        "number of boards on which the policy without search is measured for each row of the training curve")          \
    REAL(T, ema_decay, 0.98, 0, 1,                                                                                     \
         "decay of the running mean of the weights; this mean becomes the trained network; 0: the last weights "       \
         "become the trained network")                                                                                 \
    INT(T, ema_steps, 50, 1, 1000000, "number of training steps between updates of the running mean of the weights")   \
    REAL(T, solve_time, 0.5, 0, 1e6, "maximum number of seconds that --method searches in each game; 0: no limit")     \
    INT(T, solve_iterations, 0, 0, 1000000000,                                                                         \
        "maximum number of iterations of --method in each game; 0: solve_time is used instead")                        \
    REAL(T, dagger, 0.5, 0, 1,                                                                                         \
         "DAgger: share of the games of --method that begin at a position which the network reached by its own moves") \
    INT(T, dagger_steps, 1000, 0, 1000000000,                                                                          \
        "DAgger: number of training steps, from the beginning, during which no game begins at a position that the "    \
        "network reached")                                                                                             \
    INT(T, dagger_positions, 8, 1, 1000000,                                                                            \
        "DAgger in least-cost domains: for each game that the network did not solve, number of its positions that "    \
        "--method solves")                                                                                             \
    INT(T, dagger_solved, 1, 0, 1000000,                                                                               \
        "DAgger in least-cost domains: for each game that the network solved, number of its positions that --method "  \
        "solves")                                                                                                      \
    INT(T, solve_games, 0, 0, 1000000000,                                                                              \
        "maximum number of games (in least-cost domains: puzzles) that --method plays; 0: no limit")                   \
    REAL(T, solve_share, 0.3, 0, 1, "share of the training time after which self-play replaces --method")              \
    BOOL(T, self_play, true, "after the games of --method, continue with games of self-play")                          \
    INT(T, trial, 200, 0, 1000000,                                                                                     \
        "play=search: number of games of self-play after which their mean score is compared with the mean score of "   \
        "the games of --method; if self-play scores less, --method plays further games first; 0: no comparison")       \
    INT(T, learning_starts, 0, 0, 1000000000,                                                                          \
        "number of positions that must have been collected before learning begins")                                    \
    REAL(T, reuse, 10, 0, 1e9,                                                                                         \
         "average number of times that the network learns from a position before learning waits for new positions; "   \
         "0: no limit")                                                                                                \
    INT(T, simulations, 100, 1, 1000000000, "play=search: number of simulations of the tree search for each move")     \
    CHOICE(T, play, 0, "search|ppo|lookahead|backward",                                                                \
           "how self-play chooses a move: search: by tree search; ppo: at random by the policy's probabilities, and "  \
           "the policy learns by PPO; lookahead: at random by the policy's probabilities, corrected by the network's " \
           "values of the child states, and the policy learns the corrected probabilities; backward: no games are "    \
           "played; random walks backwards from the goal give states, and for each state the network learns the best " \
           "of its own values after one move (autodidactic iteration)")                                                \
    INT(T, walk_length, 30, 1, 100000, "play=backward: number of moves in a walk backwards from the goal")             \
    INT(T, parallel_games, 0, 0, 65536,                                                                                \
        "self-play: number of games that each thread plays at the same time; 0: 64 with play=search, otherwise 256")   \
    INT(T, runners, 2, 1, 64, "self-play: number of batches that the network evaluates at the same time")              \
    REAL(T, refresh_s, 0, 0, 1e9,                                                                                      \
         "self-play: number of seconds after which self-play changes to the newest weights; 0: 20 with play=search, "  \
         "otherwise 0.25")                                                                                             \
    REAL(T, inverse_temperature, 1, 0, 1000,                                                                           \
         "play=lookahead: the probability of a move is proportional to prior * exp(inverse_temperature * advantage "   \
         "/ standard deviation of the advantages)")                                                                    \
    REAL(T, gae_lambda, 0.95, 0, 1,                                                                                    \
         "play=ppo: GAE lambda; play=lookahead: lambda of the TD(lambda) return that the value head learns")           \
    REAL(T, clip_range, 0.2, 0.001, 1, "play=ppo: PPO clip range")                                                     \
    REAL(T, entropy, 0.01, 0, 10, "play=ppo: weight of the entropy bonus")                                             \
    INT(T, drawn_capacity, 262144, 1, 1000000000,                                                                      \
        "play=ppo or lookahead: maximum number of positions of self-play that are kept to learn from; beyond it, new " \
        "positions replace the oldest")                                                                                \
    REAL(T, drawn_reuse, 1, 0.01, 1e9,                                                                                 \
         "play=ppo or lookahead: average number of times that the network learns from a position")                     \
    CHOICE(T, policy, 0, "action|visits",                                                                              \
           "play=search: what the policy head learns: action: the move that was played; visits: the visit counts of "  \
           "all moves")                                                                                                \
    CHOICE(T, value, 0, "return|mean",                                                                                 \
           "play=search: what the value head learns: return: the score gained in the rest of the game; mean: the "     \
           "highest mean result among the moves at the root of the tree")                                              \
    INT(T, generations, 20, 1, 1000000, "--way generations: number of generations")                                    \
    INT(T, runs, 1000, 1, 1000000000, "--way generations: number of games per generation")                             \
    INT(T, jump_start, 0, 0, 1000000000,                                                                               \
        "--way generations: number of simulations per move in the first generation, which has no network; 0: the "     \
        "same number as in the other generations")                                                                     \
    INT(T, patience, 2, 1, 1000,                                                                                       \
        "--way generations: number of epochs without a lower validation loss after which a generation's training "     \
        "ends")                                                                                                        \
    INT(T, epochs, 0, 0, 1000000,                                                                                      \
        "--way generations: a fixed number of epochs per generation, without early stopping; 0: patience is used "     \
        "instead")                                                                                                     \
    BOOL(T, from_scratch, true,                                                                                        \
         "--way generations: each generation trains a new network; false: each generation trains the previous "        \
         "network further")                                                                                            \
    INT(T, iterations, 0, 0, 1000000000,                                                                               \
        "--way expert-iteration or actor-critic: number of iterations; 0: until another limit ends the training")      \
    INT(T, puzzles, 100, 1, 1000000, "--way expert-iteration: number of puzzles that the expert plays per iteration")  \
    INT(T, iteration_batches, 10000, 1, 1000000000, "--way expert-iteration: number of training steps per iteration")  \
    INT(T, puzzle_samples, 50, 1, 1000000,                                                                             \
        "--way expert-iteration: maximum number of positions per game, chosen at random, from which the network "      \
        "learns")                                                                                                      \
    BOOL(T, ranked_rewards, false,                                                                                     \
         "--way expert-iteration: the value of a solved game is 1 if the game is at least as good as the median game " \
         "of the previous iteration, otherwise 0 (ranked rewards)")                                                    \
    INT(T, actors, 64, 1, 65536, "--way actor-critic: number of games that are played at the same time")               \
    INT(T, rollout, 5, 1, 10000,                                                                                       \
        "--way actor-critic: number of moves that every actor makes before each training step")                        \
    INT(T, iteration_moves, 320000, 1, 1000000000,                                                                     \
        "--way actor-critic: number of moves, summed over all actors, that make up an iteration")                      \
    REAL(T, total_moves, 160e6, 1, 1e15,                                                                               \
         "--way actor-critic: number of moves, summed over all actors, during which the learning rate falls linearly " \
         "to 0")                                                                                                       \
    REAL(T, last_stage_moves, 1.5e6, 0, 1e15,                                                                          \
         "--way actor-critic: with a curriculum, training ends after this many moves in the last stage; 0: there is "  \
         "no such limit")

SOLOIST_NAMED_OPTIONS(training_options, TRAINING_OPTIONS);

/* Convert a way of training to its name and back; training_way_find returns -1 if no way has this name. */
const char *training_way_name(enum training_way way);
int training_way_find(const char *name);

/* The same as soloist_options_parse, but options may have their current or former names. */
soloist_code training_options_parse(struct training_options *options, const char *text, soloist_error *error);
/* The same as alias_spell, for the options of training. */
void training_options_spell(const char *text, bool now, const soloist_sink *sink);

#endif
