/* Advice for other programs: hints and explanations in every domain, shorter solutions where there are any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"

#include <math.h>
#include <string.h>

static soloist_puzzle read_puzzle(const soloist_domain *domain, const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error;
    if (soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    return puzzle;
}

static const struct {
    const soloist_domain *domain;
    const char *text;
    soloist_outlook outlook;
    const char *move, *line, *reason;
} rows[] = {
    {&sokoban_domain, "######\n#@ $.#\n######\n", SOLOIST_OUTLOOK_ALIVE, NULL, "rR", ""},
    {&sokoban_domain, "#####\n#@*.#\n#####\n", SOLOIST_OUTLOOK_ENDED, NULL, NULL, ""},
    {&sokoban_domain, "#####\n#@ $#\n#. .#\n#####\n", SOLOIST_OUTLOOK_LOST, NULL, NULL, "dead square"},
    {&tiles_domain, "1 0 2 3 4 5 6 7 8", SOLOIST_OUTLOOK_ALIVE, "slide tile 1 right", "L", ""},
    {&tiles_domain, "0 2 1 3 4 5 6 7 8", SOLOIST_OUTLOOK_LOST, NULL, NULL, "impossible"},
    {&pancake_domain, "2 1", SOLOIST_OUTLOOK_ALIVE, "flip 2", "[2]", ""},
    {&pancake_domain, "1 2", SOLOIST_OUTLOOK_ENDED, NULL, NULL, ""},
    {&samegame_domain, "11\n11\n", SOLOIST_OUTLOOK_ALIVE, NULL, NULL, ""},
};

static void every_domain_gives_hints(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_limits limits = {.nodes = 10000};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        soloist_puzzle puzzle = read_puzzle(rows[i].domain, rows[i].text);
        soloist_advice advice;
        soloist_error error;
        assert_int_equal(soloist_hint(engine, &puzzle, NULL, &limits, NULL, &advice, &error), SOLOIST_OK);
        assert_int_equal(advice.outlook, rows[i].outlook);
        assert_string_equal(advice.reason, rows[i].reason);
        assert_int_equal(advice.outlook == SOLOIST_OUTLOOK_LOST, advice.sentence[0] != 0);
        assert_int_equal(advice.outlook == SOLOIST_OUTLOOK_ALIVE, advice.move && advice.line);
        if (rows[i].move)
            assert_string_equal(advice.move, rows[i].move);
        if (rows[i].line)
            assert_string_equal(advice.line, rows[i].line);
        if (advice.outlook != SOLOIST_OUTLOOK_ALIVE) { /* a rule was enough */
            assert_int_equal(advice.result.status, SOLOIST_UNSOLVED);
            assert_int_equal(advice.result.verdict.pushes, -1);
            assert_int_equal(advice.result.nodes, 0);
        }
        soloist_advice_free(&advice);
        assert_int_equal(soloist_explain(engine, &puzzle, false, &limits, NULL, &advice, &error), SOLOIST_OK);
        assert_int_equal(advice.outlook, rows[i].outlook);
        soloist_advice_free(&advice);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

static void stuck_boxes_are_drawn(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(&sokoban_domain, "#####\n#@ $#\n#. .#\n#####\n");
    soloist_advice advice;
    assert_int_equal(soloist_explain(engine, &puzzle, true, NULL, NULL, &advice, NULL), SOLOIST_OK);
    assert_string_equal(advice.board, "#####\n#@ X#\n#. .#\n#####\n");
    soloist_advice_free(&advice);
    soloist_advice_free(NULL);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void solutions_are_shortened(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(&sokoban_domain, "#######\n#  @  #\n# $  .#\n#     #\n#######\n");
    static const char detour[] = "rldlulllrdRRR";
    soloist_verdict verdict;
    soloist_result result;
    soloist_error error;
    const char *around = "rllldRRR";
    assert_true(soloist_check(&puzzle, around, strlen(around), &verdict, &error));
    soloist_limits limits = {.nodes = 100000};
    assert_int_equal(soloist_optimize(engine, &puzzle, around, strlen(around), "moves", &limits, NULL, &result, &error),
                     SOLOIST_OK);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_true(result.verdict.moves < verdict.moves);
    assert_true(soloist_check(&puzzle, result.solution, strlen(result.solution), NULL, NULL));
    soloist_result_free(&result);
    assert_int_equal(soloist_optimize(engine, &puzzle, detour, 3, NULL, &limits, NULL, &result, &error),
                     SOLOIST_BAD_INPUT);
    const soloist_limits wrong[] = {{.time_s = -1}, {.time_s = NAN}, {.threads = -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(soloist_optimize(engine, &puzzle, around, 8, NULL, &wrong[i], NULL, &result, &error),
                         SOLOIST_MISUSE);
    assert_int_equal(soloist_optimize(engine, &puzzle, around, 8, "beauty", &limits, NULL, &result, &error),
                     SOLOIST_MISUSE);
    soloist_puzzle_free(&puzzle);
    puzzle = read_puzzle(&pancake_domain, "2 1");
    assert_int_equal(soloist_optimize(engine, &puzzle, "[2]", 3, NULL, &limits, NULL, &result, &error),
                     SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "solutions of pancake cannot be shortened");
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void misuse_is_answered(void **unused) {
    (void)unused;
    soloist_advice advice;
    soloist_result result;
    soloist_error error;
    memset(&advice, 0x55, sizeof advice);
    memset(&result, 0x55, sizeof result);
    assert_int_equal(soloist_hint(NULL, NULL, NULL, NULL, NULL, &advice, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "soloist_hint needs an engine, a puzzle that was read and advice to fill");
    assert_int_equal(advice.outlook, SOLOIST_OUTLOOK_UNKNOWN);
    soloist_advice_free(&advice);
    memset(&advice, 0x55, sizeof advice);
    assert_int_equal(soloist_explain(NULL, NULL, false, NULL, NULL, &advice, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "soloist_explain needs an engine, a puzzle that was read and advice to fill");
    soloist_advice_free(&advice);
    assert_int_equal(soloist_optimize(NULL, NULL, NULL, 0, NULL, NULL, NULL, &result, &error), SOLOIST_MISUSE);
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    soloist_result_free(&result);
    assert_int_equal(soloist_explain(NULL, NULL, true, NULL, NULL, NULL, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_optimize(NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, &error), SOLOIST_MISUSE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_domain_gives_hints),
        cmocka_unit_test(stuck_boxes_are_drawn),
        cmocka_unit_test(solutions_are_shortened),
        cmocka_unit_test(misuse_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
