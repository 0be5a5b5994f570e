/* Every variation of tree search guided by a network (L2 and L4 in docs/REFERENCES.md) is an option row here. The
 * methods in presets.c differ only in the values that they set. */
#ifndef SEARCH_POLICY_OPTIONS_H
#define SEARCH_POLICY_OPTIONS_H

#include "soloist.h"

enum policy_normalise { POLICY_STATIC, POLICY_SPACE_LOCAL, POLICY_MAX_MIN };
enum policy_rollout { POLICY_ROLLOUT_RANDOM, POLICY_ROLLOUT_GUIDED, POLICY_ROLLOUT_NONE, POLICY_ROLLOUT_BEST };
enum policy_final { POLICY_FINAL_LINE, POLICY_FINAL_MAX, POLICY_FINAL_ROBUST };
enum policy_parallel { POLICY_TREE_PARALLEL, POLICY_ROOT_PARALLEL };

#define POLICY_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    REAL(T, c, 2, 0, 1e6,                                                                                              \
         "weight of exploration: c in the selection formula Q + c P sqrt(N) / (1 + n), where Q is the mean result "    \
         "of a move, P its prior, n the number of its visits and N the number of the node's visits")                   \
    REAL(T, c_base, 0, 0, 1e12,                                                                                        \
         "if it is not 0, the weight of exploration grows with the node's visits N: it is c + ln((1 + N + c_base) / "  \
         "c_base), as in AlphaZero with c_base=19652; 0: it is always c")                                              \
    CHOICE(T, normalise, POLICY_MAX_MIN, "static|space-local|max-min",                                                 \
           "how the values of a node's moves are scaled to 0..1: static: they are divided by the value of the option " \
           "`range`; space-local: the least result below the node becomes 0 and the greatest 1; max-min: the least "   \
           "mean among the moves becomes 0 and the greatest 1")                                                        \
    REAL(T, range, 5000, 1e-9, 1e12, "normalise=static: the number by which values are divided")                       \
    REAL(T, best_share, 0, 0, 1,                                                                                       \
         "share of a move's best result in the move's value; the rest is the move's mean result")                      \
    CHOICE(T, rollout, POLICY_ROLLOUT_RANDOM, "random|guided|none|best",                                               \
           "how a leaf is played out: random: at random; guided: at random with the priors as probabilities; best: "   \
           "by the domain's best play-out policy; none: there is no play-out, and the network's value is the result")  \
    REAL(T, value_share, 0, 0, 1,                                                                                      \
         "share of the network's value in a leaf's result; the rest is the play-out's result; 1: no play-outs; "       \
         "ignored with rollout=none")                                                                                  \
    REAL(T, value_scale, 0, 0, 1e9,                                                                                    \
         "score in points that a network's value of 1 stands for; 0: the number in the network's file, or 1 if the "   \
         "file has none")                                                                                              \
    INT(T, step_limit, 0, 0, 1000000,                                                                                  \
        "least-cost domains: a game that is not solved after this many moves gets the value 0; 0: the limit is 1 / "   \
        "step_value, where step_value (usually 0.01) comes from the network's file")                                   \
    BOOL(T, eliminate, true, "do not visit a move again if everything below it has been searched")                     \
    BOOL(T, lines, false,                                                                                              \
         "play out every leaf, even if only the network's value counts as the leaf's result: the play-out may become " \
         "the best game so far")                                                                                       \
    INT(T, ask_visits, 0, 0, 1000000000,                                                                               \
        "number of visits that a node must have before the network computes its priors; 0: the network computes them " \
        "at the first visit")                                                                                          \
    REAL(T, virtual_loss, 0.01, 0, 100,                                                                                \
         "for each simulation that is still in flight below a move, the move's value is lowered by this factor times " \
         "the move's mean result")                                                                                     \
    INT(T, in_flight, 0, 0, 65536,                                                                                     \
        "number of simulations in one tree that are in flight (wait for the network) at the same time; 0: 16, or 4 "   \
        "per thread if that is more, but at most one batch")                                                           \
    REAL(T, noise, 0, 0, 1000, "alpha of the Dirichlet noise in the root's priors; 0: no noise")                       \
    REAL(T, noise_share, 0.25, 0, 1, "share of the Dirichlet noise in the root's priors")                              \
    INT(T, gumbel, 0, 0, 65536,                                                                                        \
        "number of root moves that are drawn with Gumbel noise and then compared by sequential halving within "        \
        "per_move simulations; 0: the root is searched by PUCT like all other nodes")                                  \
    INT(T, per_move, 0, 0, 1000000000,                                                                                 \
        "a game is played move by move, with this many simulations before each move (in a domain that "                \
        "minimises cost, or if nothing is random, each further game has twice as many as the one before it); 0: one "  \
        "tree for the whole game")                                                                                     \
    REAL(T, move_time, 0, 0, 1e9,                                                                                      \
         "a game is played move by move, with this many seconds before each move; with per_move, a move is played as " \
         "soon as either is used up (the time grows from game to game as per_move does); such runs cannot be "         \
         "repeated exactly; 0: no limit on time")                                                                      \
    REAL(T, move_decay, 1, 0, 1,                                                                                       \
         "with per_move or move_time: each move of a game gets this share of what the move before it got, but at "     \
         "least one simulation")                                                                                       \
    BOOL(T, keep, false, "with per_move or move_time: keep the subtree below the move that was played")                \
    CHOICE(T, final, POLICY_FINAL_LINE, "line|max|robust",                                                             \
           "with per_move or move_time: which move is played: line: the next move of the best sequence found; max: "   \
           "the move with the "                                                                                        \
           "highest mean; robust: the move with the most visits")                                                      \
    INT(T, per_tree, 0, 0, 1000000000,                                                                                 \
        "number of simulations after which a new tree is started; 0: no new tree is started")                          \
    INT(T, games, 0, 0, 1000000000, "number of games (or trees); 0: until a limit ends the search")                    \
    CHOICE(T, parallel, POLICY_TREE_PARALLEL, "tree|root",                                                             \
           "how threads share the work: tree: all grow one tree; root: each grows a tree of its own; in both cases "   \
           "they share the network")
SOLOIST_OPTIONS(policy_options, POLICY_OPTIONS);

/* Whether a game is played move by move. */
static inline bool policy_by_move(const struct policy_options *options) {
    return options->per_move || options->move_time > 0;
}
/* Whether the network's values are used. */
static inline bool policy_is_valued(const struct policy_options *options) {
    return options->rollout == POLICY_ROLLOUT_NONE || options->value_share > 0;
}
/* Whether the results of play-outs are used. */
static inline bool policy_is_played_out(const struct policy_options *options) {
    return options->rollout != POLICY_ROLLOUT_NONE && options->value_share < 1;
}

#endif
