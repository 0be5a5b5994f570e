/* SameGame's rules, scorings, files, notation, referee, generator and bound, on boards small enough to work out by
 * hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"
#include "domain/samegame/samegame_reference.h"

static const soloist_domain *const game = &samegame_domain;

static struct samegame_options options_of(const char *text) {
    struct samegame_options options;
    soloist_options_reset(game->options, &options);
    assert_int_equal(soloist_options_parse(game->options, &options, text, NULL), SOLOIST_OK);
    return options;
}

static soloist_chunk chunk_of(const char *text) {
    soloist_chunk chunk;
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    assert_true(game->life->next(&cursor, &chunk));
    return chunk;
}

static soloist_instance *board_of(const char *text, const char *options_text) {
    struct samegame_options options = options_of(options_text);
    soloist_chunk chunk = chunk_of(text);
    soloist_error error = {0, 0, ""};
    soloist_instance *instance = game->life->parse(&chunk, &options, &error);
    if (!instance)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return instance;
}

static char *print(const soloist_instance *instance, const void *state) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    game->text->print(instance, state, &sink);
    return buffer_take(&buffer);
}

static void assert_prints(const soloist_instance *instance, const void *state, const char *expected) {
    char *text = print(instance, state);
    assert_string_equal(text, expected);
    free(text);
}

/* ---- rules ---------------------------------------------------------------------------------------------------------
 */

/* Figure-like case: the group of 2s goes, blocks fall, the emptied column closes. */
static void test_blocks_fall_and_columns_close(void **unused) {
    (void)unused;
    soloist_instance *instance = board_of("1.31\n"
                                          "2.13\n"
                                          "2231\n"
                                          "1211\n",
                                          "");
    struct samegame_wide state;
    soloist_move moves[8];
    game->life->root(instance, &state);
    assert_int_equal(game->core->moves(instance, &state, moves), 2);
    assert_int_equal(moves[0], samegame_move(0, 1));
    assert_int_equal(moves[1], samegame_move(2, 0));
    assert_int_equal(game->core->apply(instance, &state, moves[0], NULL), 4);
    assert_prints(instance, &state,
                  ".31.\n"
                  ".13.\n"
                  "131.\n"
                  "111.\n");
    game->life->destroy(instance);
}

/* ---- scorings ------------------------------------------------------------------------------------------------------
 */

static void assert_score(const char *text, const char *scoring, const char *solution, int expected) {
    struct samegame_options options = options_of(scoring);
    soloist_chunk chunk = chunk_of(text);
    soloist_verdict verdict;
    soloist_error error = {0, 0, ""};
    if (!game->text->referee(&chunk, &options, solution, strlen(solution), &verdict, &error))
        fail_msg("%d: %s", error.column, error.text);
    assert_int_equal(verdict.value, expected);
    assert_int_equal(verdict.pushes, -1);

    /* The same through the core. */
    soloist_instance *instance = board_of(text, scoring);
    struct samegame_wide state;
    soloist_move moves[64];
    int32_t value = 0, last = 0;
    long count = game->text->read(instance, solution, strlen(solution), moves, 64, &error);
    assert_int_equal(count, verdict.moves);
    game->life->root(instance, &state);
    for (long i = 0; i < count; i++)
        value += game->core->apply(instance, &state, moves[i], NULL);
    assert_true(game->core->ended(instance, &state, &last));
    assert_int_equal(value + last, expected);
    game->life->destroy(instance);
}

static void test_scorings(void **unused) {
    (void)unused;
    /* Four 1s in one move, then two 2s: cleared. */
    const char *cleared = "11..\n1122\n";
    assert_score(cleared, "", "[[0,0],[0,0]]", 4 + 0 + 1000);
    assert_score(cleared, "scoring=blocks", "[[0,0],[0,0]]", 4 + 0 + 1000);
    assert_score(cleared, "scoring=clickomania", "[[0,0],[0,0]]", 0);
    assert_score(cleared, "scoring=jawbreaker", "[[0,0],[0,0]]", 4 * 3 + 2 * 1);
    assert_score(cleared, "scoring=windows", "[[0,0],[0,0]]", (16 - 12 + 4) + (4 - 6 + 4));
    /* Three 1s go; 3 2 3 1 3 1 3 1 are left: three 1s, one 2, four 3s, eight blocks. */
    const char *left = "11132313131\n";
    assert_score(left, "", "[[1,0]]", 1 - (1 + 1 + 4));
    assert_score(left, "scoring=blocks", "[[1,0]]", 1 - 36);
    assert_score(left, "scoring=clickomania", "[[1,0]]", -8);
    assert_score(left, "scoring=jawbreaker", "[[1,0]]", 6);
    assert_score(left, "scoring=windows", "[[1,0]]", 4);
    /* A single block left: one point off; an empty board is cleared before it starts. */
    assert_score("112\n", "", "[[0,0]]", 0 - 1);
    assert_score("...\n", "", "[]", 1000);
    assert_score("12\n", "scoring=clickomania", "[]", -2);
}

