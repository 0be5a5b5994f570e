/* The referee: right solutions pass with their counts, and every way of spoiling one is refused with place and reason.
 */
#include "domain/sokoban/file/level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static soloist_chunk chunk_of(const char *text) {
    return (soloist_chunk){.text = text, .length = strlen(text), .line = 1};
}

static const char corridor[] = "########\n"
                               "#@ $  .#\n"
                               "########\n";

static const char two_boxes[] = "#######\n"
                                "#. @  #\n"
                                "#  $  #\n"
                                "#.$   #\n"
                                "#     #\n"
                                "#######\n";

static void assert_right(const char *level, const char *solution, int64_t moves, int64_t pushes) {
    soloist_chunk chunk = chunk_of(level);
    soloist_verdict verdict = {0};
    soloist_error error = {0};
    if (!sokoban_referee(&chunk, solution, strlen(solution), &verdict, &error))
        fail_msg("%s: column %d: %s", solution, error.column, error.text);
    assert_int_equal(verdict.moves, moves);
    assert_int_equal(verdict.pushes, pushes);
    assert_int_equal(verdict.value, pushes);
}

static void assert_wrong(const char *level, const char *solution, int column, const char *words) {
    soloist_chunk chunk = chunk_of(level);
    soloist_verdict verdict = {-7, -7, -7};
    soloist_error error = {0};
    assert_false(sokoban_referee(&chunk, solution, strlen(solution), &verdict, &error));
    assert_string_equal(error.text, words);
    assert_int_equal(error.column, column);
    assert_int_equal(verdict.moves, -7);
    assert_false(sokoban_referee(&chunk, solution, strlen(solution), NULL, NULL));
}

/* Two boxes: the upper one left along its row and up to its goal, then the lower one left. */
#define RIGHT "rdLLrddlluUrrdL"

static void test_right(void **state) {
    (void)state;
    assert_right(corridor, "rRRR", 4, 3);
    assert_right(corridor, "r3R", 4, 3);
    assert_right(corridor, " r R\nR\r\n\tR ", 4, 3);
    assert_right(corridor, "3(rl)rRRR", 10, 3);
    assert_right("####\n#@*#\n####\n", "", 0, 0);
    assert_right("####\n#@*#\n####\n", " \n", 0, 0);
    /* More goals than boxes: every box on a goal is enough. */
    assert_right("######\n#@$..#\n######\n", "R", 1, 1);
    assert_right("######\n#@$..#\n######\n", "RR", 2, 2);
    /* A box may leave a goal and come back. */
    assert_right("######\n#@*  #\n#    #\n#    #\n######\n", "RdrruL", 6, 2);
    assert_right(two_boxes, RIGHT, 15, 4);
}

