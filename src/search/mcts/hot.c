/* Private copies of much-visited nodes. */
#include "search/mcts/hot.h"

#include "base/real.h"
#include "search/mcts/mcts.h"

/* A copy serves while all threads together add little to what it shows. Tuned on SameGame 15x15 with 16 threads: 32 or
 * 64 uses are a tenth faster, but cost 1 to 2 % of the score at equal work (docs/MEASURED.md). */
enum { visits_a_thread = 256, visits_a_use = 64, most_uses = 8 };

static struct mcts_hot *slot_of(struct mcts_worker *worker, uint32_t index) {
    return &worker->hot[table_hash(index) % MCTS_HOT_SLOTS];
}

/* What the worker counted goes to the tree. */
static void bring(struct mcts_worker *worker, struct mcts_hot *hot) {
    struct mcts_tree *tree = &worker->mcts->tree;
    for (uint32_t i = 0; i < hot->count; i++) {
        struct mcts_hot_child *child = &hot->children[i];
        if (!child->own_visits)
            continue;
        struct mcts_node *node = mcts_at(tree, child->index);
        atomic_fetch_add_explicit(&node->visits, child->own_visits, memory_order_relaxed);
        atomic_fetch_add_explicit(&node->sum, child->own_sum, memory_order_relaxed);
        child->own_visits = 0, child->own_sum = 0;
    }
    if (hot->passed)
        atomic_fetch_add_explicit(&mcts_at(tree, hot->node)->visits, hot->passed, memory_order_relaxed);
    hot->passed = 0;
}

static void fetch(struct mcts_worker *worker, struct mcts_hot *hot) {
    const struct mcts_tree *tree = &worker->mcts->tree;
    hot->count = 0;
    hot->visits = 0;
    for (uint32_t i = mcts_first(mcts_at(tree, hot->node)); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        const struct mcts_node *node = mcts_at(tree, i);
        uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed);
        uint32_t waiting = atomic_load_explicit(&node->waiting, memory_order_relaxed);
        if (mcts_is_closed(node) || visits <= waiting)
            continue;
        int64_t sum = atomic_load_explicit(&node->sum, memory_order_relaxed);
        hot->children[hot->count++] = (struct mcts_hot_child){i, visits - waiting, 0, sum, 0};
        hot->visits += visits - waiting;
    }
    uint32_t uses = hot->visits / (visits_a_use * (uint32_t)worker->mcts->run->threads);
    hot->uses_left = uses < most_uses ? uses : most_uses;
}

static bool is_hot(const struct mcts_worker *worker, const struct mcts_node *node) {
    uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed);
    return visits >= visits_a_thread * (uint32_t)worker->mcts->run->threads &&
           !atomic_load_explicit(&node->untried, memory_order_relaxed);
}

struct mcts_hot *mcts_hot_find(struct mcts_worker *worker, uint32_t index) {
    struct mcts_hot *hot = slot_of(worker, index);
    return hot->node == index ? hot : NULL;
}

/* Copies never grow old in the middle of an iteration: what the path points at stays until it is backed up. */
struct mcts_hot *mcts_hot_get(struct mcts_worker *worker, uint32_t index) {
    struct mcts_hot *hot = slot_of(worker, index);
    uint64_t iteration = worker->iteration;
    if (hot->node == index && hot->uses_left) {
        hot->uses_left--;
        hot->iteration = iteration;
        return hot->count ? hot : NULL;
    }
    if (hot->node != index && (hot->iteration == iteration || !is_hot(worker, mcts_at(&worker->mcts->tree, index))))
        return NULL;
    if (hot->node != POOL_NONE)
        bring(worker, hot);
    hot->node = index;
    hot->iteration = iteration;
    fetch(worker, hot);
    return hot->count ? hot : NULL;
}

/* The upper confidence bound over the copy; ties to the first. What the worker does meanwhile the others do too, more
 * or less: each of its visits counts for all of theirs until the next copy, or all would try again what one tried. */
uint32_t mcts_hot_select(struct mcts_worker *worker, struct mcts_hot *hot) {
    const struct mcts *mcts = worker->mcts;
    const struct mcts_options *options = mcts->options;
    double explore = options->c * __builtin_sqrt(options->log_factor * real_log((double)hot->visits));
    double best = -__builtin_inf();
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < hot->count; i++) {
        double root = mcts_inverse_root(mcts, hot->children[i].visits);
        double value = ((double)hot->children[i].sum * mcts->unit * root + explore) * root;
        if (value > best)
            best = value, chosen = i;
    }
    hot->visits += worker->hot_weight;
    worker->hot_child = &hot->children[chosen];
    return hot->children[chosen].index;
}

void mcts_hot_flush(struct mcts_worker *worker) {
    for (int i = 0; worker->hot && i < MCTS_HOT_SLOTS; i++) {
        if (worker->hot[i].node != POOL_NONE)
            bring(worker, &worker->hot[i]);
        worker->hot[i].node = POOL_NONE;
    }
}

/* Plain upper confidence bounds only: other rules look at more than a copy holds. */
bool mcts_hot_open(struct mcts_worker *worker) {
    const struct search_run *run = worker->mcts->run;
    const struct mcts_options *options = worker->mcts->options;
    struct memory *memory = &run->budget->memory;
    bool plain = worker->mcts->plain && options->rule == MCTS_UCT && options->ties == MCTS_TIES_FIRST;
    if (!worker->mcts->tree.shared || !plain || worker->mcts->tree.more_offset || worker->mcts->two_players)
        return true;
    size_t room = (size_t)run->shape.most_moves;
    worker->hot_weight = (uint32_t)run->threads;
    worker->hot_size = MCTS_HOT_SLOTS * (sizeof *worker->hot + room * sizeof(struct mcts_hot_child));
    worker->hot = memory_take(memory, worker->hot_size);
    if (!worker->hot)
        return false;
    struct mcts_hot_child *children = (struct mcts_hot_child *)(void *)(worker->hot + MCTS_HOT_SLOTS);
    for (size_t i = 0; i < MCTS_HOT_SLOTS; i++)
        worker->hot[i].children = children + i * room;
    return true;
}
