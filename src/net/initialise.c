/* How parameters are initialised: normal distribution truncated at two deviations (as in TensorFlow), Glorot's uniform
 * distribution (Glorot and Bengio 2010), uniform within 1/sqrt(fan in), or orthogonal (Saxe et al. 2014). Biases start
 * at zero. libm is not used, so that the bits are the same on every machine. */
#include "net/net.h"

#include "base/real.h"

#include <math.h>
#include <stdlib.h>

/* Marsaglia's polar method; only one of its two numbers is used. */
static double normal(soloist_rng *rng) {
    for (;;) {
        double u = 2 * soloist_rng_unit(rng) - 1, v = 2 * soloist_rng_unit(rng) - 1, s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * real_log(s) / s);
    }
}

static double truncated_normal(soloist_rng *rng) {
    for (;;) {
        double z = normal(rng);
        if (z >= -2 && z <= 2)
            return z;
    }
}

/* Makes the rows of `matrix` orthonormal one after the other (modified Gram-Schmidt; stable enough in twice the
 * precision of the result). */
static void orthonormalise(double *matrix, size_t rows, size_t columns) {
    for (size_t i = 0; i < rows; i++) {
        double *row = matrix + i * columns, norm = 0;
        for (size_t k = 0; k < i; k++) {
            const double *other = matrix + k * columns;
            double dot = 0;
            for (size_t j = 0; j < columns; j++)
                dot += row[j] * other[j];
            for (size_t j = 0; j < columns; j++)
                row[j] -= dot * other[j];
        }
        for (size_t j = 0; j < columns; j++)
            norm += row[j] * row[j];
        norm = sqrt(norm);
        for (size_t j = 0; j < columns; j++)
            row[j] /= norm;
    }
}

/* Makes the rows or the columns, whichever are fewer, orthogonal with the gain as their length. */
static bool draw_orthogonal(const struct net_layer *layer, soloist_rng *rng, float *weights) {
    size_t units = (size_t)layer->out.channels, inputs = layer->weight_count / units;
    bool wide = units <= inputs;
    size_t rows = wide ? units : inputs, columns = wide ? inputs : units;
    double *matrix = malloc(layer->weight_count * sizeof *matrix);
    if (!matrix)
        return false;
    for (size_t i = 0; i < layer->weight_count; i++)
        matrix[i] = normal(rng);
    orthonormalise(matrix, rows, columns);
    for (size_t i = 0; i < units; i++)
        for (size_t j = 0; j < inputs; j++)
            weights[i * inputs + j] = (float)(layer->gain * (wide ? matrix[i * columns + j] : matrix[j * columns + i]));
    free(matrix);
    return true;
}

static bool draw_layer(const struct net_layer *layer, soloist_rng *rng, float *weights) {
    const double kept = 0.8796256610342398; /* deviation of a normal distribution truncated at two deviations */
    double in = net_fan_in(layer), out = net_fan_out(layer), reach = 0;
    if (layer->start == NET_ORTHOGONAL)
        return draw_orthogonal(layer, rng, weights);
    if (layer->start == NET_TRUNCATED)
        reach = sqrt(layer->gain / in) / kept;
    else if (layer->start == NET_GLOROT)
        reach = layer->gain * sqrt(6 / (in + out));
    else if (layer->start == NET_UNIFORM)
        reach = layer->gain / sqrt(in);
    for (size_t i = 0; i < layer->weight_count; i++)
        weights[i] = (float)(reach * (layer->start == NET_TRUNCATED ? truncated_normal(rng)
                                      : layer->start == NET_ZERO    ? 0
                                                                    : 2 * soloist_rng_unit(rng) - 1));
    return true;
}

bool net_initialise(const struct net *net, uint64_t seed, float *parameters) {
    for (int i = 1; i <= net->count; i++) {
        const struct net_layer *layer = &net->layers[i];
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, (uint64_t)i);
        for (size_t j = 0; j < layer->bias_count; j++)
            parameters[layer->bias + j] = 0;
        if (layer->weight_count && !draw_layer(layer, &rng, parameters + layer->weight))
            return false;
    }
    return true;
}
