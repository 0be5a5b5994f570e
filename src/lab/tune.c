#include "lab/tune.h"
#include "base/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

static double value_of(const struct tune_option *option, double at) {
    double value = option->logarithmic
                       ? option->least * real_exp(at * (real_log(option->most) - real_log(option->least)))
                       : option->least + at * (option->most - option->least);
    return option->whole ? floor(value + 0.5) : value;
}

static int write_choice(const struct tune_option *option, int number, char *out, size_t room) {
    const char *text = option->text;
    for (; number > 0; number--)
        text += strcspn(text, "|") + 1;
    return snprintf(out, room, "%s=%.*s", option->name, (int)strcspn(text, "|"), text);
}

void tune_write(const struct tune_space *space, const struct tune_point *point, char *out, size_t room) {
    size_t used = 0;
    *out = 0;
    for (int i = 0; i < space->count && used + 1 < room; i++) {
        const struct tune_option *option = &space->options[i];
        if (i > 0)
            used += (size_t)snprintf(out + used, room - used, ",");
        if (used >= room)
            return;
        int length = option->choices ? write_choice(option, (int)point->at[i], out + used, room - used)
                                     : snprintf(out + used, room - used, option->whole ? "%s=%.0f" : "%s=%.4g",
                                                option->name, value_of(option, point->at[i]));
        used += (size_t)length;
    }
}

static double draw_at_random(const struct tune_option *option, soloist_rng *rng) {
    return option->choices ? soloist_rng_below(rng, (uint32_t)option->choices) : soloist_rng_unit(rng);
}

void tune_random(const struct tune_space *space, soloist_rng *rng, struct tune_point *point) {
    for (int i = 0; i < space->count; i++)
        point->at[i] = draw_at_random(&space->options[i], rng);
}

bool tune_grid(const struct tune_space *space, int steps, uint64_t index, struct tune_point *point) {
    for (int i = space->count - 1; i >= 0; i--) {
        const struct tune_option *option = &space->options[i];
        uint64_t sides = (uint64_t)(option->choices ? option->choices : steps);
        double place = (double)(index % sides);
        point->at[i] = option->choices ? place : steps > 1 ? place / (steps - 1) : 0.5;
        index /= sides;
    }
    return index == 0;
}

int tune_compare(const struct tune_trial *a, const struct tune_trial *b) {
    if (a->rungs != b->rungs)
        return b->rungs - a->rungs;
    double x = a->rungs ? a->scores[a->rungs - 1] : 0, y = b->rungs ? b->scores[b->rungs - 1] : 0;
    return x != y ? (x < y ? 1 : -1) : (a > b) - (a < b);
}

/* Marsaglia's polar method needs only a logarithm and a square root, which give the same bits on every machine. */
static double draw_normal(soloist_rng *rng) {
    double x, square;
    do {
        double y = 2 * soloist_rng_unit(rng) - 1;
        x = 2 * soloist_rng_unit(rng) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * real_log(square) / square);
}

static double into_unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* ---- the Gaussian process ---- */

/* A Gaussian process: a model of the scores (normalised to mean 0 and deviation 1) in which the covariance of two
 * points falls with their distance. */
struct process {
    const struct tune_space *space;
    const struct tune_trial *const *trials;
    size_t count;
    double length, noise;
    double *factor;  /* lower triangle of the covariance's Cholesky factor, count x count */
    double *weights; /* covariance^-1 * scores */
    double *scratch;
    double *scores;
};

static double covariance(const struct process *process, const struct tune_point *a, const struct tune_point *b) {
    double sum = 0;
    for (int i = 0; i < process->space->count; i++) {
        double distance = (a->at[i] - b->at[i]) / process->length;
        sum += process->space->options[i].choices ? (a->at[i] == b->at[i] ? 0 : 2) : distance * distance;
    }
    return real_exp(-sum / 2);
}

/* Solves factor * x = y from the top; x may be y. */
static void solve_down(const struct process *process, const double *y, double *x) {
    for (size_t i = 0; i < process->count; i++) {
        double sum = y[i];
        for (size_t k = 0; k < i; k++)
            sum -= process->factor[i * process->count + k] * x[k];
        x[i] = sum / process->factor[i * process->count + i];
    }
}

