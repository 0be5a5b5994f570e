/* Random play-outs whose moves are pushes: each push is chosen at random, all equally likely, among those that no quick
 * rule reports as dead. */
#include "domain/sokoban/region.h"

/* Chooses a push at random, all equally likely, among those that do not lead to a deadlock: a push that does is removed
 * from the list, and another is chosen. */
BOARD_INLINE soloist_move draw_push(const struct sokoban *game, const struct region *region, soloist_move *moves,
                                    int count, soloist_rng *rng, int n) {
    while (count) {
        uint32_t pick = soloist_rng_below(rng, (uint32_t)count);
        int box = (int)(moves[pick] >> 2), d = (int)(moves[pick] & 3);
        if (!region_push_kills(region, game, box, d, n) && !region_push_closes(region, game, box, d, n))
            return moves[pick];
        moves[pick] = moves[--count];
    }
    return SOLOIST_NO_MOVE;
}

BOARD_INLINE soloist_playout play(const struct sokoban *game, struct sokoban_state *state, int limit, soloist_rng *rng,
                                  soloist_move *trace, soloist_stop_token *stop, int n) {
    soloist_move moves[4 * SOKOBAN_MOST_BOXES];
    soloist_playout played = {0, 0, state->off_goal == 0};
    struct region region;
    const int interval = 256 / n + 1; /* pushes between two checks of the clock: about a millisecond on large boards */
    while (!played.ended && played.length < limit) {
        if (played.length % interval == interval - 1 && soloist_stopped(stop))
            break;
        int count = region_list_pushes(game, state, true, &region, moves, n);
        soloist_move move = draw_push(game, &region, moves, count, rng, n);
        if (move == SOLOIST_NO_MOVE)
            break;
        int box = (int)(move >> 2), d = (int)(move & 3), player = box;
        played.value += game->rules.exact ? sokoban_walk_and_push(game, state, box, d) : 1;
        if (!game->rules.exact)
            player = region_after(&region, game, state->boxes, box, d, box, n);
        sokoban_move_box(game, state, box, box + game->step[d]);
        sokoban_put_player(game, state, player);
        if (trace)
            trace[played.length] = move;
        played.length++;
        played.ended = state->off_goal == 0;
    }
    return played;
}

static soloist_playout playout(const soloist_instance *instance, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace, soloist_stop_token *stop) {
    const struct sokoban *game = sokoban_of(instance);
    soloist_playout played = {0, 0, false};
    (void)policy;
    if (sokoban_dead(instance, state))
        return played;
    SOKOBAN_BY_WORDS(game, played = play(game, state, limit, rng, trace, stop, n));
    return played;
}

static const char *const policies[] = {"random", NULL};

const soloist_sample sokoban_sample = {
    .size = sizeof(soloist_sample),
    .policies = policies,
    .playout = playout,
};
