/* States: the root, Zobrist keys over boxes and player, the player's region and walks. */
#include "domain/sokoban/sokoban.h"

size_t sokoban_state_size(const struct sokoban *game) {
    return sizeof(struct sokoban_state) + (size_t)game->words * sizeof(uint64_t);
}

BOARD_INLINE void reach_of(const struct sokoban *game, const uint64_t *boxes, int player, uint64_t *reach, int n) {
    uint64_t free[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++) {
        free[i] = game->floor[i] & ~boxes[i];
        reach[i] = board_one(player, i);
    }
    board_flood(free, reach, -1, game->stride, n);
}

void sokoban_reach(const struct sokoban *game, const uint64_t *boxes, int player, uint64_t *reach) {
    SOKOBAN_BY_WORDS(game, reach_of(game, boxes, player, reach, n));
}

/* The flood can stop when it reaches the least free square of the board, because no lower square can be reached. */
BOARD_INLINE int least_of(const struct sokoban *game, const uint64_t *boxes, int player, int n) {
    uint64_t free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++) {
        free[i] = game->floor[i] & ~boxes[i];
        reach[i] = board_one(player, i);
    }
    board_flood(free, reach, board_lowest(free, n), game->stride, n);
    return board_lowest(reach, n);
}

int sokoban_least(const struct sokoban *game, const uint64_t *boxes, int player) {
    int least = 0;
    SOKOBAN_BY_WORDS(game, least = least_of(game, boxes, player, n));
    return least;
}

int sokoban_least_after(const struct sokoban *game, const uint64_t *boxes, int from, int to, int stand) {
    uint64_t after[SOKOBAN_WORDS];
    for (int i = 0; i < game->words; i++)
        after[i] = boxes[i] ^ board_one(from, i) ^ board_one(to, i);
    return sokoban_least(game, after, stand);
}

void sokoban_walk(const struct sokoban *game, const uint64_t *boxes, int from, int16_t *distance) {
    uint64_t free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS] = {0}, known[SOKOBAN_WORDS] = {0};
    int n = game->words;
    for (int i = 0; i < n; i++)
        free[i] = game->floor[i] & ~boxes[i];
    for (int s = 0; s < game->size; s++)
        distance[s] = -1;
    bitset_add(reach, (unsigned)from);
    int16_t steps = 0;
    do {
        for (int i = 0; i < n; i++)
            for (uint64_t fresh = reach[i] & ~known[i]; fresh; fresh &= fresh - 1)
                distance[i * 64 + bits_lowest(fresh)] = steps;
        memcpy(known, reach, sizeof known);
        steps++;
    } while (board_step(free, reach, game->stride, n));
}

int32_t sokoban_walk_and_push(const struct sokoban *game, const struct sokoban_state *state, int box, int d) {
    uint64_t free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS] = {0};
    unsigned behind = (unsigned)(box - game->step[d]);
    int32_t steps = 1;
    for (int i = 0; i < game->words; i++)
        free[i] = game->floor[i] & ~state->boxes[i];
    bitset_add(reach, state->player);
    while (!bitset_has(reach, behind) && board_step(free, reach, game->stride, game->words))
        steps++;
    return steps;
}

uint64_t sokoban_key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return ((const struct sokoban_state *)state)->key;
}

uint64_t sokoban_key_from_scratch(const soloist_instance *instance, const void *state) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    uint64_t key = game->player_key[s->player];
    for (BITSET_EACH(box, s->boxes, (size_t)game->words))
        key ^= game->box_key[box];
    return key;
}

void sokoban_state_count(const struct sokoban *game, struct sokoban_state *state) {
    state->off_goal = 0;
    for (int i = 0; i < game->words; i++)
        state->off_goal += (uint32_t)bits_count(state->boxes[i] & ~game->goal[i]);
    state->key = sokoban_key_from_scratch((const soloist_instance *)(const void *)game, state);
}

void sokoban_state_settle(const struct sokoban *game, struct sokoban_state *state) {
    if (!game->rules.exact)
        state->player = (uint32_t)sokoban_least(game, state->boxes, (int)state->player);
    sokoban_state_count(game, state);
}

void sokoban_root(const soloist_instance *instance, void *state) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    memcpy(s->boxes, game->root_boxes, (size_t)game->words * sizeof *s->boxes);
    s->player = (uint32_t)game->root_player;
    sokoban_state_settle(game, s);
}

bool sokoban_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    (void)instance;
    *last = 0;
    return ((const struct sokoban_state *)state)->off_goal == 0;
}

bool sokoban_reverse_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    *last = 0;
    return s->player == game->root_place && board_equal(s->boxes, game->root_boxes, game->words);
}

void sokoban_move_box(const struct sokoban *game, struct sokoban_state *state, int from, int to) {
    bitset_remove(state->boxes, (unsigned)from);
    bitset_add(state->boxes, (unsigned)to);
    state->key ^= game->box_key[from] ^ game->box_key[to];
    state->off_goal += bitset_has(game->goal, (unsigned)from);
    state->off_goal -= bitset_has(game->goal, (unsigned)to);
}

void sokoban_put_player(const struct sokoban *game, struct sokoban_state *state, int player) {
    state->key ^= game->player_key[state->player] ^ game->player_key[player];
    state->player = (uint32_t)player;
}

void sokoban_keep(const struct sokoban_state *state, void *undo, int from, int to) {
    if (undo)
        *(struct sokoban_undo *)undo = (struct sokoban_undo){state->key, (uint16_t)state->player,
                                                             (uint16_t)state->off_goal, (uint16_t)from, (uint16_t)to};
}

void sokoban_take_back(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    const struct sokoban_undo *before = undo;
    struct sokoban_state *s = state;
    (void)instance, (void)move;
    if (before->from != before->to) {
        bitset_remove(s->boxes, before->to);
        bitset_add(s->boxes, before->from);
    }
    s->key = before->key;
    s->player = before->player;
    s->off_goal = before->off_goal;
}
