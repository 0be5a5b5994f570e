/* The exact searches for the highest score, bestfirst and bnb: against trying everything on small boards under every
 * scoring, with and without a table, under limits, and on a toy game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/samegame/samegame_reference.h"
#include "toy.h"

static const char *const methods[] = {
    "bestfirst",
    "bestfirst:games=0",
    "bnb",
    "bnb:games=0",
    "bnb:games=0,table=0",
    "bnb:games=0,order=none",
    "bnb:order=step",
    "bnb:threshold=falling",
    "bnb:threshold=falling,table=0,tight",
    "bnb:threshold=falling,order=none",
};
enum { method_count = sizeof methods / sizeof *methods };
static const char *const scorings[] = {"standard", "blocks", "clickomania", "jawbreaker", "windows"};

/* The highest score, by trying every line of play. */
static int plain_best(const struct reference *board, int scoring) {
    soloist_move moves[64];
    int sizes[64], best = INT32_MIN;
    struct reference here = *board;
    int count = reference_moves(&here, moves, sizes);
    for (int i = 0; i < count; i++) {
        struct reference child = *board;
        reference_play(&child, samegame_column(moves[i]), samegame_row(moves[i]));
        int value = reference_step(scoring, sizes[i]) + plain_best(&child, scoring);
        best = value > best ? value : best;
    }
    return count ? best : reference_last(board, scoring);
}

static char *text_of(const struct samegame_board *board) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    samegame_board_print(board, &sink);
    return buffer_take(&buffer);
}

static soloist_result solve(const char *text, const char *options, const char *method, const soloist_limits *limits,
                            const soloist_callbacks *callbacks) {
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(&samegame_domain, options, &chunk, &puzzle, &error), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, limits, callbacks, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

static void assert_best(const char *text, const char *options, const char *method, int best) {
    soloist_result result = solve(text, options, method, NULL, NULL);
    if (!result.optimal || result.verdict.value != best)
        fail_msg("%s, %s: %d%s, the best is %d on\n%s", method, options, (int)result.verdict.value,
                 result.optimal ? "" : " unproved", best, text);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    soloist_result_free(&result);
}

static void check_board(const struct samegame_board *board, int scoring, int method) {
    struct reference reference = {.width = board->width, .height = board->height};
    char options[48], *text = text_of(board);
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++)
            reference.cell[c][r] = board->cell[c][r];
    snprintf(options, sizeof options, "scoring=%s", scorings[scoring]);
    assert_best(text, options, methods[method], plain_best(&reference, scoring));
    free(text);
}

static void every_method_agrees_with_trying_everything(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 11, 0);
    for (int i = 0; i < 20 * method_count; i++) {
        struct samegame_board board;
        int width = 2 + (int)soloist_rng_below(&rng, 3), height = 2 + (int)soloist_rng_below(&rng, 3);
        reference_random_board(&rng, width, height, 2 + i % 4, i % 3 != 0, &board);
        check_board(&board, i / method_count % 5, i % method_count);
    }
}

static void larger_boards_of_many_colours(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 12, 0);
    for (int i = 0; i < 4 * method_count; i++) {
        struct samegame_board board;
        reference_random_board(&rng, 5, 5, 5 + i % 4, true, &board);
        check_board(&board, i % 5, i / 4);
    }
}

/* The best that play can reach; along the way no state is worth more than either bound, nor do they depend on what is
 * enough. */
static int32_t best_under_bounds(const soloist_instance *instance, const struct samegame_wide *state, int *tighter) {
    const soloist_bound *bound = samegame_domain.bound;
    soloist_move moves[64];
    int32_t best = 0, last = 0;
    int count = samegame_domain.core->moves(instance, state, moves);
    for (int i = 0; i < count; i++) {
        struct samegame_wide child;
        memcpy(&child, state, instance->state_size);
        int32_t value = samegame_domain.core->apply(instance, &child, moves[i], NULL);
        value += best_under_bounds(instance, &child, tighter);
        best = i == 0 || value > best ? value : best;
    }
    if (samegame_domain.core->ended(instance, state, &last))
        best = last;
    int32_t value = bound->value(instance, state), tight = bound->tight(instance, state, INT32_MIN);
    assert_true(best <= value && best <= tight);
    assert_int_equal(bound->tight(instance, state, tight - 1), tight);
    assert_true(bound->tight(instance, state, tight) <= tight);
    assert_true(bound->tight(instance, state, tight + 9) <= tight + 9);
    *tighter += tight < value;
    return best;
}

