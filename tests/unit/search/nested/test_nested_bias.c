/* A network's priors in a policy: play-outs against their probabilities, adapting against the formula of generalised
 * NRPA, runs that repeat, and what is lacking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/policy/policy_reference.h"
#include "search/nested/nested.h"

#include <math.h>
#include <stdio.h>

static const char *const board = "31221\n12332\n23113\n31212\n13321\n12123\n";
static const char *const large =
    "112312213\n231233112\n312123321\n123321231\n213213132\n331122312\n123131223\n312231132\n";
static const double network_bias = 0.7, own_bias = 0.4;

struct bench {
    soloist_puzzle puzzle;
    struct budget budget;
    struct search_run run;
    struct nested_options options;
    struct nested_team team;
    struct nested nested;
    struct nested_worker worker;
    struct fake fake;
    soloist_error error;
};

static void bench_open(struct bench *bench, const char *options) {
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    soloist_limits limits = {.iterations = UINT64_MAX / 2};
    memset(bench, 0, sizeof *bench);
    bench->fake = fake_open(16);
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &bench->puzzle, NULL), SOLOIST_OK);
    budget_open(&bench->budget, &limits, NULL);
    bench->run = (struct search_run){.domain = &samegame_domain,
                                     .instance = bench->puzzle.instance,
                                     .options = &bench->options,
                                     .budget = &bench->budget,
                                     .evaluator = &bench->fake.evaluator,
                                     .threads = 1,
                                     .error = &bench->error};
    samegame_domain.life->shape(bench->puzzle.instance, &bench->run.shape);
    soloist_options_reset(nested_options_rows, &bench->options);
    assert_int_equal(soloist_options_parse(nested_options_rows, &bench->options, options, NULL), SOLOIST_OK);
    pthread_mutex_init(&bench->team.lock, NULL);
    assert_int_equal(nested_settle(&bench->run, &bench->team, &bench->nested), SOLOIST_OK);
    assert_true(nested_worker_open(&bench->worker, &bench->nested, 0));
    soloist_rng_seed(&bench->worker.rng, 3, 0);
    nested_start(&bench->worker, NULL, 0);
}

static void bench_close(struct bench *bench) {
    nested_worker_close(&bench->worker);
    assert_int_equal(memory_used(&bench->budget.memory), 0);
    pthread_mutex_destroy(&bench->team.lock);
    free(bench->team.best.moves);
    free(bench->run.best.moves);
    soloist_puzzle_free(&bench->puzzle);
}

/* The 0.999 quantile of chi-square, about (Wilson and Hilferty). */
static double chi_limit(int freedom) {
    double part = 2.0 / (9 * freedom), root = 1 - part + 3.09 * sqrt(part);
    return freedom * root * root * root;
}

/* What the moves of a state weigh, straight from the formula; choices say which codes and priors of their own they
 * have. Returns the sum. */
static double plain_weights(const struct bench *bench, const unsigned char *state, const struct nested_policy *policy,
                            const soloist_choice *choices, int count, double *weights) {
    soloist_move moves[PLAIN_MOVES];
    float priors[PLAIN_MOVES];
    double sum = 0;
    int all = samegame_domain.core->moves(bench->run.instance, state, moves);
    assert_int_equal(all, count);
    fake_priors(bench->run.instance, state, all, priors);
    for (int i = 0; i < count; i++) {
        int at = nested_place(choices, count, moves[i]);
        weights[at] = exp(nested_policy_find(policy, choices[at].code)->logit + own_bias * choices[at].prior +
                          network_bias * log((double)priors[i]));
        sum += weights[at];
    }
    return sum;
}

