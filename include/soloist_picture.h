/* Pictures: descriptions of a running search, for programs that call soloist_watch. A picture describes, for example,
 * the tree of a tree search, the open states of A*, the layers of a beam search, or the priors of a network.
 * docs/PAGE.md shows how Soloist's web page draws pictures. */
#ifndef SOLOIST_PICTURE_H
#define SOLOIST_PICTURE_H

#include "soloist.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The kinds of pictures. Each comment names the list in soloist_picture that is filled, and says what this list
 * contains. A picture with branches may have bars too, which count the states of the search. */
typedef enum soloist_picture_kind {
    SOLOIST_PICTURE_NONE,   /* no list is filled: the search is still preparing, or the method comes from a plugin */
    SOLOIST_PICTURE_TREE,   /* branches: the children of a node of the search tree, the most visited first */
    SOLOIST_PICTURE_POLICY, /* branches: the moves of a state with the network's priors, the most probable move first */
    SOLOIST_PICTURE_FRONT,  /* bars: the number of open states for each value of f, for each cost, or for both */
    /* bars: the number of states of a depth-first search for each threshold and for each depth */
    SOLOIST_PICTURE_DIVES,
    SOLOIST_PICTURE_CELLS,  /* cells: the cells of the feature space */
    SOLOIST_PICTURE_LAYERS, /* layers: the layers of a beam search */
    SOLOIST_PICTURE_LEVELS, /* levels: the levels of a nested search, the highest first */
    /* bars: how many of the latest games had each result and each number of moves; `greedy` adds the children of the
     * present state for each value of f */
    SOLOIST_PICTURE_GAMES
} soloist_picture_kind;

const char *soloist_picture_name(soloist_picture_kind kind); /* returns "none", "tree", "policy", ... */

/* A branch: a child of a node of the search tree, or a move of a state. */
typedef struct soloist_branch {
    soloist_move move;
    /* the moves from the puzzle's start up to and including `move`, in the domain's notation; NULL: unknown */
    const char *line;
    uint64_t visits;
    /* Whether `value`, `bound` and `prior`, respectively, are known; a member that is not known is not valid. */
    bool has_value, has_bound, has_prior;
    bool closed;  /* true if nothing is left to search below this branch */
    /* the mean result below this branch, or the value that a network gave; in the units of the search method */
    double value;
    double bound; /* the value of the selection formula for this branch, or the bound on the result below this branch */
    double prior; /* the probability that a network gives to the move */
} soloist_branch;

/* The quantity on the horizontal axis of a bar chart, whose bars count states or games. */
typedef enum soloist_axis {
    /* number of open states for each value of the key by which the search orders them, such as f = g + h */
    SOLOIST_AXIS_F,
    SOLOIST_AXIS_COST,      /* number of open states for each value of the cost or score reached so far */
    SOLOIST_AXIS_DEPTH,     /* number of states, or of games, for each number of moves from the start */
    /* for each threshold of an iterative search, the number of states generated in the iteration with that threshold */
    SOLOIST_AXIS_THRESHOLD,
    SOLOIST_AXIS_RESULT     /* number of games for each result */
} soloist_axis;
enum { SOLOIST_AXES = SOLOIST_AXIS_RESULT + 1 };

const char *soloist_axis_name(soloist_axis axis); /* "f", "cost", "depth", "threshold", "result" */

/* One bar of a bar chart: `count` states or games have a value v on the axis with at <= v < at + width. Large counts
 * are estimated from a sample. */
typedef struct soloist_bar {
    soloist_axis axis;
    int side; /* 0: states of the search from the start; 1: states of the backward search from the goals */
    int64_t at, width;
    uint64_t count;
} soloist_bar;

/* A level of a nested search. `done` is the number of steps that the present run of this level has made. `of` is the
 * total number of steps of this run, or 0 if that number is not fixed. */
typedef struct soloist_level {
    int level;
    uint64_t done, of;
    bool has_best;
    double best; /* cost or score of the best solution that this level has found; valid if has_best is true */
} soloist_level;

/* A layer of a beam search. The search sorts the states of a layer by a number, and smaller numbers are better. `best`
 * is the least of these numbers in the layer, and `worst` is the greatest. */
typedef struct soloist_layer {
    int depth;
    uint64_t states;
    int64_t best, worst;
} soloist_layer;

enum { SOLOIST_PICTURE_FEATURES = 7 };

/* A cell of the feature space. */
typedef struct soloist_cell {
    /* the first soloist_picture.feature_count numbers are used; smaller numbers are better */
    int features[SOLOIST_PICTURE_FEATURES];
    /* the number of states in the cell that have moves which the search has not played yet */
    uint64_t states;
    bool chosen;                         /* true if the search visits this cell next */
} soloist_cell;

/* A picture: the description of a running search. Lists that do not belong to the picture's kind are empty. */
typedef struct soloist_picture {
    size_t size; /* sizeof(soloist_picture) of the library that runs; members beyond this size do not exist */
    soloist_picture_kind kind;
    bool has_depth;
    /* number of moves from the start to the state where the search is working now; valid if has_depth is true */
    int64_t depth;
    const char *line; /* the moves that the search follows or prefers now, in the domain's notation; NULL: none */
    /* In a picture with branches, `node` is the state whose branches are listed. The first path_count moves of the path
     * that was given to soloist_look lead to `node`. If the path leaves the tree, `node` is the last state of the path
     * that is in the tree. */
    soloist_branch node;
    size_t path_count;
    const soloist_branch *branches;
    size_t branch_count, branches_left_out;
    const soloist_bar *bars;
    size_t bar_count;
    const soloist_level *levels;
    size_t level_count;
    const soloist_layer *layers;
    size_t layer_count, layer_width; /* layer_width: the maximum number of states that a layer keeps */
    const soloist_cell *cells;
    size_t cell_count, cells_left_out;
    const char *const *features; /* the names of the features; feature_count says how many there are */
    size_t feature_count;
} soloist_picture;

/* Returns a picture of the search as it is now. soloist_look may be called only inside the watcher's function `see`,
 * but any number of times. The argument `path` holds the moves from the root of the search tree to the node whose
 * branches are wanted; for the root itself, pass NULL and a count of 0. The picture is valid until the next call of
 * soloist_look or the end of `see`. Returns NULL if memory is full. */
const soloist_picture *soloist_look(const soloist_sight *sight, const soloist_move *path, size_t count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
