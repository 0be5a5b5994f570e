/* Our logarithm, exponential and power against libm, fixed bits for a few values, and decimal text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/decimal.h"
#include "base/real.h"
#include "soloist.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t bits_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits; /* in the order of the numbers */
}

static int64_t ulps(double a, double b) {
    if (a == b)
        return 0;
    if (!isfinite(a) || !isfinite(b))
        return INT64_MAX;
    int64_t d = bits_of(a) - bits_of(b);
    return d < 0 ? -d : d;
}

static double any_positive(soloist_rng *rng) {
    uint64_t bits = soloist_rng_next(rng) >> 1;
    double x;
    bits %= UINT64_C(0x7ff0000000000000); /* every finite one, subnormal ones too */
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void check_near(double ours, double libm, double x, double y) {
    if (ulps(ours, libm) > 2)
        fail_msg("at (%a, %a): %a, libm has %a", x, y, ours, libm);
}

static void log_is_near_libm(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 11, 0);
    for (int i = 0; i < 300000; i++) {
        double wide = any_positive(&rng), near_one = 0.5 + soloist_rng_unit(&rng) * 1.5;
        double close = 1 + (soloist_rng_unit(&rng) - 0.5) * 1e-6, count = 1 + soloist_rng_below(&rng, 1 << 30);
        check_near(real_log(wide), log(wide), wide, 0);
        check_near(real_log(near_one), log(near_one), near_one, 0);
        check_near(real_log(close), log(close), close, 0);
        check_near(real_log(count), log(count), count, 0);
    }
}

static void exp_is_near_libm(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 12, 0);
    for (int i = 0; i < 300000; i++) {
        double wide = (soloist_rng_unit(&rng) - 0.5) * 1500, small = (soloist_rng_unit(&rng) - 0.5) * 4;
        double tiny = small * 0x1p-40;
        check_near(real_exp(wide), exp(wide), wide, 0);
        check_near(real_exp(small), exp(small), small, 0);
        check_near(real_exp(tiny), exp(tiny), tiny, 0);
    }
}

static void power_is_near_libm(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 13, 0);
    for (int i = 0; i < 300000; i++) {
        double wide = any_positive(&rng), y = (soloist_rng_unit(&rng) - 0.5) * 4;
        double base = soloist_rng_unit(&rng) * 20 + 1e-9, large = (soloist_rng_unit(&rng) - 0.5) * 400;
        double close = 1 + (soloist_rng_unit(&rng) - 0.5) * 1e-5, huge = soloist_rng_unit(&rng) * 1e8;
        check_near(real_power(wide, y), pow(wide, y), wide, y);
        check_near(real_power(base, large), pow(base, large), base, large);
        check_near(real_power(close, huge), pow(close, huge), close, huge);
    }
}

static void edges(void **state) {
    (void)state;
    assert_true(real_log(0) == -INFINITY && real_log(INFINITY) == INFINITY && real_log(1) == 0);
    assert_true(isnan(real_log(-1)) && isnan(real_log(NAN)));
    assert_true(real_exp(0) == 1 && real_exp(-INFINITY) == 0 && real_exp(INFINITY) == INFINITY && isnan(real_exp(NAN)));
    assert_true(real_exp(709.79) == INFINITY && real_exp(800) == INFINITY && real_exp(-750) == 0);
    assert_true(isfinite(real_exp(709.78)) && real_exp(-745) > 0);
    assert_true(real_power(2, 10) == 1024 && real_power(10, 2) == 100 && real_power(9, 0.5) == 3);
    assert_true(real_power(7, 1) == 7 && real_power(7, 0) == 1 && real_power(1, 1e300) == 1);
    assert_true(real_power(0, 2) == 0 && real_power(0, -2) == INFINITY && real_power(0, 0) == 1);
    assert_true(real_power(0.5, 1e300) == 0 && real_power(0.5, -1e300) == INFINITY && real_power(2, 1e300) == INFINITY);
    assert_true(real_power(INFINITY, 1) == INFINITY && real_power(INFINITY, -1) == 0);
    assert_true(isnan(real_power(-1, 0.5)) && isnan(real_power(NAN, 2)) && isnan(real_power(2, NAN)));
}

