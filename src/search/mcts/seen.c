/* The keys of the states of the current iteration, for cycle avoidance (S11). Entries have a stamp, so that the table
 * can be cleared by changing the current stamp. */
#include "search/mcts/mcts.h"

#include <string.h>

enum { first_bits = 8 };

static struct mcts_seen *find(const struct mcts_worker *worker, uint64_t key) {
    uint32_t mask = (1u << worker->seen_bits) - 1, at = table_hash(key) & mask;
    while (worker->seen[at].stamp == worker->stamp && worker->seen[at].key != key)
        at = (at + 1) & mask;
    return &worker->seen[at];
}

void mcts_seen_clear(struct mcts_worker *worker) {
    worker->seen_count = 0;
    if (++worker->stamp == 0 && worker->seen) {
        memset(worker->seen, 0, sizeof *worker->seen << worker->seen_bits);
        worker->stamp = 1;
    }
}

static bool grow(struct mcts_worker *worker) {
    struct memory *memory = &worker->mcts->run->budget->memory;
    struct mcts_seen *old = worker->seen;
    uint32_t bits = old ? worker->seen_bits + 1 : first_bits, old_bits = worker->seen_bits;
    struct mcts_seen *grown = memory_take(memory, sizeof *grown << bits);
    if (!grown)
        return false;
    worker->seen = grown;
    worker->seen_bits = bits;
    for (uint32_t i = 0; old && i < 1u << old_bits; i++)
        if (old[i].stamp == worker->stamp)
            *find(worker, old[i].key) = old[i];
    if (old)
        memory_give(memory, old, sizeof *old << old_bits);
    return true;
}

bool mcts_seen_add(struct mcts_worker *worker, uint64_t key) {
    if ((!worker->seen || worker->seen_count >= 1u << (worker->seen_bits - 1)) && !grow(worker)) {
        atomic_store(&worker->mcts->full, true);
        return true;
    }
    struct mcts_seen *place = find(worker, key);
    if (place->stamp == worker->stamp)
        return false;
    *place = (struct mcts_seen){key, worker->stamp};
    worker->seen_count++;
    return true;
}

bool mcts_seen_has(const struct mcts_worker *worker, uint64_t key) {
    return worker->seen && find(worker, key)->stamp == worker->stamp;
}
