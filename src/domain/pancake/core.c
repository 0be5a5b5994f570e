/* The function tables of pancakes that searches call: core for both directions, the GAP bounds, pack and play-outs. A
 * flip is its own inverse and there is one goal, so forward and backward play differ only in the test for the end of
 * play and in the bound. */
#include "domain/pancake/pancake_core.h"

static int core_moves(const soloist_instance *instance, const void *state, soloist_move *moves) {
    (void)state;
    for (int k = 2; k <= instance->n; k++)
        moves[k - 2] = (soloist_move)k;
    return instance->n - 1;
}

static int32_t core_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    pancake_apply(instance, state, (int)move, undo);
    return 1;
}

static void core_undo(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    (void)instance;
    pancake_undo(state, (int)move, undo);
}

static bool is_goal(const soloist_instance *instance, const struct pancake_state *state) {
    return pancake_equal(instance, state->stack, instance->goal);
}

static bool forward_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    *last = 0;
    return is_goal(instance, state);
}

static bool backward_ended(const soloist_instance *instance, const void *state, int32_t *last) {
    *last = 0;
    return pancake_equal(instance, ((const struct pancake_state *)state)->stack, instance->start);
}

static uint64_t core_key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return ((const struct pancake_state *)state)->key;
}

static uint64_t core_key_from_scratch(const soloist_instance *instance, const void *state) {
    const uint8_t *stack = ((const struct pancake_state *)state)->stack;
    uint64_t key = pancake_pair_of(instance, stack[0], stack[0])->key;
    for (int i = 0; i < instance->n; i++)
        key ^= pancake_pair_of(instance, stack[i], stack[i + 1])->key;
    return key;
}

void pancake_complete(const soloist_instance *instance, struct pancake_state *state) {
    state->key = core_key_from_scratch(instance, state);
    state->gaps = state->zero = 0;
    for (int i = 0; i < instance->n; i++)
        state->gaps += pancake_pair_of(instance, state->stack[i], state->stack[i + 1])->gap;
}

/* Each call passes constants for `want` and for the size of small stacks. */
PANCAKE_INLINE int expand_by_want(const soloist_instance *instance, const struct pancake_state *state,
                                  soloist_move last, unsigned want, enum pancake_direction direction, size_t room,
                                  soloist_child *children) {
    enum { both = SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND };
    switch (want & both) {
    case SOLOIST_WANT_BOUND:
        return pancake_expand(instance, state, last, SOLOIST_WANT_BOUND, direction, room, children);
    case both: return pancake_expand(instance, state, last, both, direction, room, children);
    case SOLOIST_WANT_KEY: return pancake_expand(instance, state, last, SOLOIST_WANT_KEY, direction, room, children);
    default: return pancake_expand(instance, state, last, 0, direction, room, children);
    }
}

static int forward_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                          soloist_child *children) {
    if (instance->room == 16)
        return expand_by_want(instance, state, last, want, PANCAKE_FORWARD, 16, children);
    return expand_by_want(instance, state, last, want, PANCAKE_FORWARD, instance->room, children);
}

static int backward_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                           soloist_child *children) {
    if (instance->room == 16)
        return expand_by_want(instance, state, last, want, PANCAKE_BACKWARD, 16, children);
    return expand_by_want(instance, state, last, want, PANCAKE_BACKWARD, instance->room, children);
}

const soloist_core pancake_core = {
    .size = sizeof(soloist_core),
    .moves = core_moves,
    .apply = core_apply,
    .undo = core_undo,
    .ended = forward_ended,
    .key = core_key,
    .key_from_scratch = core_key_from_scratch,
    .expand = forward_expand,
};

static const soloist_core backward_core = {
    .size = sizeof(soloist_core),
    .moves = core_moves,
    .apply = core_apply,
    .undo = core_undo,
    .ended = backward_ended,
    .key = core_key,
    .key_from_scratch = core_key_from_scratch,
    .expand = backward_expand,
};

/* ---- bounds ---- */

static int32_t forward_bound(const soloist_instance *instance, const void *state) {
    return pancake_bound(instance, state, PANCAKE_FORWARD);
}

