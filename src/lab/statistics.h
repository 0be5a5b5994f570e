/* The statistics that the published experiments use: means with their intervals (base/interval.h) and paired tests.
 * Everything is computed directly; no tables of critical values are used. */
#ifndef LAB_STATISTICS_H
#define LAB_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sample to which values are added one by one (Welford's recurrence). */
struct sample {
    uint64_t count;
    double mean, squares; /* squares: sum of squared distances from the mean */
    double least, most;
};

void sample_add(struct sample *sample, double value);
double sample_deviation(const struct sample *sample); /* standard deviation, divisor n - 1; 0 if count < 2 */
/* Half the width of the confidence interval of the mean for the given level, such as 0.95; 0 for fewer than two
 * values. */
double sample_half_width(const struct sample *sample, double level);

/* Two-sided p-values of paired differences; NaN if there is nothing to test. */
double statistics_paired_t(const double *differences, size_t count);
/* Wilcoxon's signed-rank test: zeros are left out, and ties get mean ranks. It is exact up to 100 differences; beyond
 * that, it uses the normal approximation with the correction for ties. False if memory runs out. */
bool statistics_wilcoxon(const double *differences, size_t count, double *p);
/* McNemar's exact test. first: number of pairs in which only the first method succeeded; second: number of pairs in
 * which only the second method succeeded. */
double statistics_mcnemar(uint64_t first, uint64_t second);

/* Holm's correction (1979) for several tests: replaces each p-value by its adjusted p-value. A NaN stays NaN and does
 * not count as a test. False if memory runs out. */
bool statistics_holm(double *p, size_t count);
/* A quantile of the range (maximum - minimum) of `count` independent standard normal variables: with the given
 * probability, the range is at most the value returned. */
double statistics_range_quantile(double probability, int count);

/* Fits y = a exp(b x) + c by least squares. False if there are fewer than three different x, or if a value is not
 * finite. */
struct statistics_fit {
    double a, b, c;
};
bool statistics_fit_exponential(const double *x, const double *y, size_t count, struct statistics_fit *fit);
/* The median; reorders the values. NaN if there are none. */
double statistics_median(double *values, size_t count);

/* How our value relates to the published value. */
enum statistics_verdict {
    VERDICT_EQUAL,
    VERDICT_AGREES, /* the intervals overlap, and ours has a half width of at most 5 % of our value */
    VERDICT_FEW,    /* the intervals overlap, but ours is wider: there are not enough runs to tell */
    VERDICT_WITHIN, /* ours is a single number without an interval, and lies within the published interval */
    VERDICT_DIFFERS
};
/* `ours` is the mean of `count` values. half, published_half: half widths of the 95 % intervals of our value and the
 * published value; 0: no interval. */
enum statistics_verdict statistics_judge(double ours, double half, uint64_t count, double published,
                                         double published_half);

#endif
