/* JSON: what is written reads back, every escape, every kind of refusal with its place, deep nesting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct json_value parse(const char *text) {
    struct json_value value;
    soloist_error error = {0};
    if (!json_parse(text, strlen(text), &value, &error))
        fail_msg("%s: %d:%d %s", text, error.line, error.column, error.text);
    return value;
}

/* ---- writer ---- */

static void writes_nested_values(void **state) {
    (void)state;
    struct buffer buffer;
    struct json_writer json;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_int(&json, "least", INT64_MIN);
    json_uint(&json, "most", UINT64_MAX);
    json_array(&json, "list");
    json_end(&json, ']');
    json_array(&json, "mixed");
    json_real(&json, NULL, 0.1);
    json_real(&json, NULL, NAN);
    json_real(&json, NULL, -INFINITY);
    json_bool(&json, NULL, true);
    json_null(&json, NULL);
    json_object(&json, NULL);
    json_text(&json, "a\"b", NULL);
    json_end(&json, '}');
    json_end(&json, ']');
    json_raw(&json, "raw", "[1,2]");
    json_bool(&json, "last", false);
    json_end(&json, '}');
    assert_string_equal(buffer.text, "{\"least\":-9223372036854775808,\"most\":18446744073709551615,\"list\":[],"
                                     "\"mixed\":[0.1,null,null,true,null,{\"a\\\"b\":null}],\"raw\":[1,2],"
                                     "\"last\":false}");
    buffer_close(&buffer);
}

static void check_written(const char *text, const char *expected) {
    struct buffer buffer;
    struct json_writer json;
    char back[64];
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    json_open(&json, &sink);
    json_text(&json, NULL, text);
    assert_string_equal(buffer.text, expected);
    assert_int_not_equal(json_get_text(parse(buffer.text), back, sizeof back), -1);
    buffer_close(&buffer);
}

