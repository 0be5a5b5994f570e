/* Tests against values worked by hand or by enumeration. */
#include "lab/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g", value, expected);
}

static void test_sample(void **state) {
    (void)state;
    struct sample sample = {0};
    for (int i = 1; i <= 5; i++)
        sample_add(&sample, i);
    assert_near(sample.mean, 3, 1e-12);
    assert_near(sample_deviation(&sample), sqrt(2.5), 1e-12);
    assert_near(sample_half_width(&sample, 0.95), 2.776445 * sqrt(0.5), 1e-5);
    assert_true(sample.least == 1 && sample.most == 5);
    struct sample one = {0};
    sample_add(&one, -4);
    assert_true(one.least == -4 && one.most == -4 && sample_half_width(&one, 0.95) == 0);
}

static void test_paired_t(void **state) {
    (void)state;
    /* Mean 1.58, deviation 1.2300, t = 4.0622 with 9 degrees: Student's own sleep data. */
    static const double sleep[] = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
    assert_near(statistics_paired_t(sleep, 10), 0.002833, 1e-6);
    static const double zeros[] = {0, 0, 0};
    assert_true(isnan(statistics_paired_t(zeros, 3)));
    static const double equal[] = {2, 2, 2};
    assert_near(statistics_paired_t(equal, 3), 0, 0);
}

/* Every assignment of signs, one by one. */
static double enumerate(const double *differences, size_t count) {
    double ranks[12], observed = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        double below = 0, same = 0;
        for (size_t k = 0; k < count; k++) {
            below += fabs(differences[k]) < fabs(differences[i]);
            same += fabs(differences[k]) == fabs(differences[i]);
        }
        ranks[i] = below + (same + 1) / 2;
        observed += differences[i] > 0 ? ranks[i] : 0;
        all += ranks[i];
    }
    double least = observed < all - observed ? observed : all - observed;
    unsigned hits = 0;
    for (unsigned signs = 0; signs < 1u << count; signs++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += signs >> i & 1 ? ranks[i] : 0;
        hits += sum <= least;
    }
    double p = 2.0 * hits / (1u << count);
    return p > 1 ? 1 : p;
}

static void test_wilcoxon(void **state) {
    (void)state;
    static const double plain[] = {1, 2, 3, 4, 5, 6}, mixed[] = {-1, 2, 3, -4, 5, 6, 7, 8};
    static const double ties[] = {1, 1, -1, 2, 2, 2, -3, 4, 4, 5, 6};
    static const double zeros[] = {0, 1, 0, 2, 3};
    double p;
    assert_true(statistics_wilcoxon(plain, 6, &p));
    assert_near(p, 0.03125, 1e-12); /* the printed table's 2/64 */
    assert_true(statistics_wilcoxon(mixed, 8, &p));
    assert_near(p, enumerate(mixed, 8), 1e-12);
    assert_true(statistics_wilcoxon(ties, 11, &p));
    assert_near(p, enumerate(ties, 11), 1e-12);
    assert_true(statistics_wilcoxon(zeros, 5, &p));
    assert_near(p, 0.25, 1e-12);
    assert_true(statistics_wilcoxon(zeros, 1, &p));
    assert_true(isnan(p));
    /* The approximation meets the exact value where one takes over from the other. */
    double many[101];
    for (int i = 0; i < 101; i++)
        many[i] = (i % 3 ? 1 : -1) * (1 + i * 0.37);
    double exact;
    assert_true(statistics_wilcoxon(many, 100, &exact) && statistics_wilcoxon(many, 101, &p));
    assert_true(fabs(log(p / exact)) < 0.5);
}

static void test_mcnemar(void **state) {
    (void)state;
    assert_near(statistics_mcnemar(1, 9), 0.021484375, 1e-12); /* 2 (1 + 10) / 1024 */
    assert_near(statistics_mcnemar(9, 1), 0.021484375, 1e-12);
    assert_near(statistics_mcnemar(4, 4), 1, 0);
    assert_true(isnan(statistics_mcnemar(0, 0)));
    assert_near(statistics_mcnemar(0, 5), 0.0625, 1e-12);
}

