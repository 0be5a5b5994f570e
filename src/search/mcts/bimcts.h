/* Bi-directional Monte-Carlo tree search (Spoerer 2021): a down-tree grows from the root and an up-tree from the goals,
 * in turn, until a leaf of one tree has a state that is also in the other tree. Nodes store moves but no states. Each
 * tree has a table of its states, so that one look-up, which compares whole states, tells whether a state is in the
 * other tree. */
#ifndef SEARCH_MCTS_BIMCTS_H
#define SEARCH_MCTS_BIMCTS_H

#include "base/table.h"
#include "search/mcts/tree.h"
#include "search/picture.h"

enum { BIMCTS_DOWN, BIMCTS_UP };
enum bimcts_direction { BIMCTS_BOTH, BIMCTS_DOWN_ONLY, BIMCTS_UP_ONLY };
enum bimcts_log_visits { BIMCTS_LOG_PARENT, BIMCTS_LOG_TREE };

/* The paper states the value of c but not the selection formula. In our formula we tried two definitions of N (visits
 * of the parent, and iterations of the whole tree), each with values of k from 1 to 2. With the default values of
 * log_factor and log_visits, our results are nearest to the ten speed-ups in the paper. */
#define BIMCTS_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    CHOICE(T, direction, BIMCTS_BOTH, "both|down|up",                                                                  \
           "which trees grow: both: the two trees; down: only the tree from the root (plain MCTS); up: only the tree " \
           "from the goals")                                                                                           \
    CHOICE(T, side, BIMCTS_DOWN, "down|up",                                                                            \
           "with direction=both: which tree gets the first iteration: down: the tree from the root; up: the tree "     \
           "from the goals")                                                                                           \
    REAL(T, c, 1, 0, 1e6,                                                                                              \
         "weight of exploration: c in the selection formula Q + c sqrt(k ln N / n), where Q is the mean result of a "  \
         "child, n the number of its visits, and N is chosen by log_visits")                                           \
    REAL(T, log_factor, 1.1, 0, 100, "k in the selection formula Q + c sqrt(k ln N / n)")                              \
    CHOICE(T, log_visits, BIMCTS_LOG_TREE, "parent|tree",                                                              \
           "N in the selection formula: parent: visits of the child's parent; tree: iterations of the whole tree")     \
    INT(T, siblings, 10, 0, 1000000,                                                                                   \
        "a leaf is expanded once its number of visits reaches this factor times the number of its parent's children")  \
    INT(T, length, 0, 0, 1000000,                                                                                      \
        "maximum number of moves from a tree's root to the end of a play-out; 0: the instance's own limit or, if it "  \
        "has none, a number derived from the bound of the instance's first state")                                     \
    BOOL(T, prune, false,                                                                                              \
         "leave out moves that the domain proves to be unnecessary or to lead to a dead state, and moves that take "   \
         "back the previous one")                                                                                      \
    BOOL(T, playout_solves, false,                                                                                     \
         "a play-out counts as a solution and ends the search if it reaches the root from the goals, or a goal from "  \
         "the root")
SOLOIST_OPTIONS(bimcts_options, BIMCTS_OPTIONS);

/* Stored before each state in a tree's table of states: the node at which the state is reached by the fewest moves. */
struct bimcts_place {
    uint32_t node;
    int32_t depth;
};

/* One tree. If there are several goals, the root of the up-tree stands for all of them: it has no state, its children
 * are the goals, and the `move` of each child is the number of its goal. */
struct bimcts_side {
    const soloist_core *core;
    struct mcts_tree tree;
    struct table states;
    unsigned char *roots; /* the states of all roots */
    uint32_t root_count;
    size_t roots_size;
    bool grows;
};

/* How an iteration ended, in the words of the paper. */
enum bimcts_result { BIMCTS_FAILED, BIMCTS_SUCCEEDED, BIMCTS_SOLVED_IN_TREE, BIMCTS_MET_IN_THE_MIDDLE };

struct bimcts {
    struct search_run *run;
    const struct bimcts_options *options;
    struct bimcts_side side[2];
    int length;
    soloist_rng rng;
    unsigned char *state, *child, *packed; /* state: the current state of the iteration; the others are scratch space */
    soloist_move *moves;
    soloist_child *children;
    size_t scratch_size;
    soloist_move *trace; /* the moves of a play-out */
    int trace_length;
};

/* ---- one tree (bimcts_tree.c) ------------------------------------------------------------------------ */
/* Opens a tree and, if `grows` is true, its table of states. False: memory is full; the caller must close the tree in
 * this case too. */
bool bimcts_open_side(struct bimcts *search, int s, bool grows);
void bimcts_close_side(struct bimcts *search, int s);
/* Adds search->state as a root from which the side's tree starts. False: memory is full. */
bool bimcts_add_root(struct bimcts *search, int s);
/* Called when all roots were added: enters their states in the table. If there are several roots, they become children
 * of the tree's root. False: memory is full or the node limit is reached. */
bool bimcts_spread_roots(struct bimcts *search, int s);
/* The steps Selection and Expansion of the paper: returns the leaf, and leaves its state in search->state. POOL_NONE:
 * memory is full. */
uint32_t bimcts_descend(struct bimcts *search, int s, int *depth);
void bimcts_back_up(struct bimcts_side *side, uint32_t leaf, bool success);
/* Lists in search->moves the legal moves of search->state; the options say whether some are pruned. */
int bimcts_list(struct bimcts *search, int s, soloist_move last);
/* Draws a struct bimcts, `subject`, for somebody who watches the search: the down-tree, and the depths of the states in
 * both trees. */
void bimcts_paint(const void *subject, struct search_picture *picture);
/* The node that has this state in the tree of side `s`, or POOL_NONE. */
uint32_t bimcts_find(struct bimcts *search, int s, const void *state);

/* ---- the solution (bimcts_line.c) -------------------------------------------------------------------- */
/* Builds the solution through a state that has a node in both trees, and records it. If one of the two nodes is
 * POOL_NONE, the solution consists of the path to the other node and the moves of the play-out. */
soloist_code bimcts_rebuild(struct bimcts *search, const uint32_t node[2]);

#endif
