/* The paper's RebuildSolution: the moves from the root to the down-tree's node, then the moves from the up-tree's node
 * to its goal, each of them reversed. The line is replayed by the forward core before it is recorded. */
#include "search/mcts/bimcts.h"

#include <string.h>

static bool is_root(const struct bimcts_side *side, uint32_t index) {
    uint32_t root = side->tree.root;
    return index == root || (side->root_count > 1 && mcts_at(&side->tree, index)->parent == root);
}

static size_t depth_of(const struct bimcts_side *side, uint32_t index) {
    size_t depth = 0;
    for (; !is_root(side, index); depth++)
        index = mcts_at(&side->tree, index)->parent;
    return depth;
}

/* Lists the tree's moves to a node and then the play-out's moves, `count` moves in all. Returns the number of the root
 * from which they start. */
static uint32_t list_half(const struct bimcts *search, int s, uint32_t index, size_t count, soloist_move *moves) {
    const struct bimcts_side *side = &search->side[s];
    size_t depth = count - (size_t)search->trace_length;
    memcpy(moves + depth, search->trace, (size_t)search->trace_length * sizeof *moves);
    while (depth--) {
        moves[depth] = mcts_at(&side->tree, index)->move;
        index = mcts_at(&side->tree, index)->parent;
    }
    return side->root_count > 1 ? mcts_at(&side->tree, index)->move : 0;
}

/* Turns backward moves into forward moves, in reverse order. */
static void turn_round(struct bimcts *search, uint32_t root, soloist_move *moves, size_t count) {
    const struct search_run *run = search->run;
    const struct bimcts_side *up = &search->side[BIMCTS_UP];
    memcpy(search->state, up->roots + root * run->shape.state_size, run->shape.state_size);
    for (size_t i = 0; i < count; i++) {
        soloist_move back = moves[i];
        moves[i] = run->domain->reverse->forward(run->instance, search->state, back);
        up->core->apply(run->instance, search->state, back, NULL);
    }
    for (size_t i = 0; i < count / 2; i++) {
        soloist_move kept = moves[i];
        moves[i] = moves[count - 1 - i];
        moves[count - 1 - i] = kept;
    }
}

static bool has_move(struct bimcts *search, soloist_move move) {
    const struct search_run *run = search->run;
    int count = run->domain->core->moves(run->instance, search->state, search->moves);
    while (count > 0 && search->moves[count - 1] != move)
        count--;
    return count > 0;
}

/* Replays the line from the root by the core, adds up the costs of its steps, and records it. */
static soloist_code offer(struct bimcts *search, const soloist_move *moves, size_t count) {
    struct search_run *run = search->run;
    const soloist_core *core = run->domain->core;
    int32_t cost = 0, last = 0;
    run->domain->life->root(run->instance, search->state);
    for (size_t i = 0; i < count; i++) {
        if (!has_move(search, moves[i])) {
            soloist_fail(run->error, 0, 0, "%s: move %zu of a line through both trees is not legal", run->method,
                         i + 1);
            return SOLOIST_INTERNAL;
        }
        if (!search_add_cost(run, cost, core->apply(run->instance, search->state, moves[i], NULL), &cost))
            return SOLOIST_UNSUPPORTED;
    }
    if (!core->ended(run->instance, search->state, &last)) {
        soloist_fail(run->error, 0, 0, "%s: a line through both trees does not end at a goal", run->method);
        return SOLOIST_INTERNAL;
    }
    search_record(run, moves, count, cost + last);
    return SOLOIST_OK;
}

soloist_code bimcts_rebuild(struct bimcts *search, const uint32_t node[2]) {
    struct search_run *run = search->run;
    size_t count[2] = {0, 0};
    for (int s = 0; s < 2; s++)
        if (node[s] != POOL_NONE)
            count[s] = depth_of(&search->side[s], node[s]) + (size_t)search->trace_length;
    size_t total = count[BIMCTS_DOWN] + count[BIMCTS_UP];
    soloist_move *moves = memory_take(&run->budget->memory, total * sizeof *moves);
    if (!moves)
        return search_full(run);
    if (node[BIMCTS_DOWN] != POOL_NONE)
        list_half(search, BIMCTS_DOWN, node[BIMCTS_DOWN], count[BIMCTS_DOWN], moves);
    if (node[BIMCTS_UP] != POOL_NONE) {
        soloist_move *half = moves + count[BIMCTS_DOWN];
        uint32_t root = list_half(search, BIMCTS_UP, node[BIMCTS_UP], count[BIMCTS_UP], half);
        turn_round(search, root, half, count[BIMCTS_UP]);
    }
    soloist_code code = offer(search, moves, total);
    memory_give(&run->budget->memory, moves, total * sizeof *moves);
    return code;
}
