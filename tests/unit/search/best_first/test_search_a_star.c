/* A*: exact under an admissible, inconsistent bound; within the weight's factor; ties by seed; limits; verdicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "toy.h"

static soloist_domain bounded_graph(void) {
    soloist_domain domain = toy_graph_domain;
    domain.bound = &toy_graph_bound;
    return domain;
}

static const char *graph_of(uint64_t seed, int least, int most) {
    static char text[200000];
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 2);
    int nodes = 2 + (int)soloist_rng_below(&rng, 120);
    int edges = nodes + (int)soloist_rng_below(&rng, (uint32_t)(4 * nodes));
    toy_random_graph(&rng, nodes, edges, least, most, text, sizeof text);
    return text;
}

static void compare_with_bfs(const soloist_domain *domain, int least, int most) {
    uint64_t nodes = 0, bfs_nodes = 0;
    int solved = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        const char *text = graph_of(seed, least, most);
        soloist_result a = toy_solve(domain, text, "astar", NULL), b = toy_solve(domain, text, "bfs", NULL);
        assert_int_equal(a.status, b.status);
        if (a.status == SOLOIST_SOLVED) {
            assert_true(a.optimal && b.optimal);
            assert_int_equal(a.verdict.value, b.verdict.value);
            solved++;
        }
        nodes += a.nodes, bfs_nodes += b.nodes;
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
    assert_true(solved > 100);
    assert_true(nodes < bfs_nodes);
}

static void it_is_exact(void **unused) {
    (void)unused;
    soloist_domain domain = bounded_graph();
    compare_with_bfs(&domain, 1, 1);
    compare_with_bfs(&domain, 0, 9);
    compare_with_bfs(&domain, 0, 100000);
    domain.pack = &toy_graph_pack;
    compare_with_bfs(&domain, 1, 20);
}

/* Without a bound's help (w = 0) it is Dijkstra's search, still exact. */
static void weights_keep_their_promise(void **unused) {
    (void)unused;
    soloist_domain domain = bounded_graph();
    int dearer = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        const char *text = graph_of(seed, 1, 30);
        soloist_result exact = toy_solve(&domain, text, "astar", NULL);
        soloist_result zero = toy_solve(&domain, text, "astar:weight=0", NULL);
        soloist_result five = toy_solve(&domain, text, "astar:weight=5", NULL);
        assert_int_equal(exact.status, five.status);
        if (exact.status == SOLOIST_SOLVED) {
            assert_int_equal(zero.verdict.value, exact.verdict.value);
            assert_true(zero.optimal);
            assert_true(five.verdict.value <= 5 * exact.verdict.value);
            assert_true(five.verdict.value == exact.verdict.value || !five.optimal);
            dearer += five.verdict.value > exact.verdict.value;
        }
        soloist_result_free(&exact);
        soloist_result_free(&zero);
        soloist_result_free(&five);
    }
    assert_true(dearer > 0);
}

/* A dear state is left open: under such a bound its f says nothing. */
static void an_inadmissible_bound_proves_nothing(void **unused) {
    (void)unused;
    soloist_bound bound = toy_graph_bound;
    bound.admissible = toy_no;
    soloist_domain domain = toy_graph_domain;
    domain.bound = &bound;
    soloist_result result = toy_solve(&domain, "graph 4 0 2 100 0 1 5 1 3 8 2 3 1", "astar", NULL);
    assert_int_equal(result.verdict.value, 13);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_false(result.optimal);
    soloist_result_free(&result);
}

static void random_ties_follow_the_seed(void **unused) {
    (void)unused;
    soloist_domain domain = bounded_graph();
    int different = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const char *text = graph_of(seed, 1, 1);
        soloist_limits one = {.seed = 1}, two = {.seed = 2};
        soloist_result a = toy_solve(&domain, text, "astar:ties=random", &one);
        soloist_result b = toy_solve(&domain, text, "astar:ties=random", &one);
        soloist_result c = toy_solve(&domain, text, "astar:ties=random", &two);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.verdict.value, c.verdict.value);
        different += a.solution && strcmp(a.solution, c.solution) != 0;
        soloist_result_free(&a);
        soloist_result_free(&b);
        soloist_result_free(&c);
    }
    assert_true(different > 0);
}

static void limits_hold(void **unused) {
    (void)unused;
    soloist_domain domain = bounded_graph();
    for (uint64_t seed = 0; seed < 20; seed++) {
        const char *text = graph_of(seed, 1, 9);
        soloist_result whole = toy_solve(&domain, text, "astar", NULL);
        for (uint64_t nodes = 1; nodes < whole.nodes; nodes = nodes * 2 + 1) {
            soloist_result result = toy_solve(&domain, text, "astar", &(soloist_limits){.nodes = nodes});
            assert_int_equal(result.nodes, nodes);
            assert_true(result.stopped == SOLOIST_STOP_NODES || result.optimal);
            soloist_result_free(&result);
        }
        for (size_t memory = 100; memory < whole.peak_bytes; memory *= 3) {
            soloist_result result = toy_solve(&domain, text, "astar", &(soloist_limits){.memory = memory});
            assert_true(result.peak_bytes <= memory);
            if (result.status != SOLOIST_IMPOSSIBLE && !result.optimal)
                assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
            soloist_result_free(&result);
        }
        soloist_result_free(&whole);
    }
}

static void it_needs_a_bound(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(toy_puzzle(&toy_graph_domain, "graph 2 0 1 1", &puzzle), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "astar", NULL, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "astar needs a bound; graph has none");
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_exact),
        cmocka_unit_test(weights_keep_their_promise),
        cmocka_unit_test(an_inadmissible_bound_proves_nothing),
        cmocka_unit_test(random_ties_follow_the_seed),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(it_needs_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
