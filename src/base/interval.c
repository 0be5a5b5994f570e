/* Student's distribution is computed by the incomplete beta function (continued fraction, Lentz's algorithm), and
 * quantiles by bisection. */
#include "base/interval.h"

#include <math.h>

double interval_log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign); /* lgamma writes a global variable */
}

/* The continued fraction of the incomplete beta function; converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b) {
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int half = 0; half < 2; half++) {
            double term = half ? odd : even;
            d = 1 + term * d;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = 1 + term / (fabs(c) < tiny ? tiny : c);
            value *= c * d;
        }
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return value;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta_share(double x, double a, double b) {
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front =
        exp(interval_log_gamma(a + b) - interval_log_gamma(a) - interval_log_gamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double interval_t_below(double t, double freedom) {
    double tail = beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
    return t < 0 ? tail : 1 - tail;
}

/* The least x with below(x) >= probability: an interval is found by doubling and then halved. */
static double invert(double (*below)(double x, double freedom), double probability, double freedom) {
    double low = -1, high = 1;
    while (below(low, freedom) > probability && low > -1e300)
        low *= 2;
    while (below(high, freedom) < probability && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-14 * (fabs(low) + fabs(high)); i++) {
        double middle = (low + high) / 2;
        if (below(middle, freedom) < probability)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* A quantile above one half is computed from the mirrored one below, so that no digits are lost near 1. */
double interval_t_quantile(double probability, double freedom) {
    return probability > 0.5 ? -invert(interval_t_below, 1 - probability, freedom)
                             : invert(interval_t_below, probability, freedom);
}

double interval_normal_below(double x) { return erfc(-x / sqrt(2)) / 2; }

static double normal_below(double x, double unused) {
    (void)unused;
    return interval_normal_below(x);
}

double interval_normal_quantile(double probability) {
    return probability > 0.5 ? -invert(normal_below, 1 - probability, 0) : invert(normal_below, probability, 0);
}

double interval_errors(uint64_t count, double level) {
    return count < 2 ? 0 : interval_t_quantile((1 + level) / 2, (double)(count - 1));
}

double interval_mean(double deviation, uint64_t count, double level) {
    return count < 2 ? 0 : interval_errors(count, level) * deviation / sqrt((double)count);
}

double interval_sums(double sum, double squares, uint64_t count, double level) {
    double n = (double)count, variance = count < 2 ? 0 : (squares - sum * sum / n) / (n - 1);
    return variance > 0 ? interval_mean(sqrt(variance), count, level) : 0;
}

struct interval interval_share(uint64_t successes, uint64_t trials, double level) {
    if (!trials)
        return (struct interval){0, 100};
    double n = (double)trials, share = (double)successes / n, z = interval_normal_quantile((1 + level) / 2);
    double scale = 1 + z * z / n, middle = (share + z * z / (2 * n)) / scale;
    double half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale;
    return (struct interval){successes ? 100 * (middle - half) : 0, successes < trials ? 100 * (middle + half) : 100};
}
