/* The searches that a network's policy leads, against plain code on random graphs; what they count; how they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/guided/guided_reference.h"
#include "search/guided/questions.h"

#include <math.h>

static void compare(const soloist_domain *domain, const char *text, const char *method, enum plain_kind kind,
                    bool reopen) {
    struct guided_fake fake = guided_open(false);
    bool tempered = strstr(method, "temperature=0.5") != NULL;
    soloist_puzzle puzzle;
    assert_int_equal(toy_puzzle(domain, text, &puzzle), SOLOIST_OK);
    struct plain_result plain = plain_search(puzzle.instance, kind, reopen, tempered ? guided_temper : NULL);
    soloist_puzzle_free(&puzzle);
    soloist_result result = guided_solve(domain, text, method, (soloist_limits){0}, &fake);
    assert_int_equal(result.status, plain.found ? SOLOIST_SOLVED : SOLOIST_IMPOSSIBLE);
    if (plain.expanded > 1 || result.nodes) { /* otherwise the root has no move, which needs no search */
        assert_true(result.has_expanded && result.has_iterations);
        assert_int_equal(result.evaluations, plain.asked);
        assert_int_equal(result.expanded, plain.expanded);
    }
    if (plain.found) {
        assert_int_equal(result.verdict.value, plain.cost);
        assert_int_equal(result.move_count, plain.length);
        assert_memory_equal(result.moves, plain.moves, plain.length * sizeof *plain.moves);
    }
    soloist_result_free(&result);
}

static void searches_agree_with_plain_code(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    soloist_rng rng;
    char text[4096];
    soloist_rng_seed(&rng, 7, 0);
    for (int i = 0; i < 200; i++) {
        int nodes = 2 + (int)soloist_rng_below(&rng, 30);
        int edges = (int)soloist_rng_below(&rng, (uint32_t)(4 * nodes < TOY_EDGES ? 4 * nodes : TOY_EDGES));
        toy_random_graph(&rng, nodes, edges, 1, 9, text, sizeof text);
        compare(&domain, text, "levints", PLAIN_LEVIN, true);
        compare(&domain, text, "levints:reopen=false", PLAIN_LEVIN, false);
        compare(&domain, text, "levints:temperature=0.5", PLAIN_LEVIN, true);
        compare(&domain, text, "phs:temperature=0.5", PLAIN_PHS_STAR, false);
        compare(&domain, text, "phs:star=false", PLAIN_PHS, false);
        compare(&domain, text, "phs", PLAIN_PHS_STAR, false);
        compare(&domain, text, "phs:reopen=true", PLAIN_PHS_STAR, true);
    }
}

static void temperatures_are_powers(void **unused) {
    (void)unused;
    static const double temperatures[] = {0.1, 0.5, 1, 3};
    for (size_t t = 0; t < sizeof temperatures / sizeof *temperatures; t++) {
        float priors[4] = {0.5f, 0.25f, 0.25f, 0}, tempered[4];
        double sum = 0;
        for (int i = 0; i < 4; i++)
            sum += pow((double)priors[i], 1 / temperatures[t]);
        memcpy(tempered, priors, sizeof priors);
        guided_temper(tempered, 4, temperatures[t]);
        for (int i = 0; i < 4; i++)
            assert_true(fabs((double)tempered[i] - pow((double)priors[i], 1 / temperatures[t]) / sum) < 1e-6);
    }
}

/* A chain of 150 nodes, each with a longer step and a step back: the goal is far, and there is much to expand before.
 */
static const char *chain(void) {
    static char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "graph 151");
    for (int i = 0; i < 150; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d %d 1 %d %d 1 %d %d 1", i, i + 1, i,
                                   i + 2 < 150 ? i + 2 : 150, i, i / 2);
    return text;
}

static const char *const methods[] = {
    "levints", "levints:batch=5", "levints:reopen=false,uniform=0.1", "phs", "phs:batch=7,star=false", "phs:lazy=true",
};
enum { method_count = sizeof methods / sizeof *methods };

