/* Beam search: exact once nothing is dropped, for least cost and most score; honest when something is; limits; and the
 * tiles' guesses, which must not change what core's expand says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "toy.h"

static void compare_graphs(const soloist_domain *domain, const char *method) {
    static char text[200000];
    int solved = 0, impossible = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, 3);
        int nodes = 2 + (int)soloist_rng_below(&rng, 100);
        toy_random_graph(&rng, nodes, nodes + (int)soloist_rng_below(&rng, (uint32_t)(3 * nodes)), 0, 20, text,
                         sizeof text);
        soloist_result a = toy_solve(domain, text, method, NULL), b = toy_solve(domain, text, "bfs", NULL);
        assert_int_equal(a.status, b.status);
        if (a.status == SOLOIST_SOLVED) {
            assert_true(a.optimal);
            assert_int_equal(a.verdict.value, b.verdict.value);
        }
        solved += a.status == SOLOIST_SOLVED, impossible += a.status == SOLOIST_IMPOSSIBLE;
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
    assert_true(solved > 50 && impossible > 10);
}

/* Costs from 0 on, so that a layer may find a cheaper way to a state of an earlier one. */
static void widening_ends_in_a_proof(void **unused) {
    (void)unused;
    soloist_domain bounded = toy_graph_domain;
    bounded.bound = &toy_graph_bound;
    bounded.pack = &toy_graph_pack;
    compare_graphs(&toy_graph_domain, "beam:width=1");
    compare_graphs(&bounded, "beam:width=1");
    compare_graphs(&bounded, "beam:width=1000");
}

static void it_is_exact_for_most_score(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 40; seed++) {
        char text[400] = "row";
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, 0);
        for (int i = 0; i < 10; i++) {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, " %d", (int)soloist_rng_below(&rng, 40) - 10);
        }
        soloist_puzzle puzzle;
        assert_int_equal(toy_puzzle(&toy_row_domain, text, &puzzle), SOLOIST_OK);
        struct toy_span root;
        toy_row_root(puzzle.instance, &root);
        int32_t best = toy_row_best(puzzle.instance, root);
        soloist_puzzle_free(&puzzle);
        soloist_result result = toy_solve(&toy_row_domain, text, "beam:width=2", NULL);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_true(result.optimal);
        assert_int_equal(result.verdict.value, best);
        soloist_result_free(&result);
    }
}

static const char blocks[] = "12312\n33121\n21332\n11223\n23131\n";

/* Ranked by play-outs it is as exact where nothing is dropped; a narrow beam finds the same score whatever the
 * threads. */
static void play_outs_rank_too(void **unused) {
    (void)unused;
    soloist_result exact = toy_solve(&samegame_domain, blocks, "bestfirst", NULL);
    soloist_result wide = toy_solve(&samegame_domain, blocks, "beam:score=playouts,playouts=2,width=2", NULL);
    assert_true(exact.optimal && wide.optimal);
    assert_int_equal(wide.verdict.value, exact.verdict.value);
    static const char narrow[] = "beam:score=playouts,playouts=4,width=3,widen=0";
    soloist_result one = toy_solve(&samegame_domain, blocks, narrow, &(soloist_limits){.threads = 1});
    soloist_result three = toy_solve(&samegame_domain, blocks, narrow, &(soloist_limits){.threads = 3});
    assert_false(one.optimal);
    assert_in_range(one.verdict.value, 1, exact.verdict.value);
    assert_int_equal(one.verdict.value, three.verdict.value);
    assert_true(one.has_playouts && one.playouts > 0);
    soloist_result_free(&exact), soloist_result_free(&wide);
    soloist_result_free(&one), soloist_result_free(&three);
}

static void play_outs_must_be_there(void **unused) {
    (void)unused;
    soloist_puzzle puzzle;
    soloist_result result = {0};
    soloist_error error = {0};
    soloist *engine = soloist_new();
    assert_int_equal(toy_puzzle(&tiles_domain, "1 0 2 3 4 5 6 7 8", &puzzle), SOLOIST_OK);
    assert_int_equal(
        soloist_solve(engine, &puzzle, "beam:score=playouts", &(soloist_limits){.nodes = 100}, NULL, &result, &error),
        SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "has play-outs of its own"));
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static const char board[] = "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10";

/* A narrow beam drops states: its line is no shorter than the optimum, and "optimal" is not claimed. */
static void a_narrow_beam_claims_nothing(void **unused) {
    (void)unused;
    static const char *const methods[] = {"beam:width=16,widen=0,ends=root", "beam:width=256,widen=0,ends=root",
                                          "beam:width=4096,widen=0,ends=root"};
    soloist_result exact = toy_solve(&tiles_domain, board, "idastar", NULL);
    int32_t optimum = exact.verdict.value;
    soloist_result_free(&exact);
    for (size_t i = 0; i < 3; i++) {
        soloist_result a = toy_solve(&tiles_domain, board, methods[i], NULL);
        assert_int_equal(a.status, SOLOIST_SOLVED);
        assert_false(a.optimal);
        assert_in_range(a.verdict.value, optimum, i == 2 ? optimum : 200);
        soloist_result_free(&a);
    }
}

