/* Texts of the pancake domain: stacks as in a file, and solutions as a JSON list of flip sizes. The referee makes the
 * flips on a plain array, without using the core. */
#include "base/json.h"
#include "domain/pancake/pancake.h"

static void text_print(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    const uint8_t *stack = ((const struct pancake_state *)state)->stack;
    for (int i = 0; i < instance->n; i++)
        soloist_print(sink, "%s%d", i ? " " : "", stack[i]);
    soloist_put(sink, "\n");
}

static void text_move(const soloist_instance *instance, const void *state, soloist_move move,
                      const soloist_sink *sink) {
    (void)instance, (void)state;
    soloist_print(sink, "flip %u", (unsigned)move);
}

static void text_solution(const soloist_instance *instance, const soloist_move *moves, size_t count,
                          const soloist_sink *sink) {
    (void)instance;
    soloist_put(sink, "[");
    for (size_t i = 0; i < count; i++)
        soloist_print(sink, "%s%u", i ? "," : "", (unsigned)moves[i]);
    soloist_put(sink, "]");
}

/* Checks that the text is a JSON list and begins to read it. */
static bool open_flips(const char *text, size_t length, struct json_value *list, soloist_error *error) {
    if (!json_parse(text, length, list, error))
        return false;
    if (list->kind != JSON_ARRAY)
        return soloist_fail(error, 1, (int)(list->start - text) + 1, "expected a list of flip sizes: [5,3,...]");
    return true;
}

/* Reads one flip of a stack of n from a list item. */
static bool take_flip(const char *text, struct json_value item, int n, int64_t *flip, soloist_error *error) {
    int column = (int)(item.start - text) + 1;
    if (!json_get_int(item, flip))
        return soloist_fail(error, 1, column, "expected a flip size, a whole number");
    if (*flip < 2 || *flip > n)
        return soloist_fail(error, 1, column, "a flip of %lld: expected 2 to %d", (long long)*flip, n);
    return true;
}

static long text_read(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves,
                      size_t room, soloist_error *error) {
    struct json_value list, name, item;
    if (!open_flips(text, length, &list, error))
        return -1;
    size_t count = 0;
    for (const char *step = NULL; json_next(list, &step, &name, &item); count++) {
        int64_t flip;
        if (!take_flip(text, item, instance->n, &flip, error))
            return -1;
        if (count < room)
            moves[count] = (soloist_move)flip;
    }
    return (long)count;
}

static bool in_order(const uint8_t *stack, int n) {
    for (int i = 0; i < n; i++)
        if (stack[i] != i + 1)
            return false;
    return true;
}

static bool text_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                         soloist_verdict *verdict, soloist_error *error) {
    (void)options;
    uint8_t stack[PANCAKE_MOST], turned[PANCAKE_MOST];
    int n = pancake_read_stack(chunk, stack, error);
    struct json_value list, name, item;
    if (!n || !open_flips(solution, length, &list, error))
        return false;
    *verdict = (soloist_verdict){.pushes = -1};
    for (const char *step = NULL; json_next(list, &step, &name, &item); verdict->moves++) {
        int64_t flip;
        if (!take_flip(solution, item, n, &flip, error))
            return false;
        for (int i = 0; i < flip; i++)
            turned[i] = stack[flip - 1 - i];
        for (int i = 0; i < flip; i++)
            stack[i] = turned[i];
    }
    verdict->value = (int32_t)verdict->moves;
    if (!in_order(stack, n))
        return soloist_fail(error, 1, (int)length, "the stack is not in order after %lld flips",
                            (long long)verdict->moves);
    return true;
}

const soloist_text pancake_text = {
    .size = sizeof(soloist_text),
    .print = text_print,
    .move = text_move,
    .solution = text_solution,
    .solution_is_json = true,
    .read = text_read,
    .referee = text_referee,
};
