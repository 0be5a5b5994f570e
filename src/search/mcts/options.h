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
/* The names in MCTS_SIMULATIONS, in the same order. Any other value of `simulate` is the name of one of the domain's
 * play-outs. */
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
enum mcts_final { MCTS_FINAL_LINE, MCTS_FINAL_MAX, MCTS_FINAL_ROBUST, MCTS_FINAL_MAX_ROBUST, MCTS_FINAL_SECURE };

/* The names in MCTS_REWARDS, in the same order. Any other value of `reward` is the name of one of the domain's
 * rewards. */
enum mcts_reward { MCTS_REWARD_AUTO, MCTS_REWARD_SOLVED, MCTS_REWARD_NAMED };

#define MCTS_SIMULATIONS "random|auto|eps-greedy|eps-ida|none|bfs"
#define MCTS_REWARDS "auto|solved"

#define MCTS_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                                 \
    CHOICE(T, rule, MCTS_UCT, "uct|ucb1tuned|sp|puct", "selection formula")                                            \
    REAL(T, c, 1, 0, 1e6, "weight of exploration in the selection formula")                                            \
    REAL(T, d, 32, 0, 1e9, "D in the deviation term of rule=sp: keeps rarely visited children promising")              \
    REAL(T, log_factor, 2, 0, 100, "k in sqrt(k ln N / n)")                                                            \
    REAL(T, best_bonus, 0, 0, 1000, "W in Q + W Qmax")                                                                 \
    REAL(T, best_share, 0, 0, 1, "lambda in lambda Qmax + (1 - lambda) Q")                                             \
    CHOICE(T, normalise, MCTS_RAW, "none|static|space-local|max-min",                                                  \
           "how values are scaled to 0..1: static: divided by range; space-local: by the least and greatest result "   \
           "below the node; max-min: by the least and greatest mean of its children")                                  \
    REAL(T, range, 5000, 1e-9, 1e12, "what static normalisation divides by")                                           \
    CHOICE(T, ties, MCTS_TIES_FIRST, "first|random|order",                                                             \
           "which of several equal children is chosen: first: the one added first; random: any; order: by move")       \
    CHOICE(T, unvisited, MCTS_UNVISITED_RANDOM, "random|first|inherit",                                                \
           "children not yet visited: random, first: are visited before all others, in that order; inherit: count "    \
           "with their parent's first result")                                                                         \
    CHOICE(T, expand, MCTS_EXPAND_ONE, "one|all", "children added when a node is expanded")                            \
    INT(T, expand_visits, 0, 0, 1000000, "visits that a leaf needs before it is expanded")                             \
    INT(T, expand_siblings, 0, 0, 1000, "visits that a leaf needs before it is expanded, per child of its parent")     \
    BOOL(T, prune, true, "leave out moves that the domain proves dead or needless; false: play ends in dead states")   \
    CHOICE(T, cycles, MCTS_CYCLES_KEPT, "kept|stop|avoid",                                                             \
           "a state that occurs twice in one iteration: kept: is allowed; stop: ends the iteration, and the move "     \
           "stays untried; avoid: another move is tried")                                                              \
    BOOL(T, eliminate, false, "remove nodes below which nothing is left to try")                                       \
    CHOICE(T, states, MCTS_STATES_REPEATED, "repeated|one-node",                                                       \
           "one-node: one node per state; when a shorter path is found, the subtree moves there with its statistics")  \
    INT(T, rave, 0, 0, 1000000, "V: all-moves-as-first values count until a node has this many visits; 0: not at all") \
    INT(T, pool, 0, 0, 1 << 30,                                                                                        \
        "most nodes of the tree; beyond that the least recently used leaf is recycled; 0: no limit")                   \
    NAME(                                                                                                              \
        T, simulate, MCTS_SIMULATIONS,                                                                                 \
        "how a leaf is valued: by a play-out of the kind named, which may be one of the domain's own (auto: its last " \
        "one, which is the best informed); none: by its own reward; bfs: by the best reward of the states around it")  \
    CHOICE(T, valued, MCTS_VALUED_LEAF, "leaf|children",                                                               \
           "what an iteration values; children: every node that it adds (needs states=one-node, simulate=none and a "  \
           "bound; otherwise the leaf)")                                                                               \
    INT(T, burst, 1, 1, 64,                                                                                            \
        "with valued=children: nodes expanded, each a child of the one before, until the next descent from the root")  \
    REAL(T, eps, 0.2, 0, 1, "share of random moves in eps-greedy and eps-ida")                                         \
    INT(T, ida_nodes, 100, 1, 1000000, "nodes that eps-ida searches per move")                                         \
    INT(T, depth, 2, 0, 100, "how many moves ahead simulate=bfs looks")                                                \
    INT(T, rollouts, 1, 1, 10000, "play-outs per leaf; their mean counts")                                             \
    INT(T, length, 0, 0, 1000000, "most moves in a play-out; 0: the instance's own limit, or 1000 if it has none")     \
    NAME(                                                                                                              \
        T, reward, MCTS_REWARDS,                                                                                       \
        "what a state is worth: auto: the score, or minus the bound; solved: 1 if it is solved; others: the domain's " \
        "reward of that name")                                                                                         \
    REAL(T, path_weight, 0, 0, 100,                                                                                    \
         "with reward=auto and least cost: weight of the path's cost; the bound has weight 1")                         \
    REAL(T, second_path_weight, -1, -1, 100, "with several trees: path_weight of every second tree; -1: the same")     \
    CHOICE(T, parallel, MCTS_TREE_PARALLEL, "tree|root|leaf",                                                          \
           "what threads share: tree: one tree without locks; root: nothing; leaf: the play-outs of one leaf")         \
    REAL(T, virtual_loss, 0.01, 0, 100, "w: how strongly a node is avoided while other threads are below it")          \
    INT(T, per_move, 0, 0, 1000000000, "iterations before each move of the game; 0: one tree for the whole game")      \
    BOOL(T, keep, true, "with per_move: keep the subtree below the move played")                                       \
    CHOICE(T, final, MCTS_FINAL_LINE, "line|max|robust|max-robust|secure",                                             \
           "with per_move: which move is played; line: the one on the best line found; max: of highest value; "        \
           "robust: of most visits; max-robust: of highest mean among those of most visits; secure: of highest lower " \
           "confidence bound")                                                                                         \
    INT(T, per_tree, 0, 0, 1000000000, "iterations before a new tree is started; 0: never")                            \
    INT(T, games, 0, 0, 1000000000,                                                                                    \
        "number of games or trees, each with its own random numbers; 0: until a limit ends the search")                \
    BOOL(T, insert, false, "add the nodes of every new best line to the tree")                                         \
    BOOL(T, improve, false, "continue after the first solution, in a domain that aims at least cost")
SOLOIST_NAMED_OPTIONS(mcts_options, MCTS_OPTIONS);

#endif
