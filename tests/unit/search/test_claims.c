/* What searches claim in rare cases: after a limit, with large costs, without memory, with threads that generate no
 * states. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "toy.h"
#include "any_network.h"
#include "base/sanitizer.h"
#include "domain/domain.h"
#include "soloist_extra.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <unistd.h>

static soloist_domain bounded(void) {
    soloist_domain domain = toy_graph_domain;
    domain.bound = &toy_graph_bound;
    return domain;
}

/* A corridor whose states have two dead children and one that goes on: a limit in the middle of an expansion loses it.
 */
static const soloist_member members[] = {{"bfs", "bfs", .share = 1},
                                         {"nmcs", "nmcs:games=1,length=1,level=1", .share = 1}};
static const soloist_mix mix = {.size = sizeof mix, .members = members, .count = 2, .round_robin = true};
static const soloist_mix *choose(const soloist_instance *instance, const soloist_limits *limits) {
    (void)instance, (void)limits;
    return &mix;
}

static void no_member_goes_on_after_its_limit(void **unused) {
    (void)unused;
    static const soloist_hints hints = {.size = sizeof hints, .mix = choose};
    static char text[40000];
    enum { corridor = 95, goal = 3 * corridor - 1 };
    size_t length = (size_t)sprintf(text, "graph %d", goal + 1);
    for (int i = 0, dead = corridor; i < corridor; i++, dead = dead + 4 < goal ? dead + 2 : dead)
        length += (size_t)sprintf(text + length, " %d %d 1 %d %d 1 %d %d 1", i, dead, i, dead + 1, i,
                                  i + 1 < corridor ? i + 1 : goal);
    soloist_domain domain = toy_graph_domain;
    domain.hints = &hints;
    for (uint64_t nodes = 494; nodes <= 510; nodes++) {
        soloist_limits limits = {.nodes = nodes, .threads = 2};
        soloist_result result = toy_solve(&domain, text, "auto", &limits);
        assert_int_not_equal(result.status, SOLOIST_IMPOSSIBLE);
        if (result.status == SOLOIST_UNSOLVED)
            assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        soloist_result_free(&result);
    }
}

static void threads_without_moves_obey_the_time_limit(void **unused) {
    (void)unused;
    soloist_domain domain = bounded();
    for (int threads = 2; threads <= 8; threads++) {
        soloist_limits limits = {.nodes = 62, .time_s = 0.3, .threads = threads};
        alarm(20);
        soloist_result result = toy_solve(&domain, "graph 2 0 1 5", "nmcs:improve,level=1", &limits);
        alarm(0);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        soloist_result_free(&result);
    }
}

static void large_costs_are_no_proof(void **unused) {
    (void)unused;
    static const char *const methods[] = {"idastar:table=none", "idastar", "astar", "astar:weight=5"};
    soloist_domain domain = bounded();
    for (int i = 0; i < 8; i++) {
        soloist_limits limits = {.nodes = 100000, .threads = 1 + i % 2};
        soloist_result result =
            toy_solve(&domain, "graph 3 0 1 900000000 1 2 900000000 0 2 1900000000", methods[i / 2], &limits);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        soloist_result_free(&result);
    }
}

/* The lines through node 1 cost more than fits into 32 bits. */
static void lines_too_dear_to_count_are_left_out(void **unused) {
    (void)unused;
    static const char *const methods[] = {"greedy:improve,epsilon=1",
                                          "random:improve",
                                          "nmcs:improve,level=1",
                                          "nmcs:improve,level=2",
                                          "nmcts:improve,level=2,n=10",
                                          "nrpa:improve,level=1",
                                          "policy-mcts",
                                          "policy-mcts:per_move=2,games=20",
                                          "pv-mcts",
                                          "exit-mcts:lines",
                                          "mcts:improve",
                                          "mcts:improve,burst=1,path_weight=0",
                                          "uct:improve",
                                          "uct:improve,parallel=root",
                                          "policy:temperature=1,games=0"};
    soloist_domain domain = toy_graph_domain;
    domain.learn = tiles_domain.learn; /* the made-up network looks at keys only */
    for (size_t i = 0; i < 2 * sizeof methods / sizeof *methods; i++) {
        struct any_network any;
        soloist_limits limits = {
            .iterations = 100, .nodes = 2000, .threads = 1 + (int)i % 2, .network = any_network_open(&any, &domain)};
        soloist_result result = toy_solve(&domain, "graph 4 0 1 1500000000 1 2 1500000000 2 3 1500000000 0 3 300000000",
                                          methods[i / 2], &limits);
        if (result.status != SOLOIST_SOLVED || result.verdict.value != 300000000)
            fail_msg("%s: %s, %d", methods[i / 2], soloist_status_name(result.status), (int)result.verdict.value);
        assert_string_equal(result.warning, "");
        soloist_result_free(&result);
        result = toy_solve(&domain, "graph 4 0 1 1500000000 1 2 1500000000 2 3 1500000000", methods[i / 2], &limits);
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        assert_string_equal(result.warning,
                            "lines of play were left out, because their cost does not fit into 32 bits");
        soloist_result_free(&result);
    }
}

