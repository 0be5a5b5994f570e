/* The tree's storage: chunks of nodes with their records, lists of children, and the queue by which the least recently
 * used leaf is found in constant time (S9). */
#include "search/mcts/tree.h"

#include <string.h>

enum { nodes_in_chunk = 1 << MCTS_CHUNK_BITS };

static size_t add_record(size_t *size, bool wanted, size_t record) {
    size_t offset = *size;
    if (!wanted)
        return 0;
    *size += record * nodes_in_chunk;
    return offset;
}

bool mcts_tree_open(struct mcts_tree *tree, struct memory *memory, struct mcts_records records, bool shared) {
    *tree = (struct mcts_tree){.memory = memory, .shared = shared};
    tree->chunk_size = sizeof(struct mcts_node) * nodes_in_chunk;
    tree->more_offset = add_record(&tree->chunk_size, records.more, sizeof(struct mcts_more));
    tree->rave_offset = add_record(&tree->chunk_size, records.rave, sizeof(struct mcts_rave));
    tree->queue_offset = add_record(&tree->chunk_size, records.queue, sizeof(struct mcts_queue));
    tree->depth_offset = add_record(&tree->chunk_size, records.depth, sizeof(struct mcts_depth));
    tree->own_offset = add_record(&tree->chunk_size, records.own, sizeof(struct mcts_own));
    tree->chunks = memory_take(memory, MCTS_MOST_CHUNKS * sizeof *tree->chunks);
    return tree->chunks && mcts_tree_reset(tree);
}

void mcts_tree_close(struct mcts_tree *tree) {
    for (uint32_t i = 0; tree->chunks && i < MCTS_MOST_CHUNKS && tree->chunks[i]; i++)
        memory_give(tree->memory, tree->chunks[i], tree->chunk_size);
    memory_give(tree->memory, tree->chunks, MCTS_MOST_CHUNKS * sizeof *tree->chunks);
    tree->chunks = NULL;
}

bool mcts_tree_reset(struct mcts_tree *tree) {
    atomic_store(&tree->used, 1);
    tree->free = tree->oldest = tree->newest = POOL_NONE;
    tree->live = 0;
    tree->root = mcts_tree_take(tree, POOL_NONE, SOLOIST_NO_MOVE);
    return tree->root != POOL_NONE;
}

/* The thread that needs a chunk allocates it. If two threads do so at once, one of them frees its chunk again. */
static bool have_chunk(struct mcts_tree *tree, uint32_t number) {
    unsigned char *none = NULL;
    if (number >= MCTS_MOST_CHUNKS)
        return false;
    if (atomic_load_explicit(&tree->chunks[number], memory_order_acquire))
        return true;
    unsigned char *chunk = memory_take(tree->memory, tree->chunk_size);
    if (chunk && !atomic_compare_exchange_strong(&tree->chunks[number], &none, chunk))
        memory_give(tree->memory, chunk, tree->chunk_size);
    return chunk || none;
}

enum { supply_size = 64 };

/* A place may be reserved behind the parent's newest child. The thread that clears the mark on that child gets the
 * place. */
