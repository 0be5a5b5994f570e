/* A* and breadth-first search with several threads, as a program calls them: the same costs and proofs as with one
 * thread, exact limits, and an end soon after the caller cancels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "soloist.h"

#include <string.h>

static const struct {
    const char *domain, *text;
} subjects[] = {
    {"tiles", "3 4 6 7 1 8 2 5 0"},
    {"tiles", "4 1 2 3 8 10 5 7 13 12 0 15 9 14 11 6"},
    {"tiles", "3x2: 4 2 1 3 0 5"}, /* no solution */
    {"pancake", "7 8 2 5 4 3 1 6"},
    {"sokoban", "########\n#   #  #\n#  $   #\n# .#$  #\n##.#  ##\n#     #\n# @   #\n#######"},
    {"sokoban-moves", "######\n#.   #\n# $  #\n#  @ #\n######"},
};
enum { subject_count = sizeof subjects / sizeof *subjects };

static soloist_result solve(int subject, const char *method, const soloist_limits *limits) {
    soloist *engine = soloist_new();
    const char *text = subjects[subject].text;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    const soloist_domain *domain = soloist_find_domain(engine, subjects[subject].domain);
    assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

static void threads_give_the_same_answer(void **state) {
    (void)state;
    static const char *const methods[] = {"astar", "bfs", "astar:ties=random"};
    for (int subject = 0; subject < subject_count; subject++)
        for (int m = 0; m < 3; m++) {
            soloist_limits limits = {.threads = 1};
            if (subject == 1 && m == 1) /* too many states for breadth-first search */
                continue;
            soloist_result one = solve(subject, methods[m], &limits);
            for (limits.threads = 2; limits.threads <= 8; limits.threads *= 2) {
                soloist_result many = solve(subject, methods[m], &limits);
                assert_int_equal(many.status, one.status);
                assert_int_equal(many.stopped, one.stopped);
                assert_int_equal(many.optimal, one.optimal);
                assert_int_equal(many.verdict.value, one.verdict.value);
                soloist_result_free(&many);
            }
            soloist_result_free(&one);
        }
}

static void limits_hold(void **state) {
    (void)state;
    for (uint64_t nodes = 1; nodes < 20000; nodes = nodes * 3 + 1)
        for (int threads = 2; threads <= 4; threads++) {
            soloist_limits limits = {.threads = threads, .nodes = nodes, .memory = 64 << 20};
            soloist_result result = solve(1, "bfs", &limits);
            assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
            assert_in_range(result.nodes, 0, nodes);
            assert_true(result.expanded > 0 && result.expanded <= nodes);
            assert_false(result.optimal);
            soloist_result_free(&result);
        }
    for (size_t memory = 20000; memory < 4000000; memory *= 3) {
        soloist_limits limits = {.threads = 3, .memory = memory};
        soloist_result result = solve(1, "bfs", &limits);
        assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
        assert_true(result.peak_bytes <= memory);
        soloist_result_free(&result);
    }
}

static void expansions_are_limited(void **state) {
    (void)state;
    soloist_limits limits = {.threads = 3, .memory = 64 << 20};
    soloist_result result = solve(1, "astar:expansions=100", &limits);
    assert_in_range(result.expanded, 1, 100);
    assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
    soloist_result_free(&result);
}

/* The caller cancels at its first report of progress, which comes from the search itself. */
static void cancel(void *user, const soloist_progress *progress) {
    (void)progress;
    soloist_stop_token_cancel(user);
}

static void cancelling_ends_all(void **state) {
    (void)state;
    const char *text = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"; /* breadth-first search never ends on this one */
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist *engine = soloist_new();
    soloist_stop_token *stop = soloist_stop_token_new();
    soloist_callbacks callbacks = {.user = stop, .progress = cancel};
    soloist_limits limits = {.threads = 4, .memory = (size_t)4 << 30, .stop = stop};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    const soloist_domain *domain = soloist_find_domain(engine, "tiles");
    assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "bfs", &limits, &callbacks, &result, &error), SOLOIST_OK);
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    assert_false(result.optimal);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_stop_token_free(stop);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_give_the_same_answer),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(expansions_are_limited),
        cmocka_unit_test(cancelling_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