/* Solves transposed factor * x = y from the bottom; x may be y. */
static void solve_up(const struct process *process, const double *y, double *x) {
    for (size_t i = process->count; i-- > 0;) {
        double sum = y[i];
        for (size_t k = i + 1; k < process->count; k++)
            sum -= process->factor[k * process->count + i] * x[k];
        x[i] = sum / process->factor[i * process->count + i];
    }
}

/* Fits the process and returns the logarithm of its likelihood, up to a constant. */
static double fit(struct process *process) {
    size_t n = process->count;
    double *factor = process->factor, likelihood = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++) {
            double sum = covariance(process, &process->trials[i]->point, &process->trials[k]->point);
            sum += i == k ? process->noise + 1e-6 : 0;
            for (size_t m = 0; m < k; m++)
                sum -= factor[i * n + m] * factor[k * n + m];
            factor[i * n + k] = i == k ? sqrt(sum > 1e-9 ? sum : 1e-9) : sum / factor[k * n + k];
        }
    solve_down(process, process->scores, process->weights);
    for (size_t i = 0; i < n; i++)
        likelihood -= process->weights[i] * process->weights[i] / 2 + real_log(factor[i * n + i]);
    solve_up(process, process->weights, process->weights);
    return likelihood;
}

/* Chooses the most likely of a few length scales and noise levels. */
static void fit_best(struct process *process) {
    static const double lengths[] = {0.1, 0.2, 0.4, 0.8}, noises[] = {0.001, 0.03, 0.3};
    double best = -INFINITY, length = 0.2, noise = 0.03;
    for (size_t i = 0; i < 12; i++) {
        process->length = lengths[i / 3];
        process->noise = noises[i % 3];
        double likelihood = fit(process);
        if (likelihood > best) {
            best = likelihood;
            length = process->length;
            noise = process->noise;
        }
    }
    process->length = length;
    process->noise = noise;
    fit(process);
}

/* The upper confidence bound at a point: the mean there plus 1.5 deviations. */
static double promise(const struct process *process, const struct tune_point *point) {
    double mean = 0, variance = 1;
    for (size_t i = 0; i < process->count; i++) {
        process->scratch[i] = covariance(process, point, &process->trials[i]->point);
        mean += process->scratch[i] * process->weights[i];
    }
    solve_down(process, process->scratch, process->scratch);
    for (size_t i = 0; i < process->count; i++)
        variance -= process->scratch[i] * process->scratch[i];
    return mean + 1.5 * sqrt(variance > 0 ? variance : 0);
}

/* Chooses a random point near one of the best points, or anywhere. */
static void draw_candidate(const struct process *process, soloist_rng *rng, struct tune_point *point) {
    const struct tune_space *space = process->space;
    uint32_t near = soloist_rng_below(rng, 8);
    tune_random(space, rng, point);
    if (near >= 4 || near >= process->count)
        return;
    for (int i = 0; i < space->count; i++) {
        bool kept = soloist_rng_below(rng, 3) != 0;
        double at = process->trials[near]->point.at[i];
        if (kept && space->options[i].choices)
            point->at[i] = at;
        else if (kept)
            point->at[i] = into_unit(at + 0.05 * draw_normal(rng));
    }
}

static void draw_promising(const struct process *process, soloist_rng *rng, struct tune_point *point) {
    enum { CANDIDATES = 500 };
    double best = -INFINITY;
    for (int i = 0; i < CANDIDATES; i++) {
        struct tune_point candidate;
        draw_candidate(process, rng, &candidate);
        double hope = promise(process, &candidate);
        if (hope > best) {
            best = hope;
            *point = candidate;
        }
    }
}

/* Normalises the scores. Trials that are still running get an average score, so that the next trial is made elsewhere.
 * A trial without any value counts like the worst of the others. */
static void standardise(struct process *process, int rung) {
    double mean = 0, squares = 0, n = 0, worst = INFINITY;
    for (size_t i = 0; i < process->count; i++) {
        const struct tune_trial *trial = process->trials[i];
        n += trial->rungs > rung;
        if (trial->rungs > rung && trial->scores[rung] > TUNE_NO_SCORE && trial->scores[rung] < worst)
            worst = trial->scores[rung];
    }
    worst = isfinite(worst) ? worst : 0;
    for (size_t i = 0; i < process->count; i++) {
        const struct tune_trial *trial = process->trials[i];
        process->scores[i] = trial->rungs <= rung ? 0 : trial->scores[rung] > worst ? trial->scores[rung] : worst;
        mean += process->scores[i] / n;
    }
    for (size_t i = 0; i < process->count; i++) {
        process->scores[i] = process->trials[i]->rungs > rung ? process->scores[i] - mean : 0;
        squares += process->scores[i] * process->scores[i] / n;
    }
    for (size_t i = 0; i < process->count && squares > 0; i++)
        process->scores[i] /= sqrt(squares);
}

