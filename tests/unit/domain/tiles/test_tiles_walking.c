/* Walking distance: exhaustively on the 8-puzzle against true distances, the table's known size, states followed move
 * by move against states made anew, and equal optima on the 15-puzzle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/table.h"
#include "domain/domain.h"
#include "domain/tiles/tiles.h"
#include "domain/tiles/walking.h"
#include "domain/validate.h"

#include <stdio.h>
#include <string.h>

static soloist_puzzle read_puzzle(const char *text, const char *options) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    if (soloist_puzzle_read(&tiles_domain, options, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    return puzzle;
}

static void tables_have_the_known_sizes(void **unused) {
    (void)unused;
    static const int sizes[][3] = {{2, 2, 4}, {3, 3, 105}, {4, 4, 24964}};
    for (size_t i = 0; i < 3; i++)
        for (int end = 0; end < 2; end++) {
            struct walking *walking = walking_new(sizes[i][0], sizes[i][1], end ? sizes[i][0] - 1 : 0);
            assert_non_null(walking);
            assert_int_equal(table_count(&walking->matrices), sizes[i][2]);
            walking_free(walking);
        }
    assert_null(walking_new(5, 5, 0));
}

/* All 181,440 states breadth first from the goal. Returns how often it exceeded the Manhattan distance. */
static int compare_all(const char *options) {
    soloist_puzzle puzzle = read_puzzle("0 1 2 3 4 5 6 7 8", options);
    const soloist_core *core = tiles_domain.core;
    struct memory memory;
    struct table table;
    uint64_t state[8], child[8], anew[8], packed[2];
    bool added;
    int above = 0;
    memory_open(&memory, 0);
    assert_true(table_open(&table, &memory, 8, sizeof(int32_t)));
    soloist_shape shape;
    tiles_domain.life->shape(puzzle.instance, &shape);
    tiles_domain.reverse->goal(puzzle.instance, 0, state);
    tiles_pack(puzzle.instance, state, packed);
    table_put(&table, core->key(puzzle.instance, state), packed, &added);
    assert_int_equal(tiles_domain.bound->value(puzzle.instance, state), 0);
    for (uint32_t at = 1; at <= table_count(&table); at++) {
        int32_t distance = *(int32_t *)table_extra(&table, at);
        memcpy(packed, table_string(&table, at), 8);
        tiles_unpack(puzzle.instance, packed, state);
        int32_t bound = tiles_domain.bound->value(puzzle.instance, state);
        int32_t manhattan = (int32_t)(((struct tiles_state *)state)->summary >> 8 & 0xfff);
        assert_true(bound <= distance && bound >= manhattan);
        above += bound > manhattan;
        soloist_child children[4];
        int count = core->expand(puzzle.instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
        for (int i = 0; i < count; i++) {
            memcpy(child, state, shape.state_size);
            core->apply(puzzle.instance, child, children[i].move, NULL);
            int32_t other = tiles_domain.bound->value(puzzle.instance, child);
            assert_true(other == children[i].bound && (other - bound == 1 || bound - other == 1));
            tiles_pack(puzzle.instance, child, packed);
            tiles_unpack(puzzle.instance, packed, anew);
            assert_memory_equal(child, anew, shape.state_size);
            uint32_t index = table_put(&table, core->key(puzzle.instance, child), packed, &added);
            if (added)
                *(int32_t *)table_extra(&table, index) = distance + 1;
        }
    }
    assert_int_equal(table_count(&table), 181440);
    table_close(&table);
    soloist_puzzle_free(&puzzle);
    return above;
}

static void it_is_admissible_and_consistent_on_the_8_puzzle(void **unused) {
    (void)unused;
    assert_true(compare_all("bound=walking-distance") > 50000);
    assert_true(compare_all("bound=walking-distance,goal=blank-last") > 50000);
}

static void the_contract_holds(void **unused) {
    (void)unused;
    static const char *const boards[] = {"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "4x3: 7 6 5 4 3 2 1 0 8 9 10 11",
                                         "2x4: 3 2 1 0 4 5 7 6", "8 7 6 5 4 3 2 1 0"};
    for (size_t i = 0; i < 4; i++) {
        soloist_error error = {0};
        soloist_puzzle puzzle = read_puzzle(boards[i], "bound=walking-distance");
        if (!domain_validate(&tiles_domain, &puzzle, 1, 5, 100, &error))
            fail_msg("%s", error.text);
        soloist_puzzle_free(&puzzle);
    }
}

static uint64_t solve(const char *text, const char *options, int32_t *cost) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(text, options);
    soloist_result result;
    soloist_error error = {0};
    assert_int_equal(soloist_solve(engine, &puzzle, "idastar", NULL, NULL, &result, &error), SOLOIST_OK);
    assert_true(result.status == SOLOIST_SOLVED && result.optimal);
    *cost = result.verdict.value;
    uint64_t nodes = result.nodes;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return nodes;
}

static void write_text(void *to, const char *text, size_t n) { strncat(to, text, n); }

/* Random walks from the goal: the same costs in fewer nodes. */
static void it_keeps_the_optimum(void **unused) {
    (void)unused;
    uint64_t plain = 0, walking = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        char text[1024] = "", steps[64];
        unsigned char options[64];
        soloist_rng rng;
        soloist_sink sink = {write_text, text};
        soloist_rng_seed(&rng, seed, 0);
        soloist_options_reset(tiles_domain.generate->options, options);
        snprintf(steps, sizeof steps, "walk=%d", 40 + (int)seed * 3);
        assert_int_equal(soloist_options_parse(tiles_domain.generate->options, options, steps, NULL), SOLOIST_OK);
        assert_int_equal(tiles_domain.generate->make(options, &rng, &sink, NULL), SOLOIST_OK);
        int32_t one, two;
        plain += solve(strchr(text, '\n') + 1, "bound=manhattan", &one);
        walking += solve(strchr(text, '\n') + 1, "bound=walking-distance", &two);
        assert_int_equal(one, two);
    }
    assert_true(walking < plain);
}

static void large_boards_are_refused(void **unused) {
    (void)unused;
    static const char text[] = "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 7};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(&tiles_domain, "bound=walking-distance", &chunk, &puzzle, &error),
                     SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "bound=walking-distance does not support boards as large as 5x5");
    assert_int_equal(error.line, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_the_known_sizes),
        cmocka_unit_test(it_is_admissible_and_consistent_on_the_8_puzzle),
        cmocka_unit_test(the_contract_holds),
        cmocka_unit_test(it_keeps_the_optimum),
        cmocka_unit_test(large_boards_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
