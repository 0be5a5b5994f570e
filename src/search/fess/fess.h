/* Feature-space search (Shoham and Schaeffer 2020). States are projected onto a few small numbers, their features;
 * states with equal features form a cell. A larger move stands for several plain moves, such as pushing a box to a
 * distant square. The cells are visited in turn. In each visited cell, the larger move of least accumulated weight is
 * played. A larger move that an advisor (a rule of the domain) proposes has weight 0; every other larger move has
 * weight 1. Moves are postponed but never discarded, so the search is complete. */
#ifndef SEARCH_FESS_FESS_H
#define SEARCH_FESS_FESS_H

#include "base/arena.h"
#include "base/heap.h"
#include "base/table.h"
#include "search/picture.h"

#define FESS_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                                 \
    NAME(T, cells, "plan|all",                                                                                         \
         "names, joined by +, of the features that are the dimensions of the feature space; plan: the features that "  \
         "the plan names; all: all features")                                                                          \
    NAME(T, features, "all|none", "names of the features to use, joined by +; all-A+B: all features except A and B")   \
    NAME(T, advisors, "all|none", "names of the advisors to use, joined by +; all-A+B: all advisors except A and B")   \
    BOOL(T, weights, true,                                                                                             \
         "moves that an advisor proposes have weight 0 and all other moves weight 1; within a cell, the search first " \
         "continues the path with the least total weight; false: all moves have weight 0")                             \
    BOOL(T, turns, true, "visit the cells in turn; false: always visit the best cell that has moves left")             \
    BOOL(T, best, true, "with turns=true: every second visit goes to the best cell")                                   \
    BOOL(T, keep, true,                                                                                                \
         "put a state into the cell of the best features among all states on its path from the root; false: into the " \
         "cell of its own features")                                                                                   \
    INT(T, plans, 0, 0, 1000, "number of plans to try, one after the other; 0: all plans of the domain")               \
    NAME(T, first, "0", "plan that is tried first, given by its name or its number")                                   \
    INT(T, restart, 0, 0, 1e9,                                                                                         \
        "restart with another plan of the same kind after this number of expanded states times the next number of "    \
        "Luby's sequence; 0: no restarts")                                                                             \
    BOOL(T, think, true,                                                                                               \
         "test some states for deadlocks by small searches; the deadlocks that are found also prune similar states")   \
    INT(T, plan_share, 30, 0, 90,                                                                                      \
        "maximum percentage of an attempt's time and nodes that may be spent on finding a plan; an attempt is a "      \
        "search with one plan; 0: search without a plan")                                                              \
    INT(T, plan_states, 3000, 0, 1e9, "maximum number of states that are expanded to find a plan")
SOLOIST_NAMED_OPTIONS(fess_options, FESS_OPTIONS);

/* The options whose values are names, converted to numbers. */
struct fess_settings {
    int first;
    /* Bit sets: bit i of `cells` and `features` stands for feature i, bit i of `advisors` for advisor i. cells = 0: the
     * plan says which features define cells. */
    int64_t cells, features, advisors;
};
/* Converts the options of the run. False with run->error filled in if a name is unknown. (names.c) */
bool fess_settle(const struct search_run *run, struct fess_settings *settings);

/* Stored before each state's bytes. The larger moves not yet played form a heap, whose first move is played next. */
struct fess_node {
    uint64_t past;     /* the best features that occur on the path to this state */
    uint64_t features; /* the state's own features */
    /* Heap with room for `room` elements, one per larger move. Bits 56-63 of an element are the weight of the move, the
     * lower bits are the features of the state after the move. The moves themselves follow in the same block of
     * memory. */
    uint64_t *order;
    uint32_t room, count;
    uint32_t parent; /* the state from which `move` led here; POOL_NONE: this is a root */
    soloist_move move;
    uint32_t weight; /* sum of the weights of the moves from the root to this state */
};

/* A cell of the feature space: a heap of its states that have unplayed moves. */
struct fess_cell {
    struct heap open;
};

/* One feature-space search. It searches either the puzzle itself or the game by which a plan is found (for Sokoban, the
 * packing game). */
struct fess {
    struct search_run *run;
    const struct fess_options *options;
    struct fess_settings settings;
    const soloist_features *game;
    void *guide;
    struct table states, cells;
    struct arena moves;
    uint64_t open; /* number of states with unplayed moves */
    uint32_t turn; /* the cell to visit next */
    uint32_t visits;
    uint32_t best;                 /* the state with the best features */
    uint32_t best_cell;            /* the cell with the best features; it may have become empty */
    uint32_t goal;                 /* the goal state that was found; POOL_NONE: none */
    uint64_t expanded, dimensions, /* dimensions: mask of the features that define cells */
        counting;                  /* counting: mask of all features that are used */
    void *state;
    soloist_prospect *prospects;
    size_t state_size, prospects_size;
    double end_s;       /* time at which this search must stop; 0: only the run's limits apply */
    uint64_t end_nodes; /* node count at which this search must stop; 0: only the run's limits apply */
    uint64_t most_expanded;
    uint64_t think_at, /* number of expanded states at which the next deadlock search is due */
        think_gap;     /* number of expanded states between two deadlock searches */
};

enum fess_next { FESS_GO_ON, FESS_DONE, FESS_FULL };

/* tree.c: opens a search for a game. False: memory is full; the caller must close it in this case too. */
bool fess_open(struct fess *fess, struct search_run *run, const soloist_features *game, void *guide);
void fess_close(struct fess *fess);
/* Adds the game's first states. */
enum fess_next fess_begin(struct fess *fess);
/* Chooses a cell and plays one larger move from its first state. */
enum fess_next fess_step(struct fess *fess);
/* The moves from a root to a state, in an array that the caller frees by memory_give. *root: index of that root. */
soloist_move *fess_line(struct fess *fess, uint32_t node, size_t *count, uint32_t *root);

/* cells.c: puts a state that has unplayed moves into its cell. False: memory is full. */
bool fess_enter_cell(struct fess *fess, uint32_t index);
/* Chooses a cell, removes its first state and returns the state's index. POOL_NONE: no cell has a state left. */
uint32_t fess_choose(struct fess *fess);
void fess_close_cells(struct fess *fess);
/* Draws the cells of a struct fess, `subject`, for somebody who watches the search (search/picture.h). */
void fess_paint(const void *subject, struct search_picture *picture);

static inline struct fess_node *fess_at(const struct fess *fess, uint32_t index) {
    return table_extra(&fess->states, index);
}

static inline soloist_move *fess_moves(const struct fess_node *node) {
    return (soloist_move *)(void *)(node->order + node->room);
}

/* A state's priority in its cell: the accumulated weight of its next move, then the features after that move. */
static inline uint64_t fess_priority(const struct fess_node *node) {
    const uint64_t features = (UINT64_C(1) << 56) - 1;
    uint64_t order = node->order[0], weight = node->weight + (order >> 56);
    return (weight < 255 ? weight : 255) << 56 | (order & features);
}

#endif
