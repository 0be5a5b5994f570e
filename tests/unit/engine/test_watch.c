/* A solve that is watched shows lines that the referee accepts, and searches as if nobody watched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"

#include <string.h>

struct witness {
    const soloist_puzzle *puzzle;
    soloist_stop_token *stop;
    int calls;
    uint64_t lines;
    int32_t value;
};

static void see(void *user, const soloist_sight *sight) {
    struct witness *witness = user;
    soloist_verdict verdict;
    witness->calls++;
    assert_non_null(sight->progress);
    assert_true(sight->lines >= witness->lines);
    if (!sight->line)
        return;
    assert_true(soloist_check(witness->puzzle, sight->line, strlen(sight->line), &verdict, NULL));
    assert_int_equal(verdict.value, sight->verdict.value);
    assert_true(!witness->lines || verdict.value >= witness->value);
    witness->lines = sight->lines;
    witness->value = verdict.value;
    soloist_stop_token_cancel(witness->stop); /* one line is enough */
}

static soloist_puzzle read_puzzle(const soloist_domain *domain, const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    return puzzle;
}

static const char board[] =
    "1231231231\n3212312321\n1123321123\n2313213211\n1231123213\n3321123321\n1213213123\n3121321321\n"
    "2213211321\n1321132132\n";

/* Both methods improve on their first line for as long as they may. */
static void the_best_line_is_shown(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "nrpa", "spmcts", NULL};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(&samegame_domain, board);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct witness witness = {.puzzle = &puzzle, .stop = soloist_stop_token_new()};
        soloist_watcher watcher = {.size = sizeof watcher, .see = see, .user = &witness};
        soloist_limits limits = {.stop = witness.stop, .seed = 1};
        soloist_result result;
        assert_int_equal(soloist_watch(engine, &puzzle, methods[i], &limits, &watcher, &result, NULL), SOLOIST_OK);
        assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
        assert_true(witness.lines > 0);
        assert_true(result.verdict.value >= witness.value);
        soloist_result_free(&result);
        soloist_stop_token_free(witness.stop);
    }
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void look_away(void *user, const soloist_sight *sight) { (void)user, (void)sight; }

static void watching_changes_nothing(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "nrpa", "spmcts", "beam"};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(&samegame_domain, board);
    soloist_watcher watcher = {.size = sizeof watcher, .see = look_away};
    soloist_limits limits = {.nodes = 20000, .seed = 3};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        soloist_result watched, alone;
        assert_int_equal(soloist_watch(engine, &puzzle, methods[i], &limits, &watcher, &watched, NULL), SOLOIST_OK);
        assert_int_equal(soloist_solve(engine, &puzzle, methods[i], &limits, NULL, &alone, NULL), SOLOIST_OK);
        assert_int_equal(watched.nodes, alone.nodes);
        assert_int_equal(watched.iterations, alone.iterations);
        assert_string_equal(watched.solution, alone.solution);
        soloist_result_free(&watched);
        soloist_result_free(&alone);
    }
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void misuse_is_answered(void **unused) {
    (void)unused;
    soloist_error error;
    soloist_result result;
    soloist_watcher watcher = {.size = sizeof watcher};
    assert_int_equal(soloist_watch(NULL, NULL, NULL, NULL, NULL, &result, &error), SOLOIST_MISUSE);
    assert_int_equal(soloist_watch(NULL, NULL, NULL, NULL, &watcher, NULL, NULL), SOLOIST_MISUSE);
    watcher.see = look_away;
    assert_int_equal(soloist_watch(NULL, NULL, NULL, NULL, &watcher, &result, &error), SOLOIST_MISUSE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_line_is_shown),
        cmocka_unit_test(watching_changes_nothing),
        cmocka_unit_test(misuse_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
