/* The path from the root to where a depth-first search is: a stack of frames with their states and the children still
 * to be looked at, and an index that tells whether a state is on the path. Depth is bounded by memory alone.
 *
 * The index does the work of an on-path flag in the transposition table's entries, and is exact however small that
 * table is: entries can be replaced, frames cannot. */
#ifndef SEARCH_IDA_STAR_PATH_H
#define SEARCH_IDA_STAR_PATH_H

#include "search/search.h"

#define IDA_STAR_NO_FRAME UINT32_MAX

/* A state on the path. Its packed bytes and then the state itself follow. */
struct ida_star_frame {
    uint64_t key;
    uint64_t nodes_before; /* the run's count when it was entered */
    soloist_move move;     /* that led to it */
    uint32_t older;        /* the next frame of the same place in the index */
    uint32_t next, end;    /* its children not yet looked at */
    int32_t cost;          /* g, from the root */
    int32_t step;          /* of the move */
    int32_t bound;         /* best known when it was entered */
    int32_t value;         /* least that the children looked at have proved; SOLOIST_DEAD: none leads to a goal */
};

struct ida_star_path {
    const struct search_run *run;
    struct memory *memory;
    size_t packed_size, state_offset, frame_size;
    unsigned char *frames;
    uint32_t *places;        /* the newest frame of each place in the index; as many as frames: a power of two */
    uint32_t room, depth;    /* frames that there is room for; those on the path */
    soloist_child *children; /* of all frames, one after the other */
    uint32_t children_room;
};

bool ida_star_path_open(struct ida_star_path *path,
                        struct search_run *run); /* false: memory is full; close it even then */
void ida_star_path_close(struct ida_star_path *path);
void ida_star_path_clear(struct ida_star_path *path);

/* Makes room for one frame beyond the next, and for the next frame's children from `first` on. Frames and children may
 * move. False: memory is full. */
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

/* Makes the next frame's state from the top's by a move, and its packed form; the frame is not yet on the path. */
struct ida_star_frame *ida_star_path_make(struct ida_star_path *path, soloist_move move, uint64_t key);
/* The frame on the path that holds the same state as `frame`, or NULL. */
struct ida_star_frame *ida_star_path_find(const struct ida_star_path *path, struct ida_star_frame *frame);
/* Puts the next frame on the path; takes the top off it. */
void ida_star_path_push(struct ida_star_path *path);
void ida_star_path_pop(struct ida_star_path *path);

#endif
