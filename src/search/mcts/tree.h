/* The tree: nodes of 32 bytes named by 32-bit indices, in chunks whose addresses never change, so that threads may read
 * while others add. Children form a list; a new one is put before the others by one exchange. Siblings lie side by side
 * in runs that double in length, so that looking at all of them seldom waits for memory. What only some options need
 * per node (squares, extremes, all-moves-as-first, links of the recycling queue) lies in separate records beside the
 * chunk's nodes. */
#ifndef SEARCH_MCTS_TREE_H
#define SEARCH_MCTS_TREE_H

#include "base/memory.h"
#include "base/pool.h"
#include "soloist_extra.h"

#include <stdatomic.h>

enum { MCTS_CHUNK_BITS = 12, MCTS_MOST_CHUNKS = 1 << 19, MCTS_LINE = 64 };

enum { MCTS_UNTRIED_UNKNOWN = 0xffff, MCTS_UNTRIED_BUSY = 0xfffe };

struct mcts_node {
    _Atomic uint32_t first; /* child added last, or the first of all that were added at once */
    uint32_t next;          /* sibling */
    uint32_t parent;
    soloist_move move; /* that led here */
    /* Results are whole multiples of 1 / scale: sums are exact, whatever the order they are added in, and what a moved
     * subtree takes away is exactly what it brought. */
    _Atomic int64_t sum;
    _Atomic uint32_t visits;  /* including those in flight */
    _Atomic uint16_t untried; /* moves without a child yet */
    _Atomic uint8_t waiting;  /* visits in flight: below the node, not yet backed up */
    _Atomic uint8_t marks;    /* of those below, and how many places behind this node are kept for its siblings */
};
enum { MCTS_END = 1, MCTS_ELIMINATED = 2, MCTS_SPARE = 4, MCTS_LONGEST_RUN = 32 };

/* Which records there are, by what the options ask for. */
struct mcts_more {
    _Atomic double squares, best, least;
    _Atomic double first_result; /* of the node itself */
};
struct mcts_rave {
    _Atomic int64_t sum;
    _Atomic uint32_t visits;
};
/* For recycling: the links of the queue, and which of the node's moves (by their place in the list) have a child or had
 * one that was eliminated. */
struct mcts_queue {
    uint32_t older, newer;
    uint32_t place; /* of the move that led here, in its parent's list */
    uint64_t tried[2];
};
/* For one node per state: how deep it lies, the state's number in the table, and the value of the path there. */
struct mcts_depth {
    int32_t depth;
    uint32_t state;
    int32_t value;
};

/* Only if SOLOIST_CHECKS is defined: visits and results that ended at the node, or below it in nodes since eliminated.
 * A node's visits, and its sum, must equal these plus those of its children. */
struct mcts_own {
    int64_t sum;
    uint32_t visits;
};

struct mcts_tree {
    struct memory *memory;
    _Atomic(unsigned char *) *chunks;
    size_t more_offset, rave_offset, queue_offset, depth_offset, own_offset, chunk_size; /* 0: none */
    uint32_t free;  /* of nodes given back, a list through next; one thread only */
    uint32_t limit; /* nodes at most, for recycling; 0: any */
    uint32_t live;  /* nodes in the tree; counted for recycling only */
    uint32_t root;
    uint32_t oldest, newest; /* ends of the recycling queue */
    bool shared;             /* by several threads */
    char apart[MCTS_LINE];   /* keeps what threads write apart from what they all read */
    _Atomic uint32_t used;   /* indices handed out, and index 0 */
    char apart_too[MCTS_LINE];
};

/* Indices that a thread has reserved for itself, so that threads seldom contend for the tree's counter. */
struct mcts_supply {
    uint32_t next, end;
};

struct mcts_records {
    bool more, rave, queue, depth, own;
};

bool mcts_tree_open(struct mcts_tree *tree, struct memory *memory, struct mcts_records records, bool shared);
void mcts_tree_close(struct mcts_tree *tree);
/* Forgets every node, keeps the memory, and makes a new root; false: full. */
bool mcts_tree_reset(struct mcts_tree *tree);

