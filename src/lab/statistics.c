/* Wilcoxon's and McNemar's tests are computed by counting all assignments of signs. */
#include "lab/statistics.h"

#include "base/interval.h"

#include <math.h>
#include <stdlib.h>

void sample_add(struct sample *sample, double value) {
    double before = value - sample->mean;
    sample->least = !sample->count || value < sample->least ? value : sample->least;
    sample->most = !sample->count || value > sample->most ? value : sample->most;
    sample->mean += before / (double)++sample->count;
    sample->squares += before * (value - sample->mean);
}

double sample_deviation(const struct sample *sample) {
    return sample->count < 2 ? 0 : sqrt(sample->squares / (double)(sample->count - 1));
}

double sample_half_width(const struct sample *sample, double level) {
    return interval_mean(sample_deviation(sample), sample->count, level);
}

/* ---- paired tests ---- */

double statistics_paired_t(const double *differences, size_t count) {
    struct sample sample = {0};
    for (size_t i = 0; i < count; i++)
        sample_add(&sample, differences[i]);
    if (count < 2 || (sample.squares == 0 && sample.mean == 0))
        return NAN;
    if (sample.squares == 0)
        return 0;
    double t = fabs(sample.mean) / (sample_deviation(&sample) / sqrt((double)count));
    return 2 * interval_t_below(-t, (double)count - 1);
}

static int by_size(const void *a, const void *b) {
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

/* Computes twice the rank of each difference, and twice the sum of the ranks of positive differences. (Tied differences
 * share their mean rank; twice the mean rank is a whole number.) Returns the sum of t^3 - t over the groups of t tied
 * differences. */
static double rank(const double *sorted, size_t count, int *ranks, double *positive) {
    static const double noise = 1e-12; /* a smaller share of a difference comes from the arithmetic */
    double ties = 0;
    *positive = 0;
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && fabs(sorted[next]) <= fabs(sorted[first]) * (1 + noise); next++)
            ;
        double size = (double)(next - first);
        ties += size * size * size - size;
        for (size_t i = first; i < next; i++) {
            ranks[i] = (int)(first + next + 1);
            *positive += sorted[i] > 0 ? ranks[i] : 0;
        }
    }
    return ties;
}

/* The probability that the sum of the positive ranks is <= least if all assignments of signs are equally likely. */
static bool count_signs(const int *ranks, size_t count, double least, double *below) {
    size_t room = count * (count + 1) + 1;
    double *share = calloc(room, sizeof *share);
    if (!share)
        return false;
    share[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t sum = room; sum-- > 0;)
            share[sum] = (share[sum] + (sum >= (size_t)ranks[i] ? share[sum - (size_t)ranks[i]] : 0)) / 2;
    *below = 0;
    for (size_t sum = 0; sum < room && (double)sum <= least; sum++)
        *below += share[sum];
    free(share);
    return true;
}

static double approximate(size_t count, double positive, double ties) {
    double n = (double)count, mean = n * (n + 1) / 4;
    double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
    double distance = fabs(positive / 2 - mean) - 0.5;
    return distance <= 0 ? 1 : 2 * interval_normal_below(-distance / sqrt(variance));
}

bool statistics_wilcoxon(const double *differences, size_t count, double *p) {
    enum { MOST_EXACT = 100 };
    double *sorted = calloc(count + 1, sizeof *sorted), positive, below;
    int *ranks = calloc(count + 1, sizeof *ranks);
    size_t kept = 0;
    bool well = sorted && ranks;
    *p = NAN;
    for (size_t i = 0; well && i < count; i++)
        if (differences[i] != 0)
            sorted[kept++] = differences[i];
    if (well && kept) {
        qsort(sorted, kept, sizeof *sorted, by_size);
        double ties = rank(sorted, kept, ranks, &positive);
        double all = (double)kept * ((double)kept + 1), least = positive < all - positive ? positive : all - positive;
        if (kept > MOST_EXACT)
            *p = approximate(kept, positive, ties);
        else if ((well = count_signs(ranks, kept, least, &below)))
            *p = 2 * below > 1 ? 1 : 2 * below;
    }
    free(sorted);
    free(ranks);
    return well;
}

double statistics_mcnemar(uint64_t first, uint64_t second) {
    uint64_t fewer = first < second ? first : second, all = first + second;
    double sum = 0;
    if (!all)
        return NAN;
    for (uint64_t k = 0; k <= fewer; k++)
        sum += exp(interval_log_gamma((double)all + 1) - interval_log_gamma((double)k + 1) -
                   interval_log_gamma((double)(all - k) + 1) - (double)all * log(2));
    return 2 * sum > 1 ? 1 : 2 * sum;
}

