/* The domain `sokoban`, whose moves are pushes, played backwards: a move is a pull, coded as the box's square * 4 + the
 * direction in which it moves. */
#include "domain/sokoban/region.h"
#include "domain/sokoban/retrace.h"

BOARD_INLINE int list_pulls(const struct sokoban *game, const struct sokoban_state *state, bool alive_only,
                            struct region *region, soloist_move *moves, int n) {
    uint64_t targets[4][SOKOBAN_WORDS], pulls[4][SOKOBAN_WORDS];
    alive_only = alive_only && game->rules.dead_squares;
    region_open(region, game, state->boxes, (int)state->player, n);
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < n; i++)
            targets[d][i] = alive_only ? game->reached.beside[d][i] : ~UINT64_C(0);
    region_pulls(region, game, state->boxes, targets, pulls, n);
    return region_list(pulls, moves, n);
}

static int pull_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    const struct sokoban *game = sokoban_of(instance);
    struct region region;
    int count = 0;
    if (game->rules.exact)
        return sokoban_retrace_moves(game, state, moves);
    SOKOBAN_BY_WORDS(game, count = list_pulls(game, state, false, &region, moves, n));
    return count;
}

static struct sokoban_shift pull_shift(const struct sokoban *game, const struct sokoban_state *state,
                                       soloist_move move) {
    int box = (int)(move >> 2), step = game->step[move & 3];
    if (game->rules.exact)
        return sokoban_retrace_shift(game, state, move);
    return (struct sokoban_shift){box, box + step, box + 2 * step};
}

static int32_t pull_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_state *s = state;
    struct sokoban_shift shift = pull_shift(game, s, move);
    sokoban_keep(s, undo, shift.from, shift.to);
    if (game->rules.exact)
        return sokoban_retrace_apply(game, s, move);
    sokoban_move_box(game, s, shift.from, shift.to);
    sokoban_put_player(game, s, sokoban_least(game, s->boxes, shift.player));
    return 1;
}

BOARD_INLINE int expand_pulls(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children,
                              int n) {
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    struct region region;
    int count = list_pulls(game, state, true, &region, moves, n), left = 0;
    uint64_t unplaced = state->key ^ game->player_key[state->player];
    for (int i = 0; i < count; i++) {
        int box = (int)(moves[i] >> 2), d = (int)(moves[i] & 3), to = box + game->step[d];
        uint64_t after[SOKOBAN_WORDS];
        for (int k = 0; k < n; k++)
            after[k] = state->boxes[k] ^ board_one(box, k) ^ board_one(to, k);
        if (sokoban_pull_is_dead(game, after, to, to + game->step[d]))
            continue;
        int player = region_after(&region, game, state->boxes, box, d, to + game->step[d], n);
        uint64_t key = unplaced ^ game->box_key[box] ^ game->box_key[to] ^ game->player_key[player];
        children[left++] = (soloist_child){key, moves[i], 1, 0};
    }
    return left;
}

static int pull_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                       soloist_child *children) {
    const struct sokoban *game = sokoban_of(instance);
    int count = 0;
    (void)last;
    triples_begin(game, true);
    if (sokoban_reverse_dead(instance, state))
        return 0;
    if (game->rules.exact)
        count = sokoban_retrace_expand(game, state, children);
    else
        SOKOBAN_BY_WORDS(game, count = expand_pulls(game, state, children, n));
    triples_count(game, true, count);
    return want & SOLOIST_WANT_BOUND ? sokoban_reverse_bound_children(game, state, pull_shift, children, count) : count;
}

static soloist_move pull_forward(const soloist_instance *instance, const void *state, soloist_move move) {
    const struct sokoban *game = sokoban_of(instance);
    struct sokoban_shift shift = pull_shift(game, state, move);
    unsigned d = game->rules.exact ? move & 3 : 3 - (move & 3);
    return (soloist_move)shift.to * 4 + d;
}

const soloist_core sokoban_pull_core = {
    .size = sizeof(soloist_core),
    .moves = pull_moves,
    .apply = pull_apply,
    .undo = sokoban_take_back,
    .ended = sokoban_reverse_ended,
    .key = sokoban_key,
    .key_from_scratch = sokoban_key_from_scratch,
    .expand = pull_expand,
};

const soloist_reverse sokoban_reverse = {
    .size = sizeof(soloist_reverse),
    .goal = sokoban_goal,
    .core = &sokoban_pull_core,
    .bound = &sokoban_reverse_bound,
    .forward = pull_forward,
};