/* The best that play can reach from the board, and along the way: no state is worth more than its bound. */
static int32_t best_and_check(const soloist_instance *instance, const struct samegame_wide *state) {
    soloist_move moves[32];
    int32_t best = 0;
    int count = game->core->moves(instance, state, moves);
    if (game->core->ended(instance, state, &best))
        assert_int_equal(count, 0);
    for (int i = 0; i < count; i++) {
        struct samegame_wide child;
        memcpy(&child, state, instance->state_size);
        int32_t value = game->core->apply(instance, &child, moves[i], NULL);
        value += best_and_check(instance, &child);
        best = i == 0 || value > best ? value : best;
    }
    assert_true(best <= game->bound->value(instance, state));
    return best;
}

static void test_bound_is_never_below_the_best(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    assert_true(game->bound->admissible(NULL) && game->bound->consistent(NULL));
    for (int i = 0; i < 60; i++) {
        struct samegame_board board;
        struct samegame_options options = {.scoring = i % 5, .tabu = 0};
        reference_random_board(&rng, 4, 3 + i % 2, 2 + i % 3, i % 4 != 0, &board);
        soloist_instance *instance = samegame_instance_make(&board, &options);
        struct samegame_wide state;
        game->life->root(instance, &state);
        best_and_check(instance, &state);
        game->life->destroy(instance);
    }
}

static void assert_bound(const char *text, const char *scoring, int expected) {
    soloist_instance *instance = board_of(text, scoring);
    struct samegame_wide state;
    game->life->root(instance, &state);
    assert_int_equal(game->bound->value(instance, &state), expected);
    game->life->destroy(instance);
}

static void test_bound_values(void **unused) {
    (void)unused;
    assert_bound("1212\n1212\n", "", 4 + 4 + 1000);
    assert_bound("1213\n1212\n", "", 4 + 1 + 0);
    assert_bound("1213\n1212\n", "scoring=blocks", 4 + 1 + 0);
    assert_bound("1213\n1212\n", "scoring=clickomania", -1);
    assert_bound("1213\n1212\n", "scoring=jawbreaker", 12 + 6);
    assert_bound("1213\n1212\n", "scoring=windows", 8 + 4);
    assert_bound("....\n", "", 1000);
}

/* ---- files ---------------------------------------------------------------------------------------------------------
 */

static void test_files(void **unused) {
    (void)unused;
    const char *text = "; a set\n\n; first \n12\r\n21\r\n\n# second\n;again\n\n0.\n3.\n; inside\n33\n";
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    struct samegame_options options = options_of("");
    struct samegame_wide state;
    assert_true(game->life->next(&cursor, &chunk));
    assert_string_equal(chunk.name, "first");
    assert_int_equal(chunk.line, 4);
    soloist_instance *instance = game->life->parse(&chunk, &options, NULL);
    game->life->root(instance, &state);
    assert_prints(instance, &state, "12\n21\n");
    game->life->destroy(instance);
    assert_true(game->life->next(&cursor, &chunk));
    assert_string_equal(chunk.name, "again");
    instance = game->life->parse(&chunk, &options, NULL);
    game->life->root(instance, &state);
    assert_prints(instance, &state, "..\n3.\n33\n");
    game->life->destroy(instance);
    assert_false(game->life->next(&cursor, &chunk));
}

