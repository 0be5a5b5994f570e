/* The reader of Sokoban files: boards drawn here with what must come of them, every complaint with its place, and the
 * round trip of all levels at hand. */
#include "base/buffer.h"
#include "domain/sokoban/file/level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#ifndef SOLOIST_SHARED
#define SOLOIST_SHARED "../shared"
#endif

/* The index-th chunk of a text, counted from 0. */
static bool chunk_of(const char *text, size_t length, int index, soloist_chunk *chunk) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    for (; index >= 0; index--)
        if (!sokoban_next(&cursor, chunk))
            return false;
    return true;
}

static int count_of(const char *text) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    int count = 0;
    while (sokoban_next(&cursor, &chunk))
        count++;
    return count;
}

static void read_level(const char *text, int index, struct sokoban_level *level) {
    soloist_chunk chunk;
    soloist_error error;
    assert_true(chunk_of(text, strlen(text), index, &chunk));
    if (!sokoban_level_parse(&chunk, level, &error))
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
}

static char *print_level(const struct sokoban_level *level) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    sokoban_level_print(level, &sink);
    return buffer_take(&buffer);
}

static void assert_printed(const char *text, int index, const char *expected) {
    struct sokoban_level level;
    read_level(text, index, &level);
    char *printed = print_level(&level);
    assert_string_equal(printed, expected);
    free(printed);
}

static void assert_name(const char *text, int index, const char *name) {
    soloist_chunk chunk;
    assert_true(chunk_of(text, strlen(text), index, &chunk));
    assert_string_equal(chunk.name, name);
}

/* ---- boards ---- */

#define SMALL "#####\n#@$.#\n#####\n"

static void test_cells(void **state) {
    (void)state;
    struct sokoban_level level;
    read_level(" #######\n"
               " #+$ *.#\n"
               "##$#####\n"
               "#.  # $#\n"
               "####### \n",
               0, &level);
    assert_int_equal(level.width, 8);
    assert_int_equal(level.height, 5);
    assert_int_equal(level.player, 1 * 8 + 2);
    assert_int_equal(level.boxes, 3);
    assert_int_equal(level.goals, 4);
    assert_int_equal(level.cells[0], 0);
    assert_int_equal(level.cells[1], SOKOBAN_WALL);
    assert_int_equal(level.cells[8 + 2], SOKOBAN_INSIDE | SOKOBAN_GOAL);
    assert_int_equal(level.cells[8 + 3], SOKOBAN_INSIDE | SOKOBAN_BOX);
    assert_int_equal(level.cells[8 + 5], SOKOBAN_INSIDE | SOKOBAN_BOX | SOKOBAN_GOAL);
    assert_int_equal(level.cells[24 + 5], 0); /* a closed cell of floor that the player never enters */
    assert_int_equal(level.cells[24 + 6], SOKOBAN_WALL | SOKOBAN_DECOR | SOKOBAN_DECOR_BOX);
}

static void test_symbols(void **state) {
    (void)state;
    assert_printed("######\n#p-bo#\n######\n", 0, "######\n#@ $.#\n######\n");
    assert_printed("######\n#P_B$#\n######\n", 0, "######\n#+ *$#\n######\n");
    assert_printed("6#\n#@-$.#\n6#", 0, "######\n#@ $.#\n######\n");
    assert_printed("5#|#@$.#|5#", 0, "#####\n#@$.#\n#####\n");
    assert_printed("5#\n#p$o#\n5#", 0, SMALL);
}

/* Counts, groups, and groups that span rows. */
static void test_run_lengths(void **state) {
    (void)state;
    assert_printed("7#|#@2-$.#|7#", 0, "#######\n#@  $.#\n#######\n");
    assert_printed("2(3#)|#@$2.#|6#", 0, "######\n#@$..#\n######\n");
    assert_printed("5#|2(#3-#|)#@$.#|5#", 0, "#####\n#   #\n#   #\n#@$.#\n#####\n");
    assert_printed("5#|#@$.#|2(2(#))#----------|", 0, SMALL);
    assert_printed("10#\n#@5-$.#\n10#\n", 0, "##########\n#@     $.#\n##########\n");
}

static void test_line_ends(void **state) {
    (void)state;
    assert_printed("\xef\xbb\xbf; one\r\n\r\n#####\r\n#@$.#\r\n#####\r\n", 0, SMALL);
    assert_printed("#####\r#@$.#\r#####\r\rx\r\r#####\r#@*+#\r", 0, SMALL);
    assert_printed("#####  \t\n#@$.#\t\n#####", 0, SMALL);
    assert_printed("    #####\n    #@$.#\n    #####\n", 0, "    #####\n    #@$.#\n    #####\n");
}

