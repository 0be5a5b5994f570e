/* Beams that a network ranks, for the least cost: which states are kept, what is asked, and what is proved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/guided/guided_reference.h"

/* A beam so wide that nothing is dropped finds the least cost, whatever the network says. */
static void wide_beams_are_optimal(void **unused) {
    (void)unused;
    static const char *const methods[] = {"beam:score=values,width=100000,widen=false",
                                          "beam:score=priors,width=100000,widen=false",
                                          "beam:score=values,least_prior=0,width=64"};
    soloist_domain domain = guided_domain(false);
    soloist_rng rng;
    char text[8192];
    soloist_rng_seed(&rng, 8, 0);
    for (int i = 0; i < 60; i++) {
        toy_random_graph(&rng, 40, 120, 1, 9, text, sizeof text);
        soloist_result plain = toy_solve(&domain, text, "bfs", NULL);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            struct guided_fake fake = guided_open(false);
            soloist_result beam = guided_solve(&domain, text, methods[m], (soloist_limits){.threads = 1}, &fake);
            assert_int_equal(beam.status, plain.status);
            if (plain.status == SOLOIST_SOLVED)
                assert_int_equal(beam.verdict.value, plain.verdict.value);
            soloist_result_free(&beam);
        }
        soloist_result_free(&plain);
    }
}

/* A beam of width one goes from each state to the child with the least cost so far plus estimate, here by hand. */
static void a_narrow_beam_follows_the_estimate(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    soloist_rng rng;
    char text[8192];
    int solved = 0;
    soloist_rng_seed(&rng, 9, 0);
    for (int i = 0; i < 100; i++) {
        struct guided_fake fake = guided_open(false);
        soloist_puzzle puzzle;
        toy_random_graph(&rng, 12, 40, 1, 9, text, sizeof text);
        assert_int_equal(toy_puzzle(&domain, text, &puzzle), SOLOIST_OK);
        struct toy_state state, next;
        int32_t cost = 0, last, seen[TOY_NODES], at = -1;
        bool ended = false;
        for (int n = 0; n < TOY_NODES; n++)
            seen[n] = INT32_MAX;
        toy_root(puzzle.instance, &state);
        seen[0] = 0;
        for (bool goes_on = true; goes_on && !ended;) {
            soloist_move moves[TOY_EDGES];
            double least = 1e30;
            int count = toy_moves(puzzle.instance, &state, moves);
            int32_t best_cost = 0;
            goes_on = false;
            for (int k = 0; k < count; k++) {
                next = state;
                int32_t sum = cost + toy_apply(puzzle.instance, &next, moves[k], NULL);
                double h = (1 - (double)guided_value(false, puzzle.instance, &next)) / 0.02;
                double f = toy_ended(puzzle.instance, &next, &last) ? sum : sum + h;
                if (sum >= seen[next.node] || f > least)
                    continue;
                /* equal ranks are drawn by chance: only clear cases are followed */
                least = f, best_cost = sum, at = (int32_t)next.node, goes_on = true;
            }
            if (goes_on) {
                state = (struct toy_state){toy_key(at), at};
                cost = seen[at] = best_cost;
                ended = toy_ended(puzzle.instance, &state, &last);
            }
        }
        soloist_puzzle_free(&puzzle);
        soloist_result beam =
            guided_solve(&domain, text, "beam:score=values,width=1,widen=false", (soloist_limits){.threads = 1}, &fake);
        if (ended) {
            assert_int_equal(beam.status, SOLOIST_SOLVED);
            assert_in_range(beam.verdict.value, 1, cost); /* less if the beam went on from beside the goal */
        }
        solved += ended;
        soloist_result_free(&beam);
    }
    assert_in_range(solved, 20, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_beams_are_optimal),
        cmocka_unit_test(a_narrow_beam_follows_the_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
