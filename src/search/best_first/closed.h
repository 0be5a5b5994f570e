/* The closed table of a best-first search: holds every state once, packed, with its parent and the move that led there,
 * so that the path to a state can be followed back to the root. The struct also holds the scratch space that an
 * expansion needs. */
#ifndef SEARCH_BEST_FIRST_CLOSED_H
#define SEARCH_BEST_FIRST_CLOSED_H

#include "base/table.h"
#include "search/picture.h"

/* Stored before each packed state. */
struct closed_node {
    uint32_t parent; /* index of the state from which `move` leads here; POOL_NONE: this is the root */
    soloist_move move;
    int32_t cost;  /* least known cost from the root */
    int32_t bound; /* set and used only by the search, not by the functions of this header */
};

struct closed {
    struct search_run *run;
    struct table table;
    void *state, *child; /* the state being expanded, and the child being examined */
    soloist_child *children;
    void *packed;
    void *scratch;
    size_t scratch_size;
    uint32_t expanded; /* the state that was expanded last; POOL_NONE: none */
    /* The next members describe an expansion that was made in advance, so that the table's slots can be prefetched. */
    /* Index of the state expanded in advance; POOL_NONE: this state is not in the table yet, or no state was expanded
     * in advance. */
    uint32_t ahead;
    /* If `ahead` is POOL_NONE: the move from closed->state to the state expanded in advance; SOLOIST_NO_MOVE: no state
     * was expanded in advance. */
    soloist_move ahead_move;
    int ahead_count;
    void *ahead_state;
    soloist_child *ahead_children;
};

/* False: memory is full; the caller must call closed_close in this case too. */
bool closed_open(struct closed *closed, struct search_run *run);
void closed_close(struct closed *closed);

/* Finds or adds a state; POOL_NONE: memory is full. The node of a new state is zeroed. */
uint32_t closed_put(struct closed *closed, uint64_t key, const void *state, bool *added);
/* Adds the root and leaves it in closed->state. False: memory is full. */
bool closed_put_root(struct closed *closed);
/* Does the same as closed_put_root with a given state, from which all paths then begin. */
bool closed_put_start(struct closed *closed, const void *state);
/* Lists a state's children in closed->children and leaves the state in closed->state. Returns the number of children
 * that the search may use. This number is less than the number of all children if all children together would exceed
 * the node limit. */
int closed_expand(struct closed *closed, uint32_t index, unsigned want);
/* Two functions that expand in advance the state that will probably be expanded next. closed_look_ahead expands a state
 * that is in the table; closed_look_ahead_at_child expands a child of closed->state that is not in the table yet. After
 * closed_look_ahead_at_child, closed_note_child must be called for every child that enters the table. Calling these
 * functions changes neither results nor node counts. Looking ahead saves time if expanding a state takes less time than
 * a memory access. `want` must include keys, and must be the same when the state is then expanded by closed_expand. */
void closed_look_ahead(struct closed *closed, uint32_t index, unsigned want);
void closed_look_ahead_at_child(struct closed *closed, soloist_move move, unsigned want);
/* Plays the move on a copy of closed->state and leaves the new state in closed->child. Returns whether it is a goal. */
bool closed_child(struct closed *closed, soloist_move move);
/* Records the path to a child of `parent` as a solution if it is the best so far. False: memory is full. */
bool closed_record(struct closed *closed, uint32_t parent, soloist_move move, int32_t cost);

/* Adds to a picture the path to the state that was expanded last, and the depth of this state. */
void closed_paint_line(const struct closed *closed, struct search_picture *picture);
/* The argument of a function that counts open states for a picture. Only every stride-th open state is examined, and it
 * is counted `stride` times. */
struct closed_tally {
    const struct closed *closed;
    struct search_picture *picture;
    uint64_t stride;
    int32_t top; /* used by searches that store top - f instead of f */
};

/* Called when a child of closed->state has been added to the table or has been reached at lower cost. */
static inline void closed_note_child(struct closed *closed, soloist_move move, uint32_t index) {
    if (closed->ahead == POOL_NONE && closed->ahead_move == move)
        closed->ahead = index;
}

static inline struct closed_node *closed_at(const struct closed *closed, uint32_t index) {
    return (struct closed_node *)table_extra(&closed->table, index);
}

#endif