static void batches_and_options_find_solutions(void **unused) {
    (void)unused;
    char text[16384];
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 0);
    toy_random_graph(&rng, 250, 1200, 1, 3, text, sizeof text);
    for (int bound = 0; bound < 2; bound++)
        for (int m = 0; m < method_count; m++) {
            soloist_domain domain = guided_domain(bound);
            struct guided_fake fake = guided_open(false);
            soloist_result result = guided_solve(&domain, text, methods[m], (soloist_limits){0}, &fake);
            assert_int_equal(result.status, SOLOIST_SOLVED);
            assert_int_equal(result.iterations, result.expanded);
            bool alone =
                !strstr(methods[m], "batch") && (!strncmp(methods[m], "levints", 7) || strstr(methods[m], "lazy"));
            assert_true(alone ? fake.most_at_once == 1 : fake.most_at_once >= 5);
            soloist_result_free(&result);
        }
}

/* With lazy=true the network is asked once per expanded state, like levints. */
static void lazy_asks_less(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    struct guided_fake fake = guided_open(false);
    soloist_result lazy = guided_solve(&domain, chain(), "phs:lazy=true", (soloist_limits){0}, &fake);
    soloist_result levin = guided_solve(&domain, chain(), "levints", (soloist_limits){0}, &fake);
    assert_int_equal(lazy.evaluations, lazy.expanded);
    assert_int_equal(levin.evaluations, levin.expanded);
    soloist_result_free(&lazy);
    soloist_result_free(&levin);
}

static void limits_hold(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(true);
    for (int m = 0; m < method_count; m++) {
        struct guided_fake fake = guided_open(false);
        soloist_result result = guided_solve(&domain, chain(), methods[m], (soloist_limits){.nodes = 40}, &fake);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        assert_int_equal(result.nodes, 40);
        soloist_result_free(&result);
        result = guided_solve(&domain, chain(), methods[m], (soloist_limits){.iterations = 33}, &fake);
        assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
        assert_int_equal(result.iterations, 33);
        soloist_result_free(&result);
        for (size_t memory = 1 << 10; memory <= 1 << 24; memory += memory / 3) {
            result = guided_solve(&domain, chain(), methods[m], (soloist_limits){.memory = memory}, &fake);
            assert_true(result.status == SOLOIST_SOLVED ||
                        (result.status == SOLOIST_UNSOLVED && result.stopped == SOLOIST_STOP_MEMORY));
            assert_true(result.peak_bytes <= memory);
            soloist_result_free(&result);
        }
        assert_true(result.status == SOLOIST_SOLVED);
    }
}

/* If the network is slow, the limits are checked while the children of one state are being evaluated. */
static void a_stop_ends_an_evaluation(void **unused) {
    (void)unused;
    enum { leaves = 100 };
    static const char *const asking[] = {"phs", "levints:batch=64", "astar:bound=network", "greedy:bound=network",
                                         "exit-mcts:delay=64,per_move=1000"};
    soloist_domain domain = guided_domain(false);
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "graph %d", leaves + 2);
    for (int i = 1; i <= leaves; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " 0 %d 1 %d %d 1", i, i, leaves + 1);
    for (size_t m = 0; m < sizeof asking / sizeof *asking; m++) {
        struct guided_fake fake = guided_open(false);
        fake.evaluator.at_once = guided_two_at_once;
        fake.evaluator.batch = 64;
        fake.stops_after = 4;
        fake.stop = soloist_stop_token_new();
        soloist_result result = guided_solve(&domain, text, asking[m], (soloist_limits){.stop = fake.stop}, &fake);
        assert_int_equal(result.status, SOLOIST_UNSOLVED);
        assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
        assert_int_equal(fake.calls, 4);
        assert_int_equal(fake.most_at_once, 2);
        soloist_result_free(&result);
        soloist_stop_token_free(fake.stop);
    }
}

