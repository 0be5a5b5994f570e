/* Every variation of Monte-Carlo tree search is a row here, so that each published configuration is a command line.
 * The methods in presets.c differ only in the values that they set. */
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
enum mcts_simulate {
    MCTS_SIMULATE_AUTO,
    MCTS_SIMULATE_RANDOM,
    MCTS_SIMULATE_GREEDY,
    MCTS_SIMULATE_IDA_STAR,
    MCTS_SIMULATE_NONE,
    MCTS_SIMULATE_TABU,
    MCTS_SIMULATE_BREADTH
};
enum mcts_normalise { MCTS_RAW, MCTS_STATIC, MCTS_SPACE_LOCAL, MCTS_MAX_MIN };
enum mcts_parallel { MCTS_TREE_PARALLEL, MCTS_ROOT_PARALLEL, MCTS_LEAF_PARALLEL };
enum mcts_final { MCTS_FINAL_LINE, MCTS_FINAL_MAX, MCTS_FINAL_ROBUST, MCTS_FINAL_MAX_ROBUST, MCTS_FINAL_SECURE };

/* The first two choices of `reward` are for every domain, the others name a domain's own. */
enum { MCTS_REWARD_AUTO, MCTS_REWARD_SOLVED, MCTS_REWARD_NAMED };
#define MCTS_REWARDS                                                                                                   \
    "auto|solved|r0|boxes|boxes-printed-sign|inverse-bm|negative-bm|inverse-bm-pushes|negative-bm-pushes|exit"

#define MCTS_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                       \
    CHOICE(T, rule, MCTS_UCT, "uct|ucb1tuned|sp|puct", "which child is chosen on the way down")                        \
    REAL(T, c, 1, 0, 1e6, "weight of exploration in the rule")                                                         \
    REAL(T, d, 32, 0, 1e9, "D in sp's deviation: keeps rarely tried children promising")                               \
    REAL(T, log_factor, 2, 0, 100, "k in sqrt(k ln N / n)")                                                            \
    REAL(T, best_bonus, 0, 0, 1000, "W in Q + W Qmax")                                                                 \
    REAL(T, best_share, 0, 0, 1, "lambda in lambda Qmax + (1 - lambda) Q")                                             \
    CHOICE(T, normalise, MCTS_RAW, "none|static|space-local|max-min",                                                  \
           "values brought to 0..1: divided by range; by the least and greatest met below the node; by its means")     \
    REAL(T, range, 5000, 1e-9, 1e12, "what static normalisation divides by")                                           \
    CHOICE(T, ties, MCTS_TIES_FIRST, "first|random|order", "of equal children: the one added first; any; by move")     \
    CHOICE(T, unvisited, MCTS_UNVISITED_RANDOM, "random|first|inherit",                                                \
           "children not yet visited come first, in that order; or count with their parent's first result")            \
    CHOICE(T, expand, MCTS_EXPAND_ONE, "one|all", "children added when a node is expanded")                            \
    INT(T, expand_visits, 0, 0, 1000000, "visits that a leaf must have had before")                                    \
    INT(T, expand_siblings, 0, 0, 1000, "visits that a leaf must have had before, for each of its parent's children")  \
    BOOL(T, prune, true, "leave out moves that the domain proves dead or needless; else dead states are ends")         \
    CHOICE(T, cycles, MCTS_CYCLES_KEPT, "kept|stop|avoid",                                                             \
           "a state met again in one iteration: no matter; ends it, the move stays untried; another is tried")         \
    BOOL(T, eliminate, false, "remove nodes below which nothing is left to try")                                       \
    CHOICE(T, states, MCTS_STATES_REPEATED, "repeated|one-node",                                                       \
           "one-node: one node per state; a shorter path to it moves its subtree, statistics and all")                 \
    INT(T, rave, 0, 0, 1000000, "V: all-moves-as-first values count until that many visits; 0: not at all")            \
    INT(T, pool, 0, 0, 1 << 30, "nodes of the tree at most, the least recently used leaf being recycled; 0: any")      \
    CHOICE(T, simulate, MCTS_SIMULATE_RANDOM, "auto|random|eps-greedy|eps-ida|none|tabu|bfs",                          \
           "how a leaf is valued: play-outs of a kind (auto: tabu or random); its own reward; the best around it")     \
    CHOICE(                                                                                                            \
        T, valued, MCTS_VALUED_LEAF, "leaf|children",                                                                  \
        "what an iteration values; children: all that it adds, if states=one-node, simulate=none and a bound allow")   \
    INT(T, burst, 1, 1, 64, "with valued=children: nodes expanded, each below the other, before the next descent")     \
    REAL(T, eps, 0.2, 0, 1, "share of random moves in eps-greedy and eps-ida")                                         \
    INT(T, ida_nodes, 100, 1, 1000000, "nodes that eps-ida looks at for a move")                                       \
    INT(T, depth, 2, 0, 100, "how far simulate=bfs looks")                                                             \
    INT(T, rollouts, 1, 1, 10000, "play-outs a leaf, of which the mean counts")                                        \
    INT(T, length, 0, 0, 1000000, "most moves of a play-out; 0: what the instance allows, else 1000")                  \
    CHOICE(T, reward, MCTS_REWARD_AUTO, MCTS_REWARDS,                                                                  \
           "what a state is worth: auto: the score, or minus the bound; 1 if solved; a reward of the domain")          \
    REAL(T, path_weight, 0, 0, 100, "reward=auto of least cost: weight of the path's cost, beside the bound's 1")      \
    REAL(T, second_path_weight, -1, -1, 100, "with separate trees: that weight in every other one; -1: the same")      \
    CHOICE(T, parallel, MCTS_TREE_PARALLEL, "tree|root|leaf",                                                          \
           "what threads share: one tree without locks; nothing; the play-outs of one leaf")                           \
    REAL(T, virtual_loss, 0.01, 0, 100, "w: how strongly a node shuns further threads while some are below it")        \
    INT(T, per_move, 0, 0, 1000000000, "iterations before each move of the game; 0: one tree for the game")            \
    BOOL(T, keep, true, "with per_move: keep the tree below the move made")                                            \
    CHOICE(T, final, MCTS_FINAL_LINE, "line|max|robust|max-robust|secure",                                             \
           "with per_move: the move on the best line found; of highest value, most visits, both, lower bound")         \
    INT(T, per_tree, 0, 0, 1000000000, "iterations before the tree is begun anew; 0: never")                           \
    INT(T, games, 0, 0, 1000000000, "games or trees in all, each with its own random numbers; 0: until a limit")       \
    BOOL(T, insert, false, "add the nodes of every new best line to the tree")                                         \
    BOOL(T, improve, false, "go on after the first solution of a least-cost domain")
SOLOIST_OPTIONS(mcts_options, MCTS_OPTIONS);

#endif
