/* The example rush hour: it keeps the contract, its bound never exceeds the true cost in any position of a board, and
 * it refuses what is not a board or not a solution. */
#include "domain/validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../examples/rush_hour.c"

static const char *const boards[] = {
    "AAoBooooCBooooCBDDEEoFooGooFooGHHHoo",
    "oooooooooooooAAooooooooooooooooooooo",
    "xooCoooooCooBAAoooBooooDEEEooDooooox",
};
enum { BOARDS = sizeof boards / sizeof *boards };

static void test_contract(void **unused) {
    (void)unused;
    static const char *const options[] = {"count=slides", "count=cells"};
    for (int b = 0; b < BOARDS; b++)
        for (int o = 0; o < 2; o++) {
            soloist_chunk chunk = {.text = boards[b], .length = CELLS, .line = 1};
            soloist_puzzle puzzle;
            soloist_error error = {0};
            if (soloist_puzzle_read(soloist_plugin(), options[o], &chunk, &puzzle, &error) != SOLOIST_OK)
                fail_msg("%s", error.text);
            if (!domain_validate(soloist_plugin(), &puzzle, 1, 10, 60, &error))
                fail_msg("%s", error.text);
            soloist_puzzle_free(&puzzle);
        }
}

/* The true number of slides of every position, by breadth-first search from the goals. */
static void test_bound_on_all_positions(void **unused) {
    (void)unused;
    struct cluster *cluster = malloc(sizeof *cluster);
    int hard = 0;
    for (int b = 0; b < BOARDS; b++) {
        soloist_chunk chunk = {.text = boards[b], .length = CELLS, .line = 1};
        soloist_instance board;
        assert_true(read_board(&chunk, &board, NULL));
        if (!find_cluster(cluster, &board))
            continue;
        assert_int_not_equal(find_farthest(cluster, &board), NOWHERE);
        for (int i = 0; i < cluster->count; i++) {
            assert_true(bound_of(&board, cluster->states[i]) <= cluster->distance[i]);
            hard += cluster->distance[i] > 3;
        }
    }
    assert_true(hard > 100);
    free(cluster);
}

static void expect_refused(const char *text, int column) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 3};
    soloist_instance board;
    soloist_error error = {0};
    assert_false(read_board(&chunk, &board, &error));
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, column);
}

static void test_texts(void **unused) {
    (void)unused;
    expect_refused("", 1);
    expect_refused("AA", 3);
    expect_refused("oooooooooooooBBooooooooooooooooooooo", 1);
    expect_refused("oooooooooooooAAoooo1oooooooooooooooo", 20);
    expect_refused("oooooooooooooAAooooBoooooooooooooooo", 20);
    expect_refused("BBBBoooooooooAAooooooooooooooooooooo", 1);
    expect_refused("oooooBBooooooAAooooooooooooooooooooo", 6); /* a car does not go on in the next row */
    expect_refused("oAooooooAooooooooooooooooooooooooooo", 2);
    expect_refused("oAooooAooooooAoooooooooooooooooooooo", 2); /* two pieces */
}

static bool judge(const char *board, const char *solution, int32_t *cost, bool cells) {
    soloist_chunk chunk = {.text = board, .length = CELLS, .line = 1};
    struct rush_hour_options options = {.count = cells};
    soloist_verdict verdict = {0};
    soloist_error error = {0};
    bool good = referee(&chunk, &options, solution, strlen(solution), &verdict, &error);
    *cost = verdict.value;
    return good;
}

static void test_referee(void **unused) {
    (void)unused;
    int32_t cost;
    assert_true(judge(boards[1], "A+3", &cost, false));
    assert_int_equal(cost, 1);
    assert_true(judge(boards[1], "A+1 A+2", &cost, true));
    assert_int_equal(cost, 3);
    assert_false(judge(boards[1], "A+2", &cost, false));
    assert_false(judge(boards[1], "A+4", &cost, false));
    assert_false(judge(boards[1], "B+1", &cost, false));
    assert_false(judge(boards[1], "A-3", &cost, false)); /* it does not go on in the row above */
    assert_false(judge(boards[1], "A+", &cost, false));
}

static void test_hopeless_boards(void **unused) {
    (void)unused;
    static const char *const hopeless[] = {"ooooooooooooAAxooooooooooooooooooooo",
                                           "ooooooooooooAABBoooooooooooooooooooo",
                                           "oooxoooooBooAAoBoooooBoooooxoooooooo"};
    for (int i = 0; i < 3; i++) {
        soloist_chunk chunk = {.text = hopeless[i], .length = CELLS, .line = 1};
        soloist_instance board;
        assert_true(read_board(&chunk, &board, NULL));
        assert_non_null(impossible(&board));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract), cmocka_unit_test(test_bound_on_all_positions), cmocka_unit_test(test_texts),
        cmocka_unit_test(test_referee),  cmocka_unit_test(test_hopeless_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
