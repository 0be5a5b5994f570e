/* Rewards (D3): those of the sampling searches, which depend on a state and the steps that led to it, and those of the
 * learned agents. BM is the minimum matching of boxes and goals; the papers do not say which distance it uses, so there
 * is a reward for each. */
#include "domain/sokoban/sokoban.h"

enum reward {
    SOLVED,
    BOXES,
    BOXES_PRINTED_SIGN,
    INVERSE_BM,
    NEGATIVE_BM,
    INVERSE_BM_PUSHES,
    NEGATIVE_BM_PUSHES,
    STEPWISE,
    EXPERT_ITERATION,
};

static const char *const names[] = {
    [SOLVED] = "r0",
    [BOXES] = "boxes",
    [BOXES_PRINTED_SIGN] = "boxes-printed-sign",
    [INVERSE_BM] = "inverse-bm",
    [NEGATIVE_BM] = "negative-bm",
    [INVERSE_BM_PUSHES] = "inverse-bm-pushes",
    [NEGATIVE_BM_PUSHES] = "negative-bm-pushes",
    [STEPWISE] = "rl",
    [EXPERT_ITERATION] = "exit",
    NULL,
};

/* The number of pushes onto goals minus the number of pushes off goals since the root. */
static int gained(const struct sokoban *game, const struct sokoban_state *state) {
    int off = 0;
    for (int i = 0; i < game->words; i++)
        off += bits_count(game->root_boxes[i] & ~game->goal[i]);
    return off - (int)state->off_goal;
}

static double boxes_reward(const struct sokoban *game, const struct sokoban_state *state, double step, int steps) {
    return step * steps + gained(game, state) + (state->off_goal ? 0 : 10);
}

static double inverse(int32_t matching) { return matching ? 1 / __builtin_sqrt((double)matching) : 1; }

static double stepwise(const struct sokoban_state *before, const struct sokoban_state *after) {
    if (!after->off_goal)
        return 1;
    if (!before || before->off_goal == after->off_goal)
        return -0.01;
    return after->off_goal < before->off_goal ? 0.1 : -0.1;
}

static double reward_value(const soloist_instance *instance, int which, const void *before, const void *after,
                           int steps) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *state = after;
    switch ((enum reward)which) {
    case SOLVED: return state->off_goal == 0;
    case BOXES: return boxes_reward(game, state, -0.1, steps);
    case BOXES_PRINTED_SIGN: return boxes_reward(game, state, 0.1, steps);
    case INVERSE_BM: return inverse(sokoban_least_matching(game, state, false));
    case NEGATIVE_BM: return -(double)sokoban_least_matching(game, state, false);
    case INVERSE_BM_PUSHES: return inverse(sokoban_least_matching(game, state, true));
    case NEGATIVE_BM_PUSHES: return -(double)sokoban_least_matching(game, state, true);
    case STEPWISE: return stepwise(before, state);
    case EXPERT_ITERATION: return state->off_goal ? 0 : 1 - 0.01 * steps;
    }
    return 0;
}

const soloist_reward sokoban_reward = {
    .size = sizeof(soloist_reward),
    .names = names,
    .value = reward_value,
};
