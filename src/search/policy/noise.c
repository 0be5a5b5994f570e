/* Dirichlet noise on the root's priors (Seify 2020, equation 5.5), so that every move has a chance. Gamma variates are
 * drawn by the method of Marsaglia and Tsang (2000), normal variates by the polar method. None of this uses libm, so
 * the numbers are the same on every machine. */
#include "search/policy/policy.h"

#include "base/real.h"

static double draw_normal(soloist_rng *rng) {
    for (;;) {
        double x = 2 * soloist_rng_unit(rng) - 1, y = 2 * soloist_rng_unit(rng) - 1, square = x * x + y * y;
        if (square > 0 && square < 1)
            return x * __builtin_sqrt(-2 * real_log(square) / square);
    }
}

/* A number strictly between 0 and 1, so that its logarithm is finite. */
static double draw_open_unit(soloist_rng *rng) { return soloist_rng_unit(rng) + 0x1.0p-54; }

/* The logarithm of a gamma variate; for a small shape the variate itself may be too small for a double. */
static double draw_log_gamma(soloist_rng *rng, double shape) {
    double boost = 0;
    if (shape < 1) {
        boost = real_log(draw_open_unit(rng)) / shape;
        shape += 1;
    }
    double d = shape - 1.0 / 3, c = 1 / __builtin_sqrt(9 * d);
    for (;;) {
        double x = draw_normal(rng), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        double log_v = real_log(v);
        if (real_log(draw_open_unit(rng)) < 0.5 * x * x + d * (1 - v + log_v))
            return real_log(d) + log_v + boost;
    }
}

void policy_dirichlet(soloist_rng *rng, double alpha, int count, double *shares) {
    double most = -__builtin_inf(), sum = 0;
    for (int i = 0; i < count; i++) {
        shares[i] = draw_log_gamma(rng, alpha);
        most = shares[i] > most ? shares[i] : most;
    }
    for (int i = 0; i < count; i++)
        sum += shares[i] = real_exp(shares[i] - most);
    for (int i = 0; i < count; i++)
        shares[i] /= sum;
}

void policy_add_noise(struct policy_tree *tree, soloist_rng *rng) {
    const struct policy_options *options = tree->options;
    uint32_t count = policy_node_at(tree, tree->root)->count;
    struct policy_edge *edges = policy_block(tree, tree->root) + 1;
    double *shares = memory_take(tree->memory, count * sizeof *shares);
    if (!shares)
        return;
    policy_dirichlet(rng, options->noise, (int)count, shares);
    for (uint32_t i = 0; i < count; i++)
        edges[i].prior =
            (float)((1 - options->noise_share) * (double)edges[i].prior + options->noise_share * shares[i]);
    policy_order(tree, tree->root);
    memory_give(tree->memory, shares, count * sizeof *shares);
}