/* What the network takes counts towards the limit on memory. */
static void the_network_counts_towards_memory(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    for (int m = 0; m < method_count; m++)
        for (int fits = 0; fits < 2; fits++) {
            struct guided_fake fake = guided_open(false);
            fake.evaluator.expect = guided_megabyte;
            soloist_limits limits = {.memory = fits ? (size_t)16 << 20 : ((size_t)1 << 20) - 1};
            soloist_result result;
            soloist_error error;
            assert_int_equal(guided_try(&domain, chain(), methods[m], limits, &fake, &result, &error), SOLOIST_OK);
            assert_int_equal(result.status, fits ? SOLOIST_SOLVED : SOLOIST_UNSOLVED);
            assert_int_equal(result.stopped, fits ? SOLOIST_STOP_GOAL : SOLOIST_STOP_MEMORY);
            assert_true(result.peak_bytes <= limits.memory && (!fits || result.peak_bytes > 1 << 20));
            assert_int_equal(fake.calls > 0, fits);
            soloist_result_free(&result);
        }
}

static void failures_are_reported(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    for (int m = -1; m < method_count; m++) {
        const char *method = m < 0 ? "policy" : methods[m];
        struct guided_fake fake = guided_open(false);
        soloist_result result;
        soloist_error error;
        fake.fails_after = 1;
        assert_int_equal(guided_try(&domain, chain(), method, (soloist_limits){0}, &fake, &result, &error),
                         SOLOIST_INTERNAL);
        assert_string_equal(error.text, "the fake is out of order");
        soloist_result_free(&result);
        fake = guided_open(false);
        fake.evaluator.has_policy = false;
        assert_int_equal(guided_try(&domain, chain(), method, (soloist_limits){0}, &fake, &result, &error),
                         SOLOIST_UNSUPPORTED);
        assert_non_null(strstr(error.text, "the network gives no priors"));
        soloist_result_free(&result);
        assert_int_equal(guided_try(&domain, chain(), method, (soloist_limits){0}, NULL, &result, &error),
                         SOLOIST_UNSUPPORTED);
        assert_non_null(strstr(error.text, "needs a network"));
        soloist_result_free(&result);
    }
}

/* ---- the policy by itself ---- */

/* From 0 to 1 and back; node 2 cannot be reached. */
static void a_cycle_ends_by_the_step_limit(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    struct guided_fake fake = guided_open(false);
    soloist_result result = guided_solve(&domain, "graph 3 0 1 1 1 0 1", "policy", (soloist_limits){0}, &fake);
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    assert_int_equal(result.evaluations, 120);
    assert_int_equal(result.nodes, 120);
    assert_int_equal(result.iterations, 1);
    soloist_result_free(&result);
    result = guided_solve(&domain, "graph 3 0 1 1 1 0 1", "policy:steps=7,temperature=1,games=5", (soloist_limits){0},
                          &fake);
    assert_int_equal(result.evaluations, 35);
    assert_int_equal(result.iterations, 5);
    soloist_result_free(&result);
    result = guided_solve(&domain, "graph 3 0 1 1 1 0 1", "policy:temperature=1,games=0",
                          (soloist_limits){.iterations = 9}, &fake);
    assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
    assert_int_equal(result.iterations, 9);
    soloist_result_free(&result);
}

