/* Methods that ask a network, from end to end: tree searches and beams under limits, against exact searches and plain
 * lines, and what they say where something is lacking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/policy/policy_reference.h"

#include "base/real.h"

#include <stdio.h>

/* ---- tree searches ---- */

static soloist_code solve(const char *board, const char *method, soloist_limits limits, struct fake *fake,
                          soloist_result *result, soloist_error *error) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    struct soloist_network network = {&samegame_domain, fake ? &fake->evaluator : NULL};
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    limits.network = fake ? &network : NULL;
    soloist_code code = soloist_solve(engine, &puzzle, method, &limits, NULL, result, error);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return code;
}

static void methods_run_under_limits(void **state) {
    (void)state;
    static const char *const methods[] = {"policy-mcts",
                                          "policy-mcts:rollout=random,per_move=0,keep=false,ask_visits=0,parallel=tree",
                                          "policy-mcts:rollout=guided,per_move=20",
                                          "policy-mcts:per_move=20,keep,final=max",
                                          "policy-mcts:per_tree=50,in_flight=3",
                                          "policy-mcts:value_share=0.5,noise=0.3",
                                          "policy-mcts:parallel=root,per_move=25",
                                          "pv-mcts",
                                          "pv-mcts:per_move=15",
                                          "pv-mcts:lines=false",
                                          "pv-mcts:gumbel=8,per_move=16,parallel=root"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int threads = 1; threads <= 3; threads += 2) {
            struct fake fake = fake_open(8);
            soloist_result result;
            soloist_error error;
            soloist_limits limits = {.iterations = 700, .threads = threads, .seed = 4};
            assert_int_equal(solve(board7, methods[m], limits, &fake, &result, &error), SOLOIST_OK);
            assert_int_equal(result.status, SOLOIST_SOLVED);
            assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
            assert_true(result.has_iterations && result.iterations <= 700);
            assert_true(threads > 1 || result.iterations == 700);
            assert_true(fake.judged > 0 && result.nodes > 0);
            assert_true(result.has_evaluations && result.evaluations == (uint64_t)fake.judged);
            soloist_result_free(&result);
        }
}

static void a_small_game_is_proved(void **state) {
    (void)state;
    static const char *const methods[] = {"policy-mcts", "pv-mcts:per_move=1000000", "policy-mcts:parallel=root"};
    for (size_t m = 0; m < 3; m++) {
        struct fake fake = fake_open(8);
        soloist_result result, exact;
        soloist_error error;
        assert_int_equal(
            solve(board4, methods[m], (soloist_limits){.time_s = 60, .threads = 2}, &fake, &result, &error),
            SOLOIST_OK);
        assert_int_equal(solve(board4, "bnb", (soloist_limits){.time_s = 60}, &fake, &exact, &error), SOLOIST_OK);
        assert_true(result.optimal && exact.optimal);
        assert_int_equal(result.verdict.value, exact.verdict.value);
        soloist_result_free(&result);
        soloist_result_free(&exact);
    }
}

/* Each thread plays its own games; what one of them finds in an earlier game must not be lost when it begins the next.
 */
static void games_of_all_threads_count(void **state) {
    (void)state;
    uint64_t playouts[4];
    int32_t score[4];
    for (int games = 1; games <= 3; games++) {
        struct fake fake = fake_open(8);
        soloist_result result;
        soloist_error error;
        char method[80];
        snprintf(method, sizeof method, "policy-mcts:parallel=root,per_move=20,in_flight=1,games=%d", games);
        assert_int_equal(
            solve(board7, method, (soloist_limits){.time_s = 60, .threads = 4, .seed = 1}, &fake, &result, &error),
            SOLOIST_OK);
        playouts[games] = result.playouts;
        score[games] = result.verdict.value;
        soloist_result_free(&result);
    }
    assert_true(playouts[3] > 2 * playouts[1] + playouts[1] / 2);
    assert_true(score[2] >= score[1] && score[3] >= score[2]);
}

/* Without elimination, simulations go on to moves below which everything is known. */
static void without_elimination_nothing_is_closed(void **state) {
    (void)state;
    static const char *const methods[] = {"policy-mcts:per_move=0,parallel=tree,in_flight=1,eliminate=true",
                                          "policy-mcts:per_move=0,parallel=tree,in_flight=1,eliminate=false"};
    uint64_t iterations[2];
    for (int i = 0; i < 2; i++) {
        struct fake fake = fake_open(8);
        soloist_result result;
        soloist_error error;
        assert_int_equal(
            solve(board4, methods[i], (soloist_limits){.iterations = 5000, .seed = 1}, &fake, &result, &error),
            SOLOIST_OK);
        assert_int_equal(result.optimal, !i);
        assert_true(result.playouts < result.iterations || !i);
        iterations[i] = result.iterations;
        soloist_result_free(&result);
    }
    assert_true(iterations[0] < 5000 && iterations[1] == 5000);
}

