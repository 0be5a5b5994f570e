/* One node per state (S13, Schokoban): if the state of a new child is already in the tree and the new path is not
 * shorter, the child is dropped. If the new path is shorter, the existing subtree is moved to the new path; its visits
 * and results are subtracted from its old ancestors and added to the new ones. Eliminated states are remembered;
 * otherwise they would be added again. */
#include "search/mcts/mcts.h"

#include <string.h>

static uint32_t *node_of(const struct mcts *mcts, uint32_t state) { return table_extra(&mcts->states, state); }

/* Adds `sign` times the statistics of node `moved` to all nodes from `index` up to the root. */
static void shift_statistics(struct mcts_tree *tree, uint32_t index, uint32_t moved, int sign) {
    const struct mcts_node *node = mcts_at(tree, moved);
    uint32_t visits = atomic_load(&node->visits);
    int64_t sum = atomic_load(&node->sum);
    double squares = tree->more_offset ? atomic_load(&mcts_more(tree, moved)->squares) : 0;
    for (; index != POOL_NONE; index = mcts_at(tree, index)->parent) {
        MCTS_ADD(tree, &mcts_at(tree, index)->visits, (uint32_t)sign * visits);
        MCTS_ADD(tree, &mcts_at(tree, index)->sum, sign * sum);
        if (tree->more_offset)
            atomic_store(&mcts_more(tree, index)->squares,
                         atomic_load(&mcts_more(tree, index)->squares) + sign * squares);
    }
}

/* Makes the best and least result of a moved node known to its new ancestors. The old ones keep theirs: each of them
 * has really had these results below it. */
static void bring_extremes(struct mcts_tree *tree, uint32_t index, uint32_t moved) {
    double best = atomic_load(&mcts_more(tree, moved)->best), least = atomic_load(&mcts_more(tree, moved)->least);
    for (; index != POOL_NONE; index = mcts_at(tree, index)->parent) {
        mcts_keep_extreme(&mcts_more(tree, index)->best, best, true);
        mcts_keep_extreme(&mcts_more(tree, index)->least, least, false);
    }
}

/* A path value that was too large to be stored stays so. */
static int32_t shifted(int32_t value, int64_t by) {
    int64_t sum = value + by;
    return value == SOLOIST_DEAD || sum != (int32_t)sum ? SOLOIST_DEAD : (int32_t)sum;
}

/* Changes the depth and the path value of all nodes in a subtree by the same amounts: a depth-first traversal without
 * recursion. */
static void lift(struct mcts_tree *tree, uint32_t top, int32_t by, int64_t value) {
    uint32_t at = top;
    for (;;) {
        mcts_depth(tree, at)->depth -= by;
        mcts_depth(tree, at)->value = shifted(mcts_depth(tree, at)->value, value);
        uint32_t next = mcts_first(mcts_at(tree, at));
        while (next == POOL_NONE && at != top) {
            next = mcts_at(tree, at)->next;
            if (next == POOL_NONE)
                at = mcts_at(tree, at)->parent;
        }
        if (next == POOL_NONE)
            return;
        at = next;
    }
}

static void move_here(struct mcts_worker *worker, uint32_t parent, uint32_t moved, const soloist_child *child) {
    struct mcts_tree *tree = &worker->mcts->tree;
    struct mcts_node *node = mcts_at(tree, moved);
    uint32_t old = node->parent;
    int32_t depth = mcts_depth(tree, parent)->depth + 1;
    shift_statistics(tree, old, moved, -1);
    mcts_tree_unlink(tree, moved);
    node->parent = parent;
    node->move = child->move;
    node->next = POOL_NONE;
    shift_statistics(tree, parent, moved, 1);
    if (tree->more_offset)
        bring_extremes(tree, parent, moved);
    int32_t value = search_sum(mcts_depth(tree, parent)->value, child->step);
    lift(tree, moved, mcts_depth(tree, moved)->depth - depth, (int64_t)value - mcts_depth(tree, moved)->value);
    mcts_depth(tree, moved)->value = value;
    mcts_tree_link(tree, moved);
    if (worker->mcts->options->eliminate)
        mcts_eliminate_from(worker, old);
    worker->counters.moved++;
}

/* Values a new child by its bound; this counts as its first visit. */
static void value_now(struct mcts_worker *worker, uint32_t index, const soloist_child *child) {
    struct mcts *mcts = worker->mcts;
    struct mcts_node *node = mcts_at(&mcts->tree, index);
    int64_t units = mcts_units(mcts, mcts_worth(mcts, child->bound, mcts_depth(&mcts->tree, index)->value));
    atomic_store_explicit(&node->visits, 1, memory_order_relaxed);
    atomic_store_explicit(&node->sum, units, memory_order_relaxed);
    if (mcts->tree.own_offset)
        *mcts_own(&mcts->tree, index) = (struct mcts_own){.visits = 1, .sum = units};
    worker->valued++;
    worker->valued_sum += units;
}

static void add_new(struct mcts_worker *worker, uint32_t parent, const soloist_child *child, uint32_t state) {
    struct mcts *mcts = worker->mcts;
    uint32_t index = mcts_add(worker, parent, child->move, 1);
    *node_of(mcts, state) = index == POOL_NONE ? MCTS_GONE : index;
    if (index != POOL_NONE) {
        const struct mcts_depth *above = mcts_depth(&mcts->tree, parent);
        *mcts_depth(&mcts->tree, index) =
            (struct mcts_depth){above->depth + 1, state, search_sum(above->value, child->step)};
        mcts_tree_link(&mcts->tree, index);
        if (mcts->valued)
            value_now(worker, index, child);
    }
}

void mcts_one_node_add(struct mcts_worker *worker, uint32_t parent, const soloist_child *child) {
    struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    bool added;
    memcpy(worker->other, worker->state, run->shape.state_size);
    run->domain->core->apply(run->instance, worker->other, child->move, NULL);
    search_pack(run, worker->other, worker->packed);
    uint32_t state = table_put(&mcts->states, child->key, worker->packed, &added);
    if (state == POOL_NONE) {
        atomic_store(&mcts->full, true);
        return;
    }
    if (added) {
        add_new(worker, parent, child, state);
        return;
    }
    uint32_t known = *node_of(mcts, state);
    if (known != MCTS_GONE && mcts_depth(&mcts->tree, parent)->depth + 1 < mcts_depth(&mcts->tree, known)->depth)
        move_here(worker, parent, known, child);
}

void mcts_stand(struct mcts_worker *worker) {
    const struct mcts *mcts = worker->mcts;
    if (worker->stands)
        return;
    uint32_t state = mcts_depth(&mcts->tree, worker->path[worker->depth - 1])->state;
    search_unpack(mcts->run, table_string(&mcts->states, state), worker->state);
    worker->stands = true;
}

void mcts_forget(struct mcts_worker *worker, uint32_t index) {
    *node_of(worker->mcts, mcts_depth(&worker->mcts->tree, index)->state) = MCTS_GONE;
}

bool mcts_one_node_root(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    bool added;
    table_clear(&mcts->states);
    search_pack(run, mcts->root_state, worker->packed);
    uint64_t key = run->domain->core->key(run->instance, mcts->root_state);
    uint32_t state = table_put(&mcts->states, key, worker->packed, &added);
    if (state == POOL_NONE)
        return false;
    *node_of(mcts, state) = mcts->tree.root;
    *mcts_depth(&mcts->tree, mcts->tree.root) = (struct mcts_depth){0, state, mcts->root_value};
    return true;
}
