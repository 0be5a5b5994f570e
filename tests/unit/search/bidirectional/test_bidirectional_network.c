/* Bidirectional searches with a network's bounds: if the network's numbers are an admissible and consistent bound, the
 * lines are optimal, though this is not claimed; other numbers give some line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "any_network.h"
#include "domain/domain.h"

#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"mm", "nbs", "bae", "dbbs", "bhpa"};
enum { method_count = sizeof methods / sizeof *methods };

static uint64_t judged;
static bool broken;

/* The values stand for the domain's bound; step_value is a power of two, so that bounds survive as values. */
static bool judge_by_bound(struct evaluator *evaluator, struct evaluation *evaluations, int count,
                           soloist_error *error) {
    (void)evaluator;
    if (broken)
        return soloist_fail(error, 0, 0, "the network is broken");
    judged += (uint64_t)count;
    for (int i = 0; i < count; i++) {
        int32_t bound = pancake_domain.bound->value(evaluations[i].instance, evaluations[i].state);
        evaluations[i].value = (float)(1 - bound / 1024.0);
    }
    return true;
}

static const soloist_learn learn = {.size = sizeof(soloist_learn)};

static soloist_code solve(const char *text, const char *method, soloist_limits limits, bool by_bound,
                          soloist_result *result, soloist_error *error) {
    soloist_domain domain = pancake_domain;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    struct any_network any;
    domain.learn = &learn;
    limits.network = any_network_open(&any, &domain);
    if (by_bound)
        any.evaluator.judge = judge_by_bound, any.evaluator.step_value = 1.0 / 1024;
    assert_int_equal(soloist_puzzle_read(&domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    soloist_code code = soloist_solve(engine, &puzzle, method, &limits, NULL, result, error);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return code;
}

static void random_stack(soloist_rng *rng, int count, char *text) {
    int stack[16];
    for (int i = 0; i < count; i++)
        stack[i] = i + 1;
    for (int i = count; i > 1; i--) {
        int k = (int)soloist_rng_below(rng, (uint32_t)i), keep = stack[i - 1];
        stack[i - 1] = stack[k], stack[k] = keep;
    }
    for (int i = 0; i < count; i++)
        text += sprintf(text, "%s%d", i ? " " : "", stack[i]);
}

static void lines_are_optimal_under_a_good_bound(void **unused) {
    (void)unused;
    soloist_rng rng;
    char text[64], method[64];
    soloist_error error;
    soloist_rng_seed(&rng, 4, 0);
    for (int i = 0; i < 40; i++) {
        soloist_result best, line;
        random_stack(&rng, 8, text);
        assert_int_equal(solve(text, "astar", (soloist_limits){0}, true, &best, &error), SOLOIST_OK);
        for (int m = 0; m < method_count; m++) {
            snprintf(method, sizeof method, "%s:bound=network", methods[m]);
            judged = 0;
            assert_int_equal(solve(text, method, (soloist_limits){0}, true, &line, &error), SOLOIST_OK);
            assert_int_equal(line.status, SOLOIST_SOLVED);
            assert_false(line.optimal);
            if (best.nodes) {
                assert_true(line.has_evaluations && judged > 0);
                assert_int_equal(line.evaluations, judged);
                assert_true(judged <= line.nodes + 1);
            }
            if (strcmp(methods[m], "bhpa") != 0)
                assert_int_equal(line.verdict.value, best.verdict.value);
            soloist_result_free(&line);
        }
        soloist_result_free(&best);
    }
}

static void any_numbers_give_some_line(void **unused) {
    (void)unused;
    char method[64];
    soloist_result line;
    soloist_error error;
    for (int m = 0; m < method_count; m++) {
        snprintf(method, sizeof method, "%s:bound=network", methods[m]);
        assert_int_equal(solve("3 6 2 7 1 5 4", method, (soloist_limits){0}, false, &line, &error), SOLOIST_OK);
        assert_int_equal(line.status, SOLOIST_SOLVED);
        assert_false(line.optimal);
        soloist_result_free(&line);
        assert_int_equal(solve("3 6 2 7 1 5 4", method, (soloist_limits){.nodes = 30}, false, &line, &error),
                         SOLOIST_OK);
        assert_true(line.nodes <= 30);
        soloist_result_free(&line);
        for (size_t memory = 1 << 10; memory < 1 << 24; memory += memory / 3) {
            assert_int_equal(solve("3 6 2 7 1 5 4", method, (soloist_limits){.memory = memory}, false, &line, &error),
                             SOLOIST_OK);
            assert_true(line.status == SOLOIST_SOLVED || line.stopped == SOLOIST_STOP_MEMORY);
            soloist_result_free(&line);
        }
        broken = true;
        assert_int_equal(solve("3 6 2 7 1 5 4", method, (soloist_limits){0}, true, &line, &error), SOLOIST_INTERNAL);
        assert_string_equal(error.text, "the network is broken");
        broken = false;
        soloist_result_free(&line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_optimal_under_a_good_bound),
        cmocka_unit_test(any_numbers_give_some_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
