/* The core of the domain `sokoban-moves` (D2): a move is one step up, left, right or down, which pushes a box if one is
 * there. In backward play a step may pull a box along; it is coded as direction * 2, plus 1 if it pulls. */
#include "domain/sokoban/sokoban.h"

static bool is_free(const struct sokoban *game, const struct sokoban_state *state, int square) {
    return sokoban_is_floor(game, square) && !bitset_has(state->boxes, (unsigned)square);
}

static bool is_box(const struct sokoban *game, const struct sokoban_state *state, int square) {
    return sokoban_is_floor(game, square) && bitset_has(state->boxes, (unsigned)square);
}

/* The effect of a step: it moves the player, and a box if from != to. */
static struct sokoban_shift step_shift(const struct sokoban *game, const struct sokoban_state *state,
                                       soloist_move move) {
    int to = (int)state->player + game->step[move];
    int ahead = is_box(game, state, to) ? to + game->step[move] : to;
    return (struct sokoban_shift){to, ahead, to};
}

static bool can_step(const struct sokoban *game, const struct sokoban_state *state, int d) {
    int to = (int)state->player + game->step[d];
    return is_free(game, state, to) || (is_box(game, state, to) && is_free(game, state, to + game->step[d]));
}

static int step_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    int count = 0;
    for (int d = 0; d < 4; d++)
        if (can_step(sokoban_of(instance), state, d))
            moves[count++] = (soloist_move)d;
    return count;
}

static int32_t shift_apply(const struct sokoban *game, struct sokoban_state *state, struct sokoban_shift shift,
                           void *undo) {
    sokoban_keep(state, undo, shift.from, shift.to);
    if (shift.from != shift.to)
        sokoban_move_box(game, state, shift.from, shift.to);
    sokoban_put_player(game, state, shift.player);
    return 1;
}

static int32_t step_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    const struct sokoban *game = sokoban_of(instance);
    return shift_apply(game, state, step_shift(game, state, move), undo);
}

static uint64_t shift_key(const struct sokoban *game, const struct sokoban_state *state, struct sokoban_shift shift) {
    uint64_t key = state->key ^ game->player_key[state->player] ^ game->player_key[shift.player];
    return shift.from == shift.to ? key : key ^ game->box_key[shift.from] ^ game->box_key[shift.to];
}

static bool step_kills(const struct sokoban *game, const struct sokoban_state *state, struct sokoban_shift shift,
                       int d) {
    uint64_t boxes[SOKOBAN_WORDS];
    if (shift.from == shift.to)
        return false;
    if (game->rules.dead_squares && !bitset_has(game->live.beside[3 - d], (unsigned)shift.to))
        return true;
    for (int i = 0; i < game->words; i++)
        boxes[i] = state->boxes[i] ^ board_one(shift.from, i) ^ board_one(shift.to, i);
    return sokoban_push_is_dead(game, boxes, shift.to, shift.player) ||
           (game->rules.diagonals && sokoban_closes_diagonal(game, boxes, shift.to, shift.player));
}

/* The move that would undo the last step, or -1. If there is a box ahead, the last step may have been a push. */
static int step_returning(const struct sokoban *game, const struct sokoban_state *state, soloist_move last) {
    if (last == SOLOIST_NO_MOVE || is_box(game, state, (int)state->player + game->step[last]))
        return -1;
    return 3 - (int)last;
}

static int step_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                       soloist_child *children) {
    const struct sokoban *game = sokoban_of(instance);
    int count = 0, returning = step_returning(game, state, last);
    if (sokoban_dead(instance, state))
        return 0;
    for (int d = 0; d < 4; d++) {
        if (d == returning || !can_step(game, state, d))
            continue;
        struct sokoban_shift shift = step_shift(game, state, (soloist_move)d);
        if (!step_kills(game, state, shift, d))
            children[count++] = (soloist_child){shift_key(game, state, shift), (soloist_move)d, 1, 0};
    }
    return want & SOLOIST_WANT_BOUND ? sokoban_bound_children(game, state, step_shift, children, count) : count;
}

static struct sokoban_shift back_shift(const struct sokoban *game, const struct sokoban_state *state,
                                       soloist_move move) {
    int here = (int)state->player, step = game->step[move >> 1];
    return (struct sokoban_shift){move & 1 ? here - step : here, here, here + step};
}

static bool can_step_back(const struct sokoban *game, const struct sokoban_state *state, soloist_move move) {
    int here = (int)state->player, step = game->step[move >> 1];
    return is_free(game, state, here + step) && (!(move & 1) || is_box(game, state, here - step));
}

static int back_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    int count = 0;
    for (soloist_move move = 0; move < 8; move++)
        if (can_step_back(sokoban_of(instance), state, move))
            moves[count++] = move;
    return count;
}

static int32_t back_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    const struct sokoban *game = sokoban_of(instance);
    return shift_apply(game, state, back_shift(game, state, move), undo);
}

static int back_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                       soloist_child *children) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    int count = 0;
    soloist_move returning = last == SOLOIST_NO_MOVE || last & 1 ? SOLOIST_NO_MOVE : 6 - last;
    if (sokoban_reverse_dead(instance, state))
        return 0;
    for (soloist_move move = 0; move < 8; move++) {
        if (move == returning || !can_step_back(game, s, move) ||
            (move & 1 && game->rules.dead_squares && !bitset_has(game->reached.beside[move >> 1], s->player)))
            continue;
        children[count++] = (soloist_child){shift_key(game, s, back_shift(game, s, move)), move, 1, 0};
    }
    return want & SOLOIST_WANT_BOUND ? sokoban_reverse_bound_children(game, s, back_shift, children, count) : count;
}

static soloist_move back_forward(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)instance, (void)state;
    return 3 - (move >> 1);
}

const soloist_core sokoban_step_core = {
    .size = sizeof(soloist_core),
    .moves = step_moves,
    .apply = step_apply,
    .undo = sokoban_take_back,
    .ended = sokoban_ended,
    .key = sokoban_key,
    .key_from_scratch = sokoban_key_from_scratch,
    .expand = step_expand,
};

static const soloist_core back_core = {
    .size = sizeof(soloist_core),
    .moves = back_moves,
    .apply = back_apply,
    .undo = sokoban_take_back,
    .ended = sokoban_reverse_ended,
    .key = sokoban_key,
    .key_from_scratch = sokoban_key_from_scratch,
    .expand = back_expand,
};

const soloist_reverse sokoban_step_reverse = {
    .size = sizeof(soloist_reverse),
    .goal = sokoban_goal,
    .core = &back_core,
    .bound = &sokoban_reverse_bound,
    .forward = back_forward,
};
