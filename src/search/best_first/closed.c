/* The closed table: packed states in base/table, each preceded by its parent and the move that led there. */
#include "search/best_first/closed.h"

#include <string.h>

/* Opens the table, and allocates one block for the three states, a packed state and the two lists of children. */
bool closed_open(struct closed *closed, struct search_run *run) {
    struct memory *memory = &run->budget->memory;
    size_t state = memory_round_up(run->shape.state_size), packed = memory_round_up(search_packed_size(run));
    *closed = (struct closed){.run = run, .ahead_move = SOLOIST_NO_MOVE};
    if (!table_open(&closed->table, memory, search_packed_size(run), sizeof(struct closed_node)))
        return false;
    size_t children = (size_t)run->shape.most_moves * sizeof(soloist_child);
    closed->scratch_size = 3 * state + packed + 2 * children;
    unsigned char *block = memory_take(memory, closed->scratch_size);
    if (!block)
        return false;
    closed->state = block;
    closed->child = block + state;
    closed->ahead_state = block + 2 * state;
    closed->packed = block + 3 * state;
    closed->children = (soloist_child *)(block + 3 * state + packed);
    closed->ahead_children = closed->children + run->shape.most_moves;
    closed->scratch = block;
    return true;
}

void closed_close(struct closed *closed) {
    table_close(&closed->table);
    memory_give(&closed->run->budget->memory, closed->scratch, closed->scratch_size);
}

uint32_t closed_put(struct closed *closed, uint64_t key, const void *state, bool *added) {
    search_pack(closed->run, state, closed->packed);
    return table_put(&closed->table, key, closed->packed, added);
}

static bool put_first(struct closed *closed) {
    const struct search_run *run = closed->run;
    bool added;
    uint32_t root = closed_put(closed, run->domain->core->key(run->instance, closed->state), closed->state, &added);
    if (root == POOL_NONE)
        return false;
    *closed_at(closed, root) = (struct closed_node){.parent = POOL_NONE, .move = SOLOIST_NO_MOVE};
    return true;
}

bool closed_put_root(struct closed *closed) {
    closed->run->domain->life->root(closed->run->instance, closed->state);
    return put_first(closed);
}

bool closed_put_start(struct closed *closed, const void *state) {
    memcpy(closed->state, state, closed->run->shape.state_size);
    return put_first(closed);
}

static void unpack(struct closed *closed, uint32_t index, void *state) {
    /* The table stores states at any address, but a domain may rely on alignment. */
    memcpy(closed->packed, table_string(&closed->table, index), closed->table.string_size);
    search_unpack(closed->run, closed->packed, state);
}

static void prefetch_slots(const struct closed *closed, const soloist_child *children, int count) {
    for (int i = 0; i < count; i++)
        table_prefetch(&closed->table, children[i].key);
}

static void expand_ahead(struct closed *closed, uint32_t index, soloist_move move, unsigned want) {
    const struct search_run *run = closed->run;
    closed->ahead = index;
    closed->ahead_move = move;
    closed->ahead_count =
        search_expand(run, run->domain->core, closed->ahead_state, move, want, closed->ahead_children);
    prefetch_slots(closed, closed->ahead_children, closed->ahead_count);
}

void closed_look_ahead(struct closed *closed, uint32_t index, unsigned want) {
    if (closed->ahead == index)
        return;
    unpack(closed, index, closed->ahead_state);
    expand_ahead(closed, index, closed_at(closed, index)->move, want);
}

void closed_look_ahead_at_child(struct closed *closed, soloist_move move, unsigned want) {
    const struct search_run *run = closed->run;
    memcpy(closed->ahead_state, closed->state, run->shape.state_size);
    run->domain->core->apply(run->instance, closed->ahead_state, move, NULL);
    expand_ahead(closed, POOL_NONE, move, want);
}

/* Uses the expansion that was made in advance as the current one. */
static int catch_up(struct closed *closed) {
    void *state = closed->state;
    soloist_child *children = closed->children;
    closed->state = closed->ahead_state;
    closed->children = closed->ahead_children;
    closed->ahead_state = state;
    closed->ahead_children = children;
    closed->ahead = POOL_NONE;
    closed->ahead_move = SOLOIST_NO_MOVE;
    return closed->ahead_count;
}

int closed_expand(struct closed *closed, uint32_t index, unsigned want) {
    struct search_run *run = closed->run;
    soloist_move move = closed_at(closed, index)->move;
    search_count_expanded(run, 1);
    closed->expanded = index;
    if (closed->ahead == index && closed->ahead_move == move)
        return search_count_nodes(run, catch_up(closed));
    if (closed->ahead == POOL_NONE) /* the child that was expanded in advance never entered the table */
        closed->ahead_move = SOLOIST_NO_MOVE;
    unpack(closed, index, closed->state);
    int count =
        search_count_nodes(run, search_expand(run, run->domain->core, closed->state, move, want, closed->children));
    if (want & SOLOIST_WANT_KEY)
        prefetch_slots(closed, closed->children, count);
    return count;
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

void closed_paint_line(const struct closed *closed, struct search_picture *picture) {
    enum { most = 4096 };
    soloist_move moves[most];
    size_t count = 0;
    uint32_t index = closed->expanded;
    for (; index != POOL_NONE && closed_at(closed, index)->parent != POOL_NONE && count < most;
         index = closed_at(closed, index)->parent)
        moves[most - ++count] = closed_at(closed, index)->move;
    if (index == POOL_NONE || closed_at(closed, index)->parent != POOL_NONE)
        return;
    picture_depth(picture, (int64_t)count);
    picture_line(picture, closed->run, moves + most - count, count);
}