enum statistics_verdict statistics_judge(double ours, double half, uint64_t count, double published,
                                         double published_half) {
    const double narrow = 0.05, noise = 1e-9; /* a smaller share of a number comes from the arithmetic */
    double apart = fabs(ours - published), least = noise * fabs(published);
    if (apart > half + published_half + least)
        return VERDICT_DIFFERS;
    if (count < 2)
        return apart <= least ? VERDICT_EQUAL : VERDICT_WITHIN;
    if (half > narrow * fabs(ours))
        return VERDICT_FEW;
    return apart <= least ? VERDICT_EQUAL : VERDICT_AGREES;
}

/* ---- several tests at once ---- */

struct test {
    double p;
    size_t at;
};

static int compare_tests(const void *a, const void *b) {
    const struct test *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

bool statistics_holm(double *p, size_t count) {
    struct test *tests = malloc((count + 1) * sizeof *tests);
    size_t known = 0;
    double least = 0;
    if (!tests)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i]))
            tests[known++] = (struct test){p[i], i};
    qsort(tests, known, sizeof *tests, compare_tests);
    for (size_t i = 0; i < known; i++) {
        double corrected = tests[i].p * (double)(known - i);
        least = corrected > least ? corrected : least; /* never less than that of a smaller p */
        p[tests[i].at] = least < 1 ? least : 1;
    }
    free(tests);
    return true;
}

/* P(range <= q) is the integral of count * density(z) * P(another is in [z - q, z]) ^ (count - 1), by Simpson's rule.
 */
static double range_below(double q, int count) {
    enum { STEPS = 400 };
    const double low = -8, high = 8 + q, step = (high - low) / STEPS;
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double z = low + i * step;
        double value = exp(-z * z / 2) * pow(interval_normal_below(z) - interval_normal_below(z - q), count - 1);
        sum += value * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
    }
    return count * sum * step / 3 / sqrt(2 * acos(-1));
}

double statistics_range_quantile(double probability, int count) {
    double low = 0, high = 20;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(range_below(middle, count) < probability ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* ---- an exponential fit ---- */

/* For a given b the best a and c have a formula. Returns the sum of squared errors. To keep the powers small, x is
 * counted from `start`. */
static double fit_at(const double *x, const double *y, size_t count, double start, struct statistics_fit *fit) {
    double e = 0, ee = 0, ey = 0, sum_y = 0, n = (double)count, errors = 0;
    for (size_t i = 0; i < count; i++) {
        double power = exp(fit->b * (x[i] - start));
        e += power;
        ee += power * power;
        ey += power * y[i];
        sum_y += y[i];
    }
    double determinant = n * ee - e * e;
    fit->a = determinant > 0 ? (n * ey - e * sum_y) / determinant : 0;
    fit->c = (sum_y - fit->a * e) / n;
    for (size_t i = 0; i < count; i++) {
        double error = fit->a * exp(fit->b * (x[i] - start)) + fit->c - y[i];
        errors += error * error;
    }
    return errors;
}

static bool has_three(const double *x, const double *y, size_t count, double *least, double *most) {
    *least = INFINITY, *most = -INFINITY;
    bool between = false;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return false;
        *least = x[i] < *least ? x[i] : *least;
        *most = x[i] > *most ? x[i] : *most;
    }
    for (size_t i = 0; i < count; i++)
        between |= x[i] > *least && x[i] < *most;
    return between;
}

/* The best b is looked for among many, both growing and falling, and then between the neighbours of the best. */
bool statistics_fit_exponential(const double *x, const double *y, size_t count, struct statistics_fit *fit) {
    enum { STEPS = 400, REFINEMENTS = 60 };
    const double golden = 0.6180339887498949;
    double least, most, best = INFINITY, centre = 0;
    if (!has_three(x, y, count, &least, &most))
        return false;
    double unit = 1 / (most - least), width = 40 * unit / STEPS;
    for (int i = -STEPS; i <= STEPS; i++) {
        struct statistics_fit trial = {.b = (i + 0.5) * width}; /* b = 0 would be a constant */
        double errors = fit_at(x, y, count, trial.b > 0 ? most : least, &trial);
        if (errors < best)
            best = errors, centre = trial.b;
    }
    double low = centre - width, high = centre + width;
    for (int i = 0; i < REFINEMENTS; i++) {
        struct statistics_fit left = {.b = high - golden * (high - low)}, right = {.b = low + golden * (high - low)};
        bool lower = fit_at(x, y, count, centre > 0 ? most : least, &left) <
                     fit_at(x, y, count, centre > 0 ? most : least, &right);
        *(lower ? &high : &low) = lower ? right.b : left.b;
    }
    fit->b = (low + high) / 2;
    double start = centre > 0 ? most : least;
    fit_at(x, y, count, start, fit);
    fit->a *= exp(-fit->b * start);
    return true;
}

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double statistics_median(double *values, size_t count) {
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, compare_values);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