static void bounds_are_never_below_the_best(void **unused) {
    (void)unused;
    soloist_rng rng;
    int tighter = 0;
    soloist_rng_seed(&rng, 14, 0);
    for (int i = 0; i < 250; i++) {
        struct samegame_board board;
        struct samegame_options options = {.scoring = i % 5};
        bool large = i % 8 == 0;
        int width = large ? 5 : 1 + (int)soloist_rng_below(&rng, 5), height = large            ? 5
                                                                              : 20 / width < 5 ? 20 / width
                                                                                               : 5;
        reference_random_board(&rng, width, height, large ? 5 : 2 + i % 4, i % 3 != 0, &board);
        soloist_instance *instance = samegame_instance_make(&board, &options);
        struct samegame_wide state;
        samegame_domain.life->root(instance, &state);
        best_under_bounds(instance, &state, &tighter);
        samegame_domain.life->destroy(instance);
    }
    assert_true(tighter > 500);
}

static int32_t tight_bound_of(const char *text, const char *options) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    struct samegame_wide state;
    assert_int_equal(soloist_puzzle_read(&samegame_domain, options, &chunk, &puzzle, NULL), SOLOIST_OK);
    samegame_domain.life->root(puzzle.instance, &state);
    int32_t bound = samegame_domain.bound->tight(puzzle.instance, &state, INT32_MIN);
    soloist_puzzle_free(&puzzle);
    return bound;
}

static void tight_bounds_by_hand(void **unused) {
    (void)unused;
    /* Each colour has the other in its gap: one is split, and of two blocks none can be. Leaving both is no loss. */
    assert_int_equal(tight_bound_of("1212\n", NULL), 0);
    /* The 2s first, then the 1s side by side. */
    assert_int_equal(tight_bound_of("1221\n", NULL), 1000);
    /* A column cut in turns, with nothing beside it to lead around. */
    assert_int_equal(tight_bound_of("1\n2\n1\n2\n", NULL), 0);
    assert_int_equal(tight_bound_of("1\n2\n2\n1\n", NULL), 1000);
    /* Four 1s and four 2s, each in the gap of the other: one of them goes in two moves. */
    assert_int_equal(tight_bound_of("1212\n1212\n", NULL), 1000 + 4);
    assert_int_equal(tight_bound_of("1212\n1212\n", "scoring=jawbreaker"), 12 + 6);
    assert_int_equal(tight_bound_of("1212\n1212\n", "scoring=clickomania"), 0);
}

static const char seven[] = "4332553\n2223544\n1131154\n1115413\n3141522\n5441334\n1112533\n";

/* The counts are those of the search, not of the machine. */
static void a_board_of_seven_is_proved(void **unused) {
    (void)unused;
    static const struct {
        const char *method;
        uint64_t nodes, expanded;
    } golden[] = {{"bestfirst", 54404, 8650}, {"bnb:tight", 86557, 16561}};
    for (size_t i = 0; i < 2; i++) {
        soloist_result result = solve(seven, NULL, golden[i].method, NULL, NULL);
        assert_true(result.optimal);
        assert_int_equal(result.verdict.value, 1109);
        assert_int_equal(result.nodes, golden[i].nodes);
        assert_int_equal(result.expanded, golden[i].expanded);
        soloist_result_free(&result);
    }
}

/* A game is returned whatever ends the search. */
static void limits_end_a_search_with_a_game(void **unused) {
    (void)unused;
    for (int method = 0; method < method_count; method++) {
        soloist_limits limits = {.nodes = 20000};
        soloist_result result = solve(seven, NULL, methods[method], &limits, NULL);
        assert_int_equal(result.nodes, 20000);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        assert_false(result.optimal);
        if (method != 1) /* without games a best-first search may meet no end */
            assert_int_equal(result.status, SOLOIST_SOLVED);
        soloist_result_free(&result);
    }
}

static void memory_is_kept(void **unused) {
    (void)unused;
    soloist_limits limits = {.memory = 1 << 20};
    soloist_result result = solve(seven, NULL, "bestfirst", &limits, NULL);
    assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_false(result.optimal);
    assert_true(result.peak_bytes <= limits.memory);
    int32_t sampled = result.verdict.value;
    soloist_result_free(&result);
    result = solve(seven, NULL, "bnb", &limits, NULL);
    assert_true(result.optimal && result.verdict.value >= sampled && result.peak_bytes <= limits.memory);
    soloist_result_free(&result);
}

