/* The closed table: packed states in base/table, parents and moves before them. */
#include "search/closed.h"

#include <string.h>

static size_t round_up(size_t size) { return (size + 15) & ~(size_t)15; }

/* One block for the two states, a packed state and the children. */
bool closed_open(struct closed *closed, struct search_run *run) {
    struct memory *memory = &run->budget->memory;
    size_t state = round_up(run->shape.state_size), packed = round_up(search_packed_size(run));
    *closed = (struct closed){.run = run};
    if (!table_open(&closed->table, memory, search_packed_size(run), sizeof(struct closed_node)))
        return false;
    closed->scratch_size = 2 * state + packed + (size_t)run->shape.most_moves * sizeof(soloist_child);
    unsigned char *block = memory_take(memory, closed->scratch_size);
    if (!block)
        return false;
    closed->state = block;
    closed->child = block + state;
    closed->packed = block + 2 * state;
    closed->children = (soloist_child *)(block + 2 * state + packed);
    return true;
}

void closed_close(struct closed *closed) {
    table_close(&closed->table);
    memory_give(&closed->run->budget->memory, closed->state, closed->scratch_size);
}

uint32_t closed_put(struct closed *closed, uint64_t key, const void *state, bool *added) {
    search_pack(closed->run, state, closed->packed);
    return table_put(&closed->table, key, closed->packed, added);
}

bool closed_put_root(struct closed *closed) {
    const struct search_run *run = closed->run;
    bool added;
    run->domain->life->root(run->instance, closed->state);
    uint32_t root = closed_put(closed, run->domain->core->key(run->instance, closed->state), closed->state, &added);
    if (root == POOL_NONE)
        return false;
    *closed_at(closed, root) = (struct closed_node){.parent = POOL_NONE, .move = SOLOIST_NO_MOVE};
    return true;
}

int closed_expand(struct closed *closed, uint32_t index, unsigned want) {
    struct search_run *run = closed->run;
    /* The table keeps strings at any address; a domain may count on an aligned one. */
    memcpy(closed->packed, table_string(&closed->table, index), closed->table.string_size);
    search_unpack(run, closed->packed, closed->state);
    int count =
        run->domain->core->expand(run->instance, closed->state, closed_at(closed, index)->move, want, closed->children);
    return search_count_nodes(run, count);
}

bool closed_child(struct closed *closed, soloist_move move) {
    const struct search_run *run = closed->run;
    int32_t last;
    memcpy(closed->child, closed->state, run->shape.state_size);
    run->domain->core->apply(run->instance, closed->child, move, NULL);
    return run->domain->core->ended(run->instance, closed->child, &last);
}

bool closed_record(struct closed *closed, uint32_t parent, soloist_move move, int32_t cost) {
    struct memory *memory = &closed->run->budget->memory;
    size_t count = 1;
    for (uint32_t i = parent; closed_at(closed, i)->parent != POOL_NONE; i = closed_at(closed, i)->parent)
        count++;
    soloist_move *moves = memory_take(memory, count * sizeof *moves);
    if (!moves)
        return false;
    size_t at = count;
    moves[--at] = move;
    for (uint32_t i = parent; at; i = closed_at(closed, i)->parent)
        moves[--at] = closed_at(closed, i)->move;
    search_record(closed->run, moves, count, cost);
    memory_give(memory, moves, count * sizeof *moves);
    return true;
}
