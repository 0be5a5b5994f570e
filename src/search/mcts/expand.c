/* Expansion, which adds nodes to the tree, and recursive node elimination (S10), which removes nodes below which no
 * move is left to try. */
#include "search/mcts/mcts.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

/* Each node tries its moves in another order: it goes through its list cyclically, with a start and a stride that are
 * computed from mcts->order and the node's index. Therefore a node has to store only the number of moves left. */
static uint32_t place_in_order(const struct mcts_worker *worker, uint32_t index, uint32_t number, uint32_t total) {
    uint64_t random = hash_mix(worker->mcts->order + index);
    uint32_t start = (uint32_t)(random % total), stride = 1 + (uint32_t)((random >> 32) % total);
    for (uint32_t a = stride, b = total; b;) { /* raise the stride until it has no common factor with the total */
        uint32_t rest = a % b;
        a = b, b = rest;
        if (!b && a != 1)
            stride++, a = stride, b = total;
    }
    return (uint32_t)((start + (uint64_t)number * stride) % total);
}

/* Sets the node's number of untried moves to `total` if it is not known yet. Returns the number of untried moves. */
static uint32_t count_untried(struct mcts_node *node, uint32_t total) {
    uint16_t unknown = MCTS_UNTRIED_UNKNOWN;
    atomic_compare_exchange_strong(&node->untried, &unknown, (uint16_t)total);
    return unknown == MCTS_UNTRIED_UNKNOWN ? total : unknown;
}

/* If nodes record which moves were tried: chooses at random one that was not. */
static uint32_t draw_untried(struct mcts_worker *worker, uint32_t index, uint32_t total) {
    struct mcts_queue *record = mcts_queue(&worker->mcts->tree, index);
    uint32_t count = 0, chosen = 0;
    for (uint32_t i = 0; i < total; i++)
        if (!(record->tried[i >> 6] >> (i & 63) & 1) && !soloist_rng_below(&worker->rng, ++count))
            chosen = i;
    record->tried[chosen >> 6] |= (uint64_t)1 << (chosen & 63);
    return chosen;
}

/* Claims one untried move. *number: how many moves were claimed before it; *place: its index in the list of moves.
 * False: no move is left. With several threads the node is busy until `settle`. Otherwise another thread could see
 * neither an untried move nor the new child, and eliminate the node. */
static bool claim(struct mcts_worker *worker, uint32_t index, uint32_t total, uint32_t *number, uint32_t *place) {
    struct mcts_node *node = mcts_at(&worker->mcts->tree, index);
    uint16_t left = atomic_load(&node->untried);
    do
        if (!left || left >= MCTS_UNTRIED_BUSY)
            return false;
    while (!atomic_compare_exchange_weak(&node->untried, &left,
                                         worker->mcts->tree.shared ? MCTS_UNTRIED_BUSY : (uint16_t)(left - 1)));
    *number = total - left;
    *place = worker->mcts->tree.queue_offset ? draw_untried(worker, index, total)
                                             : place_in_order(worker, index, *number, total);
    return true;
}

/* Ends a claim: `left` moves stay untried. With one thread, nodes that are recycled may have changed the number. */
static void settle(struct mcts_worker *worker, uint32_t index, uint32_t left) {
    if (worker->mcts->tree.shared)
        atomic_store(&mcts_at(&worker->mcts->tree, index)->untried, (uint16_t)left);
}

/* Ends a claim: the move stays untried. */
static void unclaim(struct mcts_worker *worker, uint32_t index, uint32_t place, uint32_t left) {
    mcts_queue(&worker->mcts->tree, index)->tried[place >> 6] &= ~((uint64_t)1 << (place & 63));
    if (!worker->mcts->tree.shared)
        atomic_fetch_add(&mcts_at(&worker->mcts->tree, index)->untried, 1);
    settle(worker, index, left + 1);
}

/* Whether this move leads to a state that this iteration has already visited. */
static bool makes_cycle(struct mcts_worker *worker, int place) {
    const struct search_run *run = worker->mcts->run;
    uint64_t key;
    if (worker->mcts->options->cycles == MCTS_CYCLES_KEPT)
        return false;
    if (worker->mcts->listed) {
        memcpy(worker->other, worker->state, run->shape.state_size);
        run->domain->core->apply(run->instance, worker->other, worker->moves[place], NULL);
        key = run->domain->core->key(run->instance, worker->other);
    } else {
        key = worker->children[place].key;
    }
    return mcts_seen_has(worker, key);
}

