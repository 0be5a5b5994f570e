/* Breadth-first search: exact against plain relaxation on random graphs, with equal and unequal steps, with and
 * without the pack group; its limits; its verdicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "toy.h"
#include "base/stop.h"

static soloist_result solve(const soloist_domain *domain, const char *text, const soloist_limits *limits) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(toy_puzzle(domain, text, &puzzle), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, "bfs", limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* The exact distance of a graph's text. */
static int32_t exact(const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    struct toy_graph *graph = (struct toy_graph *)toy_parse(&chunk, NULL, NULL);
    int32_t distance = graph->to_goal[0];
    free(graph);
    return distance;
}

static void compare_with_relaxation(const soloist_domain *domain, int least, int most) {
    static char text[200000];
    int solved = 0, impossible = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, 1);
        int nodes = 2 + (int)soloist_rng_below(&rng, 60);
        int edges = (int)soloist_rng_below(&rng, (uint32_t)(4 * nodes));
        toy_random_graph(&rng, nodes, edges, least, most, text, sizeof text);
        soloist_result result = solve(domain, text, NULL);
        int32_t distance = exact(text);
        if (distance == SOLOIST_DEAD) {
            impossible++;
            assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
            assert_int_equal(result.stopped, SOLOIST_STOP_EXHAUSTED);
        } else {
            solved++;
            assert_int_equal(result.status, SOLOIST_SOLVED);
            assert_true(result.optimal);
            assert_int_equal(result.verdict.value, distance);
        }
        soloist_result_free(&result);
    }
    assert_true(solved > 50 && impossible > 50);
}

static void equal_steps_are_exact(void **unused) {
    (void)unused;
    compare_with_relaxation(&toy_graph_domain, 1, 1);
    compare_with_relaxation(&toy_graph_domain, 5, 5);
}

static void unequal_steps_are_exact(void **unused) {
    (void)unused;
    compare_with_relaxation(&toy_graph_domain, 1, 3);
    compare_with_relaxation(&toy_graph_domain, 0, 100000);
}

static void packed_states_are_exact(void **unused) {
    (void)unused;
    soloist_domain packed = toy_graph_domain;
    packed.pack = &toy_graph_pack;
    compare_with_relaxation(&packed, 1, 1);
    compare_with_relaxation(&packed, 0, 9);
}

/* The first goal seen is two steps of five away; a later state of the same level has a step of one. */
static void a_cheaper_step_after_the_first_goal_counts(void **unused) {
    (void)unused;
    soloist_result result = solve(&toy_graph_domain, "graph 4 0 1 5 0 2 5 1 3 5 2 3 1", NULL);
    assert_int_equal(result.verdict.value, 6);
    assert_true(result.optimal);
    soloist_result_free(&result);
}

static const char *long_line(void) {
    static char text[8000];
    size_t length = (size_t)snprintf(text, sizeof text, "graph 300");
    for (int i = 0; i < 299; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d %d 1 %d %d 1", i, i + 1, i, i);
    return text;
}

static void the_node_limit_is_exact(void **unused) {
    (void)unused;
    for (uint64_t nodes = 1; nodes < 50; nodes += 7) {
        soloist_result result = solve(&toy_graph_domain, long_line(), &(soloist_limits){.nodes = nodes});
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        assert_int_equal(result.nodes, nodes);
        assert_null(result.solution);
        soloist_result_free(&result);
    }
}

/* Whatever the byte limit, the run ends with a reason and within the limit. */
static void memory_ends_the_run(void **unused) {
    (void)unused;
    int stopped = 0, solved = 0;
    for (size_t memory = 1; memory < 4000000; memory = memory * 3 / 2 + 1) {
        soloist_result result = solve(&toy_graph_domain, long_line(), &(soloist_limits){.memory = memory});
        assert_true(result.peak_bytes <= memory);
        if (result.status == SOLOIST_UNSOLVED) {
            assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
            stopped++;
        } else {
            assert_int_equal(result.verdict.value, 299);
            solved++;
        }
        soloist_result_free(&result);
    }
    assert_true(stopped > 3 && solved > 0);
}

static void cancel_ends_the_run(void **unused) {
    (void)unused;
    soloist_stop_token cancel = {.cancelled = 1};
    soloist_result result = solve(&toy_graph_domain, long_line(), &(soloist_limits){.stop = &cancel});
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    soloist_result_free(&result);
}

static void time_ends_the_run(void **unused) {
    (void)unused;
    soloist_result result = solve(&toy_graph_domain, long_line(), &(soloist_limits){.time_s = 1e-9});
    assert_int_equal(result.stopped, SOLOIST_STOP_TIME);
    soloist_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps_are_exact),   cmocka_unit_test(unequal_steps_are_exact),
        cmocka_unit_test(packed_states_are_exact), cmocka_unit_test(a_cheaper_step_after_the_first_goal_counts),
        cmocka_unit_test(the_node_limit_is_exact), cmocka_unit_test(memory_ends_the_run),
        cmocka_unit_test(cancel_ends_the_run),     cmocka_unit_test(time_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
