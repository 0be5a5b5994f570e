/* What training makes small: u * (asymmetric) squared error of the value + cross-entropy of the policy - an entropy
 * bonus, means over the batch. Works on the outputs alone, so that every back end can share it. */
#ifndef NET_LOSS_H
#define NET_LOSS_H

#include "net/net.h"

struct net_loss {
    float value_weight; /* u: SameGame's document takes 16 / (highest value)^2 */
    float under, over;  /* weights of guesses below and above the target; 1 and 1: plain squared error */
    float entropy;      /* how much the policy's entropy counts for it (actor-critic) */
    float ratio;        /* how far from 1 the ratio of a drawn move's probabilities, now and then, may be led */
};

#define NET_PLAIN_LOSS ((struct net_loss){1, 1, 1, 0, 0.2f})

/* A move that was drawn from a policy. */
struct net_drawn {
    float probability; /* it had then */
    float advantage;   /* how much better than expected it came out, in deviations */
};

/* What a batch should have given. A policy target all zero teaches nothing. */
struct net_targets {
    const float *policy; /* [batch][actions]; NULL: no policy loss */
    const float *value;  /* [batch]; NULL: no value loss */
    /* [batch]: then `policy` is no target but marks the actions: below 0 those of the move that was drawn, above 0
     * those of other moves, 0 those that were not to be had. The loss is that of proximal policy optimisation (Schulman
     * et al. 2017): -advantage * probability now / then, no further than `ratio` leads. NULL: plain targets. */
    const struct net_drawn *drawn;
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
