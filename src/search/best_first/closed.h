/* The closed table of a best-first search: every state once, packed, with its parent and the move that led there, so
 * that a line can be walked back. Also the scratch room that an expansion needs. */
#ifndef SEARCH_CLOSED_H
#define SEARCH_CLOSED_H

#include "base/table.h"
#include "search/search.h"

/* Kept before each packed state. */
struct closed_node {
    uint32_t parent; /* POOL_NONE at the root */
    soloist_move move;
    int32_t cost;  /* least known, from the root */
    int32_t bound; /* the search's own */
};

struct closed {
    struct search_run *run;
    struct table table;
    void *state, *child; /* the one being expanded, the one being looked at */
    soloist_child *children;
    void *packed;
    void *scratch;
    size_t scratch_size;
    /* An expansion made in advance, so that the table's slots can be prefetched. */
    uint32_t ahead;          /* of this state; POOL_NONE: of a child not yet in the table, or of none */
    soloist_move ahead_move; /* that led there; SOLOIST_NO_MOVE with POOL_NONE: there is no such expansion */
    int ahead_count;
    void *ahead_state;
    soloist_child *ahead_children;
};

bool closed_open(struct closed *closed, struct search_run *run); /* false: memory is full; close it even then */
void closed_close(struct closed *closed);

/* Finds or adds a state; POOL_NONE: full. A new one's node is zeroed. */
uint32_t closed_put(struct closed *closed, uint64_t key, const void *state, bool *added);
/* Adds the root, which is left in closed->state; false: full. */
bool closed_put_root(struct closed *closed);
/* Expands a state into closed->children and leaves it in closed->state; returns the number of children within the node
 * limit. */
int closed_expand(struct closed *closed, uint32_t index, unsigned want);
/* Makes the expansion that will probably come next: of a state in the table, or of a child of closed->state that may
 * soon be there; closed_note_child must then be called for every child that enters the table. Changes no result and no
 * count; worthwhile if expanding takes less time than memory access. `want` includes keys, as in the expansion that
 * follows. */
void closed_look_ahead(struct closed *closed, uint32_t index, unsigned want);
void closed_look_ahead_at_child(struct closed *closed, soloist_move move, unsigned want);
/* Makes closed->child from closed->state; returns whether it is a goal. */
bool closed_child(struct closed *closed, soloist_move move);
/* Offers the line to a child of `parent`; false: full. */
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
