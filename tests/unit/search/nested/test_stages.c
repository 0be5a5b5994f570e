/* NRPA in stages: the pool of lines, exact tails against a plain recursion, runs that begin with the lines of an
 * earlier run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/sanitizer.h"
#include "domain/domain.h"
#include "engine/engine.h"
#include "search/nested/elites.h"
#include "search/score/tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the pool ---- */

/* Adds a line of nine moves whose opening is made of the codes first, first + 1 and first + 2. */
static bool add(struct elites *elites, int64_t score, int first, int tries) {
    struct elite *line = elites_scratch(elites);
    line->score = score;
    line->rule = first;
    line->tries = tries;
    line->count = 9;
    for (int i = 0; i < 9; i++) {
        line->moves[i] = (soloist_move)i;
        line->codes[i] = (uint64_t)(i < 3 ? first + i : 1000 + i);
    }
    return elites_add(elites);
}

static void the_best_line_of_each_opening_is_kept(void **unused) {
    (void)unused;
    struct memory memory;
    struct elites elites;
    memory_open(&memory, 0);
    assert_true(elites_open(&elites, &memory, 9));
    assert_true(add(&elites, 50, 10, 3));
    assert_true(add(&elites, 70, 20, 0));
    assert_false(add(&elites, 40, 10, 0)); /* the same opening, but worse */
    assert_false(add(&elites, 49, 11, 0)); /* two of three codes are shared */
    assert_int_equal(elites.count, 2);
    assert_true(add(&elites, 60, 12, 0)); /* only one code is shared: another opening */
    assert_int_equal(elites.count, 3);
    assert_true(add(&elites, 90, 10, 1)); /* replaces the first, whose tries it inherits */
    assert_int_equal(elites.count, 3);
    assert_int_equal(elites.lines[0].score, 90);
    assert_int_equal(elites.lines[0].tries, 3);
    assert_int_equal(elites.lines[1].score, 70);
    assert_int_equal(elites.lines[2].score, 60);
    for (int i = 0; elites.count < ELITES_MOST; i++)
        assert_true(add(&elites, 100 + i, 100 + 10 * i, 0));
    assert_false(add(&elites, 60, 900, 0));
    assert_true(add(&elites, 61, 910, 0)); /* drops the worst */
    assert_int_equal(elites.count, ELITES_MOST);
    assert_int_equal(elites.lines[ELITES_MOST - 1].score, 61);
    for (int i = 1; i < elites.count; i++)
        assert_true(elites.lines[i - 1].score >= elites.lines[i].score);
    elites_close(&elites);
    assert_int_equal(memory_used(&memory), 0);
}

static void no_memory_for_the_pool(void **unused) {
    (void)unused;
    struct memory memory;
    struct elites elites;
    memory_open(&memory, 1000);
    assert_false(elites_open(&elites, &memory, 20));
    elites_close(&elites);
    assert_int_equal(memory_used(&memory), 0);
}

/* ---- tails ---- */

static int32_t best_gain(const soloist_instance *instance, const void *state, size_t size) {
    soloist_move moves[64];
    unsigned char child[512];
    int32_t last = 0, best = INT32_MIN;
    if (samegame_domain.core->ended(instance, state, &last))
        return last;
    int count = samegame_domain.core->moves(instance, state, moves);
    for (int i = 0; i < count; i++) {
        memcpy(child, state, size);
        int32_t gain = samegame_domain.core->apply(instance, child, moves[i], NULL);
        gain += best_gain(instance, child, size);
        best = gain > best ? gain : best;
    }
    return best;
}

/* What the moves of a tail gain, and that it reaches an end. */
static int32_t gain_of(const soloist_instance *instance, const void *state, size_t size,
                       const struct search_line *tail) {
    unsigned char own[512];
    int32_t gain = 0, last = 0;
    memcpy(own, state, size);
    for (size_t i = 0; i < tail->count; i++)
        gain += samegame_domain.core->apply(instance, own, tail->moves[i], NULL);
    assert_true(samegame_domain.core->ended(instance, own, &last));
    return gain + last;
}

static void tails_are_the_best(void **unused) {
    (void)unused;
    static const char text[] = "1231\n2132\n1213\n3122\n";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    soloist_puzzle puzzle;
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    soloist_error error;
    struct budget budget;
    budget_open(&budget, &(soloist_limits){.nodes = 0}, NULL);
    struct search_run run = {
        .domain = &samegame_domain, .instance = puzzle.instance, .budget = &budget, .threads = 1, .error = &error};
    samegame_domain.life->shape(puzzle.instance, &run.shape);
    assert_true(run.shape.state_size <= 512 && tail_is_possible(&run));
    unsigned char state[512];
    soloist_move moves[64];
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    for (int game = 0; game < 20; game++) {
        samegame_domain.life->root(puzzle.instance, state);
        for (int count; (count = samegame_domain.core->moves(puzzle.instance, state, moves)) > 0;) {
            int32_t best = best_gain(puzzle.instance, state, run.shape.state_size);
            struct search_line tail = {0};
            uint64_t nodes = 100000;
            assert_int_equal(tail_search(&run, state, best, &nodes, &tail), TAIL_NONE);
            nodes = 100000;
            assert_int_equal(tail_search(&run, state, best - 1, &nodes, &tail), TAIL_BETTER);
            assert_int_equal(tail.value, best);
            assert_int_equal(gain_of(puzzle.instance, state, run.shape.state_size, &tail), best);
            assert_true(nodes < 100000);
            free(tail.moves);
            samegame_domain.core->apply(puzzle.instance, state, moves[soloist_rng_below(&rng, (uint32_t)count)], NULL);
        }
    }
    struct search_line tail = {0};
    uint64_t nodes = 1;
    samegame_domain.life->root(puzzle.instance, state);
    assert_int_equal(tail_search(&run, state, -10000, &nodes, &tail), TAIL_LIMIT);
    assert_int_equal(nodes, 1);
    free(tail.moves);
    assert_int_equal(memory_used(&budget.memory), 0);
    soloist_puzzle_free(&puzzle);
}

