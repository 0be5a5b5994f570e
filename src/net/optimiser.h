/* Optimisers: Adam (Kingma and Ba 2014), RMSProp (Hinton), plain gradient descent; with an L2 term and gradient
 * clipping. The formulas are PyTorch's: epsilon is added to the root, L2 is weight_decay (l2 * w is added to the
 * gradient). */
#ifndef NET_OPTIMISER_H
#define NET_OPTIMISER_H

#include "soloist.h"

enum optimiser_kind { OPTIMISER_ADAM, OPTIMISER_RMSPROP, OPTIMISER_SGD };

#define OPTIMISER_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    CHOICE(T, optimiser, 0, "adam|rmsprop|sgd", "how gradients become steps")                                          \
    REAL(T, rate, 5e-4, 0, 10, "learning rate")                                                                        \
    REAL(T, momentum, 0.9, 0, 1, "Adam: memory of the gradient's mean (beta 1)")                                       \
    REAL(T, squares, 0.999, 0, 1, "memory of its squares: Adam's beta 2, RMSProp's alpha")                             \
    REAL(T, epsilon, 1e-8, 0, 1, "added to the root of the squares")                                                   \
    REAL(T, l2, 0, 0, 1, "weight of the L2 term: this times each parameter joins its gradient")                        \
    REAL(T, clip, 0, 0, 1e9, "longest gradient, as a norm over all parameters; 0: any")

SOLOIST_OPTIONS(optimiser_options, OPTIMISER_OPTIONS);

struct optimiser {
    struct optimiser_options options;
    size_t count;
    uint64_t steps;
    float *mean, *square; /* owned */
};

/* False without memory. */
bool optimiser_open(struct optimiser *optimiser, const struct optimiser_options *options, size_t count);
void optimiser_close(struct optimiser *optimiser);
/* Resets the state: for a network that is initialised again. */
void optimiser_reset(struct optimiser *optimiser);
/* Changes the parameters. If the gradients are too long they are scaled in place; returns their norm before that. */
double optimiser_step(struct optimiser *optimiser, float *parameters, float *gradients);

#endif
