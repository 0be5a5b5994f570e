/* A slot: what one simulation needs, in one block that grows with the games it is used for. */
#include "search/policy/policy.h"

#include <string.h>

void policy_slot_open(struct policy_slot *slot, struct memory *memory) {
    *slot = (struct policy_slot){.memory = memory};
}

void policy_slot_close(struct policy_slot *slot) {
    if (slot->memory)
        memory_give(slot->memory, slot->block, slot->block_size);
    *slot = (struct policy_slot){0};
}

static size_t sizes(size_t state, size_t moves, size_t room, size_t parts[5]) {
    parts[0] = memory_round_up(state);
    parts[1] = memory_round_up(moves * sizeof(soloist_move));
    parts[2] = memory_round_up(moves * sizeof(float));
    parts[3] = memory_round_up(room * sizeof(soloist_move));
    parts[4] = memory_round_up(room * sizeof(struct policy_passage));
    return parts[0] + parts[1] + parts[2] + parts[3] + parts[4];
}

/* The line, the path and the state stay; all else is made anew by each step. */
bool policy_slot_reserve(struct policy_slot *slot, const struct policy_tree *tree, int length) {
    size_t state = tree->shape.state_size, parts[5];
    int moves = tree->shape.most_moves;
    if (slot->block && state <= slot->state_room && moves <= slot->move_room && length <= slot->room)
        return true;
    int room = length > slot->room ? length + length / 2 + 16 : slot->room;
    size_t size = sizes(state, (size_t)moves, (size_t)room, parts);
    unsigned char *at = memory_take(slot->memory, size);
    if (!at)
        return false;
    void *old = slot->block;
    size_t old_size = slot->block_size;
    slot->block = at;
    slot->block_size = size;
    if (old)
        memcpy(at, slot->state, state < slot->state_room ? state : slot->state_room);
    slot->state = at, at += parts[0];
    slot->moves = (soloist_move *)(void *)at, at += parts[1];
    slot->priors = (float *)(void *)at, at += parts[2];
    if (slot->length)
        memcpy(at, slot->line, (size_t)slot->length * sizeof *slot->line);
    slot->line = (soloist_move *)(void *)at, at += parts[3];
    if (slot->depth)
        memcpy(at, slot->path, (size_t)slot->depth * sizeof *slot->path);
    slot->path = (struct policy_passage *)(void *)at;
    slot->state_room = state;
    slot->move_room = moves;
    slot->room = room;
    memory_give(slot->memory, old, old_size);
    return true;
}
