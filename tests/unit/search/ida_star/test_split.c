/* IDA* by several workers: threads and simulated processes find solutions of the same cost, with the same proofs, as
 * one thread, under every option and limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/stop.h"
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

static const char tiles[] = "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10";
static const char pancakes[] = "10 3 1 8 5 12 2 7 4 11 6 9 14 13";
static const char stack[] = "26 2 17 9 22 5 13 1 20 11 24 7 15 3 18 8 23 12 4 19 6 25 10 21 14 16";
static const char level[] = "#########\n#   #   #\n# $ . $ #\n#  # #  #\n#. $@  .#\n#   #   #\n#########\n";

static const struct {
    const soloist_domain *domain;
    const char *text, *method;
} cases[] = {
    {&tiles_domain, tiles, "idastar:slice=50"},
    {&tiles_domain, tiles, "idastar:slice=1"},
    {&tiles_domain, tiles, "idastar"},
    {&tiles_domain, tiles, "idastar:order=bound,slice=20"},
    {&tiles_domain, tiles, "idastar:table=two-level,slice=20"},
    {&tiles_domain, tiles, "idastar:table=new,table_mb=1,order=none,slice=20"},
    {&pancake_domain, pancakes, "idastar:slice=3"},
    {&pancake_domain, pancakes, "idastar:table=deep,slice=3"},
    {&pancake_domain, pancakes, "idastar:dual,slice=1"},
    {&pancake_domain, stack, "idastar:dual,slice=1"},
    {&pancake_domain, stack, "idastar:dual,slice=10"},
    {&sokoban_domain, level, "idastar:slice=2"},
    {&sokoban_domain, level, "idastar:slice=2,order=inertia"},
    {&sokoban_domain, level, "idastar:slice=2,table=none"},
    {&sokoban_domain, level, "idastar:slice=2,table=old,order=none"},
    {&sokoban_moves_domain, level, "idastar:slice=5"},
};
enum { case_count = sizeof cases / sizeof *cases };

static void threads_agree_with_one(void **unused) {
    (void)unused;
    for (int i = 0; i < case_count; i++) {
        soloist_result one = solve(cases[i].domain, NULL, cases[i].text, cases[i].method, NULL);
        assert_true(one.optimal);
        for (int threads = 2; threads <= 5; threads++) {
            soloist_limits limits = {.threads = threads, .seed = (uint64_t)i};
            soloist_result many = solve(cases[i].domain, NULL, cases[i].text, cases[i].method, &limits);
            assert_int_equal(many.status, SOLOIST_SOLVED);
            assert_true(many.optimal);
            assert_int_equal(many.verdict.value, one.verdict.value);
            assert_int_equal(many.has_expanded, one.has_expanded);
            assert_true(many.nodes > 0);
            soloist_result_free(&many);
        }
        soloist_result_free(&one);
    }
}

/* With cuts and weights, a solution is optimal only if it meets the root's bound. */
static void what_proves_nothing_still_proves_nothing(void **unused) {
    (void)unused;
    soloist_limits limits = {.threads = 3};
    soloist_result best = solve(&sokoban_domain, NULL, level, "astar", NULL);
    soloist_result cut = solve(&sokoban_domain, NULL, level, "idastar:relevance=5,slice=2", &limits);
    soloist_result weighted = solve(&tiles_domain, NULL, tiles, "idastar:weight=200,slice=5", &limits);
    assert_int_equal(cut.status, SOLOIST_SOLVED);
    assert_true(!cut.optimal || cut.verdict.value == best.verdict.value);
    assert_true(weighted.status == SOLOIST_SOLVED && !weighted.optimal);
    soloist_result_free(&best);
    soloist_result_free(&cut);
    soloist_result_free(&weighted);
}

/* Random graphs with cycles, some of which have no solution: every table ends, with the same answer. */
static void graphs(void **unused) {
    (void)unused;
    static char text[20000];
    static const char *const methods[] = {"idastar:slice=1", "idastar:slice=3,order=none", "idastar:slice=1,table=new"};
    soloist_domain domain = toy_graph_domain;
    domain.bound = &toy_graph_bound;
    int impossible = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, 4);
        int nodes = 2 + (int)soloist_rng_below(&rng, 40);
        toy_random_graph(&rng, nodes, (int)soloist_rng_below(&rng, (uint32_t)(4 * nodes)), 0, seed % 2 ? 3 : 50, text,
                         sizeof text);
        soloist_limits limits = {.threads = 2 + (int)(seed % 3), .seed = seed};
        soloist_result a = solve(&domain, NULL, text, "astar", NULL);
        soloist_result b = solve(&domain, NULL, text, methods[seed % 3], &limits);
        assert_int_equal(a.status, b.status);
        assert_int_equal(a.verdict.value, b.verdict.value);
        assert_int_equal(a.optimal, b.optimal);
        impossible += a.status == SOLOIST_IMPOSSIBLE;
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
    assert_true(impossible > 5);
}