/* The same two boards, as different programs write them. */
static void test_formats(void **unused) {
    (void)unused;
    static const char *const files[] = {
        "122\n112\n\n11\n22\n",
        "1 2 2\n1 1 2\n\n1\t1\n2  2\n",
        "1,2,2\n1, 1, 2\n\n1,1\n2,2\n",
        "abb\naab\n\nGG\nRR\n",
        "r s s\nr r s\n\na,a\nb,b\n",
        "[[1,2,2],[1,1,2]]\n[[1,1],[2,2]]\n",
        "[[1, 2, 2],\n [1, 1, 2]]\n\n; second\n[[1, 1],\n [2, 2]]\n",
        "[[[1,2,2],[1,1,2]],[[1,1],[2,2]]]",
        "[\"122\",\"112\"]\n[\"xx\",\"yy\"]\n",
        "[[\"r\",\"s\",\"s\"],[\"r\",\"r\",\"s\"]] [[\"a\",\"a\"],[\"b\",\"b\"]]",
    };
    static const char *const boards[] = {"122\n112\n", "11\n22\n"};
    struct samegame_options options = options_of("");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        soloist_cursor cursor = soloist_cursor_open(files[i], strlen(files[i]));
        soloist_chunk chunk;
        soloist_error error;
        struct samegame_wide state;
        for (int k = 0; k < 2; k++) {
            assert_true(game->life->next(&cursor, &chunk));
            soloist_instance *instance = game->life->parse(&chunk, &options, &error);
            if (!instance)
                fail_msg("%s: %s", files[i], error.text);
            game->life->root(instance, &state);
            assert_prints(instance, &state, boards[k]);
            game->life->destroy(instance);
        }
        assert_false(game->life->next(&cursor, &chunk));
    }
}

static void assert_error(const char *text, int line, int column, const char *part) {
    struct samegame_options options = options_of("");
    soloist_chunk chunk = chunk_of(text);
    soloist_error error = {0, 0, ""};
    assert_null(game->life->parse(&chunk, &options, &error));
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
}

static void test_parse_errors(void **unused) {
    (void)unused;
    assert_error("123\n12\n123\n", 2, 3, "the row has 2 cells, the first row has 3");
    assert_error("; name\n  123\n  1234\n", 3, 7, "the row has 4 cells, the first row has 3");
    assert_error("123\n1?3\n", 2, 2, "expected a digit, a letter or '.', found ?");
    assert_error("123\n1x3\n", 2, 2, "expected digits or letters, not both on one board");
    assert_error("1 2 3\n1 22 3\n", 2, 3, "expected one digit or letter per cell, found 22");
    assert_error("1,2\n1,,2\n", 2, 3, "expected a cell before this comma");
    assert_error("abcde\nfghij\n", 1, 1, "the board has 10 different letters, at most 9 are allowed");
    assert_error("[[1,2],\n [1,10]]", 2, 5, "expected a colour from 0 to 9");
    assert_error("[[1,2],[1]]", 1, 10, "the row has 1 cells, the first row has 2");
    assert_error("[[1,2] [1,2]]", 1, 8, "expected ',' or ']'");
    assert_error("1\x01\n", 1, 2, "another byte");
    assert_error("1\xff\n", 1, 2, "another byte");
    assert_error("111\n1.1\n111\n", 1, 2, "not settled: an empty cell (0 or .) under this block");
    assert_error("\n\n1.1\n1.1\n", 4, 3, "not settled: an empty column left of this block");
    assert_error("..1\n..1\n", 2, 3, "not settled: an empty column left of this block");
    assert_error("111111111111111111111111111111111\n", 1, 33, "the row has more than 32 cells");
    char tall[128] = "";
    for (int i = 0; i < 33; i++)
        strcat(tall, "12\n");
    assert_error(tall, 33, 1, "the board has more than 32 rows");
}

static int recognise(const char *text) { return game->life->recognise(text, strlen(text)); }