static int32_t backward_bound(const soloist_instance *instance, const void *state) {
    return pancake_bound(instance, state, PANCAKE_BACKWARD);
}

/* The bounds are consistent: a flip changes only one pair of neighbours and so removes at most one gap, whichever
 * pancakes are ignored. */
static bool always(const soloist_instance *instance) {
    (void)instance;
    return true;
}

const soloist_bound pancake_gap = {
    .size = sizeof(soloist_bound),
    .value = forward_bound,
    .admissible = always,
    .consistent = always,
};
static const soloist_bound backward_gap = {
    .size = sizeof(soloist_bound),
    .value = backward_bound,
    .admissible = always,
    .consistent = always,
};

/* ---- reverse ---- */

static bool reverse_goal(const soloist_instance *instance, uint64_t index, void *state) {
    if (index)
        return false;
    memcpy(((struct pancake_state *)state)->stack, instance->goal, instance->room);
    pancake_complete(instance, state);
    return true;
}

static soloist_move reverse_forward(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)instance, (void)state;
    return move;
}

const soloist_reverse pancake_reverse = {
    .size = sizeof(soloist_reverse),
    .goal = reverse_goal,
    .core = &backward_core,
    .bound = &backward_gap,
    .forward = reverse_forward,
};

/* ---- pack: up to 16 pancakes are packed into eight bytes, four bits each ---- */

static void pack_pack(const soloist_instance *instance, const void *state, void *packed) {
    const uint8_t *stack = ((const struct pancake_state *)state)->stack;
    if (instance->n > 16) {
        memcpy(packed, stack, (size_t)instance->n);
        return;
    }
    uint8_t nibbles[8] = {0};
    for (int i = 0; i < instance->n; i++)
        nibbles[i / 2] |= (uint8_t)((stack[i] - 1) << 4 * (i % 2));
    memcpy(packed, nibbles, 8);
}

static void pack_unpack(const soloist_instance *instance, const void *packed, void *state) {
    uint8_t *stack = ((struct pancake_state *)state)->stack;
    const uint8_t *bytes = packed;
    memcpy(stack, instance->goal, instance->room);
    for (int i = 0; i < instance->n; i++)
        stack[i] = instance->n > 16 ? bytes[i] : (uint8_t)((bytes[i / 2] >> 4 * (i % 2) & 15) + 1);
    pancake_complete(instance, state);
}

const soloist_pack pancake_pack = {
    .size = sizeof(soloist_pack),
    .pack = pack_pack,
    .unpack = pack_unpack,
};

/* ---- play-outs and rewards ---- */

static soloist_playout sample_playout(const soloist_instance *instance, void *state, int policy, int limit,
                                      soloist_rng *rng, soloist_move *trace, soloist_stop_token *stop) {
    (void)policy;
    soloist_playout played = {0, 0, is_goal(instance, state)};
    while (!played.ended && played.length < limit) {
        if (played.length % 4096 == 4095 && soloist_stopped(stop))
            break;
        int k = 2 + (int)soloist_rng_below(rng, (uint32_t)instance->n - 1);
        pancake_apply(instance, state, k, NULL);
        if (trace)
            trace[played.length] = (soloist_move)k;
        played.length++, played.value++;
        played.ended = is_goal(instance, state);
    }
    return played;
}

static const char *const policies[] = {"random", NULL};
const soloist_sample pancake_sample = {
    .size = sizeof(soloist_sample),
    .policies = policies,
    .playout = sample_playout,
};

enum { REWARD_SOLVED, REWARD_NEGATIVE_BOUND };

static double reward_value(const soloist_instance *instance, int which, const void *before, const void *after,
                           int steps) {
    (void)before, (void)steps;
    if (which == REWARD_NEGATIVE_BOUND)
        return -(double)pancake_bound(instance, after, PANCAKE_FORWARD);
    return is_goal(instance, after) ? 1 : 0;
}

static const char *const reward_names[] = {"r0", "negative-bound", NULL};
const soloist_reward pancake_reward = {
    .size = sizeof(soloist_reward),
    .names = reward_names,
    .value = reward_value,
};
