/* Confidence intervals against printed tables of Student's distribution and worked examples of Wilson's interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/interval.h"

#include <math.h>

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g", value, expected);
}

static void student_is_as_in_the_tables(void **unused) {
    (void)unused;
    static const struct {
        double freedom, t95, t99; /* two-sided */
    } table[] = {{1, 12.7062, 63.6567},  {2, 4.30265, 9.92484},  {3, 3.18245, 5.84091},   {4, 2.77645, 4.60409},
                 {5, 2.57058, 4.03214},  {9, 2.26216, 3.24984},  {10, 2.22814, 3.16927},  {19, 2.09302, 2.86093},
                 {30, 2.04227, 2.75000}, {60, 2.00030, 2.66028}, {120, 1.97993, 2.61742}, {1e7, 1.95996, 2.57583}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_near(interval_t_quantile(0.975, table[i].freedom), table[i].t95, 1e-4);
        assert_near(interval_t_quantile(0.995, table[i].freedom), table[i].t99, 1e-4);
        assert_near(interval_t_quantile(0.025, table[i].freedom), -table[i].t95, 1e-4);
    }
    assert_near(interval_t_below(0, 7), 0.5, 1e-12);
    assert_near(interval_t_below(1, 1), 0.75, 1e-12); /* Cauchy: 1/2 + atan(1)/pi */
    assert_near(interval_normal_quantile(0.975), 1.959963985, 1e-8);
    assert_near(interval_normal_quantile(0.5), 0, 1e-8);
    assert_near(interval_errors(6, 0.95), 2.57058, 1e-4);
    assert_true(interval_errors(0, 0.95) == 0 && interval_errors(1, 0.95) == 0);
}

/* The values 1, 2, 3, 4, 5 have the mean 3 and the deviation sqrt(2.5). */
static void means_have_intervals(void **unused) {
    (void)unused;
    double half = interval_sums(15, 55, 5, 0.95);
    assert_true(fabs(half - 1.9633) < 1e-4);
    assert_true(fabs(half - interval_mean(sqrt(2.5), 5, 0.95)) < 1e-12);
    assert_true(interval_sums(7, 49, 1, 0.95) == 0 && interval_sums(0, 0, 0, 0.95) == 0);
    assert_true(interval_sums(30, 300, 3, 0.95) == 0); /* equal values */
}

static void assert_share(uint64_t successes, uint64_t trials, double low, double high) {
    struct interval found = interval_share(successes, trials, 0.95);
    assert_true(fabs(found.low - low) < 0.01 && fabs(found.high - high) < 0.01);
}

static void shares_have_two_ends(void **unused) {
    (void)unused;
    assert_share(5, 10, 23.66, 76.34);
    assert_share(0, 10, 0, 27.75);
    assert_share(10, 10, 72.25, 100);
    assert_share(50, 50, 92.86, 100);
    assert_share(16, 16, 80.64, 100);
    assert_share(0, 64, 0, 5.66);
    assert_share(0, 0, 0, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_is_as_in_the_tables),
        cmocka_unit_test(means_have_intervals),
        cmocka_unit_test(shares_have_two_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