/* If there is a node limit, every node is counted before it is added, so that the limit holds exactly. */
uint32_t mcts_add(struct mcts_worker *worker, uint32_t parent, soloist_move move, uint32_t run) {
    struct mcts *mcts = worker->mcts;
    struct budget *budget = mcts->run->budget;
    uint64_t limit = budget->limits.nodes;
    if (limit && !search_count_nodes(mcts->run, 1)) {
        budget_stop(budget, SOLOIST_STOP_NODES);
        return POOL_NONE;
    }
    uint32_t child = mcts_tree_take_from(&mcts->tree, &worker->supply, parent, move, run);
    if (child == POOL_NONE) {
        atomic_store(&mcts->full, true);
        if (limit)
            atomic_fetch_sub_explicit(&budget->nodes, 1, memory_order_relaxed);
        return POOL_NONE;
    }
    if (!limit)
        worker->counters.nodes++;
    if (worker->counters.depth <= (uint64_t)worker->line_length)
        worker->counters.depth = (uint64_t)worker->line_length + 1;
    worker->grew = true;
    return child;
}

static uint32_t add_child(struct mcts_worker *worker, uint32_t parent, uint32_t place, uint32_t run) {
    uint32_t child = mcts_add(worker, parent, worker->moves[place], run);
    if (child != POOL_NONE && worker->mcts->tree.queue_offset)
        mcts_queue(&worker->mcts->tree, child)->place = place;
    return child;
}

/* Siblings are stored in runs of adjacent places. Each new run has room for half as many siblings as there are already:
 * on 15x15 SameGame the unused places cost 3 bytes per node. */
static uint32_t run_length(uint32_t number) {
    uint32_t run = number / 2;
    return run < 1 ? 1 : run < MCTS_LONGEST_RUN ? run : MCTS_LONGEST_RUN;
}

static uint32_t expand_one(struct mcts_worker *worker, uint32_t index, uint32_t total) {
    const struct mcts_options *options = worker->mcts->options;
    struct mcts_tree *tree = &worker->mcts->tree;
    uint32_t place, number;
    bool cycled = false;
    while (claim(worker, index, total, &number, &place)) {
        uint32_t left = total - number - 1, child = POOL_NONE;
        bool cycle = makes_cycle(worker, (int)place);
        /* The child may have been added with a whole line. */
        bool known = !cycle && options->insert && mcts_tree_child(tree, index, worker->moves[place]) != POOL_NONE;
        bool adds = !cycle && !known;
        if (adds)
            child = add_child(worker, index, place, run_length(number));
        if (child != POOL_NONE)
            mcts_tree_link(tree, child);
        worker->cycle = cycle && options->cycles == MCTS_CYCLES_STOP;
        if (worker->cycle && tree->queue_offset)
            unclaim(worker, index, place, left);
        else
            settle(worker, index, left);
        if (adds || worker->cycle)
            return child;
        cycled |= cycle;
    }
    /* Every move that was left leads back: the iteration ends here (Marocchi and Crippa 2017, section 4.3.7). */
    worker->cycle = cycled;
    return POOL_NONE;
}

/* Whether a child is a goal; if so, the line is recorded. This costs little, because all children are generated
 * anyway. */
static bool is_goal(struct mcts_worker *worker, uint32_t place) {
    const struct mcts *mcts = worker->mcts;
    const struct search_run *run = mcts->run;
    int32_t last, before = worker->value;
    if (!mcts->goal || mcts->two_players)
        return false;
    if (mcts->valued && !run->guard && worker->children[place].bound > 0)
        return false;
    memcpy(worker->other, worker->state, run->shape.state_size);
    int32_t step = run->domain->core->apply(run->instance, worker->other, worker->moves[place], NULL);
    if (!run->domain->core->ended(run->instance, worker->other, &last) || !mcts_reserve(worker, 2))
        return false;
    worker->line[worker->line_length++] = worker->moves[place];
    worker->value = search_sum(worker->value, step);
    mcts_record(worker);
    worker->value = before;
    worker->line_length--;
    return true;
}

