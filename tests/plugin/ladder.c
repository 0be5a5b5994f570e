/* A plugin for tests: climb from rung 0 to the last one, by 1, by 3 or back by 2, with the least cost. It has a reward,
 * a play-out and a mix of its own, which general code can know only from the table. A unit test includes this file. */
#include "soloist_extra.h"

#include <stdlib.h>
#include <string.h>

#ifndef LADDER_NOTE
#define LADDER_NOTE(what) /* the unit test counts what is called */
#endif

#define LADDER_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                               \
    BOOL(T, learns, false, "remember something")                                                                       \
    NAME(T, mix, "both|none", "which mix is wanted")
SOLOIST_NAMED_OPTIONS(ladder_options, LADDER_OPTIONS);

struct soloist_instance {
    int64_t rungs;
    struct ladder_options options;
};

struct ladder_state {
    int64_t rung;
};

static const int steps[3] = {1, 3, -2}, costs[3] = {2, 3, 1};

static int recognise(const char *text, size_t length) { return length > 7 && !memcmp(text, "ladder ", 7) ? 90 : 0; }

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    int64_t rungs = 0;
    for (size_t i = 7; i < chunk->length && chunk->text[i] >= '0' && chunk->text[i] <= '9' && rungs < 1000; i++)
        rungs = 10 * rungs + chunk->text[i] - '0';
    if (rungs < 1) {
        soloist_fail(error, chunk->line, 8, "expected a number of rungs");
        return NULL;
    }
    soloist_instance *instance = malloc(sizeof *instance);
    if (instance) {
        instance->rungs = rungs;
        memcpy(&instance->options, options, sizeof instance->options);
        if (instance->options.learns)
            LADDER_NOTE(learning);
    }
    return instance;
}

static void destroy(soloist_instance *instance) { free(instance); }

static void shape(const soloist_instance *instance, soloist_shape *shape) {
    (void)instance;
    *shape = (soloist_shape){.state_size = sizeof(struct ladder_state),
                             .undo_size = 1,
                             .most_moves = 3,
                             .least_step = 1,
                             .session_size = 1 << 24};
}

static void root(const soloist_instance *instance, void *state) {
    (void)instance;
    ((struct ladder_state *)state)->rung = 0;
}

static const soloist_life life = {.size = sizeof(soloist_life),
                                  .recognise = recognise,
                                  .next = soloist_next_line,
                                  .parse = parse,
                                  .destroy = destroy,
                                  .shape = shape,
                                  .root = root};

static int moves(const soloist_instance *instance, const void *state, soloist_move *out) {
    int64_t rung = ((const struct ladder_state *)state)->rung;
    int count = 0;
    for (soloist_move move = 0; move < 3; move++)
        if (rung + steps[move] >= 0 && rung + steps[move] <= instance->rungs)
            out[count++] = move;
    return count;
}

static int32_t apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    (void)instance, (void)undo;
    ((struct ladder_state *)state)->rung += steps[move];
    return costs[move];
}

static void undo(const soloist_instance *instance, void *state, soloist_move move, const void *undo) {
    (void)instance, (void)undo;
    ((struct ladder_state *)state)->rung -= steps[move];
}

static bool ended(const soloist_instance *instance, const void *state, int32_t *last) {
    *last = 0;
    return ((const struct ladder_state *)state)->rung == instance->rungs;
}

static uint64_t key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return (uint64_t)((const struct ladder_state *)state)->rung * 0x9e3779b97f4a7c15u;
}

static int32_t bound_value(const soloist_instance *instance, const void *state) {
    return (int32_t)(instance->rungs - ((const struct ladder_state *)state)->rung);
}

static int expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children) {
    soloist_move list[3];
    int count = moves(instance, state, list);
    (void)last, (void)want;
    for (int i = 0; i < count; i++) {
        struct ladder_state child = *(const struct ladder_state *)state;
        int32_t step = apply(instance, &child, list[i], NULL);
        children[i] = (soloist_child){key(instance, &child), list[i], step, bound_value(instance, &child)};
    }
    return count;
}

static const soloist_core core = {.size = sizeof(soloist_core),
                                  .moves = moves,
                                  .apply = apply,
                                  .undo = undo,
                                  .ended = ended,
                                  .key = key,
                                  .key_from_scratch = key,
                                  .expand = expand};

static bool yes(const soloist_instance *instance) { return instance != NULL; }
static const soloist_bound bound = {
    .size = sizeof(soloist_bound), .value = bound_value, .admissible = yes, .consistent = yes};