static void writes_escapes(void **state) {
    (void)state;
    check_written("", "\"\"");
    check_written("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    check_written("\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
    check_written("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    /* Not UTF-8: a tail alone, a lead alone, overlong, a surrogate, beyond U+10FFFF, cut short. */
    check_written("\x80", "\"\\u0080\"");
    check_written("\xc3", "\"\\u00c3\"");
    check_written("\xff\xfe", "\"\\u00ff\\u00fe\"");
    check_written("\xc0\xaf", "\"\\u00c0\\u00af\"");
    check_written("\xe0\x80\xaf", "\"\\u00e0\\u0080\\u00af\"");
    check_written("\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\"");
    check_written("\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\"");
    check_written("\xe2\x82", "\"\\u00e2\\u0082\"");
    check_written("\xf0\x9f\x98z", "\"\\u00f0\\u009f\\u0098z\"");
}

/* ---- reader ---- */

static void check_text(const char *json, const char *expected, long length) {
    char out[64];
    assert_int_equal(json_get_text(parse(json), out, sizeof out), length);
    assert_memory_equal(out, expected, (size_t)length + 1);
}

static void reads_escapes(void **state) {
    (void)state;
    check_text("\"\"", "", 0);
    check_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8);
    check_text("\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac", 6);
    check_text("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4);
    check_text("\"\\uDBFF\\uDFFF\"", "\xf4\x8f\xbf\xbf", 4);
    check_text("\"x\\u0000y\"", "x\0y", 3);
    check_text("\"\\u0000\"", "\0", 1);
    /* Halves of a pair alone, in every position. */
    check_text("\"\\ud83d\"", "\xef\xbf\xbd", 3);
    check_text("\"\\ude00\"", "\xef\xbf\xbd", 3);
    check_text("\"\\ud83dx\"", "\xef\xbf\xbdx", 4);
    check_text("\"\\ud83d\\n\"", "\xef\xbf\xbd\n", 4);
    check_text("\"\\ud83d\\u0041\"",
               "\xef\xbf\xbd"
               "A",
               4);
    check_text("\"\\ud83d\\ud83d\\ude00\"", "\xef\xbf\xbd\xf0\x9f\x98\x80", 7);
    check_text("\"\xff\x80\"", "\xff\x80", 2);
}

/* Writes a text, and compares what a reader gets with what json_read_back foretells. */
static void check_read_back(const char *text) {
    char read[64], foretold[64], cut[8];
    struct buffer buffer;
    struct json_writer json;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    json_open(&json, &sink);
    json_text(&json, NULL, text);
    long length = json_get_text(parse(buffer.text), read, sizeof read);
    assert_int_equal(json_read_back(text, foretold, sizeof foretold), length);
    assert_string_equal(foretold, read);
    json_get_text(parse(buffer.text), read, sizeof cut);
    assert_int_equal(json_read_back(text, cut, sizeof cut), length);
    assert_string_equal(cut, read);
    assert_int_equal(json_read_back(text, NULL, 0), length);
    buffer_close(&buffer);
}

static void foretells_what_is_read(void **state) {
    (void)state;
    check_read_back("");
    check_read_back("levels/first.xsb");
    check_read_back("\"\\/\b\f\n\r\t\x01\x1f\x7f");
    check_read_back("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    check_read_back("caf\xe9.xsb");
    check_read_back("\xc3");
    check_read_back("\xff\xfe\xc0\xaf");
    check_read_back("\xed\xa0\x80 \xf4\x90\x80\x80 \xf0\x9f\x98z");
}

static void cuts_text_at_whole_characters(void **state) {
    (void)state;
    struct json_value value = parse("\"ab\\u20ac\\u20ac\"");
    char out[8];
    memset(out, 'x', sizeof out);
    assert_int_equal(json_get_text(value, NULL, 0), 8);
    assert_int_equal(json_get_text(value, out, 1), 8);
    assert_string_equal(out, "");
    assert_int_equal(json_get_text(value, out, 5), 8);
    assert_string_equal(out, "ab");
    assert_int_equal(json_get_text(value, out, 8), 8);
    assert_string_equal(out, "ab\xe2\x82\xac");
    value = parse("\"a\xe2\x82\xac\xff\xff\""); /* raw characters and stray bytes too */
    assert_int_equal(json_get_text(value, out, 4), 6);
    assert_string_equal(out, "a");
    assert_int_equal(json_get_text(value, out, 6), 6);
    assert_string_equal(out, "a\xe2\x82\xac\xff");
    assert_int_equal(json_get_text(parse("12"), out, 8), -1);
}

static void reads_members_and_items(void **state) {
    (void)state;
    struct json_value root =
        parse(" { \"a\" : 1 , \"b\":[ ], \"\\u0063\":{\"d\":[1, \"]}\\\"\" ,[2,{}] , null]},\"a\":2,"
              "\"e\":true,\"\":\"empty\"}\n");
    struct json_value list = json_member(json_member(root, "c"), "d"), name, item;
    const char *step = NULL;
    int64_t number;
    bool flag;
    char text[16];
    assert_true(json_get_int(json_member(root, "a"), &number) && number == 1);
    assert_int_equal(json_member(root, "b").kind, JSON_ARRAY);
    assert_false(json_next(json_member(root, "b"), &step, NULL, &item));
    assert_int_equal(json_member(root, "x").kind, JSON_NONE);
    assert_int_equal(json_member(root, "ab").kind, JSON_NONE);
    assert_int_equal(json_member(list, "a").kind, JSON_NONE);
    assert_true(json_get_bool(json_member(root, "e"), &flag) && flag);
    assert_false(json_get_bool(json_member(root, "a"), &flag));
    assert_int_equal(json_get_text(json_member(root, ""), text, sizeof text), 5);

    static const enum json_kind kinds[] = {JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_NULL};
    int count = 0;
    for (step = NULL; json_next(list, &step, NULL, &item); count++)
        assert_int_equal(item.kind, kinds[count]);
    assert_int_equal(count, 4);
    assert_false(json_next(list, &step, NULL, &item));
    for (step = NULL, count = 0; json_next(root, &step, &name, &item); count++)
        assert_int_equal(name.kind, JSON_TEXT);
    assert_int_equal(count, 6);
    assert_int_equal(root.start[0], '{');
    assert_int_equal(root.end[-1], '}');
    step = NULL;
    assert_false(json_next(parse("5"), &step, &name, &item));
    assert_false(json_next(json_member(root, "x"), &step, &name, &item));
}

static void reads_numbers(void **state) {
    (void)state;
    int64_t whole;
    uint64_t natural;
    double real;
    assert_true(json_get_int(parse("-9223372036854775808"), &whole) && whole == INT64_MIN);
    assert_true(json_get_int(parse("9223372036854775807"), &whole) && whole == INT64_MAX);
    assert_false(json_get_int(parse("9223372036854775808"), &whole));
    assert_false(json_get_int(parse("-9223372036854775809"), &whole));
    assert_true(json_get_int(parse("-0"), &whole) && whole == 0);
    assert_true(json_get_int(parse("1e3"), &whole) && whole == 1000);
    assert_true(json_get_int(parse("-2.50e1"), &whole) && whole == -25);
    assert_true(json_get_int(parse("-100000000000000000000000e-20"), &whole) && whole == -1000);
    assert_false(json_get_int(parse("2.5"), &whole));
    assert_false(json_get_int(parse("1e300"), &whole));
    assert_false(json_get_int(parse("\"1\""), &whole));
    assert_true(json_get_uint(parse("18446744073709551615"), &natural) && natural == UINT64_MAX);
    assert_false(json_get_uint(parse("18446744073709551616"), &natural));
    assert_false(json_get_uint(parse("-1"), &natural));
    assert_true(json_get_real(parse("-1.5e-3"), &real) && real == -0.0015);
    assert_true(json_get_real(parse("12"), &real) && real == 12);
    assert_false(json_get_real(parse("1e999"), &real));
    assert_false(json_get_real(parse("null"), &real));
}

static void refuses_what_is_not_json(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *says;
    } cases[] = {
        {"", 1, 1, "found the end"},
        {"  \n ", 2, 2, "found the end"},
        {"tru", 1, 1, "expected a value"},
        {"nul", 1, 1, "expected a value"},
        {"True", 1, 1, "expected a value"},
        {"NaN", 1, 1, "expected a value"},
        {"Infinity", 1, 1, "expected a value"},
        {"'a'", 1, 1, "expected a value"},
        {"+1", 1, 1, "expected a value"},
        {"-", 1, 1, "expected a value"},
        {".5", 1, 1, "expected a value"},
        {"1.", 1, 1, "expected a value"},
        {"1e", 1, 1, "expected a value"},
        {"1e+", 1, 1, "expected a value"},
        {"01", 1, 2, "expected the end"},
        {"-01", 1, 3, "expected the end"},
        {"0x1", 1, 2, "expected the end"},
        {"1 2", 1, 3, "expected the end"},
        {"{} x", 1, 4, "expected the end"},
        {"truex", 1, 5, "expected the end"},
        {"[1,]", 1, 4, "expected a value"},
        {"[,1]", 1, 2, "expected a value"},
        {"[1 2]", 1, 4, "expected ',' or ']'"},
        {"[1}", 1, 3, "expected ',' or ']'"},
        {"[1", 1, 3, "expected ',' or ']'"},
        {"[", 1, 2, "found the end"},
        {"]", 1, 1, "expected a value"},
        {"{", 1, 2, "member name"},
        {"{1:2}", 1, 2, "member name"},
        {"{\"a\":1,}", 1, 8, "member name"},
        {"{\"a\" 1}", 1, 6, "expected ':'"},
        {"{\"a\":}", 1, 6, "expected a value"},
        {"{\"a\":1]", 1, 7, "expected ',' or '}'"},
        {"{\"a\":1", 1, 7, "expected ',' or '}'"},
        {"\"abc", 1, 1, "without an end"},
        {"\"abc\\", 1, 5, "unknown escape"},
        {"\"\\x41\"", 1, 2, "unknown escape"},
        {"\"\\u12\"", 1, 2, "hexadecimal"},
        {"\"\\u12g4\"", 1, 2, "hexadecimal"},
        {"\"a\tb\"", 1, 3, "control character"},
        {"[1,\n\"a\nb\"]", 2, 3, "control character"},
        {"[1,\r\n2,\rx]", 3, 1, "expected a value"},
        {"/* c */ 1", 1, 1, "expected a value"},
        {"\xef\xbb\xbf", 1, 4, "found the end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json_value value;
        soloist_error error = {0};
        /* An exact copy, so that a read past the end is caught by the sanitizer. */
        size_t length = strlen(cases[i].text);
        char *copy = malloc(length ? length : 1);
        assert_non_null(copy);
        memcpy(copy, cases[i].text, length);
        assert_false(json_parse(copy, length, &value, &error));
        free(copy);
        assert_int_equal(value.kind, JSON_NONE);
        if (error.line != cases[i].line || error.column != cases[i].column || !strstr(error.text, cases[i].says))
            fail_msg("%s: %d:%d %s", cases[i].text, error.line, error.column, error.text);
    }
    struct json_value value;
    assert_false(json_parse("\"\0\"", 3, &value, NULL));
    assert_false(json_parse("\"\\\0\"", 4, &value, NULL));
    assert_true(json_parse("\xef\xbb\xbf 7", 5, &value, NULL));
}

static void limits_depth(void **state) {
    (void)state;
    enum { deep = 100000 };
    char *text = malloc(2 * deep);
    struct json_value value, item;
    soloist_error error = {0};
    assert_non_null(text);
    for (int i = 0; i < JSON_READER_DEEPEST; i++)
        text[i] = '[', text[2 * JSON_READER_DEEPEST - 1 - i] = ']';
    assert_true(json_parse(text, 2 * JSON_READER_DEEPEST, &value, &error));
    const char *step = NULL;
    assert_true(json_next(value, &step, NULL, &item));
    assert_int_equal(item.end - item.start, 2 * JSON_READER_DEEPEST - 2);
    memset(text, '[', deep);
    memset(text + deep, ']', deep);
    assert_false(json_parse(text, 2 * deep, &value, &error));
    assert_non_null(strstr(error.text, "nested too deeply"));
    assert_int_equal(error.column, JSON_READER_DEEPEST + 1);
    free(text);
}

/* Written, read, written again: the same bytes. */
static void copy_value(struct json_writer *json, const char *name, struct json_value value) {
    char text[256], key[64];
    double real;
    struct json_value member, item;
    const char *step = NULL;
    switch (value.kind) {
    case JSON_ARRAY:
    case JSON_OBJECT:
        (value.kind == JSON_ARRAY ? json_array : json_object)(json, name);
        while (json_next(value, &step, &member, &item)) {
            if (value.kind == JSON_OBJECT)
                json_get_text(member, key, sizeof key);
            copy_value(json, value.kind == JSON_OBJECT ? key : NULL, item);
        }
        json_end(json, value.kind == JSON_ARRAY ? ']' : '}');
        break;
    case JSON_TEXT:
        json_get_text(value, text, sizeof text);
        json_text(json, name, text);
        break;
    case JSON_NUMBER:
        assert_true(json_get_real(value, &real));
        json_real(json, name, real);
        break;
    case JSON_BOOL: json_bool(json, name, *value.start == 't'); break;
    default: json_null(json, name);
    }
}

static void round_trip(void **state) {
    (void)state;
    static const char text[] =
        "{\"id\":1,\"name\":\"\\\"quoted\\\" \\u0001\",\"list\":[0.1,-2.5,1e+300,[],{},[[true]]],"
        "\"none\":null,\"deep\":{\"a\":{\"b\":[\"\xc3\xa9\",\"\\n\"]}}}";
    struct buffer buffer;
    struct json_writer json;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    json_open(&json, &sink);
    copy_value(&json, NULL, parse(text));
    assert_string_equal(buffer.text, text);
    buffer_close(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_nested_values),
        cmocka_unit_test(writes_escapes),
        cmocka_unit_test(reads_escapes),
        cmocka_unit_test(foretells_what_is_read),
        cmocka_unit_test(cuts_text_at_whole_characters),
        cmocka_unit_test(reads_members_and_items),
        cmocka_unit_test(reads_numbers),
        cmocka_unit_test(refuses_what_is_not_json),
        cmocka_unit_test(limits_depth),
        cmocka_unit_test(round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
