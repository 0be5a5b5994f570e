/* The example of a user's own domain: it holds the contract, solves what a plain search over all sets of presses
 * solves, with as few presses, and refuses what is not a board or not a solution. */
#include "domain/validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "../../examples/lights_out.c"

static void test_contract(void **unused) {
    (void)unused;
    static const char *const boards[] = {"1x1:1", "3x2:010111", "4x4:1111111111111111", "5x5:0101011011001000111010001",
                                         "8x8:1000000000000000001000000000000000000001000000000000000000000001"};
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
        soloist_chunk chunk = {.text = boards[b], .length = strlen(boards[b]), .line = 1};
        soloist_puzzle puzzle;
        soloist_error error = {0};
        assert_int_equal(soloist_puzzle_read(soloist_plugin(), NULL, &chunk, &puzzle, &error), SOLOIST_OK);
        for (uint64_t seed = 0; seed < 3; seed++)
            if (!domain_validate(soloist_plugin(), &puzzle, seed, 10, 60, &error))
                fail_msg("%s", error.text);
        soloist_puzzle_free(&puzzle);
    }
}

/* Least presses of every 3x3 board, over all sets of presses. */
static void least_presses(const soloist_instance *board, int least[512]) {
    for (int i = 0; i < 512; i++)
        least[i] = 99;
    for (unsigned set = 0; set < 512; set++) {
        uint64_t lights = 0;
        for (int cell = 0; cell < 9; cell++)
            lights ^= set >> cell & 1 ? board->press[cell] : 0;
        int count = __builtin_popcount(set);
        least[lights] = count < least[lights] ? count : least[lights];
    }
}

/* Play in the prescribed order needs no more presses: depth by breadth-first search through core. */
static int depth_of(const soloist_instance *board, uint64_t start) {
    uint64_t queue[512], from = 0, to = 0;
    int depth[512];
    memset(depth, -1, sizeof depth);
    queue[to++] = start, depth[start] = 0;
    while (from < to) {
        struct lights_state state = {queue[from++]};
        soloist_child children[5];
        int32_t last;
        if (ended(board, &state, &last))
            return depth[0];
        int count = expand(board, &state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
        for (int i = 0; i < count; i++) {
            struct lights_state child = state;
            apply(board, &child, children[i].move, NULL);
            if (depth[child.lights] < 0)
                depth[child.lights] = depth[state.lights] + 1, queue[to++] = child.lights;
        }
    }
    return 99;
}

static void test_all_small_boards(void **unused) {
    (void)unused;
    soloist_chunk chunk = {.text = "3x3:000000000", .length = 13, .line = 1};
    soloist_instance board;
    assert_true(read_board(&chunk, &board, NULL));
    int least[512];
    least_presses(&board, least);
    for (unsigned lights = 0; lights < 512; lights++) {
        assert_int_equal(depth_of(&board, lights), least[lights]);
        assert_true(bound_of(lights) <= least[lights]);
    }
}

static void test_texts(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int column;
    } bad[] = {{"", 1}, {"3x3", 1}, {"9x1:000000000", 1}, {"0x1:", 1}, {"2x2:01", 7}, {"2x2:012", 7}, {"2x1:011", 7}};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        soloist_chunk chunk = {.text = bad[b].text, .length = strlen(bad[b].text), .line = 4};
        soloist_error error = {0};
        assert_null(parse(&chunk, NULL, &error));
        assert_int_equal(error.line, 4);
        assert_int_equal(error.column, bad[b].column);
        assert_int_equal(recognise(bad[b].text, strlen(bad[b].text)), 0);
    }
    assert_true(recognise("; boards\n2x2:0110\n", 18) > 50);
    soloist_chunk chunk = {.text = "2x2:0111", .length = 8, .line = 1};
    soloist_verdict verdict;
    soloist_error error;
    assert_true(referee(&chunk, NULL, "b2", 2, &verdict, &error));
    assert_int_equal(verdict.value, 1);
    assert_true(referee(&chunk, NULL, "a1 b2 a1", 8, &verdict, &error));
    assert_int_equal(verdict.value, 3);
    assert_false(referee(&chunk, NULL, "a1", 2, &verdict, &error));
    assert_false(referee(&chunk, NULL, "b2 c1", 5, &verdict, &error));
    assert_int_equal(error.column, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_all_small_boards),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