/* Chooses the next point by the Gaussian process. False if memory runs out. */
static bool draw_by_process(const struct tune_space *space, const struct tune_trial *const *trials, size_t count,
                            int rung, soloist_rng *rng, struct tune_point *point) {
    double *room = calloc(count * (count + 3), sizeof *room);
    if (!room)
        return false;
    struct process process = {.space = space,
                              .trials = trials,
                              .count = count,
                              .factor = room,
                              .weights = room + count * count,
                              .scratch = room + count * (count + 1),
                              .scores = room + count * (count + 2)};
    standardise(&process, rung);
    fit_best(&process);
    draw_promising(&process, rng, point);
    free(room);
    return true;
}

static int by_score(const void *a, const void *b) {
    return tune_compare(*(const struct tune_trial *const *)a, *(const struct tune_trial *const *)b);
}

bool tune_model(const struct tune_space *space, const struct tune_trial *trials, size_t count, soloist_rng *rng,
                struct tune_point *point) {
    enum { MOST_SEEN = 150 };
    size_t enough = (size_t)space->count + 4, on_rung[TUNE_RUNGS] = {0};
    const struct tune_trial **sorted = calloc(count + 1, sizeof *sorted);
    int rung = -1;
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < trials[i].rungs; k++)
            rung = ++on_rung[k] >= enough && k > rung ? k : rung;
    size_t seen = 0;
    for (size_t i = 0; rung >= 0 && i < count; i++)
        if (trials[i].rungs > rung || !trials[i].rungs)
            sorted[seen++] = &trials[i];
    if (seen)
        qsort(sorted, seen, sizeof *sorted, by_score);
    /* If there are many trials, only the best are used, because the work grows with the cube of their number. */
    seen = seen > MOST_SEEN ? MOST_SEEN : seen;
    bool well = true;
    if (!seen || soloist_rng_below(rng, 8) == 0)
        tune_random(space, rng, point);
    else
        well = draw_by_process(space, sorted, seen, rung, rng, point);
    free(sorted);
    return well;
}

/* ---- cross entropy ---- */

void tune_entropy_open(const struct tune_space *space, struct tune_entropy *entropy) {
    for (int i = 0; i < space->count; i++) {
        entropy->mean[i] = 0.5;
        entropy->spread[i] = 0.4;
        for (int k = 0; k < space->options[i].choices; k++)
            entropy->share[i][k] = 1.0 / space->options[i].choices;
    }
}

void tune_entropy_draw(const struct tune_space *space, const struct tune_entropy *entropy, soloist_rng *rng,
                       struct tune_point *point) {
    for (int i = 0; i < space->count; i++) {
        int choices = space->options[i].choices, k = 0;
        if (choices) {
            double left = soloist_rng_unit(rng);
            while (k < choices - 1 && (left -= entropy->share[i][k]) >= 0)
                k++;
            point->at[i] = k;
        } else {
            point->at[i] = into_unit(entropy->mean[i] + entropy->spread[i] * draw_normal(rng));
        }
    }
}

void tune_entropy_learn(const struct tune_space *space, const struct tune_trial *const *elite, size_t count,
                        struct tune_entropy *entropy) {
    /* Weight of the new generation; a part of the old distribution is kept, so that one lucky generation does not
     * decide. */
    const double step = 0.7;
    for (int i = 0; i < space->count && count; i++) {
        double mean = 0, squares = 0, shares[TUNE_MOST_CHOICES] = {0};
        for (size_t e = 0; e < count; e++) {
            mean += elite[e]->point.at[i] / (double)count;
            if (space->options[i].choices)
                shares[(int)elite[e]->point.at[i]] += 1.0 / (double)count;
        }
        for (size_t e = 0; e < count; e++) {
            double distance = elite[e]->point.at[i] - mean;
            squares += distance * distance / (double)count;
        }
        entropy->mean[i] += step * (mean - entropy->mean[i]);
        entropy->spread[i] += step * (sqrt(squares) - entropy->spread[i]);
        for (int k = 0; k < space->options[i].choices; k++)
            entropy->share[i][k] += step * (shares[k] - entropy->share[i][k]);
    }
}
