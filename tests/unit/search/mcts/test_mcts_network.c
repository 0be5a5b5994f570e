/* Tree search whose leaves a network values: the same search as by the bound if the network's numbers are those of the
 * bound; failures; domains that it is not for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "any_network.h"
#include "domain/domain.h"

#include <stdio.h>
#include <string.h>

static int calls_left; /* until the network fails; -1: it does not */

/* The values stand for the domain's bound; step_value is a power of two, so that bounds survive as values. */
static bool judge(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error) {
    (void)evaluator;
    if (!calls_left)
        return soloist_fail(error, 0, 0, "the network is broken");
    calls_left -= calls_left > 0;
    for (int i = 0; i < count; i++) {
        int32_t bound = pancake_domain.bound->value(evaluations[i].instance, evaluations[i].state);
        evaluations[i].value = (float)(1 - bound / 1024.0);
    }
    return true;
}

static const soloist_learn learn = {.size = sizeof(soloist_learn)};

static soloist_code solve(const soloist_domain *of, const char *text, const char *method, soloist_limits limits,
                          soloist_result *result, soloist_error *error) {
    soloist_domain domain = *of;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    struct any_network any;
    domain.learn = &learn;
    limits.network = any_network_open(&any, &domain);
    any.evaluator.judge = judge;
    any.evaluator.step_value = 1.0 / 1024;
    assert_int_equal(soloist_puzzle_read(&domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    soloist_code code = soloist_solve(engine, &puzzle, method, &limits, NULL, result, error);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return code;
}

static const char *const stack = "9 4 12 2 7 5 11 1 8 3 10 6";

static void the_same_numbers_give_the_same_tree(void **unused) {
    (void)unused;
    static const char *const methods[] = {"mcts:valued=leaf,path_weight=0", "uct:simulate=none",
                                          "uct:simulate=bfs,depth=1", "uct:simulate=eps-greedy"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        soloist_limits limits = {.iterations = 400, .seed = 3, .threads = 1};
        soloist_result plain, learned;
        soloist_error error;
        char method[80];
        calls_left = -1;
        snprintf(method, sizeof method, "%s,reward=network", methods[m]);
        assert_int_equal(solve(&pancake_domain, stack, methods[m], limits, &plain, &error), SOLOIST_OK);
        assert_int_equal(solve(&pancake_domain, stack, method, limits, &learned, &error), SOLOIST_OK);
        assert_int_equal(learned.nodes, plain.nodes);
        assert_int_equal(learned.iterations, plain.iterations);
        assert_int_equal(learned.status, plain.status);
        assert_int_equal(learned.verdict.value, plain.verdict.value);
        assert_true(learned.has_evaluations && learned.evaluations > 100 && !plain.has_evaluations);
        soloist_result_free(&plain);
        soloist_result_free(&learned);
    }
}

static void failures_are_reported(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 3; threads += 2) {
        soloist_limits limits = {.iterations = 4000, .seed = 3, .threads = threads};
        soloist_result result;
        soloist_error error;
        calls_left = threads == 1 ? 20 : 0;
        assert_int_equal(solve(&pancake_domain, stack, "uct:simulate=none,reward=network", limits, &result, &error),
                         SOLOIST_INTERNAL);
        assert_string_equal(error.text, "the network is broken");
        soloist_result_free(&result);
    }
    soloist_result result;
    soloist_error error;
    assert_int_equal(solve(&samegame_domain, "121\n212\n112\n", "uct:reward=network",
                           (soloist_limits){.iterations = 10}, &result, &error),
                     SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "reward=network needs a domain that minimises cost"));
    soloist_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_numbers_give_the_same_tree),
        cmocka_unit_test(failures_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
