/* The variations of tree search guided by a network (L2, L4), each a row. The methods in presets.c differ only in the
 * values that they set. */
#ifndef SEARCH_POLICY_OPTIONS_H
#define SEARCH_POLICY_OPTIONS_H

#include "soloist.h"

enum policy_normalise { POLICY_STATIC, POLICY_SPACE_LOCAL, POLICY_MAX_MIN };
enum policy_rollout { POLICY_ROLLOUT_RANDOM, POLICY_ROLLOUT_GUIDED, POLICY_ROLLOUT_NONE, POLICY_ROLLOUT_BEST };
enum policy_final { POLICY_FINAL_LINE, POLICY_FINAL_MAX, POLICY_FINAL_ROBUST };
enum policy_parallel { POLICY_TREE_PARALLEL, POLICY_ROOT_PARALLEL };

#define POLICY_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    REAL(T, c, 2, 0, 1e6, "weight of exploration: Q + c P sqrt(N) / (1 + n)")                                          \
    CHOICE(T, normalise, POLICY_MAX_MIN, "static|space-local|max-min",                                                 \
           "values brought to 0..1: divided by range; by the least and greatest met below the node; by its means")     \
    REAL(T, range, 5000, 1e-9, 1e12, "what static normalisation divides by")                                           \
    REAL(T, best_share, 0, 0, 1, "lambda in lambda Qmax + (1 - lambda) Q")                                             \
    CHOICE(T, rollout, POLICY_ROLLOUT_RANDOM, "random|guided|none|best",                                               \
           "how a leaf is played out: at random; by moves drawn from priors; not at all; the domain's best way")       \
    REAL(T, value_share, 0, 0, 1, "weight of the network's value beside the play-out's; 1: no play-outs")              \
    REAL(T, value_scale, 0, 0, 1e9, "points that a network's value of 1 stands for; 0: as its file says, else 1")      \
    BOOL(T, lines, false, "play leaves out at random even where that does not count: for lines better than the best")  \
    INT(T, ask_visits, 0, 0, 1000000000, "visits of a node before the network is asked for its priors; 0: at once")    \
    REAL(T, virtual_loss, 0.01, 0, 100, "w: how strongly a move is shunned while simulations are under way below it")  \
    INT(T, in_flight, 0, 0, 65536, "simulations under way at once in a tree; 0: 16, or 4 a thread, at most a batch")   \
    REAL(T, noise, 0, 0, 1000, "alpha of the Dirichlet noise on the root's priors; 0: none")                           \
    REAL(T, noise_share, 0.25, 0, 1, "share of the noise in the root's priors")                                        \
    INT(T, gumbel, 0, 0, 65536, "root moves drawn and halved over per_move simulations, by Gumbel noise; 0: by c")     \
    INT(T, per_move, 0, 0, 1000000000, "simulations before each move of the game; 0: one tree for the game")           \
    BOOL(T, keep, false, "with per_move: keep the tree below the move made")                                           \
    CHOICE(T, final, POLICY_FINAL_LINE, "line|max|robust",                                                             \
           "with per_move: the move on the best line found; of highest value; of most visits")                         \
    INT(T, per_tree, 0, 0, 1000000000, "simulations before the tree is begun anew; 0: never")                          \
    INT(T, games, 0, 0, 1000000000, "games or trees in all; 0: until a limit")                                         \
    CHOICE(T, parallel, POLICY_TREE_PARALLEL, "tree|root", "what threads share: one tree; nothing but the network")
SOLOIST_OPTIONS(policy_options, POLICY_OPTIONS);

/* Does the network's value count? Are leaves played out, and count so? */
static inline bool policy_is_valued(const struct policy_options *options) {
    return options->rollout == POLICY_ROLLOUT_NONE || options->value_share > 0;
}
static inline bool policy_is_played_out(const struct policy_options *options) {
    return options->rollout != POLICY_ROLLOUT_NONE && options->value_share < 1;
}

#endif