static void the_seed_decides(void **unused) {
    (void)unused;
    soloist_limits limits = {.seed = 5, .nodes = 50000}, other = {.seed = 6, .nodes = 50000};
    soloist_result a = toy_solve(&tiles_domain, board, "beam", &limits),
                   b = toy_solve(&tiles_domain, board, "beam", &limits);
    soloist_result c = toy_solve(&tiles_domain, board, "beam", &other);
    assert_string_equal(a.solution, b.solution);
    assert_int_equal(a.nodes, b.nodes);
    assert_int_not_equal(a.nodes, c.nodes);
    soloist_result_free(&a);
    soloist_result_free(&b);
    soloist_result_free(&c);
}

static void limits_end_it(void **unused) {
    (void)unused;
    for (uint64_t nodes = 1; nodes < 3000; nodes = nodes * 3 + 1) {
        soloist_result a = toy_solve(&tiles_domain, board, "beam:width=100000", &(soloist_limits){.nodes = nodes});
        assert_int_equal(a.nodes, nodes);
        assert_int_equal(a.status, SOLOIST_UNSOLVED);
        assert_int_equal(a.stopped, SOLOIST_STOP_NODES);
        soloist_result_free(&a);
    }
    for (size_t memory = 1; memory < 2000000; memory *= 3) { /* with ever more, it may have found a line before */
        soloist_result a = toy_solve(&tiles_domain, board, "beam:width=1000", &(soloist_limits){.memory = memory});
        assert_true(a.stopped == SOLOIST_STOP_MEMORY && !a.optimal && a.peak_bytes <= memory);
        soloist_result_free(&a);
    }
}

/* From the goal, from the root and from both: the same optimum once nothing is dropped; and narrow, other lines that
 * are replayed like any, of which both ends give the better. */
static void either_end_will_do(void **unused) {
    (void)unused;
    soloist_result exact = toy_solve(&tiles_domain, "8 6 7 2 5 4 3 0 1", "idastar", NULL);
    static const char *const wide[] = {"beam:ends=root", "beam:ends=goal", "beam:ends=both"};
    for (size_t i = 0; i < 3; i++) {
        soloist_result a = toy_solve(&tiles_domain, "8 6 7 2 5 4 3 0 1", wide[i], NULL);
        assert_true(a.status == SOLOIST_SOLVED && a.optimal);
        assert_int_equal(a.verdict.value, exact.verdict.value);
        soloist_result_free(&a);
    }
    soloist_result_free(&exact);
    soloist_result root = toy_solve(&tiles_domain, board, "beam:width=16,widen=0,ends=root", NULL);
    soloist_result goal = toy_solve(&tiles_domain, board, "beam:width=16,widen=0,ends=goal", NULL);
    soloist_result both = toy_solve(&tiles_domain, board, "beam:width=16,widen=0", NULL);
    assert_true(root.status == SOLOIST_SOLVED && goal.status == SOLOIST_SOLVED && both.status == SOLOIST_SOLVED);
    assert_true(root.iterations == 1 && goal.iterations == 1 && both.iterations == 2);
    soloist_result one = toy_solve(&tiles_domain, board, "beam:width=16,widen=0", &(soloist_limits){.iterations = 1});
    assert_true(one.iterations == 1 && one.nodes == root.nodes && one.stopped == SOLOIST_STOP_ITERATIONS);
    soloist_result_free(&one);
    assert_string_not_equal(root.solution, goal.solution);
    assert_true(both.verdict.value <= root.verdict.value && both.nodes > root.nodes);
    soloist_result_free(&root);
    soloist_result_free(&goal);
    soloist_result_free(&both);
}

/* A domain that cannot turn its game, or not this instance of it, has passes from the root alone. */
static void without_a_turned_game_the_root_must_do(void **unused) {
    (void)unused;
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    soloist_result a;
    soloist *engine = soloist_new();
    assert_int_equal(soloist_puzzle_read(&tiles_domain, "bound=walking-distance", &chunk, &puzzle, &error), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "beam:width=256,widen=0,ends=goal", NULL, NULL, &a, &error),
                     SOLOIST_OK);
    assert_true(a.status == SOLOIST_SOLVED && a.iterations == 1);
    soloist_result_free(&a);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

