/* A worker: the memory that one thread needs for its iterations, in one block, which counts towards the run's memory
 * limit. */
#include "search/mcts/mcts.h"

/* The number of levels of the short searches from a leaf; 0: there are none. */
static size_t levels(const struct mcts *mcts) {
    if (mcts->simulate == MCTS_SIMULATE_IDA_STAR)
        return MCTS_IDA_DEEPEST;
    return mcts->simulate == MCTS_SIMULATE_BREADTH ? (size_t)mcts->options->depth + 1 : 0;
}

/* The most results that one leaf can have, if they are stored. */
static size_t most_results(const struct mcts *mcts) {
    size_t threads = (size_t)mcts->leaf.helpers + 1, rollouts = (size_t)mcts->options->rollouts;
    size_t most = threads > rollouts ? threads : rollouts;
    return most > 1 ? most : 0;
}

bool mcts_worker_open(struct mcts_worker *worker, struct mcts *mcts, int number) {
    const struct search_run *run = mcts->run;
    size_t state = memory_round_up(run->shape.state_size), most = (size_t)run->shape.most_moves, deep = levels(mcts);
    size_t packed = memory_round_up(search_packed_size(run)), moves = memory_round_up(most * sizeof(soloist_move));
    size_t children = memory_round_up(most * sizeof(soloist_child));
    *worker = (struct mcts_worker){.mcts = mcts, .number = number};
    size_t results = memory_round_up(most_results(mcts) * sizeof *worker->results);
    worker->block_size = 3 * state + packed + moves + children + results + deep * (state + moves + children);
    unsigned char *at = worker->block = memory_take(&run->budget->memory, worker->block_size);
    soloist_rng_seed(&worker->rng, run->seed, (uint64_t)number);
    if (!at)
        return false;
    worker->state = at, at += state;
    worker->other = at, at += state;
    worker->leaf = at, at += state;
    worker->packed = at, at += packed;
    worker->moves = (soloist_move *)(void *)at, at += moves;
    worker->children = (soloist_child *)(void *)at, at += children;
    worker->results = (double *)(void *)at, at += results;
    worker->around_states = at, at += deep * state;
    worker->around = (soloist_move *)(void *)at, at += deep * moves;
    worker->around_children = (soloist_child *)(void *)at;
    return mcts_copy_open(worker) && mcts_reserve(worker, mcts->length + 64);
}

void mcts_worker_close(struct mcts_worker *worker) {
    struct memory *memory = &worker->mcts->run->budget->memory;
    memory_give(memory, worker->block, worker->block_size);
    memory_give(memory, worker->path_copies, mcts_lists_size(worker->room));
    memory_give(memory, worker->copies, worker->copies_size);
    if (worker->seen)
        memory_give(memory, worker->seen, sizeof *worker->seen << worker->seen_bits);
}