static void test_recognise(void **unused) {
    (void)unused;
    assert_true(recognise("; x\n123\n321\n\n12\n21\n") >= 80);
    assert_true(recognise("123\n3a1\n") == 0);
    assert_true(recognise("12345\n12345\n12345\n12345\n1234x\n") > 0);
    assert_in_range(recognise("12345\n"), 1, 30);
    assert_true(recognise("1 2 2\n1 1 2\n") > 30);
    assert_true(recognise("1,2,2\n1,1,2\n") > 30);
    assert_true(recognise("rrgg\ngbbr\nrrbg\n") > 30);
    assert_true(recognise("[[1,2],[2,1]]\n") > 80);
    assert_int_equal(recognise("hello\nworld\n"), 0);
    assert_int_equal(recognise("{\"a\":[[1,2]]}\n"), 0);
    assert_int_equal(recognise(""), 0);
    assert_int_equal(recognise("; only\n# comments\n"), 0);
    assert_int_equal(recognise("#####\n#@$.#\n#####\n"), 0);
    assert_int_equal(recognise("  ###\n###@#\n#  $.#\n ####\n"), 0);
    assert_int_equal(recognise("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n"), 0);
    assert_int_equal(recognise("3 1 2\n2 1 3\n"), 0);
    unsigned char bytes[512];
    soloist_rng rng;
    soloist_rng_seed(&rng, 9, 0);
    for (int i = 0; i < 2000; i++) {
        size_t length = soloist_rng_below(&rng, sizeof bytes);
        for (size_t j = 0; j < length; j++)
            bytes[j] = (unsigned char)soloist_rng_next(&rng);
        assert_in_range(game->life->recognise((const char *)bytes, length), 0, 100);
    }
}

/* ---- solutions -----------------------------------------------------------------------------------------------------
 */

static void assert_read_error(const char *solution, int column, const char *part) {
    soloist_instance *instance = board_of("11..\n1122\n", "");
    soloist_move moves[8];
    soloist_error error = {0, 0, ""};
    assert_int_equal(game->text->read(instance, solution, strlen(solution), moves, 8, &error), -1);
    assert_int_equal(error.column, column);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
    game->life->destroy(instance);
}

static void test_read(void **unused) {
    (void)unused;
    soloist_instance *instance = board_of("11..\n1122\n", "");
    soloist_move moves[2] = {7, 7};
    const char *any_cell = " [ [1,1] ,\n[1 , 0] ]\n";
    assert_int_equal(game->text->read(instance, any_cell, strlen(any_cell), moves, 1, NULL), 2);
    assert_true(moves[0] == samegame_move(0, 0) && moves[1] == 7);
    assert_int_equal(game->text->read(instance, "[[3,0]]", 7, moves, 2, NULL), 1);
    assert_int_equal(moves[0], samegame_move(2, 0));
    game->life->destroy(instance);
    assert_read_error("", 1, "expected '['");
    assert_read_error("[0,0]", 2, "expected '['");
    assert_read_error("[[0;0]]", 4, "expected ','");
    assert_read_error("[[0,-1]]", 5, "expected a number");
    assert_read_error("[[0,99999999999999999999]]", 5, "a number below 32");
    assert_read_error("[[0,0][0,0]]", 7, "expected ','");
    assert_read_error("[[0,0],]", 8, "expected '['");
    assert_read_error("[[0,0]", 7, "expected ','");
    assert_read_error("[[0,0]] x", 9, "nothing after");
    assert_read_error("[[0,0],[2,0]]", 8, "move 2: no group");
    assert_read_error("[[2,1]]", 2, "move 1: no group");
    assert_read_error("[[31,31]]", 2, "move 1: no group");
}

static bool referee(const char *text, const char *solution, soloist_verdict *verdict, soloist_error *error) {
    struct samegame_options options = options_of("");
    soloist_chunk chunk = chunk_of(text);
    return game->text->referee(&chunk, &options, solution, strlen(solution), verdict, error);
}

static void test_referee(void **unused) {
    (void)unused;
    soloist_verdict verdict;
    soloist_error error;
    const char *board = "11..\n1122\n";
    assert_true(referee(board, "[[1,1],[1,0]]", &verdict, &error));
    assert_int_equal(verdict.value, 1004);
    assert_int_equal(verdict.moves, 2);
    assert_false(referee(board, "[[1,1]]", &verdict, &error));
    assert_non_null(strstr(error.text, "unfinished"));
    assert_false(referee(board, "[]", &verdict, &error));
    assert_false(referee(board, "[[1,1],[1,1]]", &verdict, &error));
    assert_int_equal(error.column, 8);
    assert_false(referee(board, "[[1,1],[1,0],[0,0]]", &verdict, &error));
    assert_false(referee(board, "[[1,1],[1,0]", &verdict, &error));
    assert_false(referee("1.1\n111\n2..\n", "[[0,0]]", &verdict, &error));
}

