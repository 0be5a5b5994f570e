#include "base/interval.h"

#include <math.h>

#define NORMAL_QUANTILE 1.9599639845400543 /* 0.975 */

/* P(|T| < t) for Student's T with `freedom` degrees of freedom, where t = sqrt(freedom) * tan(angle) (Abramowitz and
 * Stegun, 26.7.3 and 26.7.4). */
static double central(double angle, int freedom) {
    double square = cos(angle) * cos(angle), sum = 0, term = freedom % 2 ? cos(angle) : 1;
    for (int i = freedom % 2 + 1; i < freedom; i += 2) {
        sum += term;
        term *= square * i / (i + 1);
    }
    return freedom % 2 ? 2 / acos(-1) * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/* The 0.975 quantile by bisection. */
static double exact_quantile(int freedom) {
    double low = 0, high = acos(-1) / 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(central(middle, freedom) < 0.95 ? &low : &high) = middle;
    }
    return sqrt(freedom) * tan((low + high) / 2);
}

/* The quantile as a series in 1 / freedom (Abramowitz and Stegun, 26.7.5). */
static double quantile_by_series(double freedom) {
    double z = NORMAL_QUANTILE, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    double first = (z3 + z) / 4, second = (5 * z5 + 16 * z3 + 3 * z) / 96;
    double third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
    return z + (first + (second + third / freedom) / freedom) / freedom;
}

double interval_errors(uint64_t count) {
    if (count < 2)
        return 0;
    return count <= 200 ? exact_quantile((int)count - 1) : quantile_by_series((double)(count - 1));
}

double interval_mean(double deviation, uint64_t count) {
    return count < 2 ? 0 : interval_errors(count) * deviation / sqrt((double)count);
}

double interval_sums(double sum, double squares, uint64_t count) {
    double n = (double)count, variance = count < 2 ? 0 : (squares - sum * sum / n) / (n - 1);
    return variance > 0 ? interval_mean(sqrt(variance), count) : 0;
}

struct interval interval_share(uint64_t successes, uint64_t trials) {
    if (!trials)
        return (struct interval){0, 100};
    double n = (double)trials, share = (double)successes / n, z = NORMAL_QUANTILE, scale = 1 + z * z / n;
    double middle = (share + z * z / (2 * n)) / scale;
    double half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale;
    return (struct interval){successes ? 100 * (middle - half) : 0, successes < trials ? 100 * (middle + half) : 100};
}