static int32_t any_score(const soloist_instance *instance, const void *state) {
    (void)instance, (void)state;
    return SOLOIST_DEAD - 1;
}

static void lines_of_too_high_score_are_left_out(void **unused) {
    (void)unused;
    static const char *const methods[] = {
        "greedy:epsilon=1", "random", "nmcs", "nmcts:n=10", "nrpa",       "beam",
        "bestfirst",        "bnb",    "mcts", "uct",        "seify-mcts", "marocchi-uct:simulate=bfs"};
    static const soloist_bound bound = {
        .size = sizeof bound, .value = any_score, .admissible = toy_yes, .consistent = toy_yes};
    soloist_domain domain = toy_row_domain;
    domain.bound = &bound;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        soloist_limits limits = {.iterations = 200, .nodes = 2000, .threads = 1};
        soloist_result result = toy_solve(&domain, "row 700000000 740000000", methods[i], &limits);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_int_equal(result.verdict.value, 740000000 + 2 * 700000000 - 10);
        assert_false(result.optimal); /* the line that was left out would refute it */
        assert_string_equal(result.warning,
                            "lines of play were left out, because their score does not fit into 32 bits");
        soloist_result_free(&result);
    }
}

/* Sanitizers have a realloc of their own, which must not be replaced. */
#if !HAS_SANITIZER
static atomic_int fails_at = -1;
void *realloc(void *old, size_t size) {
    static void *(*real)(void *, size_t);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "realloc");
    if (atomic_load(&fails_at) >= 0 && atomic_fetch_sub(&fails_at, 1) == 0)
        return NULL;
    return real(old, size);
}

static void without_memory_for_the_line_nothing_is_impossible(void **unused) {
    (void)unused;
    soloist_domain domain = bounded();
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    assert_int_equal(toy_puzzle(&domain, "graph 5 0 1 1 1 2 1 2 3 1 3 4 1", &puzzle), SOLOIST_OK);
    for (int i = 0; i < 60; i++) {
        soloist_limits limits = {.nodes = 100000, .threads = 2};
        soloist_result result;
        soloist_error error;
        atomic_store(&fails_at, i % 30);
        soloist_solve(engine, &puzzle, i < 30 ? "bfs" : "astar", &limits, NULL, &result, &error);
        atomic_store(&fails_at, -1);
        assert_int_not_equal(result.status, SOLOIST_IMPOSSIBLE);
        soloist_result_free(&result);
    }
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

#endif

static void games_without_chance_are_not_repeated(void **unused) {
    (void)unused;
    uint64_t iterations[2];
    for (int i = 0; i < 2; i++) {
        struct any_network any;
        soloist_limits limits = {
            .network = any_network_open(&any, &tiles_domain), .threads = 1, .iterations = 100000, .seed = 1};
        soloist *engine = soloist_new();
        soloist_result result;
        soloist_error error;
        assert_int_equal(soloist_solve_text(engine, "tiles", "5 8 3 6 1 0 10 2 12 4 7 11 13 9 14 15",
                                            i ? "exit-mcts:per_move=20,step_limit=30,games=3"
                                              : "exit-mcts:per_move=20,step_limit=30",
                                            &limits, &result, &error),
                         SOLOIST_OK);
        iterations[i] = result.iterations;
        soloist_result_free(&result);
        soloist_free(engine);
    }
    assert_int_equal(iterations[0], iterations[1]);
}

static int32_t nothing_left(const soloist_instance *instance, const void *state) {
    (void)instance, (void)state;
    return 0;
}

/* No method needs to search where there is no move, unless the domain's options may have left it out. */
static void a_start_without_moves_is_impossible(void **unused) {
    (void)unused;
    static const char *const methods[] = {"auto", "uct", "mcts", "random", "greedy", "nmcs", "nrpa", "beam", "bfs"};
    static const soloist_bound bound = {
        .size = sizeof bound, .value = nothing_left, .admissible = toy_yes, .consistent = toy_yes, .lossless = toy_no};
    soloist_domain domain = toy_graph_domain, lossy = domain;
    lossy.bound = &bound;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        soloist_limits limits = {.nodes = 100, .iterations = 100};
        soloist_result result = toy_solve(&domain, "graph 2", methods[i], &limits);
        assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
        assert_int_equal(result.nodes, 0);
        soloist_result_free(&result);
        result = toy_solve(&lossy, "graph 2", methods[i], &limits);
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        soloist_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_member_goes_on_after_its_limit),
        cmocka_unit_test(large_costs_are_no_proof),
        cmocka_unit_test(lines_too_dear_to_count_are_left_out),
        cmocka_unit_test(lines_of_too_high_score_are_left_out),
#if !HAS_SANITIZER
        cmocka_unit_test(without_memory_for_the_line_nothing_is_impossible),
#endif
        cmocka_unit_test(games_without_chance_are_not_repeated),
        cmocka_unit_test(threads_without_moves_obey_the_time_limit),
        cmocka_unit_test(a_start_without_moves_is_impossible)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
