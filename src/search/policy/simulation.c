/* The memory of one simulation: one block, which grows as needed. */
#include "search/policy/policy.h"

#include <string.h>

void policy_simulation_open(struct policy_simulation *simulation, struct memory *memory) {
    *simulation = (struct policy_simulation){.memory = memory};
}

void policy_simulation_close(struct policy_simulation *simulation) {
    if (simulation->memory)
        memory_give(simulation->memory, simulation->block, simulation->block_size);
    *simulation = (struct policy_simulation){0};
}

static size_t sizes(size_t state, size_t moves, size_t room, size_t parts[5]) {
    parts[0] = memory_round_up(state);
    parts[1] = memory_round_up(moves * sizeof(soloist_move));
    parts[2] = memory_round_up(moves * sizeof(float));
    parts[3] = memory_round_up(room * sizeof(soloist_move));
    parts[4] = memory_round_up(room * sizeof(struct policy_passage));
    return parts[0] + parts[1] + parts[2] + parts[3] + parts[4];
}

/* When the block grows, the line, the path and the state are copied; the other parts need not be, because every step
 * fills them again. */
bool policy_simulation_reserve(struct policy_simulation *simulation, const struct policy_tree *tree, int length) {
    size_t state = tree->shape.state_size, parts[5];
    int moves = tree->shape.most_moves;
    if (simulation->block && state <= simulation->state_room && moves <= simulation->move_room &&
        length <= simulation->room)
        return true;
    int room = length > simulation->room ? length + length / 2 + 16 : simulation->room;
    size_t size = sizes(state, (size_t)moves, (size_t)room, parts);
    unsigned char *at = memory_take(simulation->memory, size);
    if (!at)
        return false;
    void *old = simulation->block;
    size_t old_size = simulation->block_size;
    simulation->block = at;
    simulation->block_size = size;
    if (old)
        memcpy(at, simulation->state, state < simulation->state_room ? state : simulation->state_room);
    simulation->state = at, at += parts[0];
    simulation->moves = (soloist_move *)(void *)at, at += parts[1];
    simulation->priors = (float *)(void *)at, at += parts[2];
    if (simulation->length)
        memcpy(at, simulation->line, (size_t)simulation->length * sizeof *simulation->line);
    simulation->line = (soloist_move *)(void *)at, at += parts[3];
    if (simulation->depth)
        memcpy(at, simulation->path, (size_t)simulation->depth * sizeof *simulation->path);
    simulation->path = (struct policy_passage *)(void *)at;
    simulation->state_room = state;
    simulation->move_room = moves;
    simulation->room = room;
    memory_give(simulation->memory, old, old_size);
    return true;
}
