/* What training makes small: u * (asymmetric) squared error of the value + cross-entropy of the policy - an entropy
 * bonus, means over the batch. Works on the outputs alone, so that every back end can share it. */
#ifndef NET_LOSS_H
#define NET_LOSS_H

#include "net/net.h"

struct net_loss {
    float value_weight; /* u: SameGame's document takes 16 / (highest value)^2 */
    float under, over;  /* weights of guesses below and above the target; 1 and 1: plain squared error */
    float entropy;      /* how much the policy's entropy counts for it (actor-critic) */
};

#define NET_PLAIN_LOSS ((struct net_loss){1, 1, 1, 0})

/* What a batch should have given. A policy target may be any numbers: scaled by an advantage it is a policy gradient,
 * all zero it teaches nothing. */
struct net_targets {
    const float *policy; /* [batch][actions]; NULL: no policy loss */
    const float *value;  /* [batch]; NULL: no value loss */
};

struct net_losses {
    double policy, value, entropy, total;
};

/* Adds the losses of `count` positions of a batch of `batch` to *losses, and writes the gradients of the total with
 * respect to logits and values (each NULL where the network has no such output). */
void net_loss_add(const struct net_loss *loss, const struct net_targets *targets, int count, int batch, int actions,
                  const float *logits, const float *values, float *logit_gradients, float *value_gradients,
                  struct net_losses *losses);

#endif