/* Games of random boards: written, read back, and judged; with a move changed, dropped or added the referee's verdict
 * is that of the plain reference. */
static void test_solutions_round_trip(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 21, 0);
    for (int i = 0; i < 60; i++) {
        struct samegame_board board;
        struct samegame_options options = {.scoring = i % 5, .tabu = 0};
        int side = i % 3 == 0 ? 20 : 9;
        reference_random_board(&rng, side, side, 4, true, &board);
        soloist_instance *instance = samegame_instance_make(&board, &options);
        struct samegame_wide state;
        soloist_move trace[512], again[512];
        struct buffer text, file;
        buffer_open(&text), buffer_open(&file);
        soloist_sink sink = buffer_sink(&text), file_sink = buffer_sink(&file);
        game->life->root(instance, &state);
        game->text->print(instance, &state, &file_sink);
        soloist_playout played = game->sample->playout(instance, &state, 0, 1000, &rng, trace, NULL);
        game->text->solution(instance, trace, (size_t)played.length, &sink);
        assert_int_equal(game->text->read(instance, text.text, text.length, again, 512, NULL), played.length);
        assert_memory_equal(trace, again, (size_t)played.length * sizeof *trace);
        soloist_chunk chunk = chunk_of(file.text);
        soloist_verdict verdict;
        soloist_error error;
        assert_true(game->text->referee(&chunk, &options, text.text, text.length, &verdict, &error));
        assert_int_equal(verdict.value, played.value);
        assert_int_equal(verdict.moves, played.length);
        buffer_clear(&text);
        game->text->solution(instance, trace, (size_t)played.length - 1, &sink);
        assert_false(game->text->referee(&chunk, &options, text.text, text.length, &verdict, &error));
        trace[played.length] = samegame_move(0, 0);
        buffer_clear(&text);
        game->text->solution(instance, trace, (size_t)played.length + 1, &sink);
        assert_false(game->text->referee(&chunk, &options, text.text, text.length, &verdict, &error));
        assert_int_equal(game->text->read(instance, text.text, text.length, again, 512, &error), -1);
        buffer_close(&text), buffer_close(&file);
        game->life->destroy(instance);
    }
}

/* Every state prints as a file that reads as the same board. */
static void test_print_round_trip(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 22, 0);
    for (int i = 0; i < 40; i++) {
        struct samegame_board board;
        struct samegame_options options = {0};
        reference_random_board(&rng, 1 + i % 32, 1 + i * 7 % 32, 1 + i % 9, i % 2, &board);
        soloist_instance *instance = samegame_instance_make(&board, &options);
        struct samegame_wide state;
        game->life->root(instance, &state);
        game->sample->playout(instance, &state, 0, i % 5, &rng, NULL, NULL);
        char *text = print(instance, &state);
        soloist_instance *again = board_of(text, "");
        game->life->root(again, &state);
        assert_prints(again, &state, text);
        free(text);
        game->life->destroy(again);
        game->life->destroy(instance);
    }
}

/* ---- what each block brings ----------------------------------------------------------------------------------------
 */

/* Moves the numbers of the blocks that stay as the blocks fall and the columns close. */
static void settle_numbers(const struct reference *board, bool gone[32][32], int number[32][32]) {
    int to = 0;
    for (int c = 0; c < board->width; c++) {
        int height = 0;
        for (int r = 0; r < board->height; r++)
            if (board->cell[c][r] && !gone[c][r])
                number[to][height++] = number[c][r];
        to += height > 0;
    }
}

/* The sum over all blocks of a board of what each brings in a game: (n-2)^2 / n if it is removed in a group of n,
 * -(k-2)^2 / k if it is one of k blocks of its colour that are left. *left becomes the number of blocks left. */