/* Things outside the player's area stay where they are drawn, but count for nothing. */
static void test_decoration(void **state) {
    (void)state;
    static const char board[] = "##### $\n"
                                "#@$.#\n"
                                "#######\n"
                                "    #*#\n"
                                "    ###\n"
                                "-\n"
                                "$*.\n";
    struct sokoban_level level;
    assert_printed(board, 0, board);
    read_level(board, 0, &level);
    assert_int_equal(level.boxes, 1);
    assert_int_equal(level.goals, 1);
    assert_int_equal(level.height, 7);
    /* Floor below and behind the board is nothing. */
    assert_printed("#####--------------------------------------------------------------------------\n"
                   "#@$.#\n#####\n----\n__\n",
                   0, SMALL);
}

/* An already solved level is a level. */
static void test_solved(void **state) {
    (void)state;
    assert_printed("####\n#@*#\n####\n", 0, "####\n#@*#\n####\n");
    assert_printed("#####\n#@*.#\n#####\n", 0, "#####\n#@*.#\n#####\n"); /* more goals than boxes */
}

/* ---- files ---- */

static void test_separation(void **state) {
    (void)state;
    assert_int_equal(count_of(""), 0);
    assert_int_equal(count_of("\n\n\n"), 0);
    assert_int_equal(count_of("no level here\nnone at all\n"), 0);
    assert_int_equal(count_of(SMALL), 1);
    assert_int_equal(count_of(SMALL "\n" SMALL), 2);
    assert_int_equal(count_of(SMALL "Level 2\n" SMALL), 2);
    assert_int_equal(count_of(SMALL "; 2\n" SMALL ":: three\n" SMALL), 3);
    assert_int_equal(count_of("5#|#@$.#|5#\n5#|#.$@#|5#\n"), 2);
    assert_int_equal(count_of(SMALL "dddd\nrrUUll\n12\n12.\nbob\n" SMALL), 2);
    assert_int_equal(count_of("##########\n\ntext\n##########\n" SMALL), 1); /* a rule is no board */
    assert_int_equal(count_of(SMALL "\nComment:\n" SMALL "\nComment-End:\n" SMALL), 2);
    assert_int_equal(count_of(SMALL "\nComment:\n" SMALL "\n" SMALL), 3); /* never closed: it was one line */
    assert_int_equal(count_of(SMALL "\nComment:\n" SMALL "\nComment-End:\nComment:\n" SMALL), 2);
    assert_int_equal(count_of("#1\n" SMALL "#2\n" SMALL), 2);
}

static void test_lines(void **state) {
    (void)state;
    static const char text[] = "; a\n\n" SMALL "\n\n; b\n" SMALL;
    soloist_chunk chunk;
    assert_true(chunk_of(text, strlen(text), 0, &chunk));
    assert_int_equal(chunk.line, 3);
    assert_int_equal(chunk.length, strlen(SMALL) - 1);
    assert_true(chunk_of(text, strlen(text), 1, &chunk));
    assert_int_equal(chunk.line, 9);
    assert_false(chunk_of(text, strlen(text), 2, &chunk));
}

static void test_names(void **state) {
    (void)state;
    assert_name(SMALL, 0, "");
    assert_name("; 1\n\n" SMALL "\n; 2 'two'\n\n" SMALL, 0, "1");
    assert_name("; 1\n\n" SMALL "\n; 2 'two'\n\n" SMALL, 1, "2 'two'");
    assert_name("A set\nby someone\n\nLevel 1\n" SMALL "\nLevel 2\n" SMALL, 1, "Level 2");
    assert_name("Level 1\n" SMALL "\nLevel 2\n; a comment\n" SMALL, 1, "Level 2");
    assert_name(SMALL "\na remark\n\n; 2\n; two\n" SMALL, 1, "two");
    assert_name(":: file comment\n\n" SMALL, 0, "file comment");
    /* Title: below the board, as .sok has it; it counts more than a number above. */
    static const char below[] = "1\n\n" SMALL "Title: First\nAuthor: A\n\n2\n\n" SMALL "\nTitle: Second\nAuthor: A\n";
    assert_name(below, 0, "First");
    assert_name(below, 1, "Second");
    /* Title: above it. */
    static const char above[] =
        "Title: First\nAuthor: A\n\n" SMALL "\nTitle: Second\n\n" SMALL "\nTitle: Third\n" SMALL;
    assert_name(above, 0, "First");
    assert_name(above, 1, "Second");
    assert_name(above, 2, "Third");
    /* Neither moves nor attributes name the next level. */
    static const char moves[] = "one\n" SMALL "Solution:\nR\nAuthor: B\n\nrrUUllDDrr\n" SMALL;
    assert_name(moves, 0, "one");
    assert_name(moves, 1, "");
    assert_name(SMALL "Comment: first\nsecond line\nComment-End:\n" SMALL, 1, "");
    assert_name("; caf\xc3\xa9 \xff\x01.\n" SMALL, 0, "caf\xc3\xa9 ??.");
}

