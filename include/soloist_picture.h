/* What a search shows of itself while it works, to the watcher of soloist_watch: the tree of a tree search, the front of
 * A* and its relatives, the cells of feature-space search, the layers of a beam, the levels of a nested search, the
 * priors of a network. docs/PAGE.md shows what the page makes of it. */
#ifndef SOLOIST_PICTURE_H
#define SOLOIST_PICTURE_H

#include "soloist.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Which of the lists of a soloist_picture are the main ones. */
typedef enum soloist_picture_kind {
    SOLOIST_PICTURE_NONE,   /* nothing: the search prepares something, or the method comes from a plugin */
    SOLOIST_PICTURE_TREE,   /* branches: the children of a node of the search tree, the most visited first */
    SOLOIST_PICTURE_POLICY, /* branches: the moves of a state with the network's priors, the likeliest first */
    SOLOIST_PICTURE_FRONT,  /* bars: the open states by f and by cost */
    SOLOIST_PICTURE_DIVES,  /* bars: states per threshold, and where a depth-first search is now */
    SOLOIST_PICTURE_CELLS,  /* cells of the feature space */
    SOLOIST_PICTURE_LAYERS, /* layers of a beam */
    SOLOIST_PICTURE_LEVELS, /* levels of a nested search, the highest first */
    SOLOIST_PICTURE_GAMES   /* bars: the results of the latest games */
} soloist_picture_kind;

const char *soloist_picture_name(soloist_picture_kind kind); /* "none", "tree", "policy", ... */

/* A child of a node of a search tree, or a move of a state. */
typedef struct soloist_branch {
    soloist_move move;
    const char *line; /* from the puzzle's start to the state after the move, in the domain's notation; NULL: not known */
    uint64_t visits;
    /* Each of the three is valid only if it is known. */
    bool has_value, has_bound, has_prior;
    bool closed;  /* nothing is left to search below */
    double value; /* the mean result below it, or the network's value; in the units of the method */
    double bound; /* what the selection formula gives it, or the bound on the result */
    double prior; /* a network's probability of the move */
} soloist_branch;

/* What a bar counts by. */
typedef enum soloist_axis {
    SOLOIST_AXIS_F,         /* numbers of open states for each value by which the search orders them, such as f = g + h */
    SOLOIST_AXIS_COST,      /* open states by cost or score so far */
    SOLOIST_AXIS_DEPTH,     /* states by their number of moves from the start */
    SOLOIST_AXIS_THRESHOLD, /* states generated below each threshold of an iterative search */
    SOLOIST_AXIS_RESULT     /* games by their results */
} soloist_axis;
enum { SOLOIST_AXES = SOLOIST_AXIS_RESULT + 1 };

const char *soloist_axis_name(soloist_axis axis); /* "f", "cost", "depth", "threshold", "result" */

/* `count` states have a value from `at` to below at + width. Large numbers of states are estimated from a sample. */
typedef struct soloist_bar {
    soloist_axis axis;
    int side; /* 0: from the start; 1: from the goals */
    int64_t at, width;
    uint64_t count;
} soloist_bar;

/* A level of a nested search: it has made `done` of its `of` steps (0: any number) in its present run. */
typedef struct soloist_level {
    int level;
    uint64_t done, of;
    bool has_best;
    double best; /* cost or score of the level's best line; valid if has_best */
} soloist_level;

/* A layer of a beam. Ranks are what the beam sorts by; less is better. */
typedef struct soloist_layer {
    int depth;
    uint64_t states;
    int64_t best, worst;
} soloist_layer;

enum { SOLOIST_PICTURE_FEATURES = 7 };

/* A cell of the feature space. */
typedef struct soloist_cell {
    int features[SOLOIST_PICTURE_FEATURES]; /* as many as soloist_picture.feature_count; less is better */
    uint64_t states;                     /* that have moves left */
    bool chosen;                         /* it is visited next */
} soloist_cell;

/* What a search shows of itself. Lists that its kind does not have are empty. */
typedef struct soloist_picture {
    size_t size; /* sizeof(soloist_picture) of the library that runs: members beyond it are not there */
    soloist_picture_kind kind;
    bool has_depth;
    int64_t depth;    /* moves from the start to where the search is working now; valid if has_depth */
    const char *line; /* the line that the search follows or prefers now, in the domain's notation; NULL: none */
    /* Branches: `node` is the state that they belong to; it is the one that soloist_look was asked for if that is in
     * the tree, and path_count says how many moves of the asked path lead to it. */
    soloist_branch node;
    size_t path_count;
    const soloist_branch *branches;
    size_t branch_count, branches_left_out;
    const soloist_bar *bars;
    size_t bar_count;
    const soloist_level *levels;
    size_t level_count;
    const soloist_layer *layers;
    size_t layer_count, layer_width; /* layer_width: most states that a layer keeps */
    const soloist_cell *cells;
    size_t cell_count, cells_left_out;
    const char *const *features; /* their names; feature_count of them */
    size_t feature_count;
} soloist_picture;

/* What the search shows of itself now. To be called only inside `see`, any number of times. path: the moves from the
 * root of the search tree to the node whose branches are wanted; NULL with a count of 0: the root. The picture is valid
 * until the next call or the end of `see`. NULL: memory is full. */
const soloist_picture *soloist_look(const soloist_sight *sight, const soloist_move *path, size_t count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
