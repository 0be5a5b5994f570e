/* Logarithm, exponential and power without libm: the same bits on every machine, so that decisions made with them
 * (and node counts that follow) agree between arm64 and x86-64. Square roots are exact in IEEE 754 and need no copy. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

double real_log(double x); /* natural; within 2 ulp of libm; -inf at 0, NaN below */
double real_exp(double x);
double real_power(double x, double y); /* x > 0 */

#endif