static double sum_over_blocks(struct reference board, const soloist_move *moves, int count, int *left) {
    int number[32][32], of_colour[10] = {0};
    double brings[32 * 32] = {0}, sum = 0;
    for (int i = 0; i < 32 * 32; i++)
        number[i / 32][i % 32] = i;
    for (int i = 0; i < count; i++) {
        bool gone[32][32] = {{false}};
        int column = samegame_column(moves[i]), row = samegame_row(moves[i]);
        int n = reference_flood(&board, column, row, board.cell[column][row], gone);
        for (int k = 0; k < 32 * 32; k++)
            if (gone[k / 32][k % 32])
                brings[number[k / 32][k % 32]] = (double)((n - 2) * (n - 2)) / n;
        settle_numbers(&board, gone, number);
        reference_play(&board, column, row);
    }
    for (int k = 0; k < 32 * 32; k++)
        of_colour[board.cell[k / 32][k % 32]]++;
    for (int k = 0; k < 32 * 32; k++) {
        int same = of_colour[board.cell[k / 32][k % 32]];
        if (board.cell[k / 32][k % 32])
            brings[number[k / 32][k % 32]] = -(double)((same - 2) * (same - 2)) / same;
    }
    for (int k = 0; k < 32 * 32; k++)
        sum += brings[k];
    *left = 32 * 32 - of_colour[0];
    return sum;
}

static void test_score_is_a_sum_over_blocks(void **unused) {
    (void)unused;
    soloist_rng rng;
    int cleared = 0;
    soloist_rng_seed(&rng, 23, 0);
    for (int i = 0; i < 60; i++) {
        struct samegame_board board;
        struct samegame_options options = {.scoring = SAMEGAME_STANDARD};
        int side = i % 2 ? 15 : 5, left;
        reference_random_board(&rng, side, side, i % 2 ? 5 : 2, i % 3, &board);
        soloist_instance *instance = samegame_instance_make(&board, &options);
        struct samegame_wide state;
        soloist_move trace[512];
        struct buffer text;
        buffer_open(&text);
        soloist_sink sink = buffer_sink(&text);
        game->life->root(instance, &state);
        struct reference root = reference_of(instance, &state);
        char *file = print(instance, &state);
        soloist_playout played = game->sample->playout(instance, &state, 0, 1000, &rng, trace, NULL);
        game->text->solution(instance, trace, (size_t)played.length, &sink);
        soloist_verdict verdict;
        soloist_error error;
        assert_true(referee(file, text.text, &verdict, &error));
        double sum = sum_over_blocks(root, trace, played.length, &left);
        assert_true(fabs(sum + (left ? 0 : 1000) - verdict.value) < 1e-6);
        cleared += !left;
        free(file);
        buffer_close(&text);
        game->life->destroy(instance);
    }
    assert_in_range(cleared, 1, 59);
}

/* ---- generator -----------------------------------------------------------------------------------------------------
 */

static char *generate(const char *options_text, uint64_t seed) {
    long options[8];
    struct buffer buffer;
    soloist_rng rng;
    soloist_error error;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    assert_true(game->generate->options_size <= sizeof options);
    soloist_options_reset(game->generate->options, options);
    assert_int_equal(soloist_options_parse(game->generate->options, options, options_text, &error), SOLOIST_OK);
    soloist_rng_seed(&rng, seed, 0);
    assert_int_equal(game->generate->make(options, &rng, &sink, &error), SOLOIST_OK);
    return buffer_take(&buffer);
}

static void test_generate(void **unused) {
    (void)unused;
    char *first = generate("width=20,height=12,colours=9", 1), *same = generate("width=20,height=12,colours=9", 1);
    char *other = generate("width=20,height=12,colours=9", 2);
    assert_string_equal(first, same);
    assert_string_not_equal(first, other);
    assert_int_equal(first[0], ';');
    soloist_instance *instance = board_of(first, "");
    assert_true(instance->width == 20 && instance->height == 12 && instance->colours == 9);
    game->life->destroy(instance);
    free(first), free(same), free(other);
    char *one = generate("width=1,height=1,colours=1", 1);
    assert_non_null(strstr(one, "\n1\n"));
    free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_fall_and_columns_close),
        cmocka_unit_test(test_scorings),
        cmocka_unit_test(test_bound_is_never_below_the_best),
        cmocka_unit_test(test_bound_values),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_parse_errors),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_recognise),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_referee),
        cmocka_unit_test(test_solutions_round_trip),
        cmocka_unit_test(test_print_round_trip),
        cmocka_unit_test(test_score_is_a_sum_over_blocks),
        cmocka_unit_test(test_generate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