/* One letter of a right solution changed, left out or added. */
static void test_mutations(void **state) {
    (void)state;
    static const struct {
        const char *solution;
        int column;
        const char *words;
    } cases[] = {
        {"rdLLrddlluUrrd", 15, "not solved: after the last move 1 box is not on a goal"},
        {"rdlLrddlluUrrdL", 3, "move 3: 'l' is written as a step, but it pushes a box"},
        {"rdLLrddlluUrrdl", 15, "move 15: 'l' is written as a step, but it pushes a box"},
        {"RdLLrddlluUrrdL", 1, "move 1: 'R' is written as a push, but there is no box"},
        {"rdLLrddllUUrrdL", 10, "move 10: 'U' is written as a push, but there is no box"},
        {"rdLLddlluUrrdL", 5, "move 5: 'd' is written as a step, but it pushes a box"},
        {"dLLrddlluUrrdL", 1, "move 1: 'd' is written as a step, but it pushes a box"},
        {"udLLrddlluUrrdL", 1, "move 1: the player walks into a wall"},
        {"rdLLrdddlluUrrdL", 8, "move 8: the player walks into a wall"},
        {"rdLLrddlluUrrdLL", 16, "move 16: the box cannot be pushed into a wall"},
        {"rdLLLrddlluUrrdL", 5, "move 5: the box cannot be pushed into a wall"},
        {"DrdLrddlluUrrdL", 4, "move 4: the box cannot be pushed onto another box"},
        {"rdLrddlluUrrdL", 9, "move 9: 'u' is written as a step, but it pushes a box"},
        {"rdLLrddlluUrrdL#", 16, "move 16: unknown letter: expected l, u, r, d, L, U, R or D"},
        {"rdLLrddlluUrrdL\nx", 17, "move 16: unknown letter: expected l, u, r, d, L, U, R or D"},
        {"rdLLrddlluUrrdR", 15, "move 15: 'R' is written as a push, but there is no box"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_wrong(two_boxes, cases[i].solution, cases[i].column, cases[i].words);
}

static void test_spoiled(void **state) {
    (void)state;
    static const struct {
        const char *solution;
        int column;
        const char *words;
    } cases[] = {
        {"rRR", 4, "not solved: after the last move 1 box is not on a goal"},
        {"", 1, "not solved: after the last move 1 box is not on a goal"},
        {"rrRR", 2, "move 2: 'r' is written as a step, but it pushes a box"},
        {"RRRR", 1, "move 1: 'R' is written as a push, but there is no box"},
        {"urRRR", 1, "move 1: the player walks into a wall"},
        {"lrRRR", 1, "move 1: the player walks into a wall"},
        {"rRRRR", 5, "move 5: the box cannot be pushed into a wall"},
        {"r4R", 3, "move 5: the box cannot be pushed into a wall"},
        {"rRRR.", 5, "move 5: unknown letter: expected l, u, r, d, L, U, R or D"},
        {"rRRRx", 5, "move 5: unknown letter: expected l, u, r, d, L, U, R or D"},
        {"rRRR 3", 6, "a count at the end: expected a symbol or '(' after it"},
        {"rRRR)", 5, "')' without '(' before it"},
        {"r(RRR", 2, "'(' without ')' after it"},
        {"rRRLl", 4, "move 4: 'L' is written as a push, but there is no box"},
        {"r0R", 2, "a count of 0: expected 1 or more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_wrong(corridor, cases[i].solution, cases[i].column, cases[i].words);
    assert_right(corridor, "rRRRl", 5, 3); /* walking on after the last push harms nothing */
}

static void test_blocked_by_box(void **state) {
    (void)state;
    static const char level[] = "########\n#@$$ ..#\n########\n";
    assert_wrong(level, "R", 1, "move 1: the box cannot be pushed onto another box");
    static const char unsolved[] = "#######\n#@$ . #\n# $ . #\n#######\n";
    assert_wrong(unsolved, "", 1, "not solved: after the last move 2 boxes are not on a goal");
}

/* A decoration is a wall, whatever it looks like. */
static void test_decoration_is_wall(void **state) {
    (void)state;
    static const char level[] = "#####\n#@$.#\n#####\n$*.\n";
    assert_right(level, "R", 1, 1);
}

/* A count without end must be refused soon, and a long walk within reason accepted. */
static void test_long(void **state) {
    (void)state;
    assert_right(corridor, "100000(rl)r3R", 200004, 3);
    assert_wrong(corridor, "900000000(rl)r3R", 11, "the solution is too long: expected at most 10000000 moves");
}

static void test_any_case(void **state) {
    (void)state;
    soloist_chunk chunk = chunk_of(corridor);
    soloist_verdict verdict;
    soloist_error error;
    static const char *const accepted[] = {"rrrr", "RRRR", "rRRR", "4r"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(sokoban_referee_any_case(&chunk, accepted[i], strlen(accepted[i]), &verdict, &error));
        assert_int_equal(verdict.moves, 4);
        assert_int_equal(verdict.pushes, 3);
    }
    assert_false(sokoban_referee_any_case(&chunk, "rrrrr", 5, &verdict, &error));
    assert_int_equal(error.column, 5);
    assert_false(sokoban_referee_any_case(&chunk, "rrr", 3, &verdict, &error));
}

/* A level that cannot be read has no solution; the error is the reader's. */
static void test_bad_level(void **state) {
    (void)state;
    soloist_chunk chunk = chunk_of("#####\n# $.#\n#####\n");
    soloist_verdict verdict;
    soloist_error error = {0};
    assert_false(sokoban_referee(&chunk, "R", 1, &verdict, &error));
    assert_int_equal(error.line, 1);
    assert_memory_equal(error.text, "no player", 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_spoiled),
        cmocka_unit_test(test_blocked_by_box),
        cmocka_unit_test(test_decoration_is_wall),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_any_case),
        cmocka_unit_test(test_bad_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
