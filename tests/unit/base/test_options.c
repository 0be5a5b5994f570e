/* Option rows: defaults, every way to write a value, every refusal with its message and column, and how they show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/options.h"

#include <string.h>

#define SAMPLE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    INT(T, count, 5, 1, 1e9, "how many")                                                                               \
    INT(T, whole, -3, -0x1p63, 0x1p63, "any whole number")                                                             \
    REAL(T, weight, 0.5, 0, 100, "a weight")                                                                           \
    BOOL(T, fast, false, "be fast")                                                                                    \
    BOOL(T, safe, true, "be safe")                                                                                     \
    CHOICE(T, bound, 1, "none|simple|matching-pushes", "which bound")
SOLOIST_OPTIONS(sample, SAMPLE_OPTIONS);

static struct sample reset(void) {
    struct sample options;
    memset(&options, 0xa5, sizeof options);
    soloist_options_reset(sample_rows, &options);
    return options;
}

static struct sample parse(const char *text) {
    struct sample options = reset();
    soloist_error error = {0};
    if (soloist_options_parse(sample_rows, &options, text, &error) != SOLOIST_OK)
        fail_msg("%s: %s", text, error.text);
    return options;
}

static void starts_with_the_initial_values(void **state) {
    (void)state;
    struct sample options = reset();
    assert_int_equal(options.count, 5);
    assert_int_equal(options.whole, -3);
    assert_true(options.weight == 0.5 && !options.fast && options.safe);
    assert_int_equal(options.bound, 1);
    struct sample same = parse(NULL);
    assert_int_equal(same.count, 5);
    assert_int_equal(parse("").count, 5);
    soloist_options_reset(NULL, NULL);
    assert_int_equal(soloist_options_parse(NULL, NULL, "", NULL), SOLOIST_OK);
}

static void reads_values(void **state) {
    (void)state;
    struct sample options = parse("count=7,weight=2.25,fast,safe=false, bound=matching-pushes");
    assert_int_equal(options.count, 7);
    assert_true(options.weight == 2.25 && options.fast && !options.safe);
    assert_int_equal(options.bound, 2);
    assert_int_equal(parse("count=1e6").count, 1000000);
    assert_int_equal(parse("count=1,count=2").count, 2);
    assert_true(parse("weight=.5").weight == 0.5 && parse("weight=1e-3").weight == 0.001);
    assert_true(parse("weight=0").weight == 0 && parse("weight=100").weight == 100);
    assert_true(parse("fast=1").fast && parse("fast=yes").fast && parse("fast=on").fast && parse("fast=true").fast);
    assert_false(parse("safe=0").safe || parse("safe=no").safe || parse("safe=off").safe);
    assert_int_equal(parse("bound=none").bound, 0);
    assert_true(parse("whole=9223372036854775807").whole == INT64_MAX);
    assert_true(parse("whole=-9223372036854775808").whole == INT64_MIN);
}

static void refuses_with_message_and_column(void **state) {
    (void)state;
    static char long_value[200];
    memset(long_value, '1', sizeof long_value - 1);
    memcpy(long_value, "count=", 6);
    static const struct {
        const char *text;
        int column;
        const char *says;
    } cases[] = {
        {"nonsense=1", 1, "unknown option 'nonsense'; known: count, whole, weight, fast, safe, bound"},
        {"count=2,nonsense", 9, "unknown option 'nonsense'"},
        {"coun=2", 1, "unknown option 'coun'"},
        {"counts=2", 1, "unknown option 'counts'"},
        {"=2", 1, "unknown option ''"},
        {",", 1, "unknown option ''"},
        {"fast,,safe", 6, "unknown option ''"},
        {"count", 1, "count needs a value: count=..."},
        {"fast,bound", 6, "bound needs a value: bound=..."},
        {"count=", 7, "count=: expected a whole number"},
        {"count=two", 7, "count=two: expected a whole number"},
        {"count=2.5", 7, "count=2.5: expected a whole number"},
        {"count=0x10", 7, "count=0x10: expected a whole number"},
        {"count=0", 7, "count=0: expected a value from 1 to 1000000000"},
        {"fast,count=2e9", 12, "count=2e9: expected a value from 1 to 1000000000"},
        {"weight=heavy", 8, "weight=heavy: expected a number"},
        {"weight=nan", 8, "weight=nan: expected a number"},
        {"weight=inf", 8, "weight=inf: expected a number"},
        {"weight=1e999", 8, "weight=1e999: expected a number"},
        {"weight=-0.1", 8, "weight=-0.1: expected a value from 0 to 100"},
        {"fast=maybe", 6, "fast=maybe: expected true or false"},
        {"fast=", 6, "fast=: expected true or false"},
        {"bound=best", 7, "bound=best: expected one of none|simple|matching-pushes"},
        {"bound=simpl", 7, "expected one of"},
        {"bound=", 7, "expected one of"},
        {"bound=none|simple", 7, "expected one of"},
        {"fast=\x1b[1m", 6, "fast=?[1m: expected true or false"},
        {long_value, 7, "count: the value is too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample options = reset();
        soloist_error error = {9, 9, "untouched"};
        assert_int_equal(soloist_options_parse(sample_rows, &options, cases[i].text, &error), SOLOIST_BAD_INPUT);
        assert_int_equal(error.line, 0);
        if (error.column != cases[i].column || !strstr(error.text, cases[i].says))
            fail_msg("%s: column %d, %s", cases[i].text, error.column, error.text);
        assert_int_equal(soloist_options_parse(sample_rows, &options, cases[i].text, NULL), SOLOIST_BAD_INPUT);
    }
    soloist_error error;
    assert_int_equal(soloist_options_parse(NULL, NULL, "x=1", &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "unknown option 'x'; there are none");
}

static void shows_values(void **state) {
    (void)state;
    struct sample options = parse("count=7,weight=0.1,fast,bound=matching-pushes");
    char text[128];
    assert_int_equal(options_value(&sample_rows[0], &options, text, sizeof text), 1);
    assert_string_equal(text, "7");
    options_value(&sample_rows[2], &options, text, sizeof text);
    assert_string_equal(text, "0.1");
    options_value(&sample_rows[3], &options, text, sizeof text);
    assert_string_equal(text, "true");
    options_value(&sample_rows[5], &options, text, sizeof text);
    assert_string_equal(text, "matching-pushes");
    options.bound = 3; /* out of range: shown as such, not followed */
    options_value(&sample_rows[5], &options, text, sizeof text);
    assert_string_equal(text, "?");
    options.whole = INT64_MAX;
    options_value(&sample_rows[1], &options, text, sizeof text);
    assert_string_equal(text, "9223372036854775807");
}