/* What the exact searches are for: a sampler's best on a small board is the best there is. */
static void samplers_reach_the_optimum(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 13, 0);
    for (int i = 0; i < 10; i++) {
        struct samegame_board board;
        reference_random_board(&rng, 5, 5, 4, true, &board);
        char *text = text_of(&board);
        soloist_result best = solve(text, NULL, "bestfirst", NULL, NULL);
        soloist_result sampled = solve(text, NULL, "random", &(soloist_limits){.iterations = 20000}, NULL);
        assert_int_equal(sampled.verdict.value, best.verdict.value);
        soloist_result_free(&best);
        soloist_result_free(&sampled);
        free(text);
    }
}

/* ---- the published comparison (T3) ---- */

static void keep_text(void *user, const char *text) { snprintf(user, 96, "%s", text); }

static void assert_comparison(const char *board, const char *method, const char *prefix, int score) {
    char told[96] = "";
    soloist_limits limits = {.nodes = 50000};
    soloist_callbacks callbacks = {.log = keep_text, .user = told};
    soloist_result result = solve(board, NULL, method, &limits, &callbacks);
    assert_string_equal(told, prefix);
    assert_int_equal(result.verdict.value, score);
    assert_int_equal(result.nodes, 50000);
    soloist_result_free(&result);
}

static void the_published_comparison(void **unused) {
    (void)unused;
    FILE *file = fopen(SOLOIST_SHARED "/samegame/standard20.txt", "rb");
    if (!file) {
        print_message("SKIP needs shared: samegame/standard20.txt\n");
        skip();
    }
    static char text[1 << 14];
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    assert_true(soloist_next_block(&cursor, &chunk));
    char board[512];
    snprintf(board, sizeof board, "%.*s", (int)chunk.length, chunk.text);
    assert_comparison(board, "bnb:threshold=falling,order=none,table=0", "best prefix 4 after 1 moves", -43);
    assert_comparison(board, "bnb:games=0,order=none,table=0", "best prefix 144 after 62 moves", -49);
}

/* The default method proves small boards, and samples where it has iterations alone to go by. */
static void the_default_proves_small_boards(void **unused) {
    (void)unused;
    soloist_result result = solve(seven, NULL, "auto", &(soloist_limits){.nodes = 1000000}, NULL);
    assert_true(result.optimal);
    assert_int_equal(result.verdict.value, 1109);
    assert_string_equal(result.method, "bestfirst");
    soloist_result_free(&result);
    result = solve(seven, NULL, NULL, &(soloist_limits){.nodes = 20000}, NULL);
    assert_true(!result.optimal && result.status == SOLOIST_SOLVED && result.nodes == 20000);
    soloist_result_free(&result);
    result = solve(seven, NULL, NULL, &(soloist_limits){.iterations = 100}, NULL);
    assert_int_equal(result.iterations, 100);
    soloist_result_free(&result);
}

/* ---- other domains ---- */

static const char row[] = "row 3 1 4 1 5 9 2 6 5 3 5 8";

static void another_game_is_solved(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    for (int method = 0; method < method_count; method++) {
        soloist_puzzle puzzle;
        soloist_result result;
        assert_int_equal(toy_puzzle(&toy_row_domain, row, &puzzle), SOLOIST_OK);
        assert_int_equal(soloist_solve(engine, &puzzle, methods[method], NULL, NULL, &result, NULL), SOLOIST_OK);
        assert_true(result.optimal);
        assert_int_equal(result.verdict.value, toy_row_best(puzzle.instance, (struct toy_span){0, 12}));
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

static void they_need_scores(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    static const char *const both[] = {"bestfirst", "bnb"};
    for (int i = 0; i < 2; i++) {
        soloist_chunk chunk = {.text = "1 0 2 3 4 5 6 7 8", .length = 17, .line = 1};
        soloist_puzzle puzzle;
        soloist_result result;
        soloist_error error = {0};
        assert_int_equal(soloist_puzzle_read(&tiles_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
        assert_int_equal(soloist_solve(engine, &puzzle, both[i], NULL, NULL, &result, &error), SOLOIST_UNSUPPORTED);
        assert_true(strlen(error.text) > 0);
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_agrees_with_trying_everything),
        cmocka_unit_test(larger_boards_of_many_colours),
        cmocka_unit_test(bounds_are_never_below_the_best),
        cmocka_unit_test(tight_bounds_by_hand),
        cmocka_unit_test(a_board_of_seven_is_proved),
        cmocka_unit_test(limits_end_a_search_with_a_game),
        cmocka_unit_test(memory_is_kept),
        cmocka_unit_test(samplers_reach_the_optimum),
        cmocka_unit_test(the_published_comparison),
        cmocka_unit_test(the_default_proves_small_boards),
        cmocka_unit_test(another_game_is_solved),
        cmocka_unit_test(they_need_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
