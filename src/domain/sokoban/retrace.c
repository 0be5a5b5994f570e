/* Backward play for the case that moves are pushes and the state holds the player's own square: for each direction that
 * the last push can have had, the push is undone, and all squares are listed from which the player can have walked to
 * it. */
#include "domain/sokoban/retrace.h"

/* Undoes a push in direction d after which the player stands where he is now. Writes the boxes as they were before it;
 * false if there cannot have been such a push. */
static bool take_back(const struct sokoban *game, const struct sokoban_state *state, int d, uint64_t *boxes) {
    int here = (int)state->player, ahead = here + game->step[d], behind = here - game->step[d];
    if (!sokoban_is_floor(game, ahead) || !bitset_has(state->boxes, (unsigned)ahead) ||
        !sokoban_is_floor(game, behind) || bitset_has(state->boxes, (unsigned)behind))
        return false;
    memcpy(boxes, state->boxes, (size_t)game->words * sizeof *boxes);
    bitset_remove(boxes, (unsigned)ahead);
    bitset_add(boxes, (unsigned)here);
    return true;
}

/* The squares from which the player can have walked to make that push. */
static void find_origins(const struct sokoban *game, const struct sokoban_state *state, int d, const uint64_t *boxes,
                         uint64_t *origins) {
    uint64_t reach[SOKOBAN_WORDS];
    sokoban_after_push(game, boxes, origins);
    sokoban_reach(game, boxes, (int)state->player - game->step[d], reach);
    for (int i = 0; i < game->words; i++)
        origins[i] &= reach[i];
}

int sokoban_retrace_moves(const struct sokoban *game, const struct sokoban_state *state, soloist_move *moves) {
    uint64_t boxes[SOKOBAN_WORDS], origins[SOKOBAN_WORDS];
    int count = 0;
    for (int d = 0; d < 4; d++) {
        if (!take_back(game, state, d, boxes))
            continue;
        find_origins(game, state, d, boxes, origins);
        for (BITSET_EACH(place, origins, (size_t)game->words))
            moves[count++] = (soloist_move)(place * 4 + d);
    }
    return count;
}

struct sokoban_shift sokoban_retrace_shift(const struct sokoban *game, const struct sokoban_state *state,
                                           soloist_move move) {
    int here = (int)state->player;
    return (struct sokoban_shift){here + game->step[move & 3], here, (int)(move >> 2)};
}

int32_t sokoban_retrace_apply(const struct sokoban *game, struct sokoban_state *state, soloist_move move) {
    int16_t distance[SOKOBAN_WORDS * 64];
    struct sokoban_shift shift = sokoban_retrace_shift(game, state, move);
    sokoban_move_box(game, state, shift.from, shift.to);
    sokoban_put_player(game, state, shift.player);
    sokoban_walk(game, state->boxes, shift.player, distance);
    return distance[shift.to - game->step[move & 3]] + 1;
}

int sokoban_retrace_expand(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children) {
    uint64_t boxes[SOKOBAN_WORDS], origins[SOKOBAN_WORDS];
    int16_t distance[SOKOBAN_WORDS * 64];
    int count = 0, here = (int)state->player;
    for (int d = 0; d < 4; d++) {
        int from = here + game->step[d];
        bool alive = !game->rules.dead_squares || bitset_has(game->reached.beside[3 - d], (unsigned)here);
        if (!alive || !take_back(game, state, d, boxes))
            continue;
        uint64_t key = state->key ^ game->player_key[here] ^ game->box_key[from] ^ game->box_key[here];
        find_origins(game, state, d, boxes, origins);
        sokoban_walk(game, boxes, here - game->step[d], distance);
        for (BITSET_EACH(place, origins, (size_t)game->words))
            children[count++] =
                (soloist_child){key ^ game->player_key[place], (soloist_move)(place * 4 + d), distance[place] + 1, 0};
    }
    return count;
}
