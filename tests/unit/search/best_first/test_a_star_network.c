/* A* with a network's estimate: the same counts as A* with the domain's bound if the network's numbers are those of the
 * bound; batches; proofs that are not claimed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/guided/guided_reference.h"

static void same_numbers_give_the_same_counts(void **unused) {
    (void)unused;
    static const char *const pairs[][2] = {
        {"astar", "astar:bound=both"},
        {"astar:weight=3", "astar:weight=3,bound=both"},
        {"astar:weight=0", "astar:weight=0,bound=both"},
        {"astar:ties=random", "astar:ties=random,bound=both"},
    };
    /* An admissible bound may end A* earlier, by a proof. */
    soloist_bound bound = toy_graph_bound;
    soloist_domain domain = guided_domain(true);
    soloist_rng rng;
    char text[8192];
    uint64_t expanded = 0;
    bound.admissible = toy_no;
    domain.bound = &bound;
    soloist_rng_seed(&rng, 5, 0);
    for (int i = 0; i < 150; i++) {
        int nodes = 2 + (int)soloist_rng_below(&rng, 120);
        toy_random_graph(&rng, nodes, 3 * nodes, 1, 9, text, sizeof text);
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
            struct guided_fake fake = guided_open(true);
            soloist_limits limits = {.seed = (uint64_t)i};
            soloist_result plain = toy_solve(&domain, text, pairs[p][0], &limits);
            soloist_result learned = guided_solve(&domain, text, pairs[p][1], limits, &fake);
            assert_int_equal(learned.status, plain.status);
            assert_false(learned.optimal);
            assert_false(plain.has_evaluations);
            if (plain.nodes) { /* otherwise the root's bound says that there is no solution */
                assert_int_equal(learned.nodes, plain.nodes);
                assert_int_equal(learned.expanded, plain.expanded);
                assert_int_equal(learned.verdict.value, plain.verdict.value);
            }
            assert_true(fake.judged <= learned.nodes);
            expanded += learned.expanded;
            soloist_result_free(&plain);
            soloist_result_free(&learned);
        }
    }
    assert_true(expanded > 5000);
}

/* Without the domain's bound, states that it would leave out as dead are seen too, but none of them before the goal. */
static void the_network_alone_expands_the_same_states(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(true), boundless = guided_domain(false);
    soloist_rng rng;
    char text[8192];
    soloist_rng_seed(&rng, 6, 0);
    for (int i = 0, solved = 0; solved < 60; i++) {
        struct guided_fake fake = guided_open(true);
        toy_random_graph(&rng, 60, 180, 1, 9, text, sizeof text);
        soloist_result plain = toy_solve(&domain, text, "astar:weight=2", NULL);
        soloist_result learned =
            guided_solve(&boundless, text, "astar:weight=2,bound=network", (soloist_limits){0}, &fake);
        assert_int_equal(learned.status, plain.status);
        if (plain.status == SOLOIST_SOLVED) {
            assert_int_equal(learned.expanded, plain.expanded);
            assert_int_equal(learned.verdict.value, plain.verdict.value);
            solved++;
        }
        soloist_result_free(&plain);
        soloist_result_free(&learned);
    }
}

/* A batch expands states that plain A* may not need, but finds solutions no worse than its estimates. */
static void batches_ask_about_many_states(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    soloist_rng rng;
    char text[16384];
    soloist_rng_seed(&rng, 1, 0);
    toy_random_graph(&rng, 250, 1200, 1, 3, text, sizeof text);
    struct guided_fake fake = guided_open(true);
    soloist_result one = guided_solve(&domain, text, "astar:bound=network,weight=0.1", (soloist_limits){0}, &fake);
    uint64_t calls = fake.calls;
    soloist_result many =
        guided_solve(&domain, text, "astar:bound=network,weight=0.1,batch=16", (soloist_limits){0}, &fake);
    assert_true(fake.calls - calls < calls / 2 && many.expanded >= one.expanded);
    assert_int_equal(one.verdict.value, many.verdict.value); /* the numbers are admissible */
    soloist_result_free(&one);
    soloist_result_free(&many);
}

static void limits_hold(void **unused) {
    (void)unused;
    static const char *const methods[] = {"astar:bound=network", "astar:bound=network,batch=9,ties=random"};
    soloist_domain domain = guided_domain(false);
    soloist_rng rng;
    char text[16384], method[80];
    soloist_rng_seed(&rng, 1, 0);
    toy_random_graph(&rng, 250, 1200, 1, 3, text, sizeof text);
    for (int m = 0; m < 2; m++) {
        struct guided_fake fake = guided_open(false);
        soloist_result result = guided_solve(&domain, text, methods[m], (soloist_limits){.nodes = 40}, &fake);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        assert_int_equal(result.nodes, 40);
        soloist_result_free(&result);
        snprintf(method, sizeof method, "%s,expansions=13", methods[m]);
        result = guided_solve(&domain, text, method, (soloist_limits){0}, &fake);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        assert_int_equal(result.expanded, 13);
        soloist_result_free(&result);
        for (size_t memory = 1 << 10; memory <= 1 << 24; memory += memory / 3) {
            result = guided_solve(&domain, text, methods[m], (soloist_limits){.memory = memory}, &fake);
            assert_true(result.status == SOLOIST_SOLVED || result.stopped == SOLOIST_STOP_MEMORY);
            assert_true(result.peak_bytes <= memory);
            soloist_result_free(&result);
        }
        assert_int_equal(result.status, SOLOIST_SOLVED);
    }
}

static void what_is_missing_is_said(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    struct guided_fake fake = guided_open(false);
    soloist_result result;
    soloist_error error;
    static const char *const text = "graph 2 0 1 1";
    assert_int_equal(guided_try(&domain, text, "astar", (soloist_limits){0}, &fake, &result, &error),
                     SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "astar needs a bound; graph has none");
    soloist_result_free(&result);
    fake.evaluator.has_value = false;
    assert_int_equal(guided_try(&domain, text, "astar:bound=network", (soloist_limits){0}, &fake, &result, &error),
                     SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "the network gives no values"));
    soloist_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_numbers_give_the_same_counts),
        cmocka_unit_test(the_network_alone_expands_the_same_states),
        cmocka_unit_test(batches_ask_about_many_states),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