static double chi_of(const int *seen, const double *weights, double sum, int count, int games) {
    double chi = 0;
    for (int i = 0; i < count; i++) {
        double expected = games * weights[i] / sum;
        chi += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    return chi;
}

/* First moves, and second moves after the one that comes most, of a policy that was adapted. */
static void play_outs_follow_the_network(void **unused) {
    (void)unused;
    enum { games = 40000 };
    static struct bench bench;
    struct nested_worker *worker = &bench.worker;
    bench_open(&bench, "bias=0.4,network_bias=0.7,bias_depth=2");
    struct nested_policy *policy = &worker->levels[1].policy;
    int count = worker->start_count;
    assert_true(nested_policy_reserve(policy, 1));
    for (int i = 0; i < 3; i++) {
        assert_true(nested_play_out(worker, policy));
        assert_true(nested_adapt_to(worker, policy, &worker->line));
    }
    for (int i = 0; i < 2000; i++) /* until all that comes again was asked about */
        assert_true(nested_play_out(worker, policy));
    assert_true(bench.fake.judged > count && bench.fake.calls < 200);
    unsigned char state[PLAIN_STATE];
    double weights[PLAIN_MOVES], sum;
    int first[PLAIN_MOVES] = {0}, second[PLAIN_MOVES][PLAIN_MOVES] = {{0}}, most = 0;
    const soloist_choice *choices = worker->start;
    static unsigned char walk[1 << 17];
    for (int i = 0; i < games; i++) {
        assert_true(nested_play_out(worker, policy));
        int chosen = nested_place(choices, count, worker->line.steps[0].move);
        first[chosen]++;
        nested_walk_copy(&bench.nested, walk, worker->start);
        int then = nested_walk_play(worker, walk, chosen);
        second[chosen][nested_place((const soloist_choice *)(const void *)walk, then, worker->line.steps[1].move)]++;
        most = first[chosen] > first[most] ? chosen : most;
    }
    samegame_domain.life->root(bench.run.instance, state);
    sum = plain_weights(&bench, state, policy, choices, count, weights);
    assert_true(count > 3 && chi_of(first, weights, sum, count, games) < chi_limit(count - 1));
    nested_walk_copy(&bench.nested, walk, worker->start);
    int then = nested_walk_play(worker, walk, most);
    samegame_domain.core->apply(bench.run.instance, state, choices[most].move, NULL);
    sum = plain_weights(&bench, state, policy, (const soloist_choice *)(const void *)walk, then, weights);
    assert_true(then > 1 && chi_of(second[most], weights, sum, then, first[most]) < chi_limit(then - 1));
    bench_close(&bench);
}

/* The line knows which factor each choice had at each step: what is adapted is a step's own probabilities. */
static void policies_adapt_to_biased_lines(void **unused) {
    (void)unused;
    static struct bench bench;
    struct nested_worker *worker = &bench.worker;
    bench_open(&bench, "bias=0.4,network_bias=0.7,bias_depth=1");
    struct nested_policy *policy = &worker->levels[1].policy;
    assert_true(nested_policy_reserve(policy, 1));
    unsigned char state[PLAIN_STATE];
    double weights[PLAIN_MOVES], expected[PLAIN_MOVES];
    int count = worker->start_count;
    const soloist_choice *choices = worker->start;
    for (int i = 0; i < 20; i++)
        assert_true(nested_play_out(worker, policy));
    assert_int_equal(bench.fake.judged, 1); /* the root has waited long enough */
    samegame_domain.life->root(bench.run.instance, state);
    for (int round = 0; round < 5; round++) {
        assert_true(nested_play_out(worker, policy));
        struct nested_line *line = &worker->line;
        double sum = plain_weights(&bench, state, policy, choices, count, weights);
        line->count = 1; /* the first step alone */
        for (int i = 0; i < count; i++)
            expected[i] = nested_policy_find(policy, choices[i].code)->logit - weights[i] / sum +
                          (choices[i].move == line->steps[0].move);
        assert_true(nested_adapt_to(worker, policy, line));
        for (int i = 0; i < count; i++)
            assert_true(fabs(nested_policy_find(policy, choices[i].code)->logit - expected[i]) < 1e-4);
    }
    bench_close(&bench);
}

/* ---- runs ---- */

static soloist_code try(const char *method, soloist_limits limits, struct fake *fake, soloist_result *result,
                        soloist_error *error) {
    soloist_network network = {&samegame_domain, fake ? &fake->evaluator : NULL};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_chunk chunk = {.text = large, .length = strlen(large), .line = 1};
    limits.network = fake ? &network : NULL;
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    soloist_code code = soloist_solve(engine, &puzzle, method, &limits, NULL, result, error);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return code;
}

static void fingerprint(const char *method, soloist_limits limits, struct fake *fake, char *out) {
    soloist_result result;
    soloist_error error;
    if (try(method, limits, fake, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    snprintf(out, 300, "%d %llu %llu %.200s", (int)result.verdict.value, (unsigned long long)result.nodes,
             (unsigned long long)result.playouts, result.solution);
    soloist_result_free(&result);
}

static void runs_repeat_and_options_matter(void **unused) {
    (void)unused;
    static const char *const methods[] = {"nrpa:network_bias=1", "nrpa:network_bias=0.5",
                                          "nrpa:network_bias=1,bias_depth=3", "nrpa:network_bias=1,bias_states=1",
                                          "nrpa:network_bias=1,codes=move,refine=1,n=6,race=false"};
    char plain[300], before[300];
    soloist_limits limits = {.iterations = 5000, .seed = 4, .threads = 1};
    struct fake unasked = fake_open(16);
    fingerprint("nrpa", limits, &unasked, plain);
    assert_int_equal(unasked.judged, 0);
    memcpy(before, plain, sizeof plain);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct fake first = fake_open(16), second = fake_open(16);
        char once[300], again[300];
        fingerprint(methods[i], limits, &first, once);
        fingerprint(methods[i], limits, &second, again);
        assert_string_equal(once, again);
        assert_string_not_equal(once, plain);
        assert_string_not_equal(once, before);
        assert_true(first.judged > 50 && first.judged == second.judged);
        memcpy(before, once, sizeof once);
    }
    char threads[300];
    struct fake fake = fake_open(16);
    limits.threads = 3;
    fingerprint("nrpa:network_bias=1", limits, &fake, threads);
}

static void what_is_lacking_is_said(void **unused) {
    (void)unused;
    soloist_result result;
    soloist_error error;
    struct fake fake = fake_open(16);
    soloist_limits limits = {.iterations = 2000, .threads = 2};
    assert_int_equal(try("nrpa:network_bias=1", limits, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "a network is needed"));
    fake.evaluator.has_policy = false;
    assert_int_equal(try("nrpa:network_bias=1", limits, &fake, &result, &error), SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "no priors"));
    fake.evaluator.has_policy = true;
    fake.fails_after = 1;
    assert_int_equal(try("nrpa:network_bias=1", limits, &fake, &result, &error), SOLOIST_INTERNAL);
    assert_non_null(strstr(error.text, "out of order"));
    soloist_result_free(&result);
    bool full = false, solved = false;
    fake.fails_after = 0;
    for (size_t bytes = 100000; bytes < 100000000; bytes *= 3) { /* the table takes less where there is less */
        limits.memory = bytes;
        assert_int_equal(try("nrpa:network_bias=1", limits, &fake, &result, &error), SOLOIST_OK);
        assert_true(result.peak_bytes <= bytes);
        full |= result.stopped == SOLOIST_STOP_MEMORY;
        solved |= result.stopped != SOLOIST_STOP_MEMORY && result.status == SOLOIST_SOLVED;
        soloist_result_free(&result);
    }
    assert_true(full && solved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(play_outs_follow_the_network),
        cmocka_unit_test(policies_adapt_to_biased_lines),
        cmocka_unit_test(runs_repeat_and_options_matter),
        cmocka_unit_test(what_is_lacking_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