/* On a board with databases, and along a random walk. */
static void guesses_leave_expand_alone(void **unused) {
    (void)unused;
    const soloist_core *core = tiles_domain.core;
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(&tiles_domain, "bound=555", &chunk, &puzzle, &error), SOLOIST_OK);
    assert_false(tiles_domain.estimate->known(puzzle.instance));
    void *tables = tiles_domain.tables->open(puzzle.instance, NULL, &(soloist_work){.threads = 1}, &error);
    assert_non_null(tables);
    tiles_domain.tables->attach(puzzle.instance, tables);
    assert_true(tiles_domain.estimate->known(puzzle.instance));
    uint64_t state[64];
    soloist_child plain[4], guessed[4];
    soloist_rng rng;
    unsigned want = SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND;
    soloist_move last = SOLOIST_NO_MOVE;
    soloist_rng_seed(&rng, 1, 0);
    tiles_domain.life->root(puzzle.instance, state);
    for (int step = 0; step < 5000; step++) {
        int32_t guesses[4];
        int count = core->expand(puzzle.instance, state, last, want, plain);
        assert_int_equal(tiles_domain.estimate->expand(puzzle.instance, state, last, want, guessed, guesses), count);
        for (int i = 0; i < count; i++) {
            assert_true(plain[i].move == guessed[i].move && plain[i].key == guessed[i].key);
            assert_true(plain[i].bound == guessed[i].bound && plain[i].step == guessed[i].step);
            assert_in_range(guesses[i], 10 * plain[i].bound, 20 * plain[i].bound);
        }
        last = plain[soloist_rng_below(&rng, (uint32_t)count)].move;
        core->apply(puzzle.instance, state, last, NULL);
    }
    soloist_puzzle_free(&puzzle);
    tiles_domain.tables->close(tables);
}

/* A part of a game ends where it should, by a bound that is the Manhattan distance to there, and what its places say
 * after moves is what they say of a board made anew. */
static void a_part_goes_from_state_to_state(void **unused) {
    (void)unused;
    const soloist_core *core = tiles_domain.core;
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(&tiles_domain, "bound=555", &chunk, &puzzle, &error), SOLOIST_OK);
    void *tables = tiles_domain.tables->open(puzzle.instance, NULL, &(soloist_work){.threads = 1}, &error);
    assert_non_null(tables);
    tiles_domain.tables->attach(puzzle.instance, tables);
    soloist_shape shape;
    tiles_domain.life->shape(puzzle.instance, &shape);
    uint64_t state[64], from[64], made[64], packed[4];
    soloist_rng rng;
    soloist_rng_seed(&rng, 2, 0);
    tiles_domain.life->root(puzzle.instance, state);
    for (int round = 0; round < 200; round++) {
        soloist_move way[40], moves[4];
        int32_t last, guesses[4];
        soloist_child plain[4], guessed[4];
        memcpy(from, state, shape.state_size);
        for (int i = 0; i < 40; i++) {
            way[i] = moves[soloist_rng_below(&rng, (uint32_t)core->moves(puzzle.instance, state, moves))];
            core->apply(puzzle.instance, state, way[i], NULL);
        }
        soloist_instance *part = tiles_domain.reverse->between(puzzle.instance, from, state);
        assert_non_null(part);
        assert_null(tiles_domain.reverse->between(part, from, state));
        tiles_domain.life->root(part, from);
        for (int i = 0; i < 40; i++) {
            assert_true(tiles_domain.bound->value(part, from) <= 40 - i);
            int count = core->expand(part, from, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND | SOLOIST_WANT_KEY, plain);
            tiles_domain.estimate->expand(part, from, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, guessed, guesses);
            for (int c = 0; c < count; c++)
                assert_true(plain[c].bound == guessed[c].bound && guesses[c] >= 16 * plain[c].bound);
            core->apply(part, from, way[i], NULL);
            tiles_domain.pack->pack(part, from, packed);
            tiles_domain.pack->unpack(part, packed, made);
            assert_memory_equal(from, made, shape.state_size);
        }
        assert_true(core->ended(part, from, &last) && tiles_domain.bound->value(part, from) == 0);
        tiles_domain.life->destroy(part);
    }
    soloist_puzzle_free(&puzzle);
    tiles_domain.tables->close(tables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widening_ends_in_a_proof),
        cmocka_unit_test(it_is_exact_for_most_score),
        cmocka_unit_test(play_outs_rank_too),
        cmocka_unit_test(play_outs_must_be_there),
        cmocka_unit_test(a_narrow_beam_claims_nothing),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(limits_end_it),
        cmocka_unit_test(either_end_will_do),
        cmocka_unit_test(without_a_turned_game_the_root_must_do),
        cmocka_unit_test(guesses_leave_expand_alone),
        cmocka_unit_test(a_part_goes_from_state_to_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