static void what_is_lacking_is_said(void **state) {
    (void)state;
    struct fake fake = fake_open(8);
    soloist_result result;
    soloist_error error;
    soloist_limits limits = {.iterations = 10};
    assert_int_equal(solve(board5, "policy-mcts", limits, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "policy-mcts needs a network that was trained for samegame");
    assert_int_equal(solve(board5, "policy-mcts:gumbel=4,per_move=0", limits, &fake, &result, &error),
                     SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "per_move"));
    fake.evaluator.has_value = false;
    assert_int_equal(solve(board5, "pv-mcts", limits, &fake, &result, &error), SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "gives no values"));
    fake.evaluator.has_policy = false;
    assert_int_equal(solve(board5, "policy-mcts:rollout=guided", limits, &fake, &result, &error), SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "gives no priors"));
    fake = fake_open(8);
    fake.fails_after = 3;
    assert_int_equal(solve(board5, "policy-mcts:ask_visits=0", (soloist_limits){.iterations = 1000, .threads = 2},
                           &fake, &result, &error),
                     SOLOIST_INTERNAL);
    assert_string_equal(error.text, "the fake is out of order");
    soloist_result_free(&result);
}

/* One thread learns that the network has no memory while the others begin simulations of the same tree. */
static void a_network_without_memory_ends_the_search(void **state) {
    (void)state;
    for (int i = 1; i <= 20; i++) {
        struct fake fake = fake_open(2);
        soloist_result result;
        soloist_error error;
        fake.fails_after = 5 * i;
        fake.starved = true;
        assert_int_equal(solve(board7, "pv-mcts:in_flight=2,parallel=tree",
                               (soloist_limits){.iterations = 100000, .threads = 3}, &fake, &result, &error),
                         SOLOIST_OK);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
        soloist_result_free(&result);
    }
}

/* A finder of networks: what it was asked, and what it gives. */
struct finder {
    struct soloist_network network;
    bool finds;
    int asked, valued;
};

static bool find_network(void *user, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                         soloist_error *error) {
    struct finder *finder = user;
    finder->asked++;
    finder->valued += valued;
    *network = finder->finds ? &finder->network : NULL;
    return finder->finds || soloist_fail(error, 0, 0, "nothing for %s", puzzle->domain->name);
}