static inline unsigned char *mcts_chunk(const struct mcts_tree *tree, uint32_t index) {
    return atomic_load_explicit(&tree->chunks[index >> MCTS_CHUNK_BITS], memory_order_relaxed);
}
static inline uint32_t mcts_slot(uint32_t index) { return index & ((1u << MCTS_CHUNK_BITS) - 1); }

static inline struct mcts_node *mcts_at(const struct mcts_tree *tree, uint32_t index) {
    return (struct mcts_node *)(void *)mcts_chunk(tree, index) + mcts_slot(index);
}
static inline struct mcts_more *mcts_more(const struct mcts_tree *tree, uint32_t index) {
    return (struct mcts_more *)(void *)(mcts_chunk(tree, index) + tree->more_offset) + mcts_slot(index);
}
static inline struct mcts_rave *mcts_rave(const struct mcts_tree *tree, uint32_t index) {
    return (struct mcts_rave *)(void *)(mcts_chunk(tree, index) + tree->rave_offset) + mcts_slot(index);
}
static inline struct mcts_queue *mcts_queue(const struct mcts_tree *tree, uint32_t index) {
    return (struct mcts_queue *)(void *)(mcts_chunk(tree, index) + tree->queue_offset) + mcts_slot(index);
}
static inline struct mcts_depth *mcts_depth(const struct mcts_tree *tree, uint32_t index) {
    return (struct mcts_depth *)(void *)(mcts_chunk(tree, index) + tree->depth_offset) + mcts_slot(index);
}

static inline struct mcts_own *mcts_own(const struct mcts_tree *tree, uint32_t index) {
    return (struct mcts_own *)(void *)(mcts_chunk(tree, index) + tree->own_offset) + mcts_slot(index);
}

static inline uint32_t mcts_first(const struct mcts_node *node) {
    return atomic_load_explicit(&node->first, memory_order_acquire);
}
static inline bool mcts_is_end(const struct mcts_node *node) {
    return atomic_load_explicit(&node->marks, memory_order_relaxed) & MCTS_END;
}
static inline bool mcts_is_closed(const struct mcts_node *node) {
    return atomic_load_explicit(&node->marks, memory_order_relaxed) & MCTS_ELIMINATED;
}

/* A node for the caller to link; POOL_NONE: full. */
uint32_t mcts_tree_take(struct mcts_tree *tree, uint32_t parent, soloist_move move);
/* The same from a thread's own supply: beside the sibling that was added last if there is room, otherwise at the start
 * of a new run of up to `run` places. */
uint32_t mcts_tree_take_from(struct mcts_tree *tree, struct mcts_supply *supply, uint32_t parent, soloist_move move,
                             uint32_t run);
/* Puts a node before its siblings. */
void mcts_tree_link(struct mcts_tree *tree, uint32_t index);
/* Puts a chain of nodes, joined by next, under a parent that has no children. */
void mcts_tree_link_all(struct mcts_tree *tree, uint32_t parent, uint32_t first);
/* Before a node leaves the tree: adds what it counted to its parent's own share. */
void mcts_tree_bequeath(struct mcts_tree *tree, uint32_t index);
/* Takes a node out of its siblings' list. One thread only. */
void mcts_tree_unlink(struct mcts_tree *tree, uint32_t index);
/* Gives back a node and all below it. One thread only; the node must already be out of its siblings' list. */
void mcts_tree_give(struct mcts_tree *tree, uint32_t index);
/* Makes a child the root and gives back all other nodes. One thread only. */
void mcts_tree_advance(struct mcts_tree *tree, uint32_t child);
/* An open child of `parent` by `move`, or POOL_NONE. */
uint32_t mcts_tree_child(const struct mcts_tree *tree, uint32_t parent, soloist_move move);
/* True if it has an open child or an untried move. */
bool mcts_tree_goes_on(const struct mcts_tree *tree, uint32_t index);
/* Do the statistics of every node add up? Only with the record of its own; one thread, between iterations. */
bool mcts_tree_adds_up(const struct mcts_tree *tree);
/* Moves a node to the young end of the recycling queue. */
void mcts_tree_touch(struct mcts_tree *tree, uint32_t index);

#endif
