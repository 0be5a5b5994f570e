/* Confidence intervals: Student's for means, Wilson's for shares. `level` is the confidence level, such as 0.95. */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <stdint.h>

/* Student's t distribution with `freedom` > 0 degrees of freedom: interval_t_below returns P(T <= t);
 * interval_t_quantile returns the t for which P(T <= t) = probability, where 0 < probability < 1. */
double interval_t_below(double t, double freedom);
double interval_t_quantile(double probability, double freedom);
/* The same for the standard normal distribution. */
double interval_normal_below(double x);
double interval_normal_quantile(double probability);

/* The logarithm of the gamma function at x > 0, for several threads at once. */
double interval_log_gamma(double x);

/* The number of standard errors in half the interval of a mean of `count` values; 0 for fewer than two values. */
double interval_errors(uint64_t count, double level);
/* Half the width of the interval of a mean. deviation: the standard deviation of the values, with divisor count - 1. */
double interval_mean(double deviation, uint64_t count, double level);
/* The same for values of which only the sum and the sum of squares are known. */
double interval_sums(double sum, double squares, uint64_t count, double level);

/* Wilson's interval of the share successes / trials. It is not symmetric about that share. */
struct interval {
    double low, high; /* per cent */
};
struct interval interval_share(uint64_t successes, uint64_t trials, double level);

#endif