static void the_engine_finds_networks(void **state) {
    (void)state;
    struct fake fake = fake_open(4);
    struct finder finder = {.network = {&samegame_domain, &fake.evaluator}};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = board5, .length = strlen(board5), .line = 1};
    soloist_limits limits = {.iterations = 50};
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    soloist_find_networks(engine, find_network, &finder);
    assert_int_equal(soloist_solve(engine, &puzzle, "mcts", &limits, NULL, &result, &error), SOLOIST_OK);
    soloist_result_free(&result);
    assert_int_equal(finder.asked, 0);
    assert_int_equal(soloist_solve(engine, &puzzle, "pv-mcts", &limits, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "nothing for samegame");
    assert_true(finder.asked == 1 && finder.valued == 1);
    finder.finds = true;
    assert_int_equal(soloist_solve(engine, &puzzle, "policy-mcts", &limits, NULL, &result, &error), SOLOIST_OK);
    soloist_result_free(&result);
    assert_true(finder.asked == 2 && finder.valued == 1 && fake.judged > 0);
    limits.network = &finder.network;
    assert_int_equal(soloist_solve(engine, &puzzle, "pv-mcts", &limits, NULL, &result, &error), SOLOIST_OK);
    soloist_result_free(&result);
    assert_int_equal(finder.asked, 2);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

/* ---- beams ---- */

/* What a child is worth to a beam; INT32_MIN: no line through it can beat the best. */
static double plain_score(const soloist_instance *instance, const void *child, int32_t score, int32_t best, float prior,
                          bool by_values) {
    int32_t end = 0;
    bool ended = samegame_domain.core->ended(instance, child, &end);
    if (best > INT32_MIN && score + samegame_domain.bound->value(instance, child) <= best)
        return INT32_MIN;
    if (by_values)
        return score + (ended ? (double)end : (double)fake_value(instance, child));
    return -(double)(int)(-64 * real_log((double)prior));
}

/* A beam of width one, on boards where no two moves are as good: at each state the best move that does not end the
 * game; those before it that do count as lines. */
static int32_t plain_line(const soloist_instance *instance, bool by_values) {
    unsigned char state[PLAIN_STATE], child[PLAIN_STATE];
    soloist_move moves[PLAIN_MOVES];
    float priors[PLAIN_MOVES];
    double worth[PLAIN_MOVES];
    int32_t score = 0, last = 0, found = INT32_MIN;
    samegame_domain.life->root(instance, state);
    for (bool more = true; more;) {
        int count = samegame_domain.core->moves(instance, state, moves);
        fake_priors(instance, state, count, priors);
        for (int i = 0; i < count; i++) {
            memcpy(child, state, sizeof state);
            int32_t gain = samegame_domain.core->apply(instance, child, moves[i], NULL);
            worth[i] = plain_score(instance, child, score + gain, found, priors[i], by_values);
        }
        more = false;
        for (int tried = 0; !more && tried < count; tried++) {
            int best = 0;
            for (int i = 1; i < count; i++)
                best = worth[i] > worth[best] ? i : best;
            if (!(worth[best] > INT32_MIN))
                break;
            worth[best] = INT32_MIN;
            memcpy(child, state, sizeof state);
            int32_t gain = samegame_domain.core->apply(instance, child, moves[best], NULL);
            more = !samegame_domain.core->ended(instance, child, &last);
            if (!more && score + gain + last > found)
                found = score + gain + last;
            if (more) {
                memcpy(state, child, sizeof state);
                score += gain;
            }
        }
    }
    return found;
}

static void narrow_beams_follow_the_network(void **state) {
    (void)state;
    static const char *const boards[] = {"12345\n11223\n33221\n45125\n44111\n", "31234\n22152\n42112\n33241\n12532\n"};
    for (int b = 0; b < 2; b++)
        for (int values = 0; values < 2; values++) {
            struct fake fake = fake_open(4);
            soloist_puzzle puzzle;
            soloist_result result;
            soloist_error error;
            soloist_chunk chunk = {.text = boards[b], .length = strlen(boards[b]), .line = 1};
            const char *method =
                values ? "beam:width=1,widen=false,score=values" : "beam:width=1,widen=false,score=priors";
            assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
            assert_int_equal(solve(boards[b], method, (soloist_limits){0}, &fake, &result, &error), SOLOIST_OK);
            assert_int_equal(result.verdict.value, plain_line(puzzle.instance, values));
            soloist_result_free(&result);
            soloist_puzzle_free(&puzzle);
        }
}

static void wide_beams_see_everything(void **state) {
    (void)state;
    static const char *const methods[] = {"beam:score=priors", "beam:score=values"};
    for (int m = 0; m < 2; m++) {
        struct fake fake = fake_open(7);
        soloist_result result, exact;
        soloist_error error;
        assert_int_equal(solve(board5, methods[m], (soloist_limits){0}, &fake, &result, &error), SOLOIST_OK);
        assert_int_equal(solve(board5, "bnb", (soloist_limits){0}, &fake, &exact, &error), SOLOIST_OK);
        assert_true(result.optimal && exact.optimal && fake.most_at_once == 7);
        assert_int_equal(result.verdict.value, exact.verdict.value);
        soloist_result_free(&exact);
        assert_int_equal(solve(board5, methods[m], (soloist_limits){.threads = 3}, &fake, &exact, &error), SOLOIST_OK);
        assert_int_equal(exact.nodes, result.nodes);
        soloist_result_free(&exact);
        soloist_result_free(&result);
        fake.fails_after = 1;
        fake.calls = 0;
        assert_int_equal(solve(board7, methods[m], (soloist_limits){0}, &fake, &result, &error), SOLOIST_INTERNAL);
        soloist_result_free(&result);
        assert_int_equal(solve(board7, methods[m], (soloist_limits){0}, NULL, &result, &error), SOLOIST_UNSUPPORTED);
        assert_non_null(strstr(error.text, "a network is needed"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_run_under_limits),   cmocka_unit_test(a_small_game_is_proved),
        cmocka_unit_test(games_of_all_threads_count), cmocka_unit_test(without_elimination_nothing_is_closed),
        cmocka_unit_test(what_is_lacking_is_said),    cmocka_unit_test(a_network_without_memory_ends_the_search),
        cmocka_unit_test(the_engine_finds_networks),  cmocka_unit_test(narrow_beams_follow_the_network),
        cmocka_unit_test(wide_beams_see_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
