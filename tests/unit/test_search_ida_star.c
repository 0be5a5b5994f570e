/* IDA*: exact where A* is, in hardly any memory; its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "toy.h"

static soloist_result solve(const soloist_domain *domain, const char *options, const char *text, const char *method,
                            const soloist_limits *limits) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(domain, options, &chunk, &puzzle, NULL), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* Acyclic, so that what cannot be solved ends: every edge leads to a higher node. */
static const char *acyclic_graph(uint64_t seed, int most) {
    static char text[20000];
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 3);
    int nodes = 2 + (int)soloist_rng_below(&rng, 14), edges = (int)soloist_rng_below(&rng, (uint32_t)(2 * nodes));
    size_t length = (size_t)snprintf(text, sizeof text, "graph %d", nodes);
    for (int e = 0; e < edges; e++) {
        int from = (int)soloist_rng_below(&rng, (uint32_t)nodes - 1);
        int to = from + 1 + (int)soloist_rng_below(&rng, (uint32_t)(nodes - from - 1));
        length += (size_t)snprintf(text + length, sizeof text - length, " %d %d %d", from, to,
                                   1 + (int)soloist_rng_below(&rng, (uint32_t)most));
    }
    return text;
}

static void it_is_exact(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    domain.bound = &toy_graph_bound;
    int solved = 0, impossible = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        const char *text = acyclic_graph(seed, seed % 2 ? 1 : 50);
        soloist_result a = solve(&domain, NULL, text, "idastar", NULL), b = solve(&domain, NULL, text, "bfs", NULL);
        assert_int_equal(a.status, b.status);
        assert_int_equal(a.verdict.value, b.verdict.value);
        assert_true(a.optimal || a.status == SOLOIST_IMPOSSIBLE);
        solved += a.status == SOLOIST_SOLVED, impossible += a.status == SOLOIST_IMPOSSIBLE;
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
    assert_true(solved > 50 && impossible > 50);
}

static int32_t no_help(const soloist_instance *instance, const void *state) {
    (void)instance, (void)state;
    return 0;
}

static int expand_without_help(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                               soloist_child *children) {
    return toy_expand(instance, state, last, want & ~SOLOIST_WANT_BOUND, children);
}

/* Nothing is known of the root, so only the search can tell that there is no way. */
static void an_exhausted_tree_proves_impossibility(void **unused) {
    (void)unused;
    soloist_bound bound = toy_graph_bound;
    bound.value = no_help;
    soloist_core core = toy_graph_core;
    core.expand = expand_without_help;
    soloist_domain domain = toy_graph_domain;
    domain.bound = &bound;
    domain.core = &core;
    soloist_result result = solve(&domain, NULL, "graph 5 0 1 2 1 2 7 0 3 1 3 2 1", "idastar", NULL);
    assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
    assert_true(result.nodes > 0);
    soloist_result_free(&result);
}

static const char board[] = "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10";

static void it_agrees_with_a_star_on_tiles(void **unused) {
    (void)unused;
    soloist_result a = solve(&tiles_domain, NULL, board, "astar", NULL);
    soloist_result b = solve(&tiles_domain, NULL, board, "idastar", NULL);
    soloist_result c = solve(&tiles_domain, "bound=linear-conflict", board, "idastar", NULL);
    assert_int_equal(a.verdict.value, 37);
    assert_int_equal(b.verdict.value, 37);
    assert_int_equal(c.verdict.value, 37);
    assert_true(a.optimal && b.optimal && c.optimal);
    assert_true(c.nodes < b.nodes);
    assert_true(b.peak_bytes < a.peak_bytes / 4);
    soloist_result_free(&a);
    soloist_result_free(&b);
    soloist_result_free(&c);
}

static void limits_hold(void **unused) {
    (void)unused;
    for (uint64_t nodes = 1; nodes < 100000; nodes = nodes * 3 + 1) {
        soloist_result result = solve(&tiles_domain, NULL, board, "idastar", &(soloist_limits){.nodes = nodes});
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        assert_true(result.nodes <= nodes && result.nodes + 8 >= nodes);
        soloist_result_free(&result);
    }
    for (size_t memory = 1; memory < 5000; memory *= 5) {
        soloist_result result = solve(&tiles_domain, NULL, board, "idastar", &(soloist_limits){.memory = memory});
        assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
        assert_true(result.peak_bytes <= memory);
        soloist_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_exact),
        cmocka_unit_test(an_exhausted_tree_proves_impossibility),
        cmocka_unit_test(it_agrees_with_a_star_on_tiles),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
