/* A bound that is wrong on the very line that a search found: the solution stays, the proof goes, and a sentence says
 * why. A bound that is right gives no such sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "toy.h"

/* The only way from 0 to 3, with a dearer one beside it: 0 -2- 1 -3- 2 -4- 3. */
static const char graph[] = "graph 4 0 1 2 1 2 3 2 3 4 0 3 100";

static int32_t exact(const soloist_instance *instance, const void *state) {
    return toy_graph_of(instance)->to_goal[((const struct toy_state *)state)->node];
}

static int32_t too_high(const soloist_instance *instance, const void *state) {
    return exact(instance, state) + (((const struct toy_state *)state)->node == 2);
}

static int32_t dead_end(const soloist_instance *instance, const void *state) {
    return ((const struct toy_state *)state)->node == 1 ? SOLOIST_DEAD : exact(instance, state);
}

static bool dead_test(const soloist_instance *instance, const void *state) {
    return exact(instance, state) > 0 && ((const struct toy_state *)state)->node == 2;
}

static int32_t at_root(const soloist_instance *instance, const void *state) {
    return exact(instance, state) + (((const struct toy_state *)state)->node == 0);
}

static int32_t at_goal(const soloist_instance *instance, const void *state) {
    return exact(instance, state) + (((const struct toy_state *)state)->node == 3);
}

static soloist_result solve_with(const soloist_domain *like, const soloist_bound *bound, const char *text,
                                 const char *method) {
    static const soloist_limits limits = {.nodes = 10000, .iterations = 1000, .seed = 1};
    soloist_domain domain = *like;
    domain.bound = bound;
    return toy_solve(&domain, text, method, &limits);
}

static void expect_doubt(const soloist_domain *like, const soloist_bound *bound, const char *text, const char *method,
                         int32_t value, const char *sentence) {
    soloist_result result = solve_with(like, bound, text, method);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_int_equal(result.verdict.value, value);
    assert_false(result.optimal);
    assert_string_equal(result.warning, sentence);
    soloist_result_free(&result);
}

static void expect_proof(const soloist_domain *like, const soloist_bound *bound, const char *text, const char *method,
                         int32_t value) {
    soloist_result result = solve_with(like, bound, text, method);
    assert_true(result.optimal);
    assert_int_equal(result.verdict.value, value);
    assert_string_equal(result.warning, "");
    soloist_result_free(&result);
}

static void costs_that_are_overestimated(void **unused) {
    (void)unused;
    const soloist_bound right = {
        .size = sizeof(soloist_bound), .value = exact, .admissible = toy_yes, .consistent = toy_yes};
    const soloist_bound high = {
        .size = sizeof(soloist_bound), .value = too_high, .admissible = toy_yes, .consistent = toy_yes};
    const soloist_bound goal = {
        .size = sizeof(soloist_bound), .value = at_goal, .admissible = toy_yes, .consistent = toy_yes};
    static const char *const methods[] = {"astar", "idastar", "bfs", "auto"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        expect_proof(&toy_graph_domain, &right, graph, methods[m], 9);
        expect_proof(&toy_graph_domain, NULL, graph, "bfs", 9);
        expect_doubt(&toy_graph_domain, &high, graph, methods[m], 9,
                     "the bound of graph is wrong, so it proves nothing: after move 2 of the solution it is 5, "
                     "but the true value is at most 4");
        expect_doubt(&toy_graph_domain, &goal, graph, methods[m], 9,
                     "the bound of graph is wrong, so it proves nothing: after move 3 of the solution it is 1, "
                     "but the true value is at most 0");
    }
}

static void the_root_counts_too(void **unused) {
    (void)unused;
    const soloist_bound root = {
        .size = sizeof(soloist_bound), .value = at_root, .admissible = toy_yes, .consistent = toy_yes};
    expect_doubt(&toy_graph_domain, &root, graph, "astar", 9,
                 "the bound of graph is wrong, so it proves nothing: at the start it is 10, but the true value "
                 "is at most 9");
}

/* Bounds of which the domain claims nothing are no mistakes; and nothing is proved by them. */
static void claims_nothing(void **unused) {
    (void)unused;
    const soloist_bound high = {
        .size = sizeof(soloist_bound), .value = too_high, .admissible = toy_no, .consistent = toy_no};
    soloist_result result = solve_with(&toy_graph_domain, &high, graph, "bfs");
    assert_true(result.optimal);
    assert_string_equal(result.warning, "");
    soloist_result_free(&result);
}

/* expand does not ask this bound, so that the line is found. */
static void states_that_are_not_dead(void **unused) {
    (void)unused;
    const soloist_bound dead = {
        .size = sizeof(soloist_bound), .value = dead_end, .admissible = toy_yes, .consistent = toy_yes};
    const soloist_bound test = {
        .size = sizeof(soloist_bound), .value = exact, .dead = dead_test, .admissible = toy_yes, .consistent = toy_yes};
    expect_doubt(&toy_graph_domain, &dead, graph, "bfs", 9,
                 "the bound of graph is wrong, so it proves nothing: after move 1 of the solution it calls the "
                 "state dead");
    expect_doubt(&toy_graph_domain, &test, graph, "bfs", 9,
                 "the bound of graph is wrong, so it proves nothing: after move 2 of the solution it calls the "
                 "state dead");
}

/* ---- bounds outside their range ---- */

static int32_t far_below(const soloist_instance *instance, const void *state) { return exact(instance, state) / 2 - 5; }

static int32_t one_too_high(const soloist_instance *instance, const void *state) { return exact(instance, state) + 1; }

