/* Random play-outs, greedy descents and the default mix: limits exact, results repeatable by seed, good values found
 * where trying everything is possible. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "toy.h"
#include "base/stop.h"

static const char row[] = "row 3 1 4 1 5 9 2 6 5 3 5 8";
static const char graph[] = "graph 6 0 1 1 1 2 1 2 0 1 2 3 4 0 3 9 3 4 1 4 5 1 4 0 1 1 4 20";

static soloist_result solve(const soloist_domain *domain, const char *text, const char *method,
                            const soloist_limits *limits, const soloist_callbacks *callbacks) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(toy_puzzle(domain, text, &puzzle), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, limits, callbacks, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

static int32_t best_of_row(void) {
    soloist_puzzle puzzle;
    assert_int_equal(toy_puzzle(&toy_row_domain, row, &puzzle), SOLOIST_OK);
    int32_t best = toy_row_best(puzzle.instance, (struct toy_span){0, 12});
    soloist_puzzle_free(&puzzle);
    return best;
}

static void sampling_finds_the_best_of_a_small_game(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "greedy", "greedy:epsilon=0.5", "auto"};
    for (size_t m = 0; m < 4; m++) {
        soloist_result result = solve(&toy_row_domain, row, methods[m], &(soloist_limits){.iterations = 20000}, NULL);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
        assert_int_equal(result.iterations, 20000);
        assert_int_equal(result.move_count, 12);
        assert_int_equal(result.verdict.value, best_of_row());
        soloist_result_free(&result);
    }
}

/* Many equals, so that the seed decides. */
static void a_seed_repeats_a_run(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "greedy", "auto"};
    static const char equals[] = "row 2 2 2 3 3 2 2 2 3 2 2 2";
    for (size_t m = 0; m < 3; m++) {
        int different = 0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            soloist_limits limits = {.iterations = 2, .seed = seed}, others = {.iterations = 2, .seed = seed + 1};
            soloist_result a = solve(&toy_row_domain, equals, methods[m], &limits, NULL);
            soloist_result b = solve(&toy_row_domain, equals, methods[m], &limits, NULL);
            soloist_result c = solve(&toy_row_domain, equals, methods[m], &others, NULL);
            assert_string_equal(a.solution, b.solution);
            assert_int_equal(a.nodes, b.nodes);
            different += strcmp(a.solution, c.solution) != 0;
            soloist_result_free(&a);
            soloist_result_free(&b);
            soloist_result_free(&c);
        }
        assert_true(different > 0);
    }
}

static void node_limits_are_exact(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "greedy", "auto"};
    for (size_t m = 0; m < 3; m++)
        for (uint64_t nodes = 1; nodes < 200; nodes += 13) {
            soloist_result result = solve(&toy_row_domain, row, methods[m], &(soloist_limits){.nodes = nodes}, NULL);
            if (result.optimal) { /* by the exact search that the mix starts with */
                assert_true(m == 2 && result.nodes <= nodes);
            } else {
                assert_int_equal(result.nodes, nodes);
                assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
            }
            soloist_result_free(&result);
        }
}

static void goals_are_reached(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "greedy", "greedy:improve", "auto", NULL};
    for (size_t m = 0; m < 5; m++) {
        soloist_result result = solve(&toy_graph_domain, graph, methods[m], &(soloist_limits){.nodes = 5000}, NULL);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_true(result.verdict.value >= 8);
        soloist_result_free(&result);
    }
    soloist_result best =
        solve(&toy_graph_domain, graph, "random:improve,length=50", &(soloist_limits){.iterations = 5000}, NULL);
    assert_int_equal(best.verdict.value, 8);
    assert_int_equal(best.playouts, 5000);
    assert_true(best.has_playouts && best.has_iterations && !best.optimal);
    soloist_result_free(&best);
}

/* A line whose cost is the root's bound needs no further search. */
static void meeting_the_bound_proves(void **unused) {
    (void)unused;
    soloist_domain bounded = toy_row_domain;
    soloist_result result = solve(&bounded, "row 7", "random", &(soloist_limits){.iterations = 100}, NULL);
    assert_true(result.optimal);
    assert_int_equal(result.stopped, SOLOIST_STOP_GOAL);
    assert_int_equal(result.iterations, 1);
    soloist_result_free(&result);
}

static void the_mix_says_what_ran(void **unused) {
    (void)unused;
    soloist_result result = solve(&toy_graph_domain, graph, "auto", NULL, NULL);
    assert_string_equal(result.method, "bfs");
    assert_true(result.optimal);
    soloist_result_free(&result);
    result = solve(&toy_graph_domain, graph, "auto", &(soloist_limits){.nodes = 12}, NULL);
    assert_string_equal(result.method, "bfs+greedy");
    soloist_result_free(&result);
    result = solve(&toy_row_domain, row, "auto", &(soloist_limits){.iterations = 10}, NULL);
    assert_string_equal(result.method, "greedy+mcts");
    soloist_result_free(&result);
    result = solve(&toy_row_domain, row, "greedy:epsilon=0.5,length=40", &(soloist_limits){.iterations = 1}, NULL);
    assert_string_equal(result.method, "greedy:epsilon=0.5,length=40");
    soloist_result_free(&result);
}

static void a_root_without_moves_ends_the_run(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "greedy", "bfs", "auto"};
    for (size_t m = 0; m < 4; m++) {
        soloist_result result = solve(&toy_graph_domain, "graph 2", methods[m], &(soloist_limits){.nodes = 9}, NULL);
        assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
        assert_int_equal(result.stopped, SOLOIST_STOP_EXHAUSTED);
        soloist_result_free(&result);
    }
}

static void small_memory_is_survived(void **unused) {
    (void)unused;
    static const char *const methods[] = {"random", "greedy", "auto"};
    for (size_t m = 0; m < 3; m++)
        for (size_t memory = 1; memory < 3000; memory = memory * 2) {
            soloist_limits limits = {.memory = memory, .iterations = 10};
            soloist_result result = solve(&toy_row_domain, row, methods[m], &limits, NULL);
            assert_true(result.peak_bytes <= memory);
            assert_true(result.solution || result.stopped == SOLOIST_STOP_MEMORY);
            soloist_result_free(&result);
        }
}

/* Sets the cancel flag from inside the run, as a program's interrupt would. */
static void cancel_now(void *user, const soloist_progress *progress) {
    assert_true(progress->iterations > 0 && progress->has_best);
    soloist_stop_token_cancel(user);
}

static void a_flag_cancels_and_progress_is_told(void **unused) {
    (void)unused;
    soloist_stop_token cancel = {0};
    soloist_callbacks callbacks = {.progress = cancel_now, .user = (void *)&cancel};
    soloist_result result = solve(&toy_row_domain, row, "greedy", &(soloist_limits){.stop = &cancel}, &callbacks);
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    soloist_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampling_finds_the_best_of_a_small_game),
        cmocka_unit_test(a_seed_repeats_a_run),
        cmocka_unit_test(node_limits_are_exact),
        cmocka_unit_test(goals_are_reached),
        cmocka_unit_test(meeting_the_bound_proves),
        cmocka_unit_test(the_mix_says_what_ran),
        cmocka_unit_test(a_root_without_moves_ends_the_run),
        cmocka_unit_test(small_memory_is_survived),
        cmocka_unit_test(a_flag_cancels_and_progress_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
