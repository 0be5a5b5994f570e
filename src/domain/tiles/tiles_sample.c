/* Random play, and the rewards for sampling searches. */
#include "base/bitset.h"
#include "domain/tiles/tiles_patterns.h"

TILES_INLINE soloist_playout play(const soloist_instance *instance, struct tiles_state *state, int limit,
                                  soloist_rng *rng, soloist_move *trace, soloist_stop_token *stop, const int bits) {
    soloist_playout playout = {0};
    while (tiles_distance(state->summary, TILES_TO_GOAL) != 0) {
        if (playout.length >= limit || (playout.length % 4096 == 4095 && soloist_stopped(stop)))
            return playout;
        unsigned open = instance->open[tiles_blank(state)];
        for (uint32_t skip = soloist_rng_below(rng, (uint32_t)bits_count(open)); skip > 0; skip--)
            open &= open - 1;
        soloist_move move = (soloist_move)bits_lowest(open);
        if (trace)
            trace[playout.length] = move;
        playout.value += tiles_apply_body(instance, state, move, instance->offsets, bits);
        playout.length++;
    }
    playout.ended = true;
    return playout;
}

static soloist_playout playout(const soloist_instance *instance, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace, soloist_stop_token *stop) {
    (void)policy;
    soloist_playout playout = instance->bits == 4 ? play(instance, state, limit, rng, trace, stop, 4)
                                                  : play(instance, state, limit, rng, trace, stop, 8);
    /* A play-out does not update the data that these bounds keep in the state: compute these data again. */
    if (instance->tables || instance->walking[0]) {
        uint8_t board[TILES_MOST_SQUARES];
        tiles_board_from_state(instance, state, board);
        tiles_state_from_board(instance, board, state);
    }
    return playout;
}

static const char *const policies[] = {"random", NULL};
const soloist_sample tiles_sample = {.size = sizeof(soloist_sample), .policies = policies, .playout = playout};

/* R0 is 1 at the goal and 0 elsewhere; negative-distance is minus the Manhattan distance. */
static const char *const names[] = {"r0", "negative-distance", NULL};

static double value(const soloist_instance *instance, int which, const void *before, const void *after, int steps) {
    (void)instance, (void)before, (void)steps;
    int32_t distance = tiles_distance(((const struct tiles_state *)after)->summary, TILES_TO_GOAL);
    return which == 0 ? distance == 0 : -distance;
}

const soloist_reward tiles_reward = {.size = sizeof(soloist_reward), .names = names, .value = value};