/* Half of all boards cannot be solved; only a search that sees every state can tell. */
static void impossible_boards(void **unused) {
    (void)unused;
    static const char *const methods[] = {"idastar:table=two-level,slice=3", "idastar:table=new,slice=10"};
    soloist_domain domain = tiles_domain;
    soloist_life life = *domain.life;
    life.impossible = NULL;
    domain.life = &life;
    for (int i = 0; i < 4; i++) {
        soloist_limits limits = {.nodes = 100000, .threads = 2 + i};
        soloist_result result = solve(&domain, NULL, "3x2: 0 1 2 3 5 4", methods[i % 2], &limits);
        assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
        soloist_result_free(&result);
    }
}

/* The node limit is met to the node, although the threads share it. */
static void node_limits_are_exact(void **unused) {
    (void)unused;
    static const char hard[] = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    static const uint64_t limits[] = {1, 2, 7, 100, 5000, 100000};
    static const char *const methods[] = {"idastar", "idastar:slice=5", "idastar:table=deep", "idastar:order=bound"};
    for (int i = 0; i < 6; i++)
        for (int method = 0; method < 4; method++) {
            soloist_limits given = {.nodes = limits[i], .threads = 2 + method};
            soloist_result result = solve(&tiles_domain, NULL, hard, methods[method], &given);
            assert_int_equal(result.status, SOLOIST_UNSOLVED);
            assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
            assert_int_equal(result.nodes, limits[i]);
            soloist_result_free(&result);
        }
}

/* Every node is counted under a node limit that is not reached, too: a pancake puzzle of 14 has 12 children at every
 * state, and IDA* counts one child more at the root of each iteration. */
static void node_limits_count_every_node(void **unused) {
    (void)unused;
    static const char *const methods[] = {"idastar:slice=1", "idastar:slice=3", "idastar"};
    for (int threads = 2; threads <= 5; threads++)
        for (int method = 0; method < 3; method++)
            for (uint64_t limit = 0; limit <= 10000000; limit += 10000000) {
                soloist_limits given = {.nodes = limit, .threads = threads};
                soloist_result result = solve(&pancake_domain, NULL, pancakes, methods[method], &given);
                uint64_t usual = 12 * result.expanded;
                assert_true(result.optimal && result.stopped != SOLOIST_STOP_NODES);
                assert_in_range(result.nodes, usual, usual + 20);
                soloist_result_free(&result);
            }
}

static void other_limits_hold(void **unused) {
    (void)unused;
    static const char *const methods[] = {"idastar", "idastar:table=deep", "idastar:table=none,order=bound"};
    static const char hard[] = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    for (int i = 0; i < 3; i++) {
        for (size_t memory = 1; memory < 5000; memory *= 5) {
            soloist_limits limits = {.memory = memory, .threads = 3};
            soloist_result result = solve(&tiles_domain, NULL, hard, methods[i], &limits);
            assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
            assert_true(result.peak_bytes <= memory);
            soloist_result_free(&result);
        }
        soloist_stop_token cancel = {.cancelled = 1};
        soloist_result result =
            solve(&tiles_domain, NULL, hard, methods[i], &(soloist_limits){.stop = &cancel, .threads = 3});
        assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
        soloist_result_free(&result);
        result = solve(&tiles_domain, NULL, hard, methods[i], &(soloist_limits){.time_s = 0.02, .threads = 3});
        assert_int_equal(result.stopped, SOLOIST_STOP_TIME);
        soloist_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_agree_with_one),
        cmocka_unit_test(what_proves_nothing_still_proves_nothing),
        cmocka_unit_test(graphs),
        cmocka_unit_test(impossible_boards),
        cmocka_unit_test(node_limits_are_exact),
        cmocka_unit_test(node_limits_count_every_node),
        cmocka_unit_test(other_limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