static uint32_t take_spare(struct mcts_tree *tree, uint32_t parent, uint32_t *spare) {
    uint32_t newest = parent == POOL_NONE ? POOL_NONE : mcts_first(mcts_at(tree, parent));
    if (newest == POOL_NONE)
        return POOL_NONE;
    struct mcts_node *node = mcts_at(tree, newest);
    uint8_t marks = atomic_load_explicit(&node->marks, memory_order_relaxed);
    while (marks >= MCTS_SPARE)
        if (atomic_compare_exchange_weak_explicit(&node->marks, &marks, marks % MCTS_SPARE, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            *spare = marks / MCTS_SPARE - 1u;
            return newest + 1;
        }
    return POOL_NONE;
}

/* Begins a run of at most `run` adjacent places. *spare: number of places reserved behind the first one. */
static uint32_t take_run(struct mcts_tree *tree, struct mcts_supply *supply, uint32_t run, uint32_t *spare) {
    if (!tree->shared || !supply) {
        *spare = run - 1;
        return atomic_fetch_add_explicit(&tree->used, run, memory_order_relaxed);
    }
    if (supply->next == supply->end) {
        supply->next = atomic_fetch_add_explicit(&tree->used, supply_size, memory_order_relaxed);
        supply->end = supply->next + supply_size;
    }
    uint32_t index = supply->next, left = supply->end - index;
    run = run < left ? run : left;
    supply->next += run;
    *spare = run - 1;
    return index;
}

static uint32_t take_index(struct mcts_tree *tree, struct mcts_supply *supply, uint32_t parent, uint32_t run,
                           uint32_t *spare) {
    uint32_t index = take_spare(tree, parent, spare);
    if (index == POOL_NONE && tree->free != POOL_NONE && !tree->shared) {
        index = tree->free;
        tree->free = mcts_at(tree, index)->next;
        return index;
    }
    if (index == POOL_NONE)
        index = take_run(tree, supply, run, spare);
    return have_chunk(tree, index >> MCTS_CHUNK_BITS) ? index : POOL_NONE;
}

static void clear_records(struct mcts_tree *tree, uint32_t index) {
    if (tree->more_offset) {
        struct mcts_more *more = mcts_more(tree, index);
        atomic_store_explicit(&more->squares, 0, memory_order_relaxed);
        atomic_store_explicit(&more->best, -__builtin_inf(), memory_order_relaxed);
        atomic_store_explicit(&more->least, __builtin_inf(), memory_order_relaxed);
        atomic_store_explicit(&more->first_result, __builtin_inf(), memory_order_relaxed);
    }
    if (tree->rave_offset)
        memset(mcts_rave(tree, index), 0, sizeof(struct mcts_rave));
    if (tree->queue_offset)
        memset(mcts_queue(tree, index), 0, sizeof(struct mcts_queue));
    if (tree->depth_offset)
        memset(mcts_depth(tree, index), 0, sizeof(struct mcts_depth));
    if (tree->own_offset)
        memset(mcts_own(tree, index), 0, sizeof(struct mcts_own));
}

static void queue_remove(struct mcts_tree *tree, uint32_t index) {
    struct mcts_queue *own = mcts_queue(tree, index);
    if (own->older != POOL_NONE)
        mcts_queue(tree, own->older)->newer = own->newer;
    else if (tree->oldest == index)
        tree->oldest = own->newer;
    if (own->newer != POOL_NONE)
        mcts_queue(tree, own->newer)->older = own->older;
    else if (tree->newest == index)
        tree->newest = own->older;
    own->older = own->newer = POOL_NONE;
}

void mcts_tree_touch(struct mcts_tree *tree, uint32_t index) {
    if (tree->newest == index)
        return;
    queue_remove(tree, index);
    mcts_queue(tree, index)->older = tree->newest;
    if (tree->newest != POOL_NONE)
        mcts_queue(tree, tree->newest)->newer = index;
    else
        tree->oldest = index;
    tree->newest = index;
}

/* Removes the node whose value was computed longest ago; its move may then be tried again. No node is older in the
 * queue than the nodes below it, so the oldest node is a leaf. The root and the node `kept`, which is to get a child,
 * are never removed. */
static bool recycle(struct mcts_tree *tree, uint32_t kept) {
    uint32_t index = tree->oldest;
    while (index != POOL_NONE && (index == kept || index == tree->root || mcts_first(mcts_at(tree, index))))
        index = mcts_queue(tree, index)->newer;
    if (index == POOL_NONE)
        return false;
    uint32_t parent = mcts_at(tree, index)->parent, place = mcts_queue(tree, index)->place;
    mcts_queue(tree, parent)->tried[place >> 6] &= ~((uint64_t)1 << (place & 63));
    atomic_fetch_add(&mcts_at(tree, parent)->untried, 1);
    mcts_tree_bequeath(tree, index);
    mcts_tree_unlink(tree, index);
    mcts_tree_give(tree, index);
    return true;
}

uint32_t mcts_tree_take(struct mcts_tree *tree, uint32_t parent, soloist_move move) {
    return mcts_tree_take_from(tree, NULL, parent, move, 1);
}

uint32_t mcts_tree_take_from(struct mcts_tree *tree, struct mcts_supply *supply, uint32_t parent, soloist_move move,
                             uint32_t run) {
    uint32_t spare = 0;
    if (tree->limit && tree->live >= tree->limit && !recycle(tree, parent))
        return POOL_NONE;
    uint32_t index = take_index(tree, supply, parent, run, &spare);
    if (index == POOL_NONE)
        return POOL_NONE;
    struct mcts_node *node = mcts_at(tree, index);
    memset(node, 0, sizeof *node);
    clear_records(tree, index);
    node->parent = parent;
    node->move = move;
    atomic_init(&node->untried, MCTS_UNTRIED_UNKNOWN);
    atomic_init(&node->marks, (uint8_t)(spare * MCTS_SPARE));
    if (tree->queue_offset) {
        tree->live++;
        mcts_tree_touch(tree, index);
    }
    return index;
}

void mcts_tree_link(struct mcts_tree *tree, uint32_t index) {
    struct mcts_node *node = mcts_at(tree, index), *parent = mcts_at(tree, node->parent);
    uint32_t first = mcts_first(parent);
    do
        node->next = first;
    while (!atomic_compare_exchange_weak_explicit(&parent->first, &first, index, memory_order_release,
                                                  memory_order_acquire));
}

void mcts_tree_link_all(struct mcts_tree *tree, uint32_t parent, uint32_t first) {
    atomic_store_explicit(&mcts_at(tree, parent)->first, first, memory_order_release);
}

void mcts_tree_bequeath(struct mcts_tree *tree, uint32_t index) {
    const struct mcts_node *node = mcts_at(tree, index);
    if (!tree->own_offset || node->parent == POOL_NONE)
        return;
    struct mcts_own *heir = mcts_own(tree, node->parent);
    heir->visits += atomic_load(&node->visits);
    heir->sum += atomic_load(&node->sum);
}

/* The next node of a depth-first traversal without recursion. */
static uint32_t next_in_walk(const struct mcts_tree *tree, uint32_t at) {
    uint32_t next = mcts_first(mcts_at(tree, at));
    while (next == POOL_NONE && at != tree->root) {
        next = mcts_at(tree, at)->next;
        at = mcts_at(tree, at)->parent;
    }
    return next;
}

/* Whether no result below a child lies outside the extremes of the node. */
static bool covers(const struct mcts_tree *tree, uint32_t index, uint32_t child) {
    if (!tree->more_offset)
        return true;
    struct mcts_more *own = mcts_more(tree, index), *below = mcts_more(tree, child);
    return atomic_load(&below->best) <= atomic_load(&own->best) &&
           atomic_load(&below->least) >= atomic_load(&own->least);
}

bool mcts_tree_adds_up(const struct mcts_tree *tree) {
    for (uint32_t at = tree->root; at != POOL_NONE; at = next_in_walk(tree, at)) {
        const struct mcts_node *node = mcts_at(tree, at);
        struct mcts_own total = *mcts_own(tree, at);
        for (uint32_t i = mcts_first(node); i != POOL_NONE; i = mcts_at(tree, i)->next) {
            total.visits += atomic_load(&mcts_at(tree, i)->visits);
            total.sum += atomic_load(&mcts_at(tree, i)->sum);
            if (mcts_at(tree, i)->parent != at || !covers(tree, at, i))
                return false;
        }
        if (total.visits != atomic_load(&node->visits) || total.sum != atomic_load(&node->sum))
            return false;
    }
    return true;
}

void mcts_tree_unlink(struct mcts_tree *tree, uint32_t index) {
    struct mcts_node *node = mcts_at(tree, index), *parent = mcts_at(tree, node->parent);
    uint32_t at = mcts_first(parent);
    if (at == index) {
        atomic_store_explicit(&parent->first, node->next, memory_order_relaxed);
        return;
    }
    while (mcts_at(tree, at)->next != index)
        at = mcts_at(tree, at)->next;
    mcts_at(tree, at)->next = node->next;
}

static void give_one(struct mcts_tree *tree, uint32_t index) {
    if (tree->queue_offset) {
        queue_remove(tree, index);
        tree->live--;
    }
    mcts_at(tree, index)->next = tree->free;
    tree->free = index;
}

/* Without recursion: while the node has a first child, goes down to it and unlinks it. */
void mcts_tree_give(struct mcts_tree *tree, uint32_t index) {
    uint32_t at = index;
    for (;;) {
        struct mcts_node *node = mcts_at(tree, at);
        uint32_t child = mcts_first(node), parent = node->parent;
        if (child != POOL_NONE) {
            atomic_store_explicit(&node->first, mcts_at(tree, child)->next, memory_order_relaxed);
            at = child;
            continue;
        }
        give_one(tree, at);
        if (at == index)
            return;
        at = parent;
    }
}

void mcts_tree_advance(struct mcts_tree *tree, uint32_t child) {
    uint32_t old = tree->root;
    mcts_tree_unlink(tree, child);
    mcts_tree_give(tree, old);
    mcts_at(tree, child)->parent = mcts_at(tree, child)->next = POOL_NONE;
    tree->root = child;
}

uint32_t mcts_tree_child(const struct mcts_tree *tree, uint32_t parent, soloist_move move) {
    for (uint32_t i = mcts_first(mcts_at(tree, parent)); i != POOL_NONE; i = mcts_at(tree, i)->next)
        if (mcts_at(tree, i)->move == move && !mcts_is_closed(mcts_at(tree, i)))
            return i;
    return POOL_NONE;
}

bool mcts_tree_goes_on(const struct mcts_tree *tree, uint32_t index) {
    const struct mcts_node *node = mcts_at(tree, index);
    if (atomic_load_explicit(&node->untried, memory_order_acquire))
        return true;
    for (uint32_t i = mcts_first(node); i != POOL_NONE; i = mcts_at(tree, i)->next)
        if (!mcts_is_closed(mcts_at(tree, i)))
            return true;
    return false;
}
