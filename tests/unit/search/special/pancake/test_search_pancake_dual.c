/* Pancakes from both ends: the dual pair against plain flips and plain counts, costs against breadth-first distances on
 * whole spaces and against other searches on larger stacks, what it refuses, its limits, and that auto takes it. */
#include "domain/domain.h"
#include "domain/pancake/pancake_dual.h"
#include "base/stop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kit ---- */

static void shuffle(soloist_rng *rng, int n, uint8_t *stack) {
    for (int i = 0; i < n; i++) {
        int j = (int)soloist_rng_below(rng, (uint32_t)i + 1);
        stack[i] = stack[j];
        stack[j] = (uint8_t)(i + 1);
    }
}

static void flip(uint8_t *stack, int k) {
    for (int i = 0; i < k / 2; i++) {
        uint8_t kept = stack[i];
        stack[i] = stack[k - 1 - i];
        stack[k - 1 - i] = kept;
    }
}

/* The result is the caller's to free. Replayed by the engine. */
static soloist_result solve(soloist *engine, const char *options, const uint8_t *stack, int n, const char *method,
                            const soloist_limits *limits) {
    char text[4 * PANCAKE_MOST + 1];
    int length = 0;
    for (int i = 0; i < n; i++)
        length += sprintf(text + length, "%d ", stack[i]);
    soloist_chunk chunk = {.text = text, .length = (size_t)length, .line = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(soloist_puzzle_read(&pancake_domain, options, &chunk, &puzzle, NULL), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    return result;
}

static int cost_by(soloist *engine, const uint8_t *stack, int n, const char *method) {
    soloist_result result = solve(engine, NULL, stack, n, method, NULL);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_true(result.optimal);
    int cost = result.verdict.value;
    soloist_result_free(&result);
    return cost;
}

/* ---- the dual pair ---- */

static int count_gaps(const uint8_t *side, int n) {
    int gaps = 0;
    for (int i = 0; i < n; i++)
        gaps += abs(side[i] - side[i + 1]) > 1;
    return gaps;
}

/* Both sides within the room, and each the other's index. */
static void check_pair(const struct pancake_dual *dual, const uint8_t *stack, int side, int n) {
    const uint8_t *here = pancake_dual_side(dual, side), *there = pancake_dual_side(dual, 1 - side);
    for (int i = 0; i <= n; i++) {
        assert_int_equal(here[i], i < n ? stack[i] : n);
        assert_int_equal(there[here[i]], i);
    }
    assert_int_equal(count_gaps(here, n), count_gaps(there, n));
}

static void flips_are_plain_flips(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    for (int n = 1; n <= PANCAKE_MOST; n++)
        for (int side = 0; side < 2; side++) {
            static const size_t rooms[] = {64, 96, 112, PANCAKE_ROOM};
            struct pancake_dual from, to;
            uint8_t stack[PANCAKE_ROOM];
            shuffle(&rng, n, stack);
            pancake_dual_open(&from, stack, n);
            for (int k = 1; k <= n; k++) {
                memcpy(stack, pancake_dual_side(&from, side), sizeof stack);
                flip(stack, k);
                for (int r = n < 64 ? 0 : n < 96 ? 1 : n < 112 ? 2 : 3; r < 4; r++) {
                    pancake_dual_open(&to, stack, 0);
                    pancake_dual_flip(&from, &to, side, k, rooms[r]);
                    check_pair(&to, stack, side, n);
                }
            }
        }
}

/* Flips that remove a gap, by looking at all; their list must be the same. */
static int check_removing(const struct pancake_dual *dual, int side, int n) {
    uint8_t flips[3];
    int count = pancake_dual_removing(dual, side, flips), plain = 0;
    for (int k = 2; k <= n; k++) {
        uint8_t stack[PANCAKE_ROOM];
        memcpy(stack, pancake_dual_side(dual, side), sizeof stack);
        int before = count_gaps(stack, n);
        flip(stack, k);
        int change = count_gaps(stack, n) - before;
        assert_int_equal(pancake_dual_change(dual, side, k), change);
        if (change == -1) {
            assert_true(count > 0 && (flips[0] == k || (count == 2 && flips[1] == k)));
            plain++;
        }
    }
    assert_int_equal(count, plain);
    return count;
}

static void check_prospects(const struct pancake_dual *dual, int n) {
    for (int side = 0; side < 2; side++)
        for (int k = 2; k <= n; k++) {
            struct pancake_dual child;
            pancake_dual_flip(dual, &child, side, k, PANCAKE_ROOM);
            int here = check_removing(&child, 0, n), there = check_removing(&child, 1, n);
            assert_int_equal(pancake_dual_prospect(dual, side, k), here && there ? here + there : 0);
        }
}

static void look_ups_are_plain_counts(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 4, 0);
    for (int i = 0; i < 300; i++) {
        int n = i < 280 ? 2 + i % 9 : 20 + i % 20;
        uint8_t stack[PANCAKE_ROOM];
        struct pancake_dual dual;
        shuffle(&rng, n, stack);
        pancake_dual_open(&dual, stack, n);
        check_prospects(&dual, n);
    }
}

/* ---- costs ---- */

/* A stack's number among the n! ones, and back. */
static uint32_t rank_of(const uint8_t *stack, int n) {
    uint32_t rank = 0;
    for (int i = 0; i < n; i++) {
        uint32_t smaller = 0;
        for (int j = i + 1; j < n; j++)
            smaller += stack[j] < stack[i];
        rank = rank * (uint32_t)(n - i) + smaller;
    }
    return rank;
}

static void stack_of(uint32_t rank, int n, uint8_t *stack) {
    for (int i = n - 1; i >= 0; i--) {
        stack[i] = (uint8_t)(rank % (uint32_t)(n - i) + 1);
        rank /= (uint32_t)(n - i);
        for (int j = i + 1; j < n; j++)
            stack[j] += stack[j] >= stack[i];
    }
}

/* Flips from the sorted stack to every other, by plain breadth-first search; returns their number. */
static uint32_t distances(int n, uint8_t *distance, uint32_t *queue) {
    uint8_t stack[16];
    uint32_t count = 1;
    queue[0] = 0; /* sorted: no smaller one under a larger */
    distance[0] = 0;
    for (uint32_t at = 0; at < count; at++)
        for (int k = 2; k <= n; k++) {
            stack_of(queue[at], n, stack);
            flip(stack, k);
            uint32_t rank = rank_of(stack, n);
            if (distance[rank] != 255)
                continue;
            distance[rank] = (uint8_t)(distance[queue[at]] + 1);
            queue[count++] = rank;
        }
    return count;
}

/* Whole spaces up to 8, every 23rd stack of 9. */
static void whole_spaces(void **unused) {
    (void)unused;
    static uint8_t distance[362880];
    static uint32_t queue[362880];
    soloist *engine = soloist_new();
    for (int n = 1; n <= 9; n++) {
        memset(distance, 255, sizeof distance);
        uint32_t count = distances(n, distance, queue);
        for (uint32_t rank = 0; rank < count; rank += n < 9 ? 1 : 23) {
            uint8_t stack[16];
            stack_of(rank, n, stack);
            assert_int_equal(cost_by(engine, stack, n, "idastar:dual"), distance[rank]);
        }
    }
    soloist_free(engine);
}

static void other_searches_agree(void **unused) {
    (void)unused;
    static const char *const methods[] = {"astar", "idastar", "dbbs"};
    soloist *engine = soloist_new();
    soloist_rng rng;
    soloist_rng_seed(&rng, 6, 0);
    for (int i = 0; i < 240; i++) {
        uint8_t stack[PANCAKE_ROOM];
        int n = 10 + i % 12;
        shuffle(&rng, n, stack);
        assert_int_equal(cost_by(engine, stack, n, "idastar:dual"), cost_by(engine, stack, n, methods[i % 3]));
    }
    soloist_free(engine);
}

/* Stacks of every size that has a copy of the loop to itself, a few flips from the goal. */
static void large_stacks(void **unused) {
    (void)unused;
    static const int sizes[] = {31, 63, 64, 95, 96, 111, 112, 127, 128};
    soloist *engine = soloist_new();
    soloist_rng rng;
    soloist_rng_seed(&rng, 7, 0);
    for (int i = 0; i < 54; i++) {
        uint8_t stack[PANCAKE_ROOM];
        int n = sizes[i % 9], flips = i / 9 * 3;
        for (int p = 0; p < n; p++)
            stack[p] = (uint8_t)(p + 1);
        for (int f = 0; f < flips; f++)
            flip(stack, 2 + (int)soloist_rng_below(&rng, (uint32_t)n - 1));
        int cost = cost_by(engine, stack, n, "idastar:dual");
        assert_true(cost <= flips);
        assert_int_equal(cost, cost_by(engine, stack, n, "astar"));
    }
    soloist_free(engine);
}

/* Stacks that the gaps tell little about: the slack grows to two and more. */
static void slack_grows(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    int most = 0;
    for (int n = 6; n <= 13; n++) {
        uint8_t stack[PANCAKE_ROOM]; /* sorted but for the ends, and upside down in halves */
        for (int i = 0; i < n; i++)
            stack[i] = (uint8_t)(i + 1);
        flip(stack, n);
        flip(stack, n / 2);
        flip(stack, n - 1);
        flip(stack, n / 2 - 1);
        for (int shift = 0; shift < n; shift++) {
            uint8_t first = stack[0];
            memmove(stack, stack + 1, (size_t)n - 1);
            stack[n - 1] = first;
            struct pancake_dual dual;
            pancake_dual_open(&dual, stack, n);
            int cost = cost_by(engine, stack, n, "idastar:dual"), gaps = count_gaps(pancake_dual_side(&dual, 0), n);
            assert_int_equal(cost, cost_by(engine, stack, n, "astar"));
            most = cost - gaps > most ? cost - gaps : most;
        }
    }
    assert_true(most >= 2);
    soloist_free(engine);
}

/* ---- options and limits ---- */

static void expect_refusal(const soloist_domain *domain, const char *options, const char *text) {
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(soloist_puzzle_read(domain, options, &chunk, &puzzle, NULL), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "idastar:dual", NULL, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, " has no search from both ends under these options"));
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void it_is_for_the_whole_gap(void **unused) {
    (void)unused;
    expect_refusal(&pancake_domain, "gap=1", "3 1 2");
    expect_refusal(&pancake_domain, "bound=none", "3 1 2");
    expect_refusal(&tiles_domain, NULL, "1 0 2 3 4 5 6 7 8");
}

static void limits_hold(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_rng rng;
    uint8_t stack[PANCAKE_ROOM];
    soloist_rng_seed(&rng, 8, 0);
    shuffle(&rng, 50, stack);
    soloist_result result = solve(engine, NULL, stack, 50, "idastar:dual", NULL);
    uint64_t all = result.nodes;
    assert_true(all > 10000);
    soloist_result_free(&result);
    for (uint64_t nodes = 1; nodes <= all; nodes = nodes == all ? all + 1 : nodes * 3 > all ? all : nodes * 3) {
        result = solve(engine, NULL, stack, 50, "idastar:dual", &(soloist_limits){.nodes = nodes});
        assert_int_equal(result.status, nodes < all ? SOLOIST_UNSOLVED : SOLOIST_SOLVED);
        assert_int_equal(result.stopped, nodes < all ? SOLOIST_STOP_NODES : SOLOIST_STOP_GOAL);
        assert_int_equal(result.nodes, nodes);
        soloist_result_free(&result);
    }
    result = solve(engine, NULL, stack, 50, "idastar:dual", &(soloist_limits){.memory = 1000});
    assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
    soloist_result_free(&result);
    soloist_stop_token cancel = {.cancelled = 1};
    result = solve(engine, NULL, stack, 50, "idastar:dual", &(soloist_limits){.stop = &cancel});
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    soloist_result_free(&result);
    soloist_free(engine);
}

static void auto_takes_it(void **unused) {
    (void)unused;
    static const uint8_t stack[] = {5, 2, 7, 1, 3, 8, 6, 4};
    soloist *engine = soloist_new();
    for (int i = 0; i < 4; i++) {
        soloist_limits limits = {.nodes = i % 2 ? 1000000 : 0};
        soloist_result result = solve(engine, i / 2 ? "gap=1" : NULL, stack, 8, "auto", &limits);
        assert_true(result.optimal);
        assert_string_equal(result.method, i / 2 ? "astar" : "idastar:dual");
        soloist_result_free(&result);
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flips_are_plain_flips),
        cmocka_unit_test(look_ups_are_plain_counts),
        cmocka_unit_test(whole_spaces),
        cmocka_unit_test(other_searches_agree),
        cmocka_unit_test(large_stacks),
        cmocka_unit_test(slack_grows),
        cmocka_unit_test(it_is_for_the_whole_gap),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(auto_takes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
