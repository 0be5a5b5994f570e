/* Logarithm, exponential and power, computed by additions, multiplications and divisions of IEEE doubles only, which
 * round in the same way on every machine. log: x = 2^k m, log m = 2 artanh((m-1)/(m+1)). exp: x = k log 2 + r, Taylor
 * series in r. power: the same logarithm, represented as an unevaluated sum of two doubles (Dekker 1971). */
#include "base/real.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* log 2 = high + low; the last 32 bits of high are zero, so that k * high is exact. */
static const double log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33;

struct pair {
    double high, low;
};

static struct pair two_sum(double a, double b) {
    double sum = a + b, part = sum - a;
    return (struct pair){sum, (a - (sum - part)) + (b - part)};
}

/* Veltkamp's splitting: returns the upper 26 bits, so that products of halves are exact. */
static double upper_half(double a) {
    double c = a * 134217729.0;
    return c - (c - a);
}

static struct pair two_product(double a, double b) {
    double product = a * b, a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;
    return (struct pair){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static struct pair pair_product(struct pair a, struct pair b) {
    struct pair p = two_product(a.high, b.high);
    return two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static struct pair pair_sum(struct pair a, struct pair b) {
    struct pair s = two_sum(a.high, b.high);
    return two_sum(s.high, s.low + (a.low + b.low));
}

/* Finds k and m with x = 2^k m and m from sqrt(1/2) to sqrt(2); x must be positive and finite. */
static double split(double x, int *k) {
    const uint64_t root = 0x3fe6a09e667f3bcd, fraction = (UINT64_C(1) << 52) - 1;
    uint64_t bits;
    int shift = 0;
    if (x < 0x1p-1022)
        x *= 0x1p54, shift = 54;
    memcpy(&bits, &x, sizeof bits);
    bits -= root;
    *k = (int)((int64_t)bits >> 52) - shift;
    bits = (bits & fraction) + root;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* z^2/5 + z^3/7 + ... : the tail of artanh(s)/s - 1 - z/3, z = s^2 <= 0.0295. */
static double artanh_tail(double z) {
    double z2 = z * z, z4 = z2 * z2;
    double low = (1.0 / 5 + z * (1.0 / 7)) + z2 * (1.0 / 9 + z * (1.0 / 11));
    double high = (1.0 / 13 + z * (1.0 / 15)) + z2 * (1.0 / 17 + z * (1.0 / 19));
    return z2 * (low + z4 * (high + z4 * (1.0 / 21 + z * (1.0 / 23))));
}

double real_log(double x) {
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (x == INFINITY)
        return x;
    int k;
    double f = split(x, &k) - 1, s = f / (2 + f), z = s * s;
    /* Because 2s = f - s f, the leading term is f, which is exact. */
    double minus = s * (f - 2 * (z * (1.0 / 3) + artanh_tail(z)));
    return k * log2_high + (f - (minus - k * log2_low));
}

/* log x as a pair, accurate to about 2^-66. */
static struct pair log_pair(double x) {
    static const struct pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    int k;
    double f = split(x, &k) - 1;
    struct pair below = two_sum(2, f), s = {f / below.high, 0};
    struct pair back = two_product(s.high, below.high);
    s = two_sum(s.high, (((f - back.high) - back.low) - s.high * below.low) / below.high);
    struct pair z = pair_product(s, s), series = pair_product(z, third);
    series = pair_sum(series, (struct pair){artanh_tail(z.high), 0});
    series = pair_sum(s, pair_product(s, series));
    struct pair power = two_sum(k * log2_high, k * log2_low);
    return pair_sum(power, (struct pair){2 * series.high, 2 * series.low});
}

static double power_of_two(int k) {
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* (e^r - 1 - r) / r^2, |r| <= 0.35. */
static double exp_tail(double r) {
    double r2 = r * r, r4 = r2 * r2;
    double low = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double middle = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double high = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    return low + r4 * (middle + r4 * high);
}

/* e^(high + low). */
static double exp_pair(double high, double low) {
    if (!(high < 710)) /* between 709.78 and 710 the scaling below overflows to infinity by itself */
        return high == high ? INFINITY : NAN;
    if (high < -746)
        return 0;
    int k = (int)(high * 0x1.71547652b82fep+0 + (high < 0 ? -0.5 : 0.5));
    struct pair r = two_sum(high - k * log2_high, low - k * log2_low);
    double one = 1 + r.high, lost = (1 - one) + r.high; /* `lost` is the rounding error of `one` */
    double e = one + (r.high * r.high * exp_tail(r.high) + (r.low + lost));
    return e * power_of_two(k / 2) * power_of_two(k - k / 2);
}

double real_exp(double x) { return exp_pair(x, 0); }

double real_power(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (!(x > 0) || x == INFINITY || !(fabs(y) < 0x1p64)) {
        if (x != x || y != y || x < 0)
            return NAN;
        return (x > 1) == (y > 0) ? INFINITY : 0;
    }
    struct pair log = log_pair(x), scaled = pair_product(log, (struct pair){y, 0});
    return exp_pair(scaled.high, scaled.low);
}

/* x = k log 2 + r, Taylor series in r, and 2^k made from its bits. There is no branch, so that compilers vectorise the
 * loop. */
void real_exp_floats(const float *restrict x, float *restrict y, size_t count) {
    const float rounder = 0x1.8p23f;
    for (size_t i = 0; i < count; i++) {
        float a = x[i] < -80 ? -80 : x[i] > 80 ? 80 : x[i];
        float k = (a * 0x1.715476p+0f + rounder) - rounder;
        float r = (a - k * 0x1.62e4p-1f) -
                  k * 0x1.7f7d1cp-20f; /* the first part of log 2 has few digits, so that its product with k is exact */
        float r2 = r * r;
        float low = 1.0f / 2 + r * (1.0f / 6), middle = 1.0f / 24 + r * (1.0f / 120);
        float e = 1 + (r + r2 * (low + r2 * (middle + r2 * (1.0f / 720 + r * (1.0f / 5040)))));
        int32_t whole = (int32_t)(k == k ? k : 0); /* if x is not a number, neither is the result: e is none */
        uint32_t bits = (uint32_t)(whole + 127) << 23;
        float power;
        memcpy(&power, &bits, sizeof power);
        y[i] = e * power;
    }
}