static void test_long_name(void **state) {
    (void)state;
    char text[600] = "; ";
    soloist_chunk chunk;
    for (int i = 0; i < 100; i++)
        strcat(text, "\xc3\xa9x");
    strcat(text, "\n" SMALL);
    assert_true(chunk_of(text, strlen(text), 0, &chunk));
    assert_int_equal(strlen(chunk.name), 126); /* 127 bytes would cut a character */
}

static void assert_solution(const char *text, int level, int index, const char *expected) {
    soloist_chunk chunk;
    const char *solution = NULL;
    size_t length = 0;
    assert_true(chunk_of(text, strlen(text), level, &chunk));
    bool found = sokoban_chunk_solution(&chunk, index, &solution, &length);
    assert_int_equal(found, expected != NULL);
    if (!found || !expected)
        return;
    assert_true(solution >= chunk.text && solution + length <= chunk.text + chunk.length);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(solution, expected, length);
}

static void test_solutions(void **state) {
    (void)state;
    static const char text[] = SMALL "Title: one\n"
                                     "Solution: R\n"
                                     "\n"
                                     "Solution/Moves\n"
                                     "lrR\n"
                                     "2(lr)\n"
                                     "\n"
                                     "Solution (moves/pushes: 3/1): lrR\n"
                                     "Comment:\n"
                                     "Solution: lll\n"
                                     "Comment-End:\n"
                                     "Snapshot\n"
                                     "rrrrrrrr\n"
                                     "Solution\n\n"
                                     "lrR\n"
                                     "\n; two\n" SMALL "Solution: 12/3\n\n" SMALL "Solution: lrxRlrlrlr\n";
    assert_int_equal(count_of(text), 3);
    assert_solution(text, 0, 0, "R");
    assert_solution(text, 0, 1, "lrR\n2(lr)");
    assert_solution(text, 0, 2, "lrR");
    assert_solution(text, 0, 3, "lrR");
    assert_solution(text, 0, 4, NULL);
    assert_solution(text, 1, 0, NULL);
    assert_solution(text, 2, 0, "lrxRlrlrlr"); /* wrong, but meant as one: the referee will say so */
    assert_solution(SMALL "no solution\n", 0, 0, NULL);
}

/* ---- complaints ---- */

