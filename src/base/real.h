/* Logarithm, exponential and power without libm. They give the same bits on every machine, so that decisions made with
 * them, and thus node counts, agree between arm64 and x86-64. Square roots need no function here, because IEEE 754
 * demands that every machine rounds them correctly. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stddef.h>

double real_log(double x); /* natural logarithm, within 2 ulp of libm; -inf at 0, NaN for negative numbers */
double real_exp(double x);
double real_power(double x, double y); /* x > 0 */
/* y[i] = e^x[i] for many numbers at once, within 2 ulp of single precision; x is clamped to -80 .. 80. */
void real_exp_floats(const float *x, float *y, size_t count);

#endif