/* Known answers: these bits must come out on every machine and with every compiler. */
static void the_same_bits_everywhere(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 14, 0);
    uint64_t sum = 0, bits;
    for (int i = 0; i < 10000; i++) {
        double x = any_positive(&rng), e = (soloist_rng_unit(&rng) - 0.5) * 1400;
        double values[] = {real_log(x), real_exp(e), real_power(x, e / 400)};
        for (int v = 0; v < 3; v++) {
            memcpy(&bits, &values[v], sizeof bits);
            sum = sum * 31 + bits;
        }
    }
    assert_true(real_log(2) == 0x1.62e42fefa39efp-1);
    assert_true(real_exp(1) == 0x1.5bf0a8b145769p+1);
    assert_true(sum == UINT64_C(0x454bc48c65f4c304));
}

/* ---- decimal text ---- */

static void decimal_reads_back(void **state) {
    (void)state;
    static const double fixed[] = {0, 0.1, 0.5, 1, 1e21, 1e300, 5e-324, 0x1.fffffffffffffp+1023, 1.0 / 3, 123456789};
    soloist_rng rng;
    soloist_rng_seed(&rng, 15, 0);
    for (int i = 0; i < 20000; i++) {
        double value = i < 10 ? fixed[i] : any_positive(&rng), back;
        char text[DECIMAL_ROOM];
        value = i % 2 ? -value : value;
        size_t length = (size_t)decimal_write(value, text);
        assert_int_equal(length, strlen(text));
        assert_int_equal(decimal_scan(text, length), length);
        assert_true(decimal_read(text, length, &back) && back == value);
    }
}

static void decimal_is_short(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {1, "1"},
                 {-2.5, "-2.5"},
                 {1e21, "1e+21"},
                 {1e-7, "1e-07"},
                 {100000, "100000"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    char text[DECIMAL_ROOM];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        decimal_write(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void decimal_accepts_and_refuses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},  {"-0", 0},     {"+1", 1},       {"007", 7},   {".5", .5},
                {"5.", 5}, {"1e3", 1000}, {"1.5E-1", .15}, {"1e-999", 0}};
    static const char *const bad[] = {"",    "-",     ".",     "e5",     "1e",    "1e+",     "1x",
                                      " 1",  "1 ",    "0x10",  "inf",    "nan",   "1.5.5",   "1,5",
                                      "--1", "1e5e5", "1e999", "-1e999", "1_000", "infinity"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(decimal_read(good[i].text, strlen(good[i].text), &value) && value == good[i].value);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(decimal_read(bad[i], strlen(bad[i]), &value));
    char longest[DECIMAL_LONGEST + 1];
    memset(longest, '0', sizeof longest);
    longest[DECIMAL_LONGEST - 1] = '7';
    assert_true(decimal_read(longest, DECIMAL_LONGEST, &value) && value == 7);
    assert_false(decimal_read(longest, DECIMAL_LONGEST + 1, &value));
}

/* A host program that writes 0,5 changes nothing. */
static void decimal_ignores_the_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found) {
        printf("SKIP needs a locale with a decimal comma\n");
        skip();
    }
    char text[DECIMAL_ROOM];
    double value = 0;
    decimal_write(1234.5, text);
    bool read = decimal_read("0.25", 4, &value);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "1234.5");
    assert_true(read && value == 0.25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_near_libm),           cmocka_unit_test(exp_is_near_libm),
        cmocka_unit_test(power_is_near_libm),         cmocka_unit_test(edges),
        cmocka_unit_test(the_same_bits_everywhere),   cmocka_unit_test(decimal_reads_back),
        cmocka_unit_test(decimal_is_short),           cmocka_unit_test(decimal_accepts_and_refuses),
        cmocka_unit_test(decimal_ignores_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
