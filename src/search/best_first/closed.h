/* The closed table of a best-first search: holds every state once, packed, with its parent and the move that led there,
 * so that a line can be followed back to the root. Also the scratch space that an expansion needs. */
#ifndef SEARCH_BEST_FIRST_CLOSED_H
#define SEARCH_BEST_FIRST_CLOSED_H

#include "base/table.h"
#include "search/search.h"

/* Stored before each packed state. */
struct closed_node {
    uint32_t parent; /* POOL_NONE at the root */
    soloist_move move;
    int32_t cost;  /* least known cost from the root */
    int32_t bound; /* set and used by the search alone */
};

struct closed {
    struct search_run *run;
    struct table table;
    void *state, *child; /* the state being expanded, and the child being looked at */
    soloist_child *children;
    void *packed;
    void *scratch;
    size_t scratch_size;
    /* An expansion made in advance, so that the table's slots can be prefetched. */
    uint32_t ahead;          /* the state that was expanded; POOL_NONE: a child not yet in the table, or none */
    soloist_move ahead_move; /* the move to that child; if SOLOIST_NO_MOVE and ahead is POOL_NONE: nothing expanded */
    int ahead_count;
    void *ahead_state;
    soloist_child *ahead_children;
};

bool closed_open(struct closed *closed, struct search_run *run); /* false: memory is full; close it even then */
void closed_close(struct closed *closed);

/* Finds or adds a state; POOL_NONE: memory is full. The node of a new state is zeroed. */
uint32_t closed_put(struct closed *closed, uint64_t key, const void *state, bool *added);
/* Adds the root and leaves it in closed->state. False: memory is full. */
bool closed_put_root(struct closed *closed);
/* Lists a state's children in closed->children and leaves the state in closed->state. Returns the number of children,
 * cut down to the node limit. */
int closed_expand(struct closed *closed, uint32_t index, unsigned want);
/* Expands in advance the state that will probably be expanded next: a state in the table, or a child of closed->state
 * that may soon be there; closed_note_child must then be called for every child that enters the table. This changes no
 * result and no count; it pays if expanding takes less time than a memory access. `want` must include keys and equal
 * that of the expansion to come. */
void closed_look_ahead(struct closed *closed, uint32_t index, unsigned want);
void closed_look_ahead_at_child(struct closed *closed, soloist_move move, unsigned want);
/* Makes closed->child from closed->state; returns whether it is a goal. */
bool closed_child(struct closed *closed, soloist_move move);
/* Records the line to a child of `parent`, if it is the best so far. False: memory is full. */
bool closed_record(struct closed *closed, uint32_t parent, soloist_move move, int32_t cost);

/* A child of closed->state has come into the table, or has become cheaper. */
static inline void closed_note_child(struct closed *closed, soloist_move move, uint32_t index) {
    if (closed->ahead == POOL_NONE && closed->ahead_move == move)
        closed->ahead = index;
}

static inline struct closed_node *closed_at(const struct closed *closed, uint32_t index) {
    return (struct closed_node *)table_extra(&closed->table, index);
}

#endif