static void print(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    (void)state;
    soloist_print(sink, "ladder %d\n", (int)instance->rungs);
}

static void print_move(const soloist_instance *instance, const void *state, soloist_move move,
                       const soloist_sink *sink) {
    (void)instance, (void)state;
    soloist_print(sink, "%d", steps[move]);
}

static void solution(const soloist_instance *instance, const soloist_move *list, size_t count,
                     const soloist_sink *sink) {
    (void)instance;
    for (size_t i = 0; i < count; i++)
        soloist_print(sink, "%c", "+^-"[list[i]]);
}

static long read_solution(const soloist_instance *instance, const char *text, size_t length, soloist_move *out,
                          size_t room, soloist_error *error) {
    (void)instance;
    for (size_t i = 0; i < length; i++) {
        const char *found = text[i] ? strchr("+^-", text[i]) : NULL;
        if (!found) {
            soloist_fail(error, 0, (int)i + 1, "expected +, ^ or -");
            return -1;
        }
        if (i < room)
            out[i] = (soloist_move)(found - "+^-");
    }
    return (long)length;
}

static const soloist_text text_group = {
    .size = sizeof(soloist_text), .print = print, .move = print_move, .solution = solution, .read = read_solution};

/* ---- what general code finds by name ---- */

static const char *const policies[] = {"random", "eager", NULL};

/* eager: climbs as fast as it can. */
static soloist_playout playout(const soloist_instance *instance, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace, soloist_stop_token *stop) {
    (void)stop;
    soloist_playout result = {0, 0, false};
    int32_t last;
    if (policy == 1)
        LADDER_NOTE(eager);
    while (!(result.ended = ended(instance, state, &last)) && result.length < limit) {
        soloist_move list[3];
        int count = moves(instance, state, list), chosen = 0;
        if (policy == 0)
            chosen = (int)soloist_rng_below(rng, (uint32_t)count);
        else if (count > 1 && list[1] == 1)
            chosen = 1;
        if (trace)
            trace[result.length] = list[chosen];
        result.value += apply(instance, state, list[chosen], NULL);
        result.length++;
    }
    return result;
}

static const soloist_sample sample = {.size = sizeof(soloist_sample), .policies = policies, .playout = playout};

static const char *const rewards[] = {"height", "depth", NULL};

static double reward_value(const soloist_instance *instance, int which, const void *before, const void *after,
                           int count) {
    double height = (double)((const struct ladder_state *)after)->rung / (double)instance->rungs;
    (void)before, (void)count;
    if (which == 0)
        LADDER_NOTE(height);
    return which == 0 ? height : 1 - height;
}

static const soloist_reward reward = {.size = sizeof(soloist_reward), .names = rewards, .value = reward_value};

static const soloist_member in_turns[] = {
    {.name = "tree", .method = "mcts:reward=height,simulate=eager", .share = 3},
    {.name = "policy", .method = "nrpa:level=1,n=20", .share = 1, .changes = "mix=none"}};
static const soloist_mix limited = {
    .size = sizeof(soloist_mix), .members = in_turns, .count = 2, .round_robin = true, .changes = "learns=true"};
static const soloist_member in_sequence[] = {{.name = "nobody", .method = "minimax", .percent = 50},
                                             {.name = "policy", .method = "nrpa:level=1,n=20", .percent = 100}};
static const soloist_mix counted = {.size = sizeof(soloist_mix), .members = in_sequence, .count = 2};

static const soloist_mix *mix(const soloist_instance *instance, const soloist_limits *limits) {
    LADDER_NOTE(mix);
    if (strcmp(instance->options.mix, "both") != 0)
        return NULL;
    return limits->nodes || limits->time_s > 0 ? &limited : limits->iterations ? &counted : NULL;
}

static const soloist_hints hints = {.size = sizeof(soloist_hints), .mix = mix, .fast_expand = true};

static const soloist_domain ladder = {.abi = SOLOIST_ABI,
                                      .size = sizeof(soloist_domain),
                                      .name = "ladder",
                                      .summary = "climb to the last rung",
                                      .aim = SOLOIST_LEAST_COST,
                                      .players = 1,
                                      .options = ladder_options_rows,
                                      .options_size = sizeof(struct ladder_options),
                                      .life = &life,
                                      .core = &core,
                                      .text = &text_group,
                                      .bound = &bound,
                                      .sample = &sample,
                                      .reward = &reward,
                                      .hints = &hints};

const soloist_domain *soloist_plugin(void) { return &ladder; }
