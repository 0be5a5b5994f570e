/* Sinks, located errors, cursors over every kind of line end, and the growing buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "soloist.h"

#include <stdlib.h>
#include <string.h>

/* ---- cursor ---- */

/* The text's lines, joined by '|' with their numbers: "1:ab|2:|3:c". */
static void check_lines(const char *text, const char *expected) {
    size_t length = strlen(text), size;
    char *copy = malloc(length ? length : 1); /* exact, so that a read past the end is caught */
    const char *line;
    struct buffer buffer;
    assert_non_null(copy);
    memcpy(copy, text, length);
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    soloist_cursor cursor = soloist_cursor_open(copy, length);
    for (int number = cursor.line; soloist_cursor_line(&cursor, &line, &size); number = cursor.line)
        soloist_print(&sink, "%s%d:%.*s", buffer.length ? "|" : "", number, (int)size, line);
    assert_false(soloist_cursor_line(&cursor, &line, &size));
    assert_string_equal(buffer.text ? buffer.text : "", expected);
    buffer_close(&buffer);
    free(copy);
}

static void cursor_knows_every_line_end(void **state) {
    (void)state;
    check_lines("", "");
    check_lines("ab", "1:ab");
    check_lines("ab\n", "1:ab");
    check_lines("ab\ncd", "1:ab|2:cd");
    check_lines("ab\r\ncd\r\n", "1:ab|2:cd");
    check_lines("ab\rcd\r", "1:ab|2:cd");
    check_lines("a\n\nb\r\n\r\nc\r\rd", "1:a|2:|3:b|4:|5:c|6:|7:d");
    check_lines("\n", "1:");
    check_lines("\r", "1:");
    check_lines("\r\n", "1:");
    check_lines("\n\r", "1:|2:");
    check_lines("\xef\xbb\xbf", "");
    check_lines("\xef\xbb\xbf"
                "ab\n",
                "1:ab");
    check_lines("\xef\xbb", "1:\xef\xbb");
    check_lines("a\n\xef\xbb\xbf", "1:a|2:\xef\xbb\xbf");
}

static void cursor_of_nothing(void **state) {
    (void)state;
    const char *line;
    size_t length;
    soloist_cursor cursor = soloist_cursor_open(NULL, 0);
    assert_false(soloist_cursor_line(&cursor, &line, &length));
}

static void next_line_passes_comments(void **state) {
    (void)state;
    static const char text[] = "; title\n# more\n\n1 2 3\n \t \r\n4 5\r6";
    static const struct {
        const char *text;
        int line;
    } expected[] = {{"1 2 3", 4}, {"4 5", 6}, {"6", 7}};
    soloist_cursor cursor = soloist_cursor_open(text, sizeof text - 1);
    soloist_chunk chunk;
    for (int i = 0; i < 3; i++) {
        assert_true(soloist_next_line(&cursor, &chunk));
        assert_int_equal(chunk.length, strlen(expected[i].text));
        assert_memory_equal(chunk.text, expected[i].text, chunk.length);
        assert_int_equal(chunk.line, expected[i].line);
        assert_string_equal(chunk.name, "");
        assert_int_equal(cursor.ordinal, i + 1);
    }
    assert_false(soloist_next_line(&cursor, &chunk));
}

static void next_block_splits_at_blank_lines(void **state) {
    (void)state;
    static const char text[] =
        "\n; old\n;  the name \t\r\n12\r\n34\r\n; inside\r\n56\r\n  \r\n\r\n#two\n7\n\n\n; alone\n";
    soloist_cursor cursor = soloist_cursor_open(text, sizeof text - 1);
    soloist_chunk chunk;
    assert_true(soloist_next_block(&cursor, &chunk));
    assert_string_equal(chunk.name, "the name");
    assert_int_equal(chunk.line, 4);
    assert_int_equal(chunk.length, strlen("12\r\n34\r\n; inside\r\n56"));
    assert_memory_equal(chunk.text, "12\r\n34\r\n; inside\r\n56", chunk.length);
    assert_true(soloist_next_block(&cursor, &chunk));
    assert_string_equal(chunk.name, "two");
    assert_int_equal(chunk.line, 11);
    assert_int_equal(chunk.length, 1);
    assert_int_equal(cursor.ordinal, 2);
    assert_false(soloist_next_block(&cursor, &chunk));
    assert_int_equal(cursor.ordinal, 2);
}