/* The line of the policy is the line of the most likely moves, followed by hand. */
static void the_most_likely_move_is_played(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    soloist_rng rng;
    char text[4096];
    int solved = 0;
    soloist_rng_seed(&rng, 3, 0);
    for (int i = 0; i < 200; i++) {
        struct guided_fake fake = guided_open(false);
        soloist_puzzle puzzle;
        toy_random_graph(&rng, 8, 30, 1, 9, text, sizeof text);
        assert_int_equal(toy_puzzle(&domain, text, &puzzle), SOLOIST_OK);
        struct toy_state state;
        soloist_move moves[TOY_EDGES], line[20];
        float priors[TOY_EDGES];
        int32_t last;
        int length = 0;
        toy_root(puzzle.instance, &state);
        while (length < 20 && !toy_ended(puzzle.instance, &state, &last)) {
            int count = toy_moves(puzzle.instance, &state, moves), best = 0;
            if (!count)
                break;
            guided_priors(state.key, count, priors);
            for (int k = 1; k < count; k++)
                best = priors[k] > priors[best] ? k : best;
            toy_apply(puzzle.instance, &state, line[length++] = moves[best], NULL);
        }
        bool ended = toy_ended(puzzle.instance, &state, &last);
        soloist_puzzle_free(&puzzle);
        soloist_result result = guided_solve(&domain, text, "policy:steps=20", (soloist_limits){0}, &fake);
        assert_int_equal(result.status, ended ? SOLOIST_SOLVED : length ? SOLOIST_UNSOLVED : SOLOIST_IMPOSSIBLE);
        assert_int_equal(result.evaluations, length);
        if (ended) {
            assert_int_equal(result.move_count, length);
            assert_memory_equal(result.moves, line, (size_t)length * sizeof *line);
        }
        solved += ended;
        soloist_result_free(&result);
    }
    assert_in_range(solved, 20, 180);
}

/* A draw follows the probabilities: from node 0 one edge leads to the goal, the other to a dead end. */
static void draws_follow_the_priors(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    static const char *const text = "graph 3 0 2 1 0 1 1";
    float priors[2];
    int solved[3] = {0};
    enum { games = 2000 };
    static const char *const method[3] = {"policy:temperature=1", "policy:temperature=1000", "policy:temperature=0.01"};
    guided_priors(toy_key(0), 2, priors);
    for (int m = 0; m < 3; m++)
        for (uint64_t seed = 1; seed <= games; seed++) {
            struct guided_fake fake = guided_open(false);
            soloist_result result = guided_solve(&domain, text, method[m], (soloist_limits){.seed = seed}, &fake);
            solved[m] += result.status == SOLOIST_SOLVED;
            soloist_result_free(&result);
        }
    assert_in_range(solved[0], games * (double)priors[0] - 100, games * (double)priors[0] + 100);
    assert_in_range(solved[1], games / 2 - 100, games / 2 + 100);
    assert_int_equal(solved[2], priors[0] > priors[1] ? games : 0);
}

/* A greedy descent by a network that knows the exact costs finds the least cost at once. */
static void greedy_follows_the_network(void **unused) {
    (void)unused;
    soloist_domain domain = guided_domain(false);
    soloist_rng rng;
    char text[4096];
    int solved = 0;
    soloist_rng_seed(&rng, 11, 0);
    for (int i = 0; i < 60; i++) {
        struct guided_fake fake = guided_open(true);
        fake.exact = true;
        toy_random_graph(&rng, 20, 60, 1, 9, text, sizeof text);
        soloist_result best = toy_solve(&domain, text, "bfs", NULL);
        if (best.status == SOLOIST_SOLVED && best.nodes) {
            soloist_result line =
                guided_solve(&domain, text, "greedy:bound=network,epsilon=0", (soloist_limits){.iterations = 1}, &fake);
            assert_int_equal(line.status, SOLOIST_SOLVED);
            assert_int_equal(line.verdict.value, best.verdict.value);
            assert_true(line.expanded <= line.move_count);
            soloist_result_free(&line);
            solved++;
        }
        soloist_result_free(&best);
    }
    assert_true(solved > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_agree_with_plain_code),
        cmocka_unit_test(temperatures_are_powers),
        cmocka_unit_test(batches_and_options_find_solutions),
        cmocka_unit_test(lazy_asks_less),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_stop_ends_an_evaluation),
        cmocka_unit_test(the_network_counts_towards_memory),
        cmocka_unit_test(failures_are_reported),
        cmocka_unit_test(a_cycle_ends_by_the_step_limit),
        cmocka_unit_test(the_most_likely_move_is_played),
        cmocka_unit_test(draws_follow_the_priors),
        cmocka_unit_test(greedy_follows_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
