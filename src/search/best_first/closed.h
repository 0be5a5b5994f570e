/* The closed table of a best-first search: holds every state once, packed, with its parent and the move that led there,
 * so that a line can be followed back to the root. It also holds the scratch space that an expansion needs. */
#ifndef SEARCH_BEST_FIRST_CLOSED_H
#define SEARCH_BEST_FIRST_CLOSED_H

#include "base/table.h"
#include "search/picture.h"

/* Stored before each packed state. */
struct closed_node {
    uint32_t parent; /* the state from which `move` led here; POOL_NONE: this is the root */
    soloist_move move;
    int32_t cost;  /* least known cost from the root */
    int32_t bound; /* for the search to set and use; functions of this header do not read it */
};

struct closed {
    struct search_run *run;
    struct table table;
    void *state, *child; /* the state being expanded, and the child being looked at */
    soloist_child *children;
    void *packed;
    void *scratch;
    size_t scratch_size;
    uint32_t expanded; /* the state that was expanded last; POOL_NONE: none */
    /* An expansion made in advance, so that the table's slots can be prefetched. */
    /* The state expanded in advance; POOL_NONE: it is not yet in the table, or nothing was expanded. */
    uint32_t ahead;
    /* If `ahead` is POOL_NONE: the move from closed->state to the state expanded in advance; SOLOIST_NO_MOVE: nothing
     * was expanded. */
    soloist_move ahead_move;
    int ahead_count;
    void *ahead_state;
    soloist_child *ahead_children;
};

/* False: memory is full; the caller must close it in this case too. */
bool closed_open(struct closed *closed, struct search_run *run);
void closed_close(struct closed *closed);

/* Finds or adds a state; POOL_NONE: memory is full. The node of a new state is zeroed. */
uint32_t closed_put(struct closed *closed, uint64_t key, const void *state, bool *added);
/* Adds the root and leaves it in closed->state. False: memory is full. */
bool closed_put_root(struct closed *closed);
/* Makes a state other than the root the one from which lines begin; otherwise the same as closed_put_root. */
bool closed_put_start(struct closed *closed, const void *state);
/* Lists a state's children in closed->children and leaves the state in closed->state. Returns the number of children
 * that the search may use; this is less than all of them if the node limit does not allow more. */
int closed_expand(struct closed *closed, uint32_t index, unsigned want);
/* These two functions expand in advance the state that will probably be expanded next: closed_look_ahead a state in the
 * table, closed_look_ahead_at_child a child of closed->state that is not in the table yet. After
 * closed_look_ahead_at_child, closed_note_child must be called for every child that enters the table. Results and node
 * counts do not change. Looking ahead saves time if expanding a state takes less time than a memory access. `want` must
 * include keys, and must be the same when the state is then expanded by closed_expand. */
void closed_look_ahead(struct closed *closed, uint32_t index, unsigned want);
void closed_look_ahead_at_child(struct closed *closed, soloist_move move, unsigned want);
/* Makes closed->child from closed->state; returns whether it is a goal. */
bool closed_child(struct closed *closed, soloist_move move);
/* Records the line to a child of `parent`, if it is the best so far. False: memory is full. */
bool closed_record(struct closed *closed, uint32_t parent, soloist_move move, int32_t cost);

/* For painters: the line to the state that was expanded last, and its depth. */
void closed_paint_line(const struct closed *closed, struct search_picture *picture);
/* What a painter counts open states with: each that it looks at stands for `stride` states. */
struct closed_tally {
    const struct closed *closed;
    struct search_picture *picture;
    uint64_t stride;
    int32_t top; /* for searches that store f as the distance to this value */
};

/* To be called when a child of closed->state has entered the table or has become cheaper there. */
static inline void closed_note_child(struct closed *closed, soloist_move move, uint32_t index) {
    if (closed->ahead == POOL_NONE && closed->ahead_move == move)
        closed->ahead = index;
}

static inline struct closed_node *closed_at(const struct closed *closed, uint32_t index) {
    return (struct closed_node *)table_extra(&closed->table, index);
}

#endif
