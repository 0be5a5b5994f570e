/* The training loss: u * squared error of the value (possibly asymmetric) + cross-entropy of the policy - an entropy
 * bonus, each as the mean over the batch. It depends only on the network's outputs, so all back ends share it. */
#ifndef NET_LOSS_H
#define NET_LOSS_H

#include "net/net.h"

struct net_loss {
    float value_weight; /* the factor u; Seify 2020 uses 16 / (highest value)^2 */
    float under, over;  /* factors on the squared errors of predictions below and above the target */
    float entropy;      /* weight of the entropy bonus (actor-critic) */
    float clip_range;   /* PPO clip range */
};

#define NET_PLAIN_LOSS ((struct net_loss){1, 1, 1, 0, 0.2f})

/* A move that was drawn at random from the policy in self-play for PPO. */
struct net_drawn {
    float probability; /* the move's probability when it was chosen */
    float advantage;   /* how much better than expected the move turned out, in standard deviations */
};

/* The targets of a batch. A position whose policy targets are all zero adds nothing to the policy loss. */
struct net_targets {
    const float *policy; /* [batch][actions]: target probabilities; NULL: no policy loss */
    const float *value;  /* [batch]: target values; NULL: no value loss */
    /* [batch]; NULL: plain targets. If this is not NULL, `policy` is not a target but marks the actions: negative for
     * the move that was chosen, positive for other legal moves, 0 for illegal actions. The policy loss is then that of
     * PPO (Schulman et al. 2017): -advantage * (present probability / net_drawn.probability), clipped by
     * `clip_range`. */
    const struct net_drawn *drawn;
};

struct net_losses {
    double policy, value, entropy, total;
};

/* Adds the losses of `count` positions to *losses, each with weight 1 / batch, and writes the gradients of the total
 * with respect to logits and values (either pointer is NULL if the network has no such output). */
void net_loss_add(const struct net_loss *loss, const struct net_targets *targets, int count, int batch, int actions,
                  const float *logits, const float *values, float *logit_gradients, float *value_gradients,
                  struct net_losses *losses);

#endif
