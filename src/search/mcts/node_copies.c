/* Private copies of much-visited nodes. */
#include "search/mcts/node_copies.h"

#include "base/real.h"
#include "search/exploration.h"
#include "search/mcts/mcts.h"

/* A copy is used only for so long that all threads together can have added little to the statistics it was copied from.
 * Tuned on SameGame 15x15 with 16 threads: with most_uses of 32 or 64 the search is a tenth faster, but the score is 1
 * to 2 % lower at equal work (docs/MEASURED.md). */
enum { visits_a_thread = 256, visits_a_use = 64, most_uses = 8 };

static struct mcts_copy *slot_of(struct mcts_worker *worker, uint32_t index) {
    return &worker->copies[table_hash(index) % MCTS_COPIES];
}

/* Adds to the tree what the worker has counted in the copy. */
static void bring(struct mcts_worker *worker, struct mcts_copy *copy) {
    struct mcts_tree *tree = &worker->mcts->tree;
    for (uint32_t i = 0; i < copy->count; i++) {
        struct mcts_copy_child *child = &copy->children[i];
        if (!child->own_visits)
            continue;
        struct mcts_node *node = mcts_at(tree, child->index);
        atomic_fetch_add_explicit(&node->visits, child->own_visits, memory_order_relaxed);
        atomic_fetch_add_explicit(&node->sum, child->own_sum, memory_order_relaxed);
        child->own_visits = 0, child->own_sum = 0;
    }
    if (copy->passed)
        atomic_fetch_add_explicit(&mcts_at(tree, copy->node)->visits, copy->passed, memory_order_relaxed);
    copy->passed = 0;
}

static void fetch(struct mcts_worker *worker, struct mcts_copy *copy) {
    const struct mcts_tree *tree = &worker->mcts->tree;
    copy->count = 0;
    copy->visits = 0;
    for (uint32_t i = mcts_first(mcts_at(tree, copy->node)); i != POOL_NONE; i = mcts_at(tree, i)->next) {
        const struct mcts_node *node = mcts_at(tree, i);
        uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed);
        uint32_t waiting = atomic_load_explicit(&node->waiting, memory_order_relaxed);
        if (mcts_is_closed(node) || visits <= waiting)
            continue;
        int64_t sum = atomic_load_explicit(&node->sum, memory_order_relaxed);
        copy->children[copy->count++] = (struct mcts_copy_child){i, visits - waiting, 0, sum, 0};
        copy->visits += visits - waiting;
    }
    uint32_t uses = copy->visits / (visits_a_use * (uint32_t)worker->mcts->run->threads);
    copy->uses_left = uses < most_uses ? uses : most_uses;
}

static bool is_copied(const struct mcts_worker *worker, const struct mcts_node *node) {
    uint32_t visits = atomic_load_explicit(&node->visits, memory_order_relaxed);
    return visits >= visits_a_thread * (uint32_t)worker->mcts->run->threads &&
           !atomic_load_explicit(&node->untried, memory_order_relaxed);
}

struct mcts_copy *mcts_copy_find(struct mcts_worker *worker, uint32_t index) {
    struct mcts_copy *copy = slot_of(worker, index);
    return copy->node == index ? copy : NULL;
}

/* A copy that the current iteration uses is not replaced by another node's: the path points to it until the result is
 * backed up. */
struct mcts_copy *mcts_copy_get(struct mcts_worker *worker, uint32_t index) {
    struct mcts_copy *copy = slot_of(worker, index);
    uint64_t iteration = worker->iteration;
    if (copy->node == index && copy->uses_left) {
        copy->uses_left--;
        copy->iteration = iteration;
        return copy->count ? copy : NULL;
    }
    if (copy->node != index &&
        (copy->iteration == iteration || !is_copied(worker, mcts_at(&worker->mcts->tree, index))))
        return NULL;
    if (copy->node != POOL_NONE)
        bring(worker, copy);
    copy->node = index;
    copy->iteration = iteration;
    fetch(worker, copy);
    return copy->count ? copy : NULL;
}

/* Selects by the upper confidence bound over the copy; ties go to the first. The other threads are likely to make the
 * same choices as this worker meanwhile. Therefore, until the next refresh, each visit of this worker counts as many
 * times as there are threads; otherwise all threads would try the same children. */
uint32_t mcts_copy_select(struct mcts_worker *worker, struct mcts_copy *copy) {
    const struct mcts *mcts = worker->mcts;
    const struct mcts_options *options = mcts->options;
    double c = search_exploration(options->c, options->c_base, (double)copy->visits);
    double explore = c * __builtin_sqrt(options->log_factor * real_log((double)copy->visits));
    double best = -__builtin_inf();
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < copy->count; i++) {
        double root = mcts_inverse_root(mcts, copy->children[i].visits);
        double value = ((double)copy->children[i].sum * mcts->unit * root + explore) * root;
        if (value > best)
            best = value, chosen = i;
    }
    copy->visits += worker->copy_weight;
    worker->copy_child = &copy->children[chosen];
    return copy->children[chosen].index;
}

void mcts_copy_flush(struct mcts_worker *worker) {
    for (int i = 0; worker->copies && i < MCTS_COPIES; i++) {
        if (worker->copies[i].node != POOL_NONE)
            bring(worker, &worker->copies[i]);
        worker->copies[i].node = POOL_NONE;
    }
}

/* Copies are only used with plain UCT: other rules need more than a copy holds. */
bool mcts_copy_open(struct mcts_worker *worker) {
    const struct search_run *run = worker->mcts->run;
    const struct mcts_options *options = worker->mcts->options;
    struct memory *memory = &run->budget->memory;
    bool plain = worker->mcts->plain && options->rule == MCTS_UCT && options->ties == MCTS_TIES_FIRST;
    if (!worker->mcts->tree.shared || !plain || worker->mcts->tree.more_offset || worker->mcts->two_players)
        return true;
    size_t room = (size_t)run->shape.most_moves;
    worker->copy_weight = (uint32_t)run->threads;
    worker->copies_size = MCTS_COPIES * (sizeof *worker->copies + room * sizeof(struct mcts_copy_child));
    worker->copies = memory_take(memory, worker->copies_size);
    if (!worker->copies)
        return false;
    struct mcts_copy_child *children = (struct mcts_copy_child *)(void *)(worker->copies + MCTS_COPIES);
    for (size_t i = 0; i < MCTS_COPIES; i++)
        worker->copies[i].children = children + i * room;
    return true;
}