static void shows_what_changed(void **state) {
    (void)state;
    char text[128], small[8];
    struct sample options = reset();
    assert_int_equal(options_changed(sample_rows, &options, text, sizeof text), 0);
    assert_string_equal(text, "");
    options = parse("weight=2.5,safe=no,bound=none,count=5");
    static const char expected[] = "weight=2.5,safe=false,bound=none";
    assert_int_equal(options_changed(sample_rows, &options, text, sizeof text), sizeof expected - 1);
    assert_string_equal(text, expected);
    assert_int_equal(options_changed(sample_rows, &options, small, sizeof small), sizeof expected - 1);
    assert_memory_equal(small, expected, sizeof small - 1);
    assert_int_equal(options_changed(sample_rows, &options, NULL, 0), sizeof expected - 1);
    /* What is shown can be read back. */
    struct sample again = parse(text);
    assert_true(again.weight == options.weight && again.safe == options.safe && again.bound == options.bound);
}

static void shows_help(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    options_help(sample_rows, NULL, &sink);
    assert_non_null(strstr(buffer.text, "    count                how many [1 to 1000000000; default 5]\n"));
    assert_non_null(strstr(buffer.text, "    fast                 be fast [default false]\n"));
    assert_non_null(strstr(buffer.text, " which bound [none|simple|matching-pushes; default simple]\n"));
    buffer_clear(&buffer);
    options_help(NULL, NULL, &sink);
    assert_string_equal(buffer.text, "");
    buffer_close(&buffer);
}

/* ---- sets of names ---- */

struct set {
    int64_t names;
};
static const soloist_option set_rows[] = {
    {SOLOIST_OPTION_NAMES, "names", offsetof(struct set, names), 2, 0, 6, "red|green|blue", "which"},
    {SOLOIST_OPTION_END, NULL, 0, 0, 0, 0, NULL, NULL}};

