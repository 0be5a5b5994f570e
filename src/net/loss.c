#include "net/loss.h"

#include "base/real.h"

#include <math.h>

/* Softmax cross-entropy and entropy of one position. With p = softmax(z): d(-t.log p)/dz = (sum t) p - t, and
 * d(-H)/dz = p (log p + H). */
static void policy_row(const struct net_loss *loss, const float *target, int actions, double scale, const float *logits,
                       float *gradient, struct net_losses *losses) {
    double most = (double)logits[0], sum = 0, weight = 0, cross = 0, entropy = 0;
    for (int i = 1; i < actions; i++)
        most = (double)logits[i] > most ? (double)logits[i] : most;
    for (int i = 0; i < actions; i++)
        sum += real_exp((double)logits[i] - most);
    double log_sum = most + real_log(sum);
    for (int i = 0; i < actions; i++) {
        double log_p = (double)logits[i] - log_sum, t = target ? (double)target[i] : 0;
        weight += t;
        cross -= t * log_p;
        entropy -= real_exp(log_p) * log_p;
    }
    for (int i = 0; i < actions; i++) {
        double log_p = (double)logits[i] - log_sum, p = real_exp(log_p), t = target ? (double)target[i] : 0;
        gradient[i] = (float)(scale * (weight * p - t + (double)loss->entropy * p * (log_p + entropy)));
    }
    losses->policy += scale * cross;
    losses->entropy += scale * entropy;
    losses->total += scale * (cross - (double)loss->entropy * entropy);
}

/* The PPO loss of the move that self-play chose. Let p = softmax(z) over the legal actions, and P the sum of p over the
 * actions of that move. Then d(-log P)/dz = p - [own] p / P, and dP = P dlog P. */
static void drawn_row(const struct net_loss *loss, const float *marks, const struct net_drawn *drawn, int actions,
                      double scale, const float *logits, float *gradient, struct net_losses *losses) {
    double most = -INFINITY, sum = 0, own = 0, entropy = 0;
    for (int i = 0; i < actions; i++)
        most = marks[i] != 0 && (double)logits[i] > most ? (double)logits[i] : most;
    for (int i = 0; i < actions; i++) {
        double part = marks[i] != 0 ? real_exp((double)logits[i] - most) : 0;
        sum += part;
        own += marks[i] < 0 ? part : 0;
    }
    double log_sum = most + real_log(sum);
    for (int i = 0; i < actions; i++) {
        double log_p = marks[i] != 0 ? (double)logits[i] - log_sum : 0;
        entropy -= real_exp(log_p) * log_p;
    }
    double advantage = (double)drawn->advantage, now = own / sum / (double)drawn->probability;
    double edge = advantage > 0 ? 1 + (double)loss->clip_range : 1 - (double)loss->clip_range;
    bool far = (advantage > 0) == (now > edge);
    double push = far ? 0 : advantage * now, surrogate = advantage * (far ? edge : now);
    for (int i = 0; i < actions; i++) {
        double log_p = (double)logits[i] - log_sum, p = marks[i] != 0 ? real_exp(log_p) : 0;
        double slope = push * (p - (marks[i] < 0 ? p * sum / own : 0));
        gradient[i] = p > 0 ? (float)(scale * (slope + (double)loss->entropy * p * (log_p + entropy))) : 0;
    }
    losses->policy -= scale * surrogate;
    losses->entropy += scale * entropy;
    losses->total -= scale * (surrogate + (double)loss->entropy * entropy);
}

static void value_row(const struct net_loss *loss, float target, double scale, float value, float *gradient,
                      struct net_losses *losses) {
    double off = (double)value - (double)target;
    double weight = (double)(off <= 0 ? loss->under : loss->over);
    losses->value += scale * weight * off * off;
    losses->total += scale * (double)loss->value_weight * weight * off * off;
    *gradient = (float)(scale * 2 * (double)loss->value_weight * weight * off);
}

void net_loss_add(const struct net_loss *loss, const struct net_targets *targets, int count, int batch, int actions,
                  const float *logits, const float *values, float *logit_gradients, float *value_gradients,
                  struct net_losses *losses) {
    double scale = 1.0 / batch;
    for (int i = 0; i < count; i++) {
        size_t row = (size_t)i * (size_t)actions;
        if (logits && targets->drawn)
            drawn_row(loss, targets->policy + row, &targets->drawn[i], actions, scale, logits + row,
                      logit_gradients + row, losses);
        else if (logits)
            policy_row(loss, targets->policy ? targets->policy + row : NULL, actions, scale, logits + row,
                       logit_gradients + row, losses);
        if (values && targets->value)
            value_row(loss, targets->value[i], scale, values[i], &value_gradients[i], losses);
        else if (values)
            value_gradients[i] = 0;
    }
}
