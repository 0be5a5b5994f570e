/* Confidence intervals against printed tables of Student's distribution and worked examples of Wilson's interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/interval.h"

#include <math.h>

static void student_is_as_in_the_tables(void **unused) {
    (void)unused;
    static const struct {
        uint64_t count;
        double errors;
    } rows[] = {{2, 12.7062}, {3, 4.3027},   {4, 3.1824},   {6, 2.5706},    {11, 2.2281},
                {31, 2.0423}, {101, 1.9840}, {121, 1.9799}, {1001, 1.9623}, {1000000000, 1.9600}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(fabs(interval_errors(rows[i].count) - rows[i].errors) < 0.00006);
    assert_true(interval_errors(0) == 0 && interval_errors(1) == 0);
    /* Where the series takes over, nothing jumps. */
    double before = interval_errors(200), after = interval_errors(201);
    assert_true(before > after && before - after < 1e-4);
}

/* The values 1, 2, 3, 4, 5 have the mean 3 and the deviation sqrt(2.5). */
static void means_have_intervals(void **unused) {
    (void)unused;
    double half = interval_sums(15, 55, 5);
    assert_true(fabs(half - 1.9633) < 1e-4);
    assert_true(fabs(half - interval_mean(sqrt(2.5), 5)) < 1e-12);
    assert_true(interval_sums(7, 49, 1) == 0 && interval_sums(0, 0, 0) == 0);
    assert_true(interval_sums(30, 300, 3) == 0); /* equal values */
}

static void assert_share(uint64_t successes, uint64_t trials, double low, double high) {
    struct interval found = interval_share(successes, trials);
    assert_true(fabs(found.low - low) < 0.01 && fabs(found.high - high) < 0.01);
}

static void shares_have_two_ends(void **unused) {
    (void)unused;
    assert_share(5, 10, 23.66, 76.34);
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
