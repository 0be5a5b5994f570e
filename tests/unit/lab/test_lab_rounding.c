/* Numbers are written with the digits that their intervals support. */
#include "lab/rounding.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void test_intervals(void **state) {
    (void)state;
    static const struct {
        double value, half;
        const char *text;
    } cases[] = {
        {749.56, 213.7, "750 +- 210"},
        {749.56, 21.37, "750 +- 21"},
        {749.56, 2.137, "749.6 +- 2.1"},
        {0.5, 0.0996, "0.50 +- 0.10"},
        {1234567, 99600, "1230000 +- 100000"},
        {3, 0, "3 +- 0"},
        {-0.004, 0.21, "0.00 +- 0.21"},
        {-0.5, 20, "0 +- 20"},
        {-12.34, 0.21, "-12.34 +- 0.21"},
        {0.001234, 0.00012, "0.00123 +- 0.00012"},
        {73586, 9.97, "73586 +- 10"},
        {2.5, NAN, "2.5 +- nan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2 * ROUNDING_ROOM];
        rounding_interval(cases[i].value, cases[i].half, true, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_values(void **state) {
    (void)state;
    char text[2 * ROUNDING_ROOM];
    rounding_plain(12345678, text);
    assert_string_equal(text, "12345678");
    rounding_plain(1234567.25, text);
    assert_string_equal(text, "1234567.2");
    rounding_plain(2.0 / 3, text);
    assert_string_equal(text, "0.6667");
    rounding_value(17, 0.4, true, text);
    assert_string_equal(text, "+17.00");
    rounding_value(17, 0, true, text);
    assert_string_equal(text, "+17");
    rounding_value(-17, 30, true, text);
    assert_string_equal(text, "-17");
    /* What is rounded to 0 has no sign. */
    rounding_value(-3, 120, true, text);
    assert_string_equal(text, "0");
    rounding_value(0.01, 1.2, true, text);
    assert_string_equal(text, "0.0");
    rounding_interval(2, 1, false, text);
    assert_string_equal(text, "2.0 ± 1.0");
}

/* A difference has at most one decimal more than the published number, unless it would then be 0. */
static void test_differences(void **state) {
    (void)state;
    static const struct {
        double difference, half;
        const char *published, *text;
    } cases[] = {
        {0.00849 - 28.4, 0.0004, "28.4", "-28.39"},
        {70.98 - 57, 0.34, "57", "+14.0"},
        {0.6569 - 0.65, NAN, "0.65", "+0.007"},
        {44.26 - 43.2, 0.91, "43.2", "+1.06"},
        {-1530, 920, "57965", "-1530"},
        {0.04, 5, "3", "0.0"},
        /* A difference of which more digits are known is not rounded to 0. */
        {0.004, 0.0001, "3", "+0.004"},
        {1.04050 - 1, 0.00092, "1", "+0.04"},
        {10.0305 - 10, NAN, "10", "+0.03"},
        {-0.0305, NAN, "10", "-0.03"},
        {0.07, NAN, "10", "+0.1"},
        {0.00052, 0.00002, "1e-3", "+0.0005"},
        {0.1 + 0.2 - 0.3, 0, "0.3", "0.00"}, /* an error of the arithmetic */
    };
    char text[ROUNDING_ROOM];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rounding_difference(cases[i].difference, cases[i].half, cases[i].published, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_decimals(void **state) {
    (void)state;
    assert_int_equal(rounding_decimals("12"), 0);
    assert_int_equal(rounding_decimals("1.50"), 2);
    assert_int_equal(rounding_decimals("1e-3"), 3);
    assert_int_equal(rounding_decimals("-2.5E-03"), 4);
    assert_int_equal(rounding_decimals("1.23457e+06"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_intervals), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_differences), cmocka_unit_test(test_decimals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
