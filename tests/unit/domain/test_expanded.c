/* The count of expanded states is the number of calls of expand, in every method that counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"

#include <string.h>

static uint64_t calls;

static int expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children) {
    calls++;
    return tiles_domain.core->expand(instance, state, last, want, children);
}

static int expand_back(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                       soloist_child *children) {
    calls++;
    return tiles_domain.reverse->core->expand(instance, state, last, want, children);
}

static soloist_result solve_on(const soloist_domain *domain, const char *text, const char *method) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist *engine = soloist_new();
    soloist_limits limits = {.nodes = 1000000};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    calls = 0;
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* On tiles whose calls of expand are counted. */
static soloist_result solve_counted(const char *text, const char *method) {
    soloist_core core = *tiles_domain.core, back = *tiles_domain.reverse->core;
    core.expand = expand;
    back.expand = expand_back;
    soloist_reverse reverse = *tiles_domain.reverse;
    reverse.core = &back;
    soloist_domain domain = tiles_domain;
    domain.core = &core;
    domain.reverse = &reverse;
    domain.hints = NULL;
    return solve_on(&domain, text, method);
}

static soloist_result solve(const char *method) { return solve_counted("8 1 5 7 4 6 2 0 3", method); }

static void it_is_the_calls_of_expand(void **unused) {
    (void)unused;
    static const char *const methods[] = {"astar", "bfs", "greedy:improve", "idastar:table=two-level", "mm", "nbs",
                                          "bae",   "dbbs"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        soloist_result result = solve(methods[i]);
        assert_true(result.has_expanded && calls > 20);
        assert_int_equal(result.expanded, calls);
        soloist_result_free(&result);
    }
}

/* The plain walk of IDA* expands the states on its solution's path once more, to take back what it counted too much. */
static void the_plain_walk_counts_what_it_enters(void **unused) {
    (void)unused;
    soloist_result result = solve("idastar:table=none,order=none");
    assert_true(result.has_expanded && result.optimal);
    assert_int_equal(result.expanded + result.move_count, calls);
    soloist_result_free(&result);
}

/* A* expands tiles ahead of their turn, but not where no hint says that this is quick, as in the counted domain: that
 * must change nothing else. */
static void looking_ahead_changes_nothing(void **unused) {
    (void)unused;
    static const char *const boards[] = {"8 1 5 7 4 6 2 0 3", "8 7 6 0 4 1 2 5 3",
                                         "5 1 2 3 4 9 6 7 8 10 0 11 12 13 14 15",
                                         "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15"};
    static const char *const methods[] = {"astar", "astar:ties=random", "astar:weight=3"};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            soloist_result plain = solve_counted(boards[i], methods[m]);
            soloist_result ahead = solve_on(&tiles_domain, boards[i], methods[m]);
            assert_int_equal(plain.status, ahead.status);
            assert_int_equal(plain.nodes, ahead.nodes);
            assert_int_equal(plain.expanded, ahead.expanded);
            assert_int_equal(plain.peak_bytes, ahead.peak_bytes);
            if (plain.solution)
                assert_string_equal(plain.solution, ahead.solution);
            soloist_result_free(&plain);
            soloist_result_free(&ahead);
        }
}

static void other_methods_do_not_count(void **unused) {
    (void)unused;
    soloist_result result = solve("random");
    assert_true(result.nodes > 0);
    assert_false(result.has_expanded);
    soloist_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_calls_of_expand),
        cmocka_unit_test(the_plain_walk_counts_what_it_enters),
        cmocka_unit_test(looking_ahead_changes_nothing),
        cmocka_unit_test(other_methods_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
