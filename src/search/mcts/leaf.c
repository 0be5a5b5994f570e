/* Leaf parallelisation (S15): one thread, the leader, selects and expands. From the leaf that it reaches, all threads
 * make play-outs at the same time, and every result is backed up. */
#include "search/mcts/mcts.h"

#include <sched.h>
#include <string.h>

/* Copies the leader's leaf and the line to it. */
static bool stand_at_leaf(struct mcts_worker *worker, const struct mcts_worker *leader) {
    worker->line_length = 0;
    if (!mcts_reserve(worker, leader->leaf_length + worker->mcts->length + 2))
        return false;
    memcpy(worker->state, leader->leaf, worker->mcts->run->shape.state_size);
    memcpy(worker->line, leader->line, (size_t)leader->leaf_length * sizeof *worker->line);
    worker->line_length = leader->leaf_length;
    worker->value = leader->leaf_value;
    worker->ended = false;
    return true;
}

void mcts_leaf_help(struct mcts_worker *worker) {
    struct mcts_leaf *leaf = &worker->mcts->leaf;
    uint64_t done = 0;
    for (;;) {
        uint64_t job = atomic_load_explicit(&leaf->job, memory_order_acquire);
        if (job == done) {
            sched_yield();
            continue;
        }
        if (job == MCTS_LEAF_OVER)
            return;
        done = job;
        worker->result = stand_at_leaf(worker, leaf->leader) ? mcts_play_out(worker) : 0;
        atomic_fetch_add_explicit(&leaf->finished, 1, memory_order_release);
    }
}

double mcts_leaf_lead(struct mcts_worker *worker) {
    struct mcts_leaf *leaf = &worker->mcts->leaf;
    memcpy(worker->leaf, worker->state, worker->mcts->run->shape.state_size);
    worker->leaf_length = worker->line_length;
    worker->leaf_value = worker->value;
    atomic_store(&leaf->finished, 0);
    atomic_fetch_add_explicit(&leaf->job, 1, memory_order_release);
    double result = mcts_play_out(worker);
    while (atomic_load_explicit(&leaf->finished, memory_order_acquire) < leaf->helpers)
        sched_yield();
    return result;
}
