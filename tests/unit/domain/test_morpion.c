/* The example Morpion solitaire: it keeps the contract, and its moves are those of the plain rules, which the referee
 * has by itself. */
#include "domain/validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../examples/morpion.c"

static soloist_instance *read_game(const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_error error = {0};
    soloist_instance *game = parse(&chunk, NULL, &error);
    if (!game)
        fail_msg("%s", error.text);
    return game;
}

static void test_contract(void **unused) {
    (void)unused;
    static const char *const positions[] = {"5D", "5T", "5D: (4,3)--2 (4,6)--2"};
    for (int i = 0; i < 3; i++) {
        soloist_chunk chunk = {.text = positions[i], .length = strlen(positions[i]), .line = 1};
        soloist_puzzle puzzle;
        soloist_error error = {0};
        assert_int_equal(soloist_puzzle_read(soloist_plugin(), NULL, &chunk, &puzzle, &error), SOLOIST_OK);
        if (!domain_validate(soloist_plugin(), &puzzle, 1, 4, 200, &error))
            fail_msg("%s", error.text);
        soloist_puzzle_free(&puzzle);
    }
}

/* Every move on the board that the plain rules allow. */
static int count_by_rules(const struct record *record) {
    int count = 0;
    for (int cell = 0; cell < CELLS; cell++)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            for (int fresh = 0; fresh < FIVE; fresh++) {
                static struct record copy;
                copy = *record;
                count += line_is_on_board(cell % SIDE, cell / SIDE, direction) &&
                         !judge(&copy, make_move(cell, direction, fresh));
            }
    return count;
}

static void test_moves_are_those_of_the_rules(void **unused) {
    (void)unused;
    static const char *const variants[] = {"5D", "5T"};
    for (int v = 0; v < 2; v++) {
        soloist_instance *game = read_game(variants[v]);
        soloist_chunk chunk = {.text = variants[v], .length = 2, .line = 1};
        struct morpion_state state;
        struct record record;
        soloist_move list[MOST_MOVES];
        soloist_rng rng;
        soloist_rng_seed(&rng, 5, 0);
        assert_true(read_position(&chunk, &record, NULL));
        root(game, &state);
        assert_int_equal(moves(game, &state, list), 28);
        for (int count; (count = moves(game, &state, list)) > 0;) {
            if (record.count % 9 == 0)
                assert_int_equal(count, count_by_rules(&record));
            soloist_move move = list[soloist_rng_below(&rng, (uint32_t)count)];
            assert_null(judge(&record, move));
            apply(game, &state, move, NULL);
        }
        assert_int_equal(count_by_rules(&record), 0);
        assert_in_range(record.count, 20, v ? 200 : 82);
        destroy(game);
    }
}

static void expect_refused(const char *text, int column) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 7};
    soloist_error error = {0};
    assert_null(parse(&chunk, NULL, &error));
    assert_int_equal(error.line, 7);
    assert_int_equal(error.column, column);
}

static void test_texts(void **unused) {
    (void)unused;
    expect_refused("", 1);
    expect_refused("6D", 1);
    expect_refused("5Dx", 3);
    expect_refused("5D: (4", 5);
    expect_refused("5D: (4,3)-+3", 5);
    expect_refused("5D: (4,3)*+1", 5);
    expect_refused("5D: (99,3)-+1", 5);
    expect_refused("5D: (3,3)-+0", 5);                           /* the point is there already */
    expect_refused("5D: (4,3)--2 (4,3)--2", 14);                 /* twice */
    expect_refused("5D: (4,3)--2 (5,3)-+1", 14);                 /* two lines share a point */
    soloist_instance *game = read_game("5T: (4,3)--2 (5,3)-+1"); /* lines may share an end */
    soloist_error error = {0};
    soloist_move list[2];
    assert_int_equal(read_solution(game, "(5,6)-+2 (4,6)--2", 17, list, 2, &error), 2);
    assert_int_equal(read_solution(game, "(5,6)-+2 x", 10, list, 2, &error), -1);
    assert_int_equal(error.column, 10);
    destroy(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_moves_are_those_of_the_rules),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
