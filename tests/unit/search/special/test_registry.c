/* A copy of a built-in domain under another name, added as a user's domain, gets the same mix and the same specials,
 * and so the same node counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "search/special/registry.h"

#include <string.h>

static const char level[] = "############\n#          #\n#  $ $ $   #\n#   ####   #\n# $ #..  $ #\n#   #..@   #\n"
                            "#   #..  $ #\n#          #\n############\n";
static const char tiles[] = "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10\n";
static const char stack[] = "17 4 22 9 1 13 20 6 24 11 3 15 8 19 2 23 10 5 14 21 7 16 12 18\n";
static const char board[] = "12345\n23451\n34512\n11223\n33445\n";

static soloist_result solve(const soloist *engine, const char *domain, const char *text, const char *method) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_limits limits = {.nodes = 50000, .iterations = 50000, .threads = 1, .seed = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, domain), NULL, &chunk, &puzzle, &error),
                     SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s, %s: %s", domain, method, error.text);
    soloist_puzzle_free(&puzzle);
    return result;
}

/* The copy is complete, or was compiled with an earlier header that knew nothing of the last pointer of core. */
static void a_copy_is_solved_alike(void **unused) {
    (void)unused;
    static const struct {
        const soloist_domain *domain;
        const char *text, *method;
    } rows[] = {
        {&sokoban_domain, level, "auto"},
        {&sokoban_domain, level, "auto:without=astar+bhpa"},
        {&sokoban_domain, level, "idastar:order=inertia,relevance=5"},
        {&sokoban_domain, level, "fess"},
        {&samegame_domain, board, "auto"},
        {&samegame_domain, board, "mcts:simulate=tabu"},
        {&tiles_domain, tiles, "auto"},
        {&tiles_domain, tiles, "idastar"},
        {&pancake_domain, stack, "auto"},
        {&pancake_domain, stack, "idastar:dual"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int earlier = 0; earlier < 2; earlier++) {
            soloist *engine = soloist_new();
            soloist_domain copy = *rows[i].domain;
            soloist_core core = *copy.core;
            soloist_error error;
            copy.name = "copy";
            if (earlier) {
                core.size = offsetof(soloist_core, turn);
                copy.core = &core;
            }
            assert_int_equal(soloist_add_domain(engine, &copy, &error), SOLOIST_OK);
            soloist_result own = solve(engine, rows[i].domain->name, rows[i].text, rows[i].method);
            soloist_result other = solve(engine, "copy", rows[i].text, rows[i].method);
            assert_int_equal(own.status, other.status);
            assert_int_equal(own.nodes, other.nodes);
            assert_int_equal(own.expanded, other.expanded);
            assert_string_equal(own.method, other.method);
            assert_int_equal(own.solution != NULL, other.solution != NULL);
            if (own.solution)
                assert_string_equal(own.solution, other.solution);
            soloist_result_free(&own);
            soloist_result_free(&other);
            soloist_free(engine);
        }
}

static void a_copy_has_the_specials(void **unused) {
    (void)unused;
    soloist_domain copy = sokoban_moves_domain;
    copy.name = "copy";
    assert_true(special_levels(&copy) == special_levels(&sokoban_domain) && special_levels(&copy));
    assert_null(special_ida_star(&copy));
    copy = samegame_domain;
    copy.name = "sokoban";
    assert_null(special_levels(&copy));
    assert_null(special_ida_star(&copy));
    assert_null(special_levels(NULL));
    assert_non_null(special_ida_star(&pancake_domain)->dual);
}

/* Rules that only look alike are another game. */
static int32_t apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    return tiles_domain.core->apply(instance, state, move, undo);
}

static void other_rules_have_none(void **unused) {
    (void)unused;
    soloist_domain other = tiles_domain;
    soloist_core core = *tiles_domain.core;
    core.apply = apply;
    other.core = &core;
    assert_null(special_ida_star(&other));
    assert_non_null(special_ida_star(&tiles_domain));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_solved_alike),
        cmocka_unit_test(a_copy_has_the_specials),
        cmocka_unit_test(other_rules_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