static void reads_and_shows_names(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t bits; /* -1: refused */
        const char *shown;
    } rows[] = {
        {"names=red", 1, "red"},
        {"names=green+blue", 6, "green+blue"},
        {"names=blue+green", 6, "green+blue"},
        {"names=red+red", 1, "red"},
        {"names=none", 0, "none"},
        {"names=5", 5, "red+blue"},
        {"names=0", 0, "none"},
        {"names=red+green+blue", -1, NULL},
        {"names=7", -1, NULL},
        {"names=-1", -1, NULL},
        {"names=1.5", -1, NULL},
        {"names=", -1, NULL},
        {"names=red+", -1, NULL},
        {"names=pink", -1, NULL},
        {"names=red+none", -1, NULL},
        {"names", -1, NULL},
        {"names=+red", -1, NULL},
        {"names=re", -1, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct set set;
        char shown[64];
        soloist_error error = {0};
        soloist_options_reset(set_rows, &set);
        assert_int_equal(set.names, 2);
        soloist_code code = soloist_options_parse(set_rows, &set, rows[i].text, &error);
        assert_int_equal(code, rows[i].bits < 0 ? SOLOIST_BAD_INPUT : SOLOIST_OK);
        assert_int_equal(set.names, rows[i].bits < 0 ? 2 : rows[i].bits);
        if (!rows[i].shown)
            continue;
        assert_int_equal(options_value(set_rows, &set, shown, sizeof shown), strlen(rows[i].shown));
        assert_string_equal(shown, rows[i].shown);
        assert_int_equal(options_value(set_rows, &set, shown, 3), strlen(rows[i].shown)); /* cut, not overrun */
    }
}

/* ---- free names ---- */

#define NAMED_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                                \
    INT(T, count, 3, 0, 9, "how many")                                                                                 \
    NAME(T, reward, "auto|solved", "which")
SOLOIST_NAMED_OPTIONS(named_options, NAMED_OPTIONS);

static void reads_and_shows_a_name(void **state) {
    (void)state;
    struct named_options named, usual;
    char shown[200], longest[SOLOIST_NAME_ROOM + 16] = "reward=";
    soloist_error error = {0};
    soloist_options_reset(named_options_rows, &usual);
    soloist_options_reset(named_options_rows, &named);
    assert_string_equal(named.reward, "auto");
    assert_int_equal(options_changed(named_options_rows, &named, shown, sizeof shown), 0);
    assert_int_equal(soloist_options_parse(named_options_rows, &named, "reward=my-own,count=4", &error), SOLOIST_OK);
    assert_string_equal(named.reward, "my-own");
    options_changed(named_options_rows, &named, shown, sizeof shown);
    assert_string_equal(shown, "count=4,reward=my-own");
    options_differing(named_options_rows, &usual, &named, shown, sizeof shown);
    assert_string_equal(shown, "count=3,reward=auto");
    assert_int_equal(options_value(&named_options_rows[1], &named, shown, 3), 6); /* cut, not overrun */
    assert_string_equal(shown, "my");
    assert_int_equal(soloist_options_parse(named_options_rows, &named, "reward=", &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "reward=: expected a name");
    assert_int_equal(soloist_options_parse(named_options_rows, &named, "reward", &error), SOLOIST_BAD_INPUT);
    memset(longest + 7, 'x', SOLOIST_NAME_ROOM - 1);
    assert_int_equal(soloist_options_parse(named_options_rows, &named, longest, &error), SOLOIST_OK);
    assert_int_equal(strlen(named.reward), SOLOIST_NAME_ROOM - 1);
    longest[7 + SOLOIST_NAME_ROOM - 1] = 'x';
    assert_int_equal(soloist_options_parse(named_options_rows, &named, longest, &error), SOLOIST_BAD_INPUT);
    soloist_options_parse(named_options_rows, &named, "reward=auto,count=3", &error);
    assert_memory_equal(&named, &usual, sizeof named);
}

static void shows_help_of_a_name(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    options_help(&named_options_rows[1], NULL, &sink);
    assert_string_equal(buffer.text, "    reward               which [auto|solved|NAME; default auto]\n");
    buffer_close(&buffer);
}

/* A method's own values stand as the defaults. */
static void shows_help_of_other_values(void **state) {
    (void)state;
    struct buffer buffer;
    struct set set = {4};
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    options_help(set_rows, NULL, &sink);
    options_help(set_rows, &set, &sink);
    assert_string_equal(buffer.text,
                        "    names                which [some of red|green|blue, joined by +; default green]\n"
                        "    names                which [some of red|green|blue, joined by +; default blue]\n");
    buffer_close(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_with_the_initial_values),
        cmocka_unit_test(reads_values),
        cmocka_unit_test(refuses_with_message_and_column),
        cmocka_unit_test(shows_values),
        cmocka_unit_test(shows_what_changed),
        cmocka_unit_test(shows_help),
        cmocka_unit_test(reads_and_shows_names),
        cmocka_unit_test(reads_and_shows_a_name),
        cmocka_unit_test(shows_help_of_a_name),
        cmocka_unit_test(shows_help_of_other_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