static void test_fit(void **state) {
    (void)state;
    /* Exact values of the published curve of the 8-puzzle are fitted by it. */
    double x[6], y[6];
    struct statistics_fit fit;
    for (int i = 0; i < 6; i++) {
        x[i] = 3 + 2 * i;
        y[i] = 0.02644031 * exp(0.52552977 * x[i]) + 1.1205256;
    }
    assert_true(statistics_fit_exponential(x, y, 6, &fit));
    assert_near(fit.a, 0.02644031, 1e-6);
    assert_near(fit.b, 0.52552977, 1e-6);
    assert_near(fit.c, 1.1205256, 1e-5);
    /* The published means of pancakes (Spoerer 2021, Table 3) give the published curve (4). */
    static const double stacks[] = {6, 7, 8, 9}, means[] = {21.13, 43.91, 65.75, 112.35};
    assert_true(statistics_fit_exponential(stacks, means, 4, &fit));
    assert_near(fit.a, 2.2028, 0.001);
    assert_near(fit.b, 0.4450, 0.001);
    assert_near(fit.c, -9.193, 0.02);
    /* A falling curve. */
    for (int i = 0; i < 6; i++)
        y[i] = 5 * exp(-0.3 * x[i]) - 2;
    assert_true(statistics_fit_exponential(x, y, 6, &fit));
    assert_near(fit.b, -0.3, 1e-6);
    assert_near(fit.c, -2, 1e-5);
    assert_false(statistics_fit_exponential(x, y, 2, &fit));
    x[0] = NAN;
    assert_false(statistics_fit_exponential(x, y, 6, &fit));
}

static void test_holm(void **state) {
    (void)state;
    /* By hand: 0.01 * 4, 0.02 * 3, then 0.03 * 2 is not less than 0.06, then 0.5. */
    double p[] = {0.03, 0.01, NAN, 0.5, 0.02};
    assert_true(statistics_holm(p, 5));
    assert_near(p[1], 0.04, 1e-12);
    assert_near(p[4], 0.06, 1e-12);
    assert_near(p[0], 0.06, 1e-12);
    assert_near(p[3], 0.5, 1e-12);
    assert_true(isnan(p[2]));
    double high[] = {0.4, 0.6, 0.9};
    assert_true(statistics_holm(high, 3));
    assert_near(high[0], 1, 0);
}

/* Nemenyi's critical values (Demsar 2006, Table 5) are these quantiles divided by the root of 2. */
static void test_range(void **state) {
    (void)state;
    static const double q05[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    for (int k = 2; k <= 10; k++)
        assert_near(statistics_range_quantile(0.95, k) / sqrt(2), q05[k - 2], 0.0012);
}

static void test_median(void **state) {
    (void)state;
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
    assert_near(statistics_median(odd, 3), 3, 0);
    assert_near(statistics_median(even, 4), 2.5, 0);
    assert_true(isnan(statistics_median(odd, 0)));
}

static void test_verdict(void **state) {
    (void)state;
    assert_int_equal(statistics_judge(100, 5, 20, 104, 0), VERDICT_AGREES);
    assert_int_equal(statistics_judge(100, 5.1, 20, 104, 0), VERDICT_FEW); /* wider than 5 % */
    assert_int_equal(statistics_judge(100, 5, 20, 106, 0), VERDICT_DIFFERS);
    assert_int_equal(statistics_judge(100, 5, 20, 106, 2), VERDICT_AGREES);
    assert_int_equal(statistics_judge(100, 60, 20, 200, 0), VERDICT_DIFFERS); /* wide, but not wide enough */
    assert_int_equal(statistics_judge(100, 60, 20, 100, 0), VERDICT_FEW);
    assert_int_equal(statistics_judge(100, 0, 1, 104, 5), VERDICT_WITHIN);
    assert_int_equal(statistics_judge(100, 0, 1, 104, 3), VERDICT_DIFFERS);
    assert_int_equal(statistics_judge(100, 0, 1, 100, 0), VERDICT_EQUAL);
    assert_int_equal(statistics_judge(-100, 4, 9, -103, 0), VERDICT_AGREES);
    assert_int_equal(statistics_judge(0, 0, 9, 0, 0), VERDICT_EQUAL);
    assert_int_equal(statistics_judge(0.1 + 0.2, 0, 3, 0.3, 0), VERDICT_EQUAL); /* but for the arithmetic */
    assert_int_equal(statistics_judge(0.301, 0, 3, 0.3, 0), VERDICT_DIFFERS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),  cmocka_unit_test(test_paired_t), cmocka_unit_test(test_wilcoxon),
        cmocka_unit_test(test_mcnemar), cmocka_unit_test(test_verdict),  cmocka_unit_test(test_fit),
        cmocka_unit_test(test_median),  cmocka_unit_test(test_holm),     cmocka_unit_test(test_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
