/* Every variation of tree search guided by a network (L2, L4) is an option row here. The methods in presets.c differ
 * only in the values that they set. */
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
           "how values are scaled to 0..1: static: divided by range; space-local: by the least and greatest result "   \
           "below the node; max-min: by the least and greatest mean of its children")                                  \
    REAL(T, range, 5000, 1e-9, 1e12, "what static normalisation divides by")                                           \
    REAL(T, best_share, 0, 0, 1, "lambda in lambda Qmax + (1 - lambda) Q")                                             \
    CHOICE(T, rollout, POLICY_ROLLOUT_RANDOM, "random|guided|none|best",                                               \
           "how a leaf is played out: random: at random; guided: by moves drawn from the priors; none: not at all; "   \
           "best: by the domain's best play-out policy")                                                               \
    REAL(T, value_share, 0, 0, 1, "weight of the network's value against the play-out's result; 1: no play-outs")      \
    REAL(T, value_scale, 0, 0, 1e9,                                                                                    \
         "points that a network's value of 1 stands for; 0: as the network's file says, or 1 if it does not")          \
    BOOL(T, lines, false, "play leaves out at random even if the results do not count, in order to find better lines") \
    INT(T, ask_visits, 0, 0, 1000000000, "visits to a node before the network is asked for its priors; 0: at once")    \
    REAL(T, virtual_loss, 0.01, 0, 100,                                                                                \
         "w: how strongly a move is avoided while other simulations are in flight below it")                           \
    INT(T, in_flight, 0, 0, 65536,                                                                                     \
        "simulations in flight at once in a tree; 0: 16, or 4 per thread, but at most one batch")                      \
    REAL(T, noise, 0, 0, 1000, "alpha of the Dirichlet noise on the root's priors; 0: none")                           \
    REAL(T, noise_share, 0.25, 0, 1, "share of the noise in the root's priors")                                        \
    INT(T, gumbel, 0, 0, 65536,                                                                                        \
        "number of root moves drawn by Gumbel noise, which sequential halving compares over per_move simulations; 0: " \
        "the root is searched by PUCT")                                                                                \
    INT(T, per_move, 0, 0, 1000000000, "simulations before each move of the game; 0: one tree for the whole game")     \
    BOOL(T, keep, false, "with per_move: keep the subtree below the move played")                                      \
    CHOICE(T, final, POLICY_FINAL_LINE, "line|max|robust",                                                             \
           "with per_move: which move is played; line: the one on the best line found; max: of highest value; "        \
           "robust: of most visits")                                                                                   \
    INT(T, per_tree, 0, 0, 1000000000, "simulations before a new tree is started; 0: never")                           \
    INT(T, games, 0, 0, 1000000000, "number of games or trees; 0: until a limit ends the search")                      \
    CHOICE(T, parallel, POLICY_TREE_PARALLEL, "tree|root", "what threads share: tree: one tree; root: only the network")
SOLOIST_OPTIONS(policy_options, POLICY_OPTIONS);

/* Whether the network's values are used. */
static inline bool policy_is_valued(const struct policy_options *options) {
    return options->rollout == POLICY_ROLLOUT_NONE || options->value_share > 0;
}
/* Whether the results of play-outs are used. */
static inline bool policy_is_played_out(const struct policy_options *options) {
    return options->rollout != POLICY_ROLLOUT_NONE && options->value_share < 1;
}

#endif
