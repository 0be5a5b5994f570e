/* 95 % confidence intervals: Student's for means, Wilson's for shares. */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <stdint.h>

/* The number of standard errors in half the interval of a mean of `count` values: the 0.975 quantile of Student's
 * distribution with count - 1 degrees of freedom; 0 for fewer than two values. */
double interval_errors(uint64_t count);
/* Half the width of the interval of a mean. deviation: the standard deviation of the values, with divisor count - 1. */
double interval_mean(double deviation, uint64_t count);
/* The same for values of which only the sum and the sum of squares are known. */
double interval_sums(double sum, double squares, uint64_t count);

/* Wilson's interval of the share successes / trials. It is not symmetric about that share. */
struct interval {
    double low, high; /* per cent */
};
struct interval interval_share(uint64_t successes, uint64_t trials);

#endif