/* A name of 127 bytes at most, cut before a character rather than inside it, without control characters. */
static void names_are_cut_at_characters(void **state) {
    (void)state;
    char text[300];
    soloist_chunk chunk;
    for (size_t ascii = 118; ascii < 130; ascii++) {
        size_t length = 0;
        text[length++] = ';';
        for (size_t i = 0; i < ascii; i++)
            text[length++] = 'x';
        memcpy(text + length, "\xf0\x9f\x98\x80\xe2\x82\xac\xc3\xa9\n1", 11);
        length += 11;
        soloist_cursor cursor = soloist_cursor_open(text, length);
        assert_true(soloist_next_block(&cursor, &chunk));
        size_t kept = ascii + 9 <= 127   ? ascii + 9
                      : ascii + 7 <= 127 ? ascii + 7
                      : ascii + 4 <= 127 ? ascii + 4
                                         : ascii;
        assert_int_equal(strlen(chunk.name), kept < 127 ? kept : 127);
    }
    soloist_cursor cursor = soloist_cursor_open(";a\x1b[2J\0b\x7f\n1", 12);
    assert_true(soloist_next_block(&cursor, &chunk));
    assert_string_equal(chunk.name, "a?[2J?b?");
}

/* ---- errors ---- */

static void fail_fills_the_error(void **state) {
    (void)state;
    soloist_error error = {0};
    assert_false(soloist_fail(&error, 3, 4, "expected %d, not '%s'", 5, "a\tb\n"));
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 4);
    assert_string_equal(error.text, "expected 5, not 'a?b?'");
    assert_false(soloist_fail(NULL, 0, 0, "nobody listens"));
}

static void fail_cuts_at_characters(void **state) {
    (void)state;
    soloist_error error;
    char text[400];
    for (size_t ascii = 250; ascii < 256; ascii++) {
        memset(text, 'x', ascii);
        strcpy(text + ascii, "\xe2\x82\xac and so on");
        soloist_fail(&error, 0, 0, "%s", text);
        size_t room = sizeof error.text - 1;
        assert_int_equal(strlen(error.text), ascii + 3 <= room ? room : ascii);
    }
    memset(text, '\x80', 300);
    text[300] = 0;
    soloist_fail(&error, 0, 0, "%s", text); /* no characters at all: cut anywhere */
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

/* ---- sinks and buffer ---- */

static void print_takes_any_length(void **state) {
    (void)state;
    struct buffer buffer;
    char text[2000];
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    size_t total = 0;
    for (size_t length = 0; length < sizeof text; length += 97) {
        memset(text, 'a', length);
        text[length] = 0;
        soloist_print(&sink, "%s", text);
        total += length;
        assert_int_equal(buffer.length, total);
    }
    for (size_t length = 510; length < 515; length++) { /* around the size that needs no allocation */
        buffer_clear(&buffer);
        soloist_print(&sink, "%*d", (int)length, 7);
        assert_int_equal(buffer.length, length);
        assert_int_equal(buffer.text[length - 1], '7');
    }
    buffer_close(&buffer);
}

static void buffer_grows_and_hands_over(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_open(&buffer);
    assert_null(buffer.text);
    buffer_clear(&buffer);
    char *empty = buffer_take(&buffer);
    assert_string_equal(empty, "");
    free(empty);
    soloist_sink sink = buffer_sink(&buffer);
    sink.write(sink.to, NULL, 0);
    assert_string_equal(buffer.text, "");
    for (int i = 0; i < 10000; i++)
        soloist_put(&sink, "abc");
    sink.write(sink.to, "x\0y", 3);
    assert_int_equal(buffer.length, 30003);
    assert_false(buffer.failed);
    char *text = buffer_take(&buffer);
    assert_memory_equal(text + 29997, "abcx\0y", 7);
    assert_null(buffer.text);
    assert_int_equal(buffer.length, 0);
    free(text);
    buffer_close(&buffer);
    buffer_close(&buffer);
}

static void buffer_fails_without_harm(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    soloist_put(&sink, "kept");
    sink.write(sink.to, "impossible", SIZE_MAX - 2);
    assert_true(buffer.failed);
    soloist_put(&sink, "more");
    assert_string_equal(buffer.text, "kept");
    assert_null(buffer_take(&buffer));
    assert_false(buffer.failed);
    buffer_close(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cursor_knows_every_line_end), cmocka_unit_test(cursor_of_nothing),
        cmocka_unit_test(next_line_passes_comments),   cmocka_unit_test(next_block_splits_at_blank_lines),
        cmocka_unit_test(names_are_cut_at_characters), cmocka_unit_test(fail_fills_the_error),
        cmocka_unit_test(fail_cuts_at_characters),     cmocka_unit_test(print_takes_any_length),
        cmocka_unit_test(buffer_grows_and_hands_over), cmocka_unit_test(buffer_fails_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
