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

/* Plays a first move that differs from those of the other threads, if the leaf has enough moves. */
static bool play_own_first_move(struct mcts_worker *worker) {
    const struct mcts *mcts = worker->mcts;
    const struct mcts_worker *leader = mcts->leaf.leader;
    int32_t last = 0;
    if (mcts->options->first_moves != MCTS_FIRST_MOVES_DIFFERENT ||
        mcts->run->domain->core->ended(mcts->run->instance, worker->state, &last))
        return true;
    int length = worker->line_length;
    int count = mcts_list(worker, length ? worker->line[length - 1] : SOLOIST_NO_MOVE);
    int place = count ? (int)(((int64_t)mcts->leaf.offset + (worker - leader)) % count) : 0;
    return !count || mcts_play(worker, worker->moves[place]);
}

/* Makes a play-out from the leaf, at which the worker stands, and adds its result to the leader's list: the leader's
 * own result first. The domain's own play-outs cannot be broken off; their results do not count if enough others agree.
 */
static void add_play_out(struct mcts_worker *worker) {
    struct mcts_leaf *leaf = &worker->mcts->leaf;
    struct mcts_worker *leader = leaf->leader;
    worker->broken_off = mcts_leaf_has_enough(worker->mcts);
    if (worker->broken_off || !play_own_first_move(worker))
        return;
    int played = worker->line_length - leader->leaf_length;
    double result = mcts_play_out(worker, worker->mcts->length - played);
    if (worker->broken_off)
        return;
    pthread_mutex_lock(&leaf->lock);
    worker->broken_off = atomic_load(&leaf->enough);
    if (!worker->broken_off && mcts_add_result(leader, result, leaf->helpers + 1))
        atomic_store(&leaf->enough, true);
    if (!worker->broken_off && worker == leader) {
        leader->results[leader->result_count - 1] = leader->results[0];
        leader->results[0] = result;
    }
    pthread_mutex_unlock(&leaf->lock);
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
        if (stand_at_leaf(worker, leaf->leader))
            add_play_out(worker);
        atomic_fetch_add_explicit(&leaf->finished, 1, memory_order_release);
    }
}

double mcts_leaf_lead(struct mcts_worker *worker) {
    struct mcts_leaf *leaf = &worker->mcts->leaf;
    double value = mcts_points(worker);
    memcpy(worker->leaf, worker->state, worker->mcts->run->shape.state_size);
    worker->leaf_length = worker->line_length;
    worker->leaf_value = worker->value;
    worker->result_count = 0;
    if (worker->mcts->options->first_moves == MCTS_FIRST_MOVES_DIFFERENT)
        leaf->offset = (int)soloist_rng_below(&worker->rng, INT32_MAX);
    atomic_store(&leaf->enough, false);
    atomic_store(&leaf->finished, 0);
    atomic_fetch_add_explicit(&leaf->job, 1, memory_order_release);
    add_play_out(worker);
    while (atomic_load_explicit(&leaf->finished, memory_order_acquire) < leaf->helpers)
        sched_yield();
    return worker->result_count ? worker->results[0] : value;
}
