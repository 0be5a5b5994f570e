/* Every variation of Monte-Carlo tree search is an option row here, so that each published configuration can be given
 * on the command line. The methods in presets.c differ only in the values that they set. */
#ifndef SEARCH_MCTS_OPTIONS_H
#define SEARCH_MCTS_OPTIONS_H

#include "soloist.h"

enum mcts_rule_kind { MCTS_UCT, MCTS_UCB1_TUNED, MCTS_SP, MCTS_PUCT };
enum mcts_ties { MCTS_TIES_FIRST, MCTS_TIES_RANDOM, MCTS_TIES_ORDER };
enum mcts_unvisited { MCTS_UNVISITED_RANDOM, MCTS_UNVISITED_FIRST, MCTS_UNVISITED_INHERIT };
enum mcts_expand { MCTS_EXPAND_ONE, MCTS_EXPAND_ALL };
enum mcts_cycles { MCTS_CYCLES_KEPT, MCTS_CYCLES_STOP, MCTS_CYCLES_AVOID };
enum mcts_valued { MCTS_VALUED_LEAF, MCTS_VALUED_CHILDREN };
enum mcts_states { MCTS_STATES_REPEATED, MCTS_STATES_ONE_NODE };
/* The values up to MCTS_SIMULATE_BREADTH stand for the names in MCTS_SIMULATIONS, in the same order. Any other value of
 * `simulate` is the name of one of the domain's play-outs. */
enum mcts_simulate {
    MCTS_SIMULATE_RANDOM,
    MCTS_SIMULATE_AUTO,
    MCTS_SIMULATE_GREEDY,
    MCTS_SIMULATE_IDA_STAR,
    MCTS_SIMULATE_NONE,
    MCTS_SIMULATE_BREADTH,
    MCTS_SIMULATE_NAMED
};
enum mcts_normalise { MCTS_RAW, MCTS_STATIC, MCTS_SPACE_LOCAL, MCTS_MAX_MIN };
enum mcts_parallel { MCTS_TREE_PARALLEL, MCTS_ROOT_PARALLEL, MCTS_LEAF_PARALLEL };
enum mcts_first_moves { MCTS_FIRST_MOVES_RANDOM, MCTS_FIRST_MOVES_DIFFERENT };
enum mcts_final { MCTS_FINAL_LINE, MCTS_FINAL_MAX, MCTS_FINAL_ROBUST, MCTS_FINAL_MAX_ROBUST, MCTS_FINAL_SECURE };

/* The values up to MCTS_REWARD_NETWORK stand for the names in MCTS_REWARDS, in the same order. Any other value of
 * `reward` is the name of one of the domain's rewards. */
enum mcts_reward { MCTS_REWARD_AUTO, MCTS_REWARD_SOLVED, MCTS_REWARD_NETWORK, MCTS_REWARD_NAMED };

#define MCTS_SIMULATIONS "random|auto|eps-greedy|eps-ida|none|bfs"
#define MCTS_REWARDS "auto|solved|network"