static void assert_refused(const char *text, size_t length, int line, int column, const char *words) {
    soloist_chunk chunk;
    soloist_error error = {0};
    struct sokoban_level level;
    if (!chunk_of(text, length, 0, &chunk))
        chunk = (soloist_chunk){.text = text, .length = length, .line = 1};
    assert_false(sokoban_level_parse(&chunk, &level, &error));
    assert_string_equal(error.text, words);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_false(sokoban_level_parse(&chunk, &level, NULL));
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } cases[] = {
        {"; x\n\n#####\n# $.#\n#####\n", 3, 1, "no player: expected one '@' (or '+' on a goal) in the board"},
        {"#####\n#@$.#\n#  @#\n#####\n", 3, 4,
         "a second player: expected only one, and the first stands at line 2, column 2"},
        {"6#|#@-+-#|6#", 1, 7, "a second player: expected only one, and the first stands at line 1, column 5"},
        {"######\n#@$ $#\n#  . #\n######\n", 2, 5,
         "more boxes than goals: boxes 2, goals 1 in the player's area; expected at most as many boxes as goals"},
        {"\n#####\n#@ .#\n#####\n", 2, 1, "no boxes: expected at least one '$' or '*' in the player's area"},
        {"#####\n#@ .###\n#####*#\n", 1, 1, "no boxes: expected at least one '$' or '*' in the player's area"},
        {"#####\n#@$. \n#####\n", 2, 5,
         "the walls are open: the player can walk off the board at row 2, column 5, where '#' was expected"},
        {"## ##\n#@$.#\n#####\n", 1, 3,
         "the walls are open: the player can walk off the board at row 1, column 3, where '#' was expected"},
        {"#####\n#@$.#\n#x$.#\n#####\n", 3, 2,
         "unknown character 'x': expected one of # @ + $ * . - _ or a space (or p P b B o, a count, |)"},
        {"#####\n#@$.#\n#\x80$.#\n#####\n", 3, 2,
         "unknown character byte 0x80: expected one of # @ + $ * . - _ or a space (or p P b B o, a count, |)"},
        {"#####\n#@\t$.#\n#####\n", 2, 3, "a tab in a board: expected spaces, '-' or '_' for floor"},
        {"5#|#@$.#|5", 1, 10, "a count at the end: expected a symbol or '(' after it"},
        {"5#|#@0-$.#|5#", 1, 6, "a count of 0: expected 1 or more"},
        {"5#|(#@$.#|5#", 1, 4, "'(' without ')' after it"},
        {"5#|#@$.#)|5#", 1, 9, "')' without '(' before it"},
        {"5#|#@$.#()|5#", 1, 10, "empty parentheses: expected symbols between '(' and ')'"},
        {"5#|9(((((((((#)))))))))|#@$.#", 1, 13, "parentheses are nested more than 8 deep"},
        {"999999999#|#@$.#|5#", 1, 10, "the board is too large: this run makes it more than 64 x 64"},
        {"#|999999(999999(999999(-)))|#@$.#", 1, 24, "the board is too large: this run makes it more than 64 x 64"},
        {"65#|#@$.#|5#", 1, 3, "the board is too large: expected at most 64 columns and 64 rows"},
        {"70(#|)#@$.#|5#", 1, 4, "the board is too large: expected at most 64 columns and 64 rows"},
        {"64#|9(#62$#|)#@.#|64#", 1, 10, "too many boxes: expected at most 512"},
        {"nothing\n", 1, 1, "no board: expected rows of # @ $ . and spaces"},
        {"", 1, 1, "no board: expected rows of # @ $ . and spaces"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].column, cases[i].words);
}

/* A hole is reported where the text has a place for it: here behind a short row. */
static void test_open_behind_row(void **state) {
    (void)state;
    static const char text[] = "######\n#@$.\n######\n";
    assert_refused(text, strlen(text), 2, 5,
                   "the walls are open: the player can walk off the board at row 2, column 6, where '#' was expected");
}

/* Ten megabytes in one line: refused at once, or passed over. */
static void test_huge_lines(void **state) {
    (void)state;
    size_t size = 10u << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '#', size);
    assert_refused(text, size, 1, 65, "the board is too large: expected at most 64 columns and 64 rows");
    memset(text, '#', size);
    for (size_t i = 1; i < size; i += 2)
        text[i] = '\n';
    assert_refused(text, size, 65, 1, "the board is too large: expected at most 64 columns and 64 rows");
    memset(text, '9', size);
    text[size - 1] = '#';
    assert_refused(text, size, 1, (int)size, "the board is too large: this run makes it more than 64 x 64");
    memset(text, 'x', size);
    assert_int_equal(sokoban_recognise(text, size), 0);
    memcpy(text + size - 20, "\n#####\n#@$.#\n#####\n", 19);
    assert_int_equal(sokoban_recognise(text, size), 95);
    free(text);
}

/* Many levels with comments that never end: the end must not be looked for once a level. */
static void test_many_open_comments(void **state) {
    (void)state;
    static const char piece[] = SMALL "Comment:\n\n";
    size_t count = 20000, size = strlen(piece);
    char *text = malloc(count * size);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * size, piece, size);
    soloist_cursor cursor = soloist_cursor_open(text, count * size);
    soloist_chunk chunk;
    size_t seen = 0;
    while (sokoban_next(&cursor, &chunk))
        seen++;
    assert_int_equal(seen, count);
    free(text);
}

