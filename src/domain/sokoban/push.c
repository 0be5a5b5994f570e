/* The push level (D1): a move is a push, reached by any walk. It is coded as the box's square * 4 + direction. */
#include "domain/sokoban/region.h"

static int push_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    const struct sokoban *game = sokoban_of(instance);
    struct region region;
    int count = 0;
    SOKOBAN_BY_WORDS(game, count = region_list_pushes(game, state, false, &region, moves, n));
    return count;
}

static int32_t push_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    int box = (int)(move >> 2), d = (int)(move & 3);
    sokoban_keep(s, undo, box, box + game->step[d]);
    int32_t step = game->rules.exact ? sokoban_walk_and_push(game, s, box, d) : 1;
    sokoban_move_box(game, s, box, box + game->step[d]);
    sokoban_put_player(game, s, game->rules.exact ? box : sokoban_least(game, s->boxes, box));
    return step;
}

static struct sokoban_shift push_shift(const struct sokoban *game, const struct sokoban_state *state,
                                       soloist_move move) {
    (void)state;
    int box = (int)(move >> 2);
    return (struct sokoban_shift){box, box + game->step[move & 3], box};
}

/* Children of a position that is not dead. Their player is where the box was, exactly or up to his region. */
BOARD_INLINE int expand_pushes(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children,
                               int n) {
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    struct region region;
    int count = region_list_pushes(game, state, true, &region, moves, n), left = 0;
    uint64_t unplaced = state->key ^ game->player_key[state->player];
    for (int i = 0; i < count; i++) {
        int box = (int)(moves[i] >> 2), d = (int)(moves[i] & 3), to = box + game->step[d], player = box;
        if (region_push_kills(&region, game, box, d, n))
            continue;
        if (!game->rules.exact)
            player = region_after(&region, game, state->boxes, box, d, box, n);
        uint64_t key = unplaced ^ game->box_key[box] ^ game->box_key[to] ^ game->player_key[player];
        children[left++] = (soloist_child){key, moves[i], 1, 0};
    }
    return left;
}

static void count_walks(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children,
                        int count) {
    int16_t distance[SOKOBAN_WORDS * 64];
    sokoban_walk(game, state->boxes, (int)state->player, distance);
    for (int i = 0; i < count; i++)
        children[i].step = distance[(int)(children[i].move >> 2) - game->step[children[i].move & 3]] + 1;
}

/* A push is never just taken back, so `last` has nothing to say. */
static int push_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                       soloist_child *children) {
    const struct sokoban *game = sokoban_of(instance);
    int count = 0;
    (void)last;
    if (sokoban_dead(instance, state))
        return 0;
    SOKOBAN_BY_WORDS(game, count = expand_pushes(game, state, children, n));
    if (game->rules.exact)
        count_walks(game, state, children, count);
    return want & SOLOIST_WANT_BOUND ? sokoban_bound_children(game, state, push_shift, children, count) : count;
}

const soloist_core sokoban_push_core = {
    .moves = push_moves,
    .apply = push_apply,
    .undo = sokoban_take_back,
    .ended = sokoban_ended,
    .key = sokoban_key,
    .key_from_scratch = sokoban_key_from_scratch,
    .expand = push_expand,
};