/* ---- runs ---- */

static const char *const board =
    "112312213\n231233112\n312123321\n123321231\n213213132\n331122312\n123131223\n312231132\n";
static const char *const staged = "nrpa:stages_least=0,refined_least=100,level=2,playouts=2";

static soloist_result solve_by(const char *method, const soloist_limits *limits, struct search_pool *pool) {
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1, .name = ""};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    assert_int_equal(engine_solve(engine, &puzzle, method, limits, NULL, NULL, NULL, NULL, pool, &result, &error),
                     SOLOIST_OK);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

static soloist_result solve(const soloist_limits *limits, struct search_pool *pool) {
    return solve_by(staged, limits, pool);
}

static void a_run_begins_with_the_lines_of_another(void **unused) {
    (void)unused;
    struct search_pool pool = {0};
    soloist_result first = solve(&(soloist_limits){.iterations = 3000, .seed = 1, .threads = 1}, &pool);
    assert_true(pool.count > 1);
    for (uint64_t seed = 2; seed < 6; seed++) {
        /* So few play-outs find nothing as good by themselves. */
        soloist_limits few = {.iterations = 40, .seed = seed, .threads = (int)(seed % 3) + 1};
        soloist_result alone = solve(&few, NULL), next = solve(&few, &pool);
        assert_true(alone.verdict.value < first.verdict.value);
        assert_true(next.verdict.value >= first.verdict.value);
        soloist_result_free(&alone);
        soloist_result_free(&next);
    }
    soloist_result_free(&first);
    search_pool_free(&pool);
}

/* Lines from a file may be anything. */
static void lines_that_are_not_legal_are_left_out(void **unused) {
    (void)unused;
    static soloist_move wrong[400];
    struct search_pool pool = {.count = 3};
    for (int i = 0; i < 400; i++)
        wrong[i] = (soloist_move)(31 * i);
    for (int i = 0; i < 3; i++) {
        pool.lines[i].count = i == 2 ? 400 : (size_t)i;
        pool.lines[i].moves = malloc(400 * sizeof *wrong);
        assert_non_null(pool.lines[i].moves);
        memcpy(pool.lines[i].moves, wrong, sizeof wrong);
    }
    soloist_limits limits = {.iterations = 500, .seed = 1, .threads = 1};
    soloist_result alone = solve(&limits, NULL), next = solve(&limits, &pool);
    assert_string_equal(alone.solution, next.solution);
    soloist_result_free(&alone);
    soloist_result_free(&next);
    search_pool_free(&pool);
}

/* Annealing alone improves the line of an earlier run, and never returns a worse one. */
static void annealing_improves_a_line(void **unused) {
    (void)unused;
    int64_t gained = 0;
    for (uint64_t seed = 1; seed < 6; seed++) {
        struct search_pool pool = {0};
        soloist_result first = solve(&(soloist_limits){.iterations = 200, .seed = seed, .threads = 1}, &pool);
        soloist_result next = solve_by("nrpa:stages_least=0,refined_share=0,level=2,playouts=2,anneal=1",
                                       &(soloist_limits){.iterations = 2000, .seed = seed, .threads = 1}, &pool);
        assert_int_equal(next.status, SOLOIST_SOLVED);
        assert_int_equal(next.playouts, 2000);
        assert_true(next.verdict.value >= first.verdict.value);
        gained += next.verdict.value - first.verdict.value;
        soloist_result_free(&first);
        soloist_result_free(&next);
        search_pool_free(&pool);
    }
    assert_true(gained > 0);
}

static void threads_share_the_stages(void **unused) {
    (void)unused;
    const uint64_t iterations = HAS_THREAD_SANITIZER ? 1500 : 5000; /* the sanitizer is slow */
    for (int threads = 2; threads < 6; threads++) {
        soloist_result result = solve(&(soloist_limits){.iterations = iterations, .seed = 1, .threads = threads}, NULL);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_int_equal(result.playouts, iterations);
        soloist_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_line_of_each_opening_is_kept),
        cmocka_unit_test(no_memory_for_the_pool),
        cmocka_unit_test(tails_are_the_best),
        cmocka_unit_test(a_run_begins_with_the_lines_of_another),
        cmocka_unit_test(lines_that_are_not_legal_are_left_out),
        cmocka_unit_test(annealing_improves_a_line),
        cmocka_unit_test(threads_share_the_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