static void test_recognise(void **state) {
    (void)state;
    static const char *const others[] = {
        "",
        "\n",
        "1 2 3 4 5 6 7 0 8\n",
        "# comment\n3 1 2 0\n",
        "; fifteen\n14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n",
        "# board 1\n11221\n12.12\n00011\n\n; board 2\n12\n21\n",
        "X.O\n.X.\nO.X\n",
        "XO.\n...\n###\n",
        "{\"board\":[\"#####\",\n\"#@$.#\",\n\"#####\"]}\n",
        "[\"#\", 1, 2]\n",
        "##########\n# a banner #\n##########\n1 2 3\n",
        "# Heading\n## Second\n### Third\ntext $ and @ and .\n",
        "#include <stdio.h>\n#define X 1\n",
        "#!/bin/sh\n# x\n##\necho 1\n",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(sokoban_recognise(others[i], strlen(others[i])), 0);
    assert_int_equal(sokoban_recognise(SMALL, strlen(SMALL)), 95);
    static const char broken[] = "; my level\n#####\n# $.#\n#####\n";
    assert_in_range(sokoban_recognise(broken, strlen(broken)), 50, 94);
    static const char rle[] = "; x\n5#|#@$.#|5#\n";
    assert_int_equal(sokoban_recognise(rle, strlen(rle)), 95);
}

/* ---- run-length moves ---- */

static void assert_expanded(const char *text, const char *expected) {
    char out[64];
    soloist_error error;
    long length = sokoban_lurd_expand(text, strlen(text), out, sizeof out, &error);
    assert_int_equal(length, (long)strlen(expected));
    assert_memory_equal(out, expected, strlen(expected));
}

static void assert_not_expanded(const char *text, int column, const char *words) {
    char out[64];
    soloist_error error = {0};
    assert_int_equal(sokoban_lurd_expand(text, strlen(text), out, sizeof out, &error), -1);
    assert_string_equal(error.text, words);
    assert_int_equal(error.column, column);
}

static void test_lurd(void **state) {
    (void)state;
    assert_expanded("", "");
    assert_expanded("lurdLURD", "lurdLURD");
    assert_expanded("3r2U", "rrrUU");
    assert_expanded("2(rU)l", "rUrUl");
    assert_expanded("2(l2(uR))", "luRuRluRuR");
    assert_expanded(" r r\r\n\tU 1 0 l", "rrUllllllllll");
    assert_expanded("64r", "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr");
    assert_not_expanded("rrx", 3, "'x' is not a move: expected l, u, r, d, L, U, R or D");
    assert_not_expanded("r\xc3", 2, "byte 0xc3 is not a move: expected l, u, r, d, L, U, R or D");
    assert_not_expanded("65r", 3, "the solution is too long: expected at most 64 moves");
    assert_not_expanded("rr9(9(9(9(9(9(r))))))", 15, "the solution is too long: expected at most 64 moves");
    assert_not_expanded("rr3", 3, "a count at the end: expected a symbol or '(' after it");
    assert_not_expanded("2(r3)", 4, "a count before ')': expected a symbol or '(' after it");
    assert_not_expanded("9( )", 4, "empty parentheses: expected symbols between '(' and ')'");
}

/* ---- the levels at hand ---- */

static void assert_round_trips(const char *name, int expected) {
    char path[512];
    snprintf(path, sizeof path, "%s/levels/%s", SOLOIST_SHARED, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        print_message("SKIP needs shared: levels/%s\n", name);
        skip();
    }
    char *text = malloc(1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, 1 << 20, file);
    fclose(file);
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    int count = 0;
    for (; sokoban_next(&cursor, &chunk); count++) {
        struct sokoban_level level, again;
        assert_true(sokoban_level_parse(&chunk, &level, NULL));
        assert_int_equal(atoi(chunk.name), count + 1);
        char *printed = print_level(&level);
        read_level(printed, 0, &again);
        assert_memory_equal(&level, &again, sizeof level);
        free(printed);
    }
    assert_int_equal(count, expected);
    assert_int_equal(sokoban_recognise(text, length), 95);
    free(text);
}

static void test_collections(void **state) {
    (void)state;
    assert_round_trips("cbc60.xsb", 60);
    assert_round_trips("microban1.xsb", 155);
    assert_round_trips("microban3.xsb", 101);
    assert_round_trips("xsokoban.xsb", 90);
    assert_round_trips("boxoban_medium_valid_000.xsb", 1000);
    assert_round_trips("boxoban_unfiltered_test_000.xsb", 1000);
    assert_round_trips("boxoban_unfiltered_train_000.xsb", 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_run_lengths),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_decoration),
        cmocka_unit_test(test_solved),
        cmocka_unit_test(test_separation),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_open_behind_row),
        cmocka_unit_test(test_huge_lines),
        cmocka_unit_test(test_many_open_comments),
        cmocka_unit_test(test_recognise),
        cmocka_unit_test(test_lurd),
        cmocka_unit_test(test_collections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
