/* The tree: nodes of 32 bytes with 32-bit indices, in chunks whose addresses never change, so that some threads may
 * read nodes while others add nodes. Children form a list; a new child is put before the others by one
 * compare-and-exchange. Siblings are stored in runs of adjacent places, and later runs are longer, so that a loop over
 * siblings causes few cache misses. Data that only some options need (squares, extremes, RAVE, links of the recycling
 * queue) are in separate records in the same chunk. */
#ifndef SEARCH_MCTS_TREE_H
#define SEARCH_MCTS_TREE_H

#include "base/memory.h"
#include "base/pool.h"
#include "soloist_extra.h"

#include <stdatomic.h>

enum { MCTS_CHUNK_BITS = 12, MCTS_MOST_CHUNKS = 1 << 19, MCTS_LINE = 64 };

enum { MCTS_UNTRIED_UNKNOWN = 0xffff, MCTS_UNTRIED_BUSY = 0xfffe };

struct mcts_node {
    _Atomic uint32_t first; /* the child added last; if several were added at once, the first of them */
    uint32_t next;          /* next sibling */
    uint32_t parent;
    soloist_move move; /* the move that led here */
    /* Results are whole multiples of 1 / scale. Therefore the sum does not depend on the order in which results are
     * added. When a subtree is moved, its sum can be subtracted from its old ancestors exactly. */
    _Atomic int64_t sum;
    _Atomic uint32_t visits;  /* number of visits, including those in flight */
    _Atomic uint16_t untried; /* number of moves that have no child yet */
    _Atomic uint8_t waiting;  /* visits in flight: iterations that passed this node and are not backed up yet */
    /* The flags MCTS_END and MCTS_ELIMINATED, plus MCTS_SPARE times the number of places reserved for siblings. */
    _Atomic uint8_t marks;
};
enum { MCTS_END = 1, MCTS_ELIMINATED = 2, MCTS_SPARE = 4, MCTS_LONGEST_RUN = 32 };

/* The additional records per node; which of them exist depends on the options. */
struct mcts_more {
    _Atomic double squares, best, least; /* without a result, best is -infinity and least is infinity */
    _Atomic double first_result;         /* the first result that was obtained with this node as leaf, or infinity */
};
struct mcts_rave {
    _Atomic int64_t sum;
    _Atomic uint32_t visits;
};
/* For recycling: the links of the queue of nodes. Bit i of `tried` says that move number i of the node has a child, or
 * had a child that was eliminated. */
struct mcts_queue {
    uint32_t older, newer;
    uint32_t place; /* in the parent's list of moves: index of the move that led here */
    uint64_t tried[2];
};
/* Only with states=one-node: the node's depth, the index of its state in the table, and the cost or score of the path
 * to it. */
struct mcts_depth {
    int32_t depth;
    uint32_t state;
    int32_t value;
};

/* Only if SOLOIST_CHECKS is defined: visits and results of iterations that ended at this node, or at nodes below it
 * that were eliminated later. A node's visits and sum must equal these numbers plus the visits and sums of its
 * children. */
struct mcts_own {
    int64_t sum;
    uint32_t visits;
};

struct mcts_tree {
    struct memory *memory;
    _Atomic(unsigned char *) *chunks;
    /* Offsets of the records in a chunk; 0: there is no such record. */
    size_t more_offset, rave_offset, queue_offset, depth_offset, own_offset, chunk_size;
    uint32_t free;  /* first of the list of freed nodes, linked by `next`; used only with one thread */
    uint32_t limit; /* maximum number of nodes before recycling begins; 0: no limit */
    uint32_t live;  /* number of nodes in the tree; counted only with recycling */
    uint32_t root;
    uint32_t oldest, newest; /* ends of the recycling queue */
    bool shared;             /* several threads use the tree */
    /* Padding: puts the fields that all threads write and those that they only read into different cache lines. */
    char apart[MCTS_LINE];
    _Atomic uint32_t used; /* number of indices handed out, including index 0 */
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
/* Removes all nodes but keeps their memory, and makes a new root. False: memory is full. */
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

/* Returns a new node, which the caller must link to the tree. POOL_NONE: memory is full. */
uint32_t mcts_tree_take(struct mcts_tree *tree, uint32_t parent, soloist_move move);
/* Does the same as mcts_tree_take, with indices from a thread's own supply. The node is placed next to the sibling that
 * was added last if a place is reserved there; otherwise it begins a new run of up to `run` places. */
uint32_t mcts_tree_take_from(struct mcts_tree *tree, struct mcts_supply *supply, uint32_t parent, soloist_move move,
                             uint32_t run);
/* Adds a node to the front of its parent's list of children. */
void mcts_tree_link(struct mcts_tree *tree, uint32_t index);
/* Makes a list of nodes, linked by `next`, the children of a parent that has no children yet. */
void mcts_tree_link_all(struct mcts_tree *tree, uint32_t parent, uint32_t first);
/* Called before a node is removed from the tree: adds its statistics to its parent's struct mcts_own. */
void mcts_tree_bequeath(struct mcts_tree *tree, uint32_t index);
/* Removes a node from the list of its siblings. Only for a tree that one thread uses. */
void mcts_tree_unlink(struct mcts_tree *tree, uint32_t index);
/* Frees a node and all nodes below it. Only for a tree that one thread uses. The node must have been unlinked
 * before. */
void mcts_tree_give(struct mcts_tree *tree, uint32_t index);
/* Makes a child the new root and frees all nodes that are not below it. Only for a tree that one thread uses. */
void mcts_tree_advance(struct mcts_tree *tree, uint32_t child);
/* The child of `parent` by `move`, or POOL_NONE if there is none or it was eliminated. */
uint32_t mcts_tree_child(const struct mcts_tree *tree, uint32_t parent, soloist_move move);
/* True if the node has an untried move or a child that was not eliminated. */
bool mcts_tree_goes_on(const struct mcts_tree *tree, uint32_t index);
/* Whether the statistics of every node equal those of its struct mcts_own plus those of its children, and its best and
 * least results include theirs. The tree must
 * have the records struct mcts_own. Only for a tree that one thread uses, and only between iterations. */
bool mcts_tree_adds_up(const struct mcts_tree *tree);
/* Marks a node as used just now: moves it to the newest end of the recycling queue. */
void mcts_tree_touch(struct mcts_tree *tree, uint32_t index);

#endif
