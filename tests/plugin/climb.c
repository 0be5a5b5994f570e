/* A plugin for tests: climb from rung 0 to the last one, by 1 or by 2, with the highest score. Networks can learn it,
 * its generator has no options, and it has no bound and no walk. */
#include "soloist_extra.h"

#include <stdlib.h>

struct soloist_instance {
    uint32_t rungs, first;
};

static const uint32_t *rung_of(const void *state) { return state; }

static int recognise(const char *text, size_t length) {
    return length > 6 && text[0] == 'c' && text[1] == 'l' ? 90 : 0;
}

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    uint32_t numbers[2] = {0};
    size_t which = 0;
    (void)options;
    for (size_t i = 6; i < chunk->length && numbers[which] < 100; i++)
        if (chunk->text[i] >= '0' && chunk->text[i] <= '9')
            numbers[which] = 10 * numbers[which] + (uint32_t)(chunk->text[i] - '0');
        else if (chunk->text[i] == ' ' && !which)
            which = 1;
    if (numbers[0] < 1 || numbers[1] > numbers[0]) {
        soloist_fail(error, chunk->line, 7, "expected a number of rungs and the rung to begin at");
        return NULL;
    }
    soloist_instance *instance = malloc(sizeof *instance);
    if (instance)
        *instance = (soloist_instance){numbers[0], numbers[1]};
    return instance;
}

static void destroy(soloist_instance *instance) { free(instance); }

static void shape(const soloist_instance *instance, soloist_shape *shape) {
    *shape = (soloist_shape){.state_size = 4, .most_moves = 2, .most_steps = (int)instance->rungs};
}

static void root(const soloist_instance *instance, void *state) { *(uint32_t *)state = instance->first; }

static const soloist_life life = {.size = sizeof(soloist_life),
                                  .recognise = recognise,
                                  .next = soloist_next_line,
                                  .parse = parse,
                                  .destroy = destroy,
                                  .shape = shape,
                                  .root = root};

static int moves(const soloist_instance *instance, const void *state, soloist_move *out) {
    uint32_t left = instance->rungs - *rung_of(state);
    out[0] = 1;
    if (left > 1)
        out[1] = 2;
    return left < 2 ? (int)left : 2;
}

static int32_t apply(const soloist_instance *instance, void *state, soloist_move move, void *record) {
    uint32_t *rung = state;
    (void)instance, (void)record;
    *rung += move;
    return (int32_t)(*rung * 2654435761u >> 29);
}

static void undo(const soloist_instance *instance, void *state, soloist_move move, const void *record) {
    (void)instance, (void)record;
    *(uint32_t *)state -= move;
}

static bool ended(const soloist_instance *instance, const void *state, int32_t *last) {
    *last = 0;
    return *rung_of(state) == instance->rungs;
}

static uint64_t key(const soloist_instance *instance, const void *state) {
    (void)instance;
    return *rung_of(state) * 0x9e3779b97f4a7c15u;
}

static int expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children) {
    soloist_move list[2];
    int count = moves(instance, state, list);
    (void)last, (void)want;
    for (int i = 0; i < count; i++) {
        uint32_t child = *rung_of(state);
        int32_t step = apply(instance, &child, list[i], NULL);
        children[i] = (soloist_child){key(instance, &child), list[i], step, 0};
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

static void print(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    soloist_print(sink, "climb %d %d\n", (int)instance->rungs, (int)*rung_of(state));
}

static void print_move(const soloist_instance *instance, const void *state, soloist_move move,
                       const soloist_sink *sink) {
    (void)instance, (void)state;
    soloist_print(sink, "%d", (int)move);
}

static void solution(const soloist_instance *instance, const soloist_move *list, size_t count,
                     const soloist_sink *sink) {
    (void)instance;
    for (size_t i = 0; i < count; i++)
        soloist_print(sink, "%d", (int)list[i]);
}

static long read_solution(const soloist_instance *instance, const char *text, size_t length, soloist_move *out,
                          size_t room, soloist_error *error) {
    (void)instance;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '1' && text[i] != '2') {
            soloist_fail(error, 0, (int)i + 1, "expected 1 or 2");
            return -1;
        }
        if (i < room)
            out[i] = (soloist_move)(text[i] - '0');
    }
    return (long)length;
}

static const soloist_text text = {
    .size = sizeof(soloist_text), .print = print, .move = print_move, .solution = solution, .read = read_solution};

static soloist_code make(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    (void)options, (void)error;
    soloist_print(sink, "climb %d 0\n", 5 + (int)soloist_rng_below(rng, 20));
    return SOLOIST_OK;
}

static const soloist_generate generate = {.size = sizeof(soloist_generate), .make = make};

static void planes(const soloist_instance *instance, int *channels, int *height, int *width) {
    (void)instance;
    *channels = 2;
    *height = 1;
    *width = 25;
}

static int actions(const soloist_instance *instance) {
    (void)instance;
    return 2;
}

static void encode(const soloist_instance *instance, const void *state, int channels, float *slot) {
    (void)channels;
    for (uint32_t i = 0; i < 25; i++) {
        slot[i] = i < *rung_of(state);
        slot[25 + i] = i < instance->rungs;
    }
}

static int action(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)instance, (void)state;
    return (int)move - 1;
}

static const soloist_learn learn = {
    .size = sizeof(soloist_learn), .planes = planes, .actions = actions, .encode = encode, .action = action};

const soloist_domain *soloist_plugin(void) {
    static const soloist_domain climb = {.abi = SOLOIST_ABI,
                                         .size = sizeof(soloist_domain),
                                         .name = "climb",
                                         .summary = "a ladder with a score on each rung",
                                         .aim = SOLOIST_MOST_SCORE,
                                         .players = 1,
                                         .life = &life,
                                         .core = &core,
                                         .text = &text,
                                         .learn = &learn,
                                         .generate = &generate};
    return &climb;
}
