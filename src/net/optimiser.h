/* Optimisers: Adam (Kingma and Ba 2014), RMSProp (Hinton) and plain gradient descent, with an L2 term and gradient
 * clipping. The formulas are those of PyTorch: epsilon is added to the square root, and the L2 term is PyTorch's
 * weight_decay (l2 * w is added to the gradient). rmsprop-tf is RMSProp as in TensorFlow, and thus in OpenAI's
 * Baselines: epsilon is added under the square root, and the mean of squares starts at 1, so that the first steps are
 * small. */
#ifndef NET_OPTIMISER_H
#define NET_OPTIMISER_H

#include "soloist.h"

enum optimiser_kind { OPTIMISER_ADAM, OPTIMISER_RMSPROP, OPTIMISER_SGD, OPTIMISER_RMSPROP_TF };
#define OPTIMISER_NAMES "adam|rmsprop|sgd|rmsprop-tf"
#define OPTIMISER_HELP                                                                                                 \
    "algorithm that updates the weights; rmsprop-tf: RMSProp as in TensorFlow, where epsilon is added before the "     \
    "square root is taken"

#define OPTIMISER_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    CHOICE(T, optimiser, 0, OPTIMISER_NAMES, OPTIMISER_HELP)                                                           \
    REAL(T, rate, 5e-4, 0, 10, "learning rate")                                                                        \
    REAL(T, momentum, 0.9, 0, 1, "Adam's beta 1: decay of the mean of gradients")                                      \
    REAL(T, squares, 0.999, 0, 1, "Adam's beta 2, RMSProp's alpha: decay of the mean of squares")                      \
    REAL(T, epsilon, 1e-8, 0, 1, "added to the root of the mean of squares (rmsprop-tf: under the root)")              \
    REAL(T, l2, 0, 0, 1, "L2 regularisation: this times each parameter is added to its gradient")                      \
    REAL(T, clip, 0, 0, 1e9, "gradient clipping: largest norm over all parameters; 0: none")

SOLOIST_OPTIONS(optimiser_options, OPTIMISER_OPTIONS);

struct optimiser {
    struct optimiser_options options;
    size_t count;
    uint64_t steps;
    float *mean, *square; /* owned */
};

/* False if there is no memory. */
bool optimiser_open(struct optimiser *optimiser, const struct optimiser_options *options, size_t count);
void optimiser_close(struct optimiser *optimiser);
/* Resets the optimiser's state, for a network whose parameters are initialised again. */
void optimiser_reset(struct optimiser *optimiser);
/* Makes one step. Gradients whose norm is too large are clipped in place. Returns their norm before clipping. */
double optimiser_step(struct optimiser *optimiser, float *parameters, float *gradients);

#endif
