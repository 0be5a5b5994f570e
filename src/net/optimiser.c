#include "net/optimiser.h"

#include "base/real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool optimiser_open(struct optimiser *optimiser, const struct optimiser_options *options, size_t count) {
    *optimiser = (struct optimiser){.options = *options, .count = count};
    optimiser->mean = calloc(count, sizeof(float));
    optimiser->square = calloc(count, sizeof(float));
    if (!optimiser->mean || !optimiser->square) {
        optimiser_close(optimiser);
        return false;
    }
    optimiser_reset(optimiser);
    return true;
}

void optimiser_close(struct optimiser *optimiser) {
    free(optimiser->mean);
    free(optimiser->square);
    *optimiser = (struct optimiser){0};
}

void optimiser_reset(struct optimiser *optimiser) {
    memset(optimiser->mean, 0, optimiser->count * sizeof(float));
    for (size_t i = 0; i < optimiser->count; i++)
        optimiser->square[i] = optimiser->options.optimiser == OPTIMISER_RMSPROP_TF;
    optimiser->steps = 0;
}

static double clip(const struct optimiser *optimiser, float *gradients) {
    double sum = 0, most = optimiser->options.clip;
    for (size_t i = 0; i < optimiser->count; i++)
        sum += (double)gradients[i] * (double)gradients[i];
    double length = sqrt(sum);
    if (most > 0 && length > most) {
        float scale = (float)(most / length);
        for (size_t i = 0; i < optimiser->count; i++)
            gradients[i] *= scale;
    }
    return length;
}

static void step_adam(struct optimiser *optimiser, float *restrict parameters, const float *restrict gradients) {
    const struct optimiser_options *o = &optimiser->options;
    double steps = (double)optimiser->steps;
    float b1 = (float)o->momentum, b2 = (float)o->squares, l2 = (float)o->l2, epsilon = (float)o->epsilon;
    float c1 = (float)(o->momentum > 0 ? 1 - real_power(o->momentum, steps) : 1);
    float root = (float)(o->squares > 0 ? 1 / sqrt(1 - real_power(o->squares, steps)) : 1), rate = (float)o->rate / c1;
    float *restrict mean = optimiser->mean, *restrict square = optimiser->square;
    for (size_t i = 0; i < optimiser->count; i++) {
        float g = gradients[i] + l2 * parameters[i];
        mean[i] = b1 * mean[i] + (1 - b1) * g;
        square[i] = b2 * square[i] + (1 - b2) * g * g;
        parameters[i] -= rate * mean[i] / (sqrtf(square[i]) * root + epsilon);
    }
}

static void step_rmsprop(struct optimiser *optimiser, float *restrict parameters, const float *restrict gradients) {
    const struct optimiser_options *o = &optimiser->options;
    float keep = (float)o->squares, rate = (float)o->rate, l2 = (float)o->l2, epsilon = (float)o->epsilon;
    float *restrict square = optimiser->square;
    for (size_t i = 0; i < optimiser->count; i++) {
        float g = gradients[i] + l2 * parameters[i];
        square[i] = keep * square[i] + (1 - keep) * g * g;
        parameters[i] -= rate * g / (sqrtf(square[i]) + epsilon);
    }
}

static void step_rmsprop_tf(struct optimiser *optimiser, float *restrict parameters, const float *restrict gradients) {
    const struct optimiser_options *o = &optimiser->options;
    float keep = (float)o->squares, rate = (float)o->rate, l2 = (float)o->l2, epsilon = (float)o->epsilon;
    float *restrict square = optimiser->square;
    for (size_t i = 0; i < optimiser->count; i++) {
        float g = gradients[i] + l2 * parameters[i];
        square[i] = keep * square[i] + (1 - keep) * g * g;
        parameters[i] -= rate * g / sqrtf(square[i] + epsilon);
    }
}

static void step_sgd(struct optimiser *optimiser, float *restrict parameters, const float *restrict gradients) {
    float rate = (float)optimiser->options.rate, l2 = (float)optimiser->options.l2;
    for (size_t i = 0; i < optimiser->count; i++)
        parameters[i] -= rate * (gradients[i] + l2 * parameters[i]);
}

double optimiser_step(struct optimiser *optimiser, float *parameters, float *gradients) {
    double length = clip(optimiser, gradients);
    optimiser->steps++;
    switch ((enum optimiser_kind)optimiser->options.optimiser) {
    case OPTIMISER_ADAM: step_adam(optimiser, parameters, gradients); break;
    case OPTIMISER_RMSPROP: step_rmsprop(optimiser, parameters, gradients); break;
    case OPTIMISER_RMSPROP_TF: step_rmsprop_tf(optimiser, parameters, gradients); break;
    case OPTIMISER_SGD: step_sgd(optimiser, parameters, gradients); break;
    }
    return length;
}
