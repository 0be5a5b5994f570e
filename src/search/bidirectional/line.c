/* The solution through a state where the two sides meet: the forward half, then the backward half with every move
 * reversed. */
#include "search/bidirectional/bidirectional.h"

#include <string.h>

static size_t depth_of(const struct bidirectional *search, int side, uint32_t index) {
    size_t depth = 0;
    for (; bidirectional_at(search, side, index)->parent != POOL_NONE; depth++)
        index = bidirectional_at(search, side, index)->parent;
    return depth;
}

void bidirectional_unpack(const struct bidirectional *search, int side, uint32_t index, void *state) {
    const struct table *table = &search->side[side].table;
    /* The table stores states at any address, but a domain may rely on alignment. */
    memcpy(search->packed, table_string(table, index), table->string_size);
    search_unpack(search->run, search->packed, state);
}

static void list_first_half(const struct bidirectional *search, uint32_t index, size_t depth, soloist_move *moves) {
    while (depth--) {
        const struct bidirectional_node *node = bidirectional_at(search, FORWARDS, index);
        moves[depth] = node->move;
        index = node->parent;
    }
}

/* Lists the moves from the state where the sides meet to a goal. */
static void list_second_half(const struct bidirectional *search, uint32_t index, void *state, soloist_move *moves) {
    const struct search_run *run = search->run;
    for (const struct bidirectional_node *node = bidirectional_at(search, BACKWARDS, index); node->parent != POOL_NONE;
         node = bidirectional_at(search, BACKWARDS, node->parent)) {
        bidirectional_unpack(search, BACKWARDS, node->parent, state);
        *moves++ = run->domain->reverse->forward(run->instance, state, node->move);
    }
}

/* The sum of the line's steps. It may be less than the sum of the two nodes' costs, because a parent may have become
 * cheaper after its child was stored. */
static int32_t cost_of(const struct search_run *run, const soloist_move *moves, size_t count, void *state) {
    int32_t cost = 0;
    run->domain->life->root(run->instance, state);
    for (size_t i = 0; i < count; i++)
        cost += run->domain->core->apply(run->instance, state, moves[i], NULL);
    return cost;
}

static void offer(struct bidirectional *search, const soloist_move *moves, size_t count, void *state) {
    int32_t cost = cost_of(search->run, moves, count, state);
    if (cost >= search->upper)
        return;
    search->upper = cost;
    search_record(search->run, moves, count, cost);
}

bool bidirectional_record(struct bidirectional *search, const uint32_t index[2]) {
    struct search_run *run = search->run;
    struct memory *memory = &run->budget->memory;
    size_t first = depth_of(search, FORWARDS, index[FORWARDS]);
    size_t count = first + depth_of(search, BACKWARDS, index[BACKWARDS]);
    soloist_move *moves = memory_take(memory, count * sizeof *moves);
    void *state = memory_take(memory, run->shape.state_size);
    bool taken = moves && state;
    if (taken) {
        list_first_half(search, index[FORWARDS], first, moves);
        list_second_half(search, index[BACKWARDS], state, moves + first);
        offer(search, moves, count, state);
    }
    memory_give(memory, moves, count * sizeof *moves);
    memory_give(memory, state, run->shape.state_size);
    return taken;
}