static int expand_by(const soloist_instance *instance, const void *state, soloist_child *children,
                     int32_t (*value)(const soloist_instance *instance, const void *state)) {
    int count = toy_expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, children);
    for (int i = 0; i < count; i++) {
        struct toy_state child = {.node = toy_graph_of(instance)->edge[children[i].move].to};
        children[i].bound = value(instance, &child);
    }
    return count;
}

static int expand_below(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                        soloist_child *children) {
    (void)last, (void)want;
    return expand_by(instance, state, children, far_below);
}

static int expand_too_high(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                           soloist_child *children) {
    (void)last, (void)want;
    return expand_by(instance, state, children, one_too_high);
}

/* A negative bound is admissible, and counts as 0. */
static void negative_bounds_count_as_0(void **unused) {
    (void)unused;
    static const char *const methods[] = {"astar", "idastar", "idastar:table=none", "bfs", "auto"};
    const soloist_bound below = {
        .size = sizeof(soloist_bound), .value = far_below, .admissible = toy_yes, .consistent = toy_no};
    soloist_core core = toy_graph_core;
    soloist_domain domain = toy_graph_domain;
    core.expand = expand_below;
    domain.core = &core;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        expect_proof(&domain, &below, graph, methods[m], 9);
}

/* No search may pass by a goal because its bound is above 0, and then say that there is no solution. */
static void goals_above_0_are_found(void **unused) {
    (void)unused;
    static const char *const methods[] = {"astar", "idastar", "idastar:table=none", "mcts", "auto"};
    const soloist_bound above = {
        .size = sizeof(soloist_bound), .value = one_too_high, .admissible = toy_yes, .consistent = toy_yes};
    soloist_core core = toy_graph_core;
    soloist_domain domain = toy_graph_domain;
    core.expand = expand_too_high;
    domain.core = &core;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        soloist_result result = solve_with(&domain, &above, graph, methods[m]);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_false(result.optimal);
        soloist_result_free(&result);
    }
}

/* ---- scores ---- */

static int32_t too_low(const soloist_instance *instance, const void *state) {
    const struct toy_span *span = (const struct toy_span *)state;
    return span->right - span->left == 2 ? 5 : toy_row_bound(instance, state);
}

static int32_t tight_low(const soloist_instance *instance, const void *state, int32_t enough) {
    (void)enough;
    return too_low(instance, state);
}

static void scores_that_are_underestimated(void **unused) {
    (void)unused;
    static const char row[] = "row 1 2 3"; /* 1 + 4 + 9 - 10 */
    const soloist_bound low = {
        .size = sizeof(soloist_bound), .value = too_low, .admissible = toy_yes, .consistent = toy_yes};
    const soloist_bound tight = {.size = sizeof(soloist_bound),
                                 .value = toy_row_bound,
                                 .tight = tight_low,
                                 .admissible = toy_yes,
                                 .consistent = toy_yes};
    expect_proof(&toy_row_domain, &toy_row_bounds, row, "bnb", 4);
    expect_proof(&toy_row_domain, &toy_row_bounds, "row 3 1 4 1 5", "bestfirst", 36);
    expect_doubt(&toy_row_domain, &low, "row 5 6 7", "bnb", 28,
                 "the bound of row is wrong, so it proves nothing: after move 1 of the solution it is 5, but "
                 "the true value is at least 23");
    /* The best line, 5 + 12 + 21 - 10, was lost sight of. */
    expect_doubt(&toy_row_domain, &tight, "row 5 6 7", "bestfirst:tight=true", 24,
                 "the bound of row is wrong, so it proves nothing: after move 1 of the solution it is 5, but "
                 "the true value is at least 17");
}

/* ---- from both ends: pancakes, whose bounds are right, made wrong ---- */

static int32_t jumping(const soloist_instance *instance, const void *state) {
    int32_t value = pancake_domain.bound->value(instance, state);
    return pancake_domain.core->key(instance, state) & 1 ? value : 0;
}

static int32_t half_way(const soloist_instance *instance, const void *state) {
    return pancake_domain.reverse->bound->value(instance, state) + 1;
}

static void bounds_of_both_ends(void **unused) {
    (void)unused;
    static const char stack[] = "7 8 2 5 4 3 1 6";
    soloist_bound forward = *pancake_domain.bound, backward = *pancake_domain.reverse->bound;
    soloist_reverse reverse = *pancake_domain.reverse;
    soloist_domain domain = pancake_domain;
    domain.reverse = &reverse;
    reverse.bound = &backward;
    expect_proof(&domain, &forward, stack, "bae", 6);
    expect_proof(&domain, &forward, stack, "dbbs", 6);
    forward.value = jumping;
    soloist_result result = solve_with(&domain, &forward, stack, "bae");
    assert_false(result.optimal);
    assert_non_null(strstr(result.warning, "not consistent, since the move costs 1"));
    soloist_result_free(&result);
    backward.value = half_way;
    result = solve_with(&domain, pancake_domain.bound, stack, "mm");
    assert_false(result.optimal);
    assert_non_null(strstr(result.warning, "the bound for backward play of pancake is wrong"));
    soloist_result_free(&result);
    expect_proof(&domain, pancake_domain.bound, stack, "astar", 6); /* it never asks that bound */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_that_are_overestimated),
        cmocka_unit_test(negative_bounds_count_as_0),
        cmocka_unit_test(goals_above_0_are_found),
        cmocka_unit_test(the_root_counts_too),
        cmocka_unit_test(claims_nothing),
        cmocka_unit_test(states_that_are_not_dead),
        cmocka_unit_test(scores_that_are_underestimated),
        cmocka_unit_test(bounds_of_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
