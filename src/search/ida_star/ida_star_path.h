/* The path from the root to the current state of a depth-first search: a stack of frames, each with its state and the
 * children still to be examined, and an index that tells whether a state is on the path. Only memory limits the depth.
 *
 * A flag in the entries of the transposition table could also mark the states on the path. But table entries can be
 * replaced, and frames cannot. Therefore the index is exact even if the transposition table is small. */
#ifndef SEARCH_IDA_STAR_IDA_STAR_PATH_H
#define SEARCH_IDA_STAR_IDA_STAR_PATH_H

#include "search/picture.h"

#define IDA_STAR_NO_FRAME UINT32_MAX

/* A state on the path. The packed state and then the state itself are stored directly behind this struct. */
struct ida_star_frame {
    uint64_t key;
    uint64_t nodes_before; /* the run's node count when the state was entered */
    soloist_move move;     /* the move that led to the state */
    uint32_t older;        /* the next frame in the same chain of the index */
    uint32_t next, end;    /* the state's children that have not been examined yet: children[next .. end-1] */
    int32_t cost;          /* g, from the root */
    int32_t step;          /* cost of the move */
    int32_t bound;         /* best bound known when the state was entered */
    /* Lower bound on the cost to a goal through the children examined so far; SOLOIST_DEAD: none of these children
     * leads to a goal. */
    int32_t value;
};

struct ida_star_path {
    const struct search_run *run;
    struct memory *memory;
    size_t packed_size, state_offset, frame_size;
    unsigned char *frames;
    /* The index: a hash table of chains, which stores the depth of the newest frame of each chain. The number of chains
     * is `room`, a power of two. */
    uint32_t *places;
    uint32_t room, depth;    /* room: number of frames allocated; depth: number of frames on the path */
    soloist_child *children; /* the children of all frames, one frame after the other */
    uint32_t children_room;
};

/* False: memory is full; the caller must close the path in this case too. */
bool ida_star_path_open(struct ida_star_path *path, struct search_run *run);
void ida_star_path_close(struct ida_star_path *path);
void ida_star_path_clear(struct ida_star_path *path);

/* Makes room for two more frames, and for the children of the next frame, which are stored from index `first` on.
 * Frames and children may move in memory. False: memory is full. */
bool ida_star_path_reserve(struct ida_star_path *path, uint32_t first);

static inline struct ida_star_frame *ida_star_frame(const struct ida_star_path *path, uint32_t depth) {
    return (struct ida_star_frame *)(void *)(path->frames + depth * path->frame_size);
}
static inline struct ida_star_frame *ida_star_top(const struct ida_star_path *path) {
    return ida_star_frame(path, path->depth - 1);
}
static inline void *ida_star_packed(struct ida_star_frame *frame) { return frame + 1; }
static inline void *ida_star_state(const struct ida_star_path *path, struct ida_star_frame *frame) {
    return (unsigned char *)frame + path->state_offset;
}

/* Plays a move in the state of the top frame, and stores the resulting state and its packed form in the next frame.
 * This frame becomes part of the path only when ida_star_path_push is called. */
struct ida_star_frame *ida_star_path_make(struct ida_star_path *path, soloist_move move, uint64_t key);
/* The frame on the path that holds the same state as `frame`, or NULL. */
struct ida_star_frame *ida_star_path_find(const struct ida_star_path *path, struct ida_star_frame *frame);
/* Adds to the path the frame that ida_star_path_make has just filled. */
void ida_star_path_push(struct ida_star_path *path);
/* Removes the top frame from the path. */
void ida_star_path_pop(struct ida_star_path *path);
/* Adds to a picture the path to the top frame, and the number of unexamined children at every depth. */
void ida_star_path_paint(const struct ida_star_path *path, struct search_picture *picture);

#endif
