/* Feature-space search (Shoham and Schaeffer 2020). States are projected onto a few small numbers; the cells of that
 * space that hold states are visited in turn, and in the chosen cell the larger move of least accumulated weight is
 * played: moves that an advisor proposes weigh 0, others 1. Nothing is thrown away, so the search is complete. */
#ifndef SEARCH_FESS_FESS_H
#define SEARCH_FESS_FESS_H

#include "base/arena.h"
#include "base/heap.h"
#include "base/table.h"
#include "search/search.h"

#define FESS_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                       \
    INT(T, cells, 0, 0, 127, "dimensions of the feature space: bit i is feature i; 0: as the plan says")               \
    INT(T, features, 127, 0, 127, "features that are used: bit i is feature i")                                        \
    INT(T, advisors, 0xffffffff, 0, 0xffffffff, "advisors that are used: bit i is advisor i")                          \
    BOOL(T, weights, true, "moves that no advisor proposes weigh 1; false: all moves weigh 0")                         \
    BOOL(T, turns, true, "cells are visited in turn; false: only the best cell, as long as it has moves")              \
    BOOL(T, best, true, "every second visit goes to the best cell")                                                    \
    BOOL(T, keep, true, "a state belongs to the best cell on its line; false: to its own cell")                        \
    INT(T, plans, 0, 0, 1000, "number of plans to try, one after the other; 0: all that the domain has")               \
    INT(T, first, 0, 0, 999, "the number of the first plan")                                                           \
    INT(T, restart, 0, 0, 1e9,                                                                                         \
        "states expanded before a restart with another plan of the same kind, times Luby's sequence; 0: never")        \
    BOOL(T, think, true, "now and then a state is searched for a deadlock; deadlocks found also prune similar states") \
    INT(T, plan_share, 30, 0, 90, "percent of an attempt that finding its plan may take; 0: no plan")                  \
    INT(T, plan_states, 3000, 0, 1e9, "most states expanded to find a plan")
SOLOIST_OPTIONS(fess_options, FESS_OPTIONS);

/* Stored before each state's bytes. The larger moves not yet played form a heap; its first is played next. */
struct fess_node {
    uint64_t past;     /* the best features of the line that leads here */
    uint64_t features; /* its own */
    uint64_t *order;   /* [room] weight in bits 56-63, features below; behind them [room] the moves */
    uint32_t room, count;
    uint32_t parent; /* POOL_NONE at a root */
    soloist_move move;
    uint32_t weight; /* accumulated */
};

/* A cell of the feature space: those of its states that have moves left. */
struct fess_cell {
    struct heap open;
};

/* One search of one game: the puzzle itself, or that of the plan. */
struct fess {
    struct search_run *run;
    const struct fess_options *options;
    const soloist_features *game;
    void *guide;
    struct table states, cells;
    struct arena moves;
    uint64_t open; /* states with moves left */
    uint32_t turn; /* the cell that is next */
    uint32_t visits;
    uint32_t best;                           /* the state of the best features */
    uint32_t best_cell;                      /* no cell that has a state is better */
    uint32_t goal;                           /* POOL_NONE: not found */
    uint64_t expanded, dimensions, counting; /* masks of the cells' features, and of all */
    void *state;
    soloist_prospect *prospects;
    size_t state_size, prospects_size;
    double end_s;       /* 0: no limit of its own */
    uint64_t end_nodes; /* 0: none */
    uint64_t most_expanded;
    uint64_t think_at,
        think_gap; /* count of expanded states at which the next deadlock search is due; states between two of them */
};

enum fess_next { FESS_GO_ON, FESS_DONE, FESS_FULL };

/* tree.c: opens a search for a game. False: memory is full; close it even then. */
bool fess_open(struct fess *fess, struct search_run *run, const soloist_features *game, void *guide);
void fess_close(struct fess *fess);
/* Adds the game's first states. */
enum fess_next fess_begin(struct fess *fess);
/* Plays one move of the cell whose turn it is. */
enum fess_next fess_step(struct fess *fess);
/* The moves from a root to a state, in an array that the caller gives back to memory; *index: the root's number. */
soloist_move *fess_line(struct fess *fess, uint32_t node, size_t *count, uint32_t *root);

/* cells.c: puts a state that has moves left into its cell; false: full. */
bool fess_enter_cell(struct fess *fess, uint32_t index);
/* Takes the next state to play from out of the cell whose turn it is; POOL_NONE: no cell has a state left. */
uint32_t fess_choose(struct fess *fess);
void fess_close_cells(struct fess *fess);

static inline struct fess_node *fess_at(const struct fess *fess, uint32_t index) {
    return table_extra(&fess->states, index);
}

static inline soloist_move *fess_moves(const struct fess_node *node) {
    return (soloist_move *)(void *)(node->order + node->room);
}

/* The accumulated weight of a state's next move. */
static inline uint64_t fess_priority(const struct fess_node *node) {
    const uint64_t features = (UINT64_C(1) << 56) - 1;
    uint64_t order = node->order[0], weight = node->weight + (order >> 56);
    return (weight < 255 ? weight : 255) << 56 | (order & features);
}

#endif
