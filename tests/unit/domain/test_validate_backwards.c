/* A domain in which forward play always ends, but backward play from a goal need not: 1 or 2 is subtracted until 0 is
 * left, and backwards a number may miss the root and grow for ever. Its most_steps is right, and the checker says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "soloist.h"

#include <stdlib.h>
#include <string.h>

struct soloist_instance {
    int64_t start;
};

#define I const soloist_instance *instance

static int64_t number_of(const void *state) {
    int64_t number;
    memcpy(&number, state, sizeof number);
    return number;
}

static int recognise(const char *text, size_t length) { return length == 1 && *text >= '1' && *text <= '9' ? 90 : 0; }

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    soloist_instance *instance = malloc(sizeof *instance);
    (void)options, (void)error;
    assert_non_null(instance);
    instance->start = *chunk->text - '0';
    return instance;
}

static void destroy(soloist_instance *instance) { free(instance); }

static void shape(I, soloist_shape *shape) {
    *shape = (soloist_shape){
        .state_size = sizeof instance->start, .most_moves = 2, .most_steps = (int)instance->start, .least_step = 1};
}

static void root(I, void *state) { memcpy(state, &instance->start, sizeof instance->start); }

static uint64_t key(I, const void *state) {
    (void)instance;
    return (uint64_t)number_of(state) * UINT64_C(0x9e3779b97f4a7c15);
}

static int list_up_to(int most, soloist_move *moves) {
    for (int i = 0; i < most; i++)
        moves[i] = (soloist_move)i + 1;
    return most;
}

static int moves(I, const void *state, soloist_move *moves) {
    (void)instance;
    return list_up_to(number_of(state) < 2 ? (int)number_of(state) : 2, moves);
}

static int moves_back(I, const void *state, soloist_move *moves) {
    (void)instance, (void)state;
    return list_up_to(2, moves);
}

static int32_t add(void *state, int64_t difference) {
    int64_t number = number_of(state) + difference;
    memcpy(state, &number, sizeof number);
    return 1;
}

static int32_t apply(I, void *state, soloist_move move, void *undo) {
    (void)instance, (void)undo;
    return add(state, -(int64_t)move);
}

static int32_t apply_back(I, void *state, soloist_move move, void *undo) {
    (void)instance, (void)undo;
    return add(state, (int64_t)move);
}

static void undo(I, void *state, soloist_move move, const void *undo) {
    (void)instance, (void)undo;
    add(state, (int64_t)move);
}

static void undo_back(I, void *state, soloist_move move, const void *undo) {
    (void)instance, (void)undo;
    add(state, -(int64_t)move);
}

static bool ended(I, const void *state, int32_t *last) {
    (void)instance;
    *last = 0;
    return number_of(state) == 0;
}

static bool ended_back(I, const void *state, int32_t *last) {
    *last = 0;
    return number_of(state) == instance->start;
}

static int expand_by(I, const void *state, int count, int sign, soloist_child *children) {
    for (int i = 0; i < count; i++) {
        int64_t child = number_of(state) + sign * (i + 1);
        children[i] = (soloist_child){.key = key(instance, &child), .move = (soloist_move)i + 1, .step = 1};
    }
    return count;
}

static int expand(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    soloist_move list[2];
    (void)last, (void)want;
    return expand_by(instance, state, moves(instance, state, list), -1, children);
}

static int expand_back(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    (void)last, (void)want;
    return expand_by(instance, state, 2, 1, children);
}

static bool goal(I, uint64_t index, void *state) {
    (void)instance;
    memset(state, 0, sizeof(int64_t));
    return index == 0;
}

static soloist_move forward(I, const void *state, soloist_move move) {
    (void)instance, (void)state;
    return move;
}

static void print(I, const void *state, const soloist_sink *sink) {
    (void)instance;
    soloist_print(sink, "%d", (int)number_of(state));
}

static void print_move(I, const void *state, soloist_move move, const soloist_sink *sink) {
    (void)instance, (void)state;
    soloist_print(sink, "%d", (int)move);
}

static void print_solution(I, const soloist_move *list, size_t count, const soloist_sink *sink) {
    for (size_t i = 0; i < count; i++)
        print_move(instance, NULL, list[i], sink);
}

static long read_solution(I, const char *text, size_t length, soloist_move *list, size_t room, soloist_error *error) {
    (void)instance, (void)error;
    for (size_t i = 0; i < length && i < room; i++)
        list[i] = (soloist_move)(text[i] - '0');
    return (long)length;
}

static const soloist_life life = {.size = sizeof life,
                                  .recognise = recognise,
                                  .next = soloist_next_line,
                                  .parse = parse,
                                  .destroy = destroy,
                                  .shape = shape,
                                  .root = root};
static const soloist_core core = {.size = sizeof core,
                                  .moves = moves,
                                  .apply = apply,
                                  .undo = undo,
                                  .ended = ended,
                                  .key = key,
                                  .key_from_scratch = key,
                                  .expand = expand};
static const soloist_core back = {.size = sizeof back,
                                  .moves = moves_back,
                                  .apply = apply_back,
                                  .undo = undo_back,
                                  .ended = ended_back,
                                  .key = key,
                                  .expand = expand_back};
static const soloist_reverse reverse = {.size = sizeof reverse, .goal = goal, .core = &back, .forward = forward};
static const soloist_text text = {
    .size = sizeof text, .print = print, .move = print_move, .solution = print_solution, .read = read_solution};
static const soloist_domain countdown = {.abi = SOLOIST_ABI,
                                         .size = sizeof countdown,
                                         .name = "countdown",
                                         .summary = "subtract 1 or 2 until 0 is left",
                                         .aim = SOLOIST_LEAST_COST,
                                         .players = 1,
                                         .life = &life,
                                         .core = &core,
                                         .text = &text,
                                         .reverse = &reverse};

static void backward_play_may_be_longer(void **unused) {
    (void)unused;
    soloist_chunk chunk = {.text = "7", .length = 1, .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(&countdown, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    if (!soloist_validate(&puzzle, 1, 20, 40, &error))
        fail_msg("%s", error.text);
    soloist_puzzle_free(&puzzle);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(backward_play_may_be_longer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