/* Adds the children in the order of moves. Other threads see the list only when it is complete. */
static void add_all(struct mcts_worker *worker, uint32_t index, uint32_t total) {
    struct mcts_tree *tree = &worker->mcts->tree;
    uint32_t first = POOL_NONE, last = POOL_NONE;
    for (uint32_t i = 0; i < total && !search_must_break_off(worker->mcts->run, &worker->looks); i++) {
        uint32_t child = makes_cycle(worker, (int)i) || is_goal(worker, i) ? POOL_NONE : add_child(worker, index, i, 1);
        if (child == POOL_NONE)
            continue;
        if (last == POOL_NONE)
            first = child;
        else
            mcts_at(tree, last)->next = child;
        last = child;
    }
    mcts_tree_link_all(tree, index, first);
}

/* Adds the children to the list one by one, because moving a subtree may remove one of them again. */
static void add_all_one_node(struct mcts_worker *worker, uint32_t index, uint32_t total) {
    for (uint32_t i = 0; i < total && !search_must_break_off(worker->mcts->run, &worker->looks); i++)
        if (!is_goal(worker, i))
            mcts_one_node_add(worker, index, &worker->children[i]);
}

static void expand_all(struct mcts_worker *worker, uint32_t index, uint32_t total) {
    struct mcts_node *node = mcts_at(&worker->mcts->tree, index);
    uint16_t expected = (uint16_t)total;
    if (!total || !atomic_compare_exchange_strong(&node->untried, &expected, MCTS_UNTRIED_BUSY))
        return;
    if (worker->mcts->options->states == MCTS_STATES_ONE_NODE)
        add_all_one_node(worker, index, total);
    else
        add_all(worker, index, total);
    atomic_store(&node->untried, 0);
}

uint32_t mcts_expand(struct mcts_worker *worker, uint32_t index) {
    struct mcts *mcts = worker->mcts;
    struct mcts_node *node = mcts_at(&mcts->tree, index);
    mcts_stand(worker);
    uint32_t total = (uint32_t)mcts_list(worker, node->move);
    assert(total < MCTS_UNTRIED_BUSY);
    count_untried(node, total);
    if (mcts->options->expand == MCTS_EXPAND_ONE)
        return expand_one(worker, index, total);
    expand_all(worker, index, total);
    bool rests = mcts->options->unvisited == MCTS_UNVISITED_INHERIT || worker->valued;
    return rests ? POOL_NONE : mcts_select(worker, index);
}

uint32_t mcts_expand_move(struct mcts_worker *worker, uint32_t index, soloist_move move) {
    struct mcts *mcts = worker->mcts;
    if (mcts->options->expand == MCTS_EXPAND_ALL) {
        uint32_t total = (uint32_t)mcts_list(worker, mcts_at(&mcts->tree, index)->move);
        count_untried(mcts_at(&mcts->tree, index), total);
        expand_all(worker, index, total);
        return mcts_tree_child(&mcts->tree, index, move);
    }
    uint32_t child = mcts_add(worker, index, move, 1);
    if (child != POOL_NONE)
        mcts_tree_link(&mcts->tree, child);
    return child;
}

/* With one thread, an eliminated node is removed from the tree; with several it stays and is only marked, because
 * another thread may be below it. */
void mcts_close(struct mcts_worker *worker, uint32_t index) {
    struct mcts *mcts = worker->mcts;
    struct mcts_node *node = mcts_at(&mcts->tree, index);
    if (atomic_fetch_or(&node->marks, MCTS_ELIMINATED) & MCTS_ELIMINATED)
        return;
    worker->counters.eliminated++;
    if (mcts->options->states == MCTS_STATES_ONE_NODE)
        mcts_forget(worker, index);
    if (mcts->tree.shared || index == mcts->tree.root)
        return;
    mcts_tree_bequeath(&mcts->tree, index);
    mcts_tree_unlink(&mcts->tree, index);
    mcts_tree_give(&mcts->tree, index);
}

void mcts_eliminate_from(struct mcts_worker *worker, uint32_t index) {
    struct mcts_tree *tree = &worker->mcts->tree;
    while (index != POOL_NONE && !mcts_tree_goes_on(tree, index)) {
        uint32_t parent = mcts_at(tree, index)->parent;
        mcts_close(worker, index);
        index = parent;
    }
}

void mcts_eliminate(struct mcts_worker *worker) {
    uint32_t leaf = worker->path[worker->depth - 1];
    struct mcts_node *node = mcts_at(&worker->mcts->tree, leaf);
    uint16_t unknown = MCTS_UNTRIED_UNKNOWN;
    if (worker->dead_end)
        atomic_compare_exchange_strong(&node->untried, &unknown, 0);
    mcts_eliminate_from(worker, leaf);
}
