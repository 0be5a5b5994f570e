/* Rewards (D3): those of the sampling searches, which depend on a state and the steps that led to it, and those of the
 * learned agents. BM is the minimum matching of boxes and goals; the papers do not say which distance it uses, so there
 * is one reward for each distance. */
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
    DECISION_PROCESS, /* Kröger 2024, section 3.1.4 */
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
    [DECISION_PROCESS] = "mdp",
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

bool sokoban_reward_is_quick(int which) {
    return which == SOLVED || which == STEPWISE || which == EXPERT_ITERATION || which == DECISION_PROCESS;
}

double sokoban_quick_reward(int which, int off_before, int off_after, int steps) {
    if (which == SOLVED || which == EXPERT_ITERATION)
        return off_after ? 0 : which == SOLVED ? 1 : 1 - 0.01 * steps;
    if (which == DECISION_PROCESS)
        return off_after ? -1 : 10;
    if (!off_after)
        return 1;
    return off_before == off_after ? -0.01 : off_after < off_before ? 0.1 : -0.1;
}

static double reward_value(const soloist_instance *instance, int which, const void *before, const void *after,
                           int steps) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *state = after, *last = before ? before : after;
    switch ((enum reward)which) {
    case SOLVED:
    case STEPWISE:
    case EXPERT_ITERATION:
    case DECISION_PROCESS: return sokoban_quick_reward(which, (int)last->off_goal, (int)state->off_goal, steps);
    case BOXES: return boxes_reward(game, state, -0.1, steps);
    case BOXES_PRINTED_SIGN: return boxes_reward(game, state, 0.1, steps);
    case INVERSE_BM: return inverse(sokoban_least_matching(game, state, false));
    case NEGATIVE_BM: return -(double)sokoban_least_matching(game, state, false);
    case INVERSE_BM_PUSHES: return inverse(sokoban_least_matching(game, state, true));
    case NEGATIVE_BM_PUSHES: return -(double)sokoban_least_matching(game, state, true);
    }
    return 0;
}

const soloist_reward sokoban_reward = {
    .size = sizeof(soloist_reward),
    .names = names,
    .value = reward_value,
};