#define MCTS_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                                 \
    CHOICE(T, rule, MCTS_UCT, "uct|ucb1tuned|sp|puct",                                                                 \
           "selection formula: uct: Q + c sqrt(k ln N / n); ucb1tuned: exploration limited by the variance of the "    \
           "results; sp: uct plus a deviation term; puct: Q + c sqrt(N) / (1 + n) / number of moves; here Q is the "   \
           "mean result of a child, n the number of its visits and N the number of its parent's visits")               \
    REAL(T, c, 1, 0, 1e6, "weight of exploration: c in the selection formula")                                         \
    REAL(T, c_base, 0, 0, 1e12,                                                                                        \
         "if it is not 0, the weight of exploration grows with the node's visits N: it is c + ln((1 + N + c_base) / "  \
         "c_base); 0: it is always c")                                                                                 \
    REAL(T, d, 32, 0, 1e9,                                                                                             \
         "rule=sp: D in the deviation term sqrt(variance + D / n) of the selection formula; a greater D favours "      \
         "children with few visits")                                                                                   \
    REAL(T, log_factor, 2, 0, 100, "rule=uct or sp: k in the exploration term c sqrt(k ln N / n)")                     \
    REAL(T, best_bonus, 0, 0, 1000,                                                                                    \
         "weight of a child's best result, which is multiplied by this number and added to the child's value")         \
    REAL(T, best_share, 0, 0, 1,                                                                                       \
         "share of a child's best result in the child's value; the rest is the child's mean result")                   \
    CHOICE(T, normalise, MCTS_RAW, "none|static|space-local|max-min",                                                  \
           "how the values of a node's children are scaled to 0..1: static: they are divided by the value of the "     \
           "option `range`; space-local: the least result below the node becomes 0 and the greatest 1; max-min: the "  \
           "least mean among the children becomes 0 and the greatest 1; none: they are not scaled")                    \
    REAL(T, range, 5000, 1e-9, 1e12, "normalise=static: the number by which values are divided")                       \
    CHOICE(T, ties, MCTS_TIES_FIRST, "first|random|order",                                                             \
           "which child is chosen if several have the same value: first: the one added first, or with "                \
           "states=one-node the one added last; random: a random one; "                                                \
           "order: the one whose move has the lowest number")                                                          \
    CHOICE(                                                                                                            \
        T, unvisited, MCTS_UNVISITED_RANDOM, "random|first|inherit",                                                   \
        "when children without a visit are chosen: random: before all others, in random order; first: before all "     \
        "others, in their own order; inherit: by the selection formula, with the parent's first result as their mean") \
    CHOICE(T, expand, MCTS_EXPAND_ONE, "one|all", "how many children are added when a node is expanded")               \
    INT(T, expand_visits, 0, 0, 1000000, "a leaf is expanded only after this many visits")                             \
    INT(T, expand_siblings, 0, 0, 1000,                                                                                \
        "a leaf is expanded once its number of visits reaches this factor times the number of its parent's children; " \
        "0: expand_visits is used instead")                                                                            \
    BOOL(T, prune, true,                                                                                               \
         "leave out moves that the domain proves to be unnecessary or to lead to a dead state; false: try every "      \
         "legal move, and stop at dead states")                                                                        \
    CHOICE(T, cycles, MCTS_CYCLES_KEPT, "kept|stop|avoid",                                                             \
           "what to do if a state occurs twice in one iteration: kept: go on; stop: end the iteration and leave the "  \
           "move untried; avoid: try another move")                                                                    \
    BOOL(T, eliminate, false, "remove nodes below which nothing is left to try")                                       \
    CHOICE(T, states, MCTS_STATES_REPEATED, "repeated|one-node",                                                       \
           "how many nodes a state has: repeated: one for each path to the state; one-node: only one; when a shorter " \
           "path to the state is found, the state's subtree, with all statistics, is moved to that path")              \
    INT(T, rave, 0, 0, 1000000,                                                                                        \
        "RAVE: number of visits of a child during which the weight of its all-moves-as-first mean falls from 1 to 0; " \
        "0: no RAVE")                                                                                                  \
    INT(T, pool, 0, 0, 1 << 30,                                                                                        \
        "maximum number of nodes in the tree; in a full tree, each new node replaces the leaf whose value in the "     \
        "selection formula was computed longest ago; "                                                                 \
        "0: no limit")                                                                                                 \
    NAME(T, simulate, MCTS_SIMULATIONS,                                                                                \
         "how a leaf is evaluated: random, eps-greedy, eps-ida: by a play-out of this kind; NAME: by the domain's "    \
         "play-out of that name; auto: by the best informed play-out of the domain, which is the last in its list; "   \
         "none: by the reward of the leaf's state; bfs: by the best reward among the states at most `depth` moves "    \
         "after the leaf")                                                                                             \
    CHOICE(T, valued, MCTS_VALUED_LEAF, "leaf|children",                                                               \
           "which nodes an iteration evaluates: leaf: the leaf that it reaches; children: every node that it adds; "   \
           "children needs states=one-node, simulate=none and a domain with a bound, and has the same effect as leaf " \
           "if one of these is missing")                                                                               \
    INT(T, burst, 1, 1, 64,                                                                                            \
        "with valued=children: number of nodes that one descent from the root expands; each of these nodes is a "      \
        "child of the previous one")                                                                                   \
    REAL(T, eps, 0.2, 0, 1, "simulate=eps-greedy or eps-ida: probability that a move of a play-out is random")         \
    INT(T, ida_nodes, 100, 1, 1000000,                                                                                 \
        "simulate=eps-ida: number of nodes that IDA* searches for each move of a play-out")                            \
    INT(T, depth, 2, 0, 100, "simulate=bfs: depth of the breadth-first search below the leaf, in moves")               \
    INT(T, rollouts, 1, 1, 10000, "number of play-outs per leaf; the mean of their results is the leaf's result")      \
    REAL(T, agree, 0, 0, 1,                                                                                            \
         "with rollouts or parallel=leaf: the play-outs from a leaf end as soon as this share of them has given the "  \
         "same result; those that are not finished do not count (play-outs by a function of the domain are not "       \
         "broken off, but not begun any more); 0: all are finished")                                                   \
    INT(T, length, 0, 0, 1000000,                                                                                      \
        "maximum number of moves in a play-out; 0: the instance's own limit, or 1000 if it has none")                  \
    NAME(T, reward, MCTS_REWARDS,                                                                                      \
         "value of a state: auto: the score or, in a domain that minimises cost, minus the bound; solved: 1 if the "   \
         "state is solved, otherwise 0; network: minus the cost to go that a network estimates; NAME: the domain's "   \
         "reward of that name")                                                                                        \
    REAL(T, path_weight, 0, 0, 100,                                                                                    \
         "with reward=auto in a domain that minimises cost: the value of a state is -(bound + path_weight * cost of "  \
         "the path to the state)")                                                                                     \
    REAL(T, second_path_weight, -1, -1, 100,                                                                           \
         "path_weight of every second tree, if several trees are grown, one per thread or one after the other; -1: "   \
         "the same as path_weight")                                                                                    \
    CHOICE(T, parallel, MCTS_TREE_PARALLEL, "tree|root|leaf",                                                          \
           "how threads share the work: tree: all grow one tree, without locks; root: each grows a tree of its own; "  \
           "leaf: each makes some of the play-outs of the same leaf")                                                  \
    CHOICE(                                                                                                            \
        T, first_moves, MCTS_FIRST_MOVES_RANDOM, "random|different",                                                   \
        "with parallel=leaf: how the play-outs from a leaf begin: random: like any other play-out; different: each "   \
        "with another move, as far as there are enough moves")                                                         \
    BOOL(T, merge, false,                                                                                              \
         "with parallel=root and per_move or move_time: all trees play the same game, and each move is chosen by the " \
         "sums of the statistics of all trees; false: each tree plays a game of its own")                              \
    REAL(T, virtual_loss, 0.01, 0, 100,                                                                                \
         "for each thread that is inside a child's subtree, the child's value is lowered by this factor times the "    \
         "child's mean result")                                                                                        \
    INT(T, per_move, 0, 0, 1000000000,                                                                                 \
        "a game is played move by move, with this many iterations before each move; 0: one tree for the whole game")   \
    REAL(T, move_time, 0, 0, 1e9,                                                                                      \
         "a game is played move by move, with this many seconds before each move; with per_move, a move is played as " \
         "soon as either is used up; such runs cannot be repeated exactly; 0: no limit on time")                       \
    REAL(T, move_decay, 1, 0, 1,                                                                                       \
         "with per_move or move_time: each move of a game gets this share of what the move before it got, but at "     \
         "least one iteration")                                                                                        \
    BOOL(T, keep, true, "with per_move or move_time: keep the subtree below the move that was played")                 \
    CHOICE(T, final, MCTS_FINAL_LINE, "line|max|robust|max-robust|secure",                                             \
           "with per_move or move_time: which move is played: line: the next move of the best sequence found; max: "   \
           "the move with the "                                                                                        \
           "highest mean; robust: the move with the most visits; max-robust: among the moves with the most visits, "   \
           "the one with the highest mean; secure: the move with the highest lower confidence bound")                  \
    INT(T, per_tree, 0, 0, 1000000000,                                                                                 \
        "number of iterations after which a new tree is started; 0: no new tree is started")                           \
    REAL(T, tree_growth, 1, 1, 100,                                                                                    \
         "with per_tree: each tree has this many times as many iterations as the one before it")                       \
    INT(T, games, 0, 0, 1000000000,                                                                                    \
        "number of games (or trees), each with its own random numbers; 0: until a limit ends the search")              \
    BOOL(T, insert, false, "add the states of every new best sequence of moves to the tree as nodes")                  \
    BOOL(T, improve, false, "domains that minimise cost: continue to search after the first solution")
SOLOIST_NAMED_OPTIONS(mcts_options, MCTS_OPTIONS);

/* Whether a game is played move by move. */
static inline bool mcts_by_move(const struct mcts_options *options) {
    return options->per_move || options->move_time > 0;
}

#endif
