/* A network that is none, its numbers drawn from the state's key; and the tree search that it guides as a few plain
 * recursive functions, one simulation at a time. */
#ifndef TESTS_UNIT_SEARCH_POLICY_POLICY_REFERENCE_H
#define TESTS_UNIT_SEARCH_POLICY_POLICY_REFERENCE_H

#include "base/hash.h"
#include "domain/domain.h"
#include "search/policy/policy.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const board5 = "12345\n11223\n33221\n45125\n44111\n";
static const char *const board4 = "1212\n1122\n2211\n1221\n";
static const char *const board7 = "1234512\n2143321\n3351245\n5512344\n1122334\n5432151\n1524313\n";

struct fake {
    struct evaluator evaluator;
    _Atomic int calls, judged, most_at_once;
    int fails_after; /* calls; 0: never */
    bool starved;    /* it fails for want of memory */
};

static bool fake_fits(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error) {
    (void)evaluator, (void)instance, (void)error;
    return true;
}

static void fake_priors(const soloist_instance *instance, const void *state, int count, float *priors) {
    uint64_t key = samegame_domain.core->key(instance, state);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)(priors[i] = (float)(1 + hash_mix(key + (uint64_t)i) % 1000));
    for (int i = 0; i < count; i++)
        priors[i] = (float)((double)priors[i] / sum);
}

static float fake_value(const soloist_instance *instance, const void *state) {
    return (float)(hash_mix(samegame_domain.core->key(instance, state) ^ 12345) % 300);
}

static bool fake_judge(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error) {
    struct fake *fake = (struct fake *)(void *)evaluator;
    int calls = atomic_fetch_add(&fake->calls, 1) + 1, most = atomic_load(&fake->most_at_once);
    errno = fake->starved ? ENOMEM : 0;
    if (fake->fails_after && calls > fake->fails_after)
        return soloist_fail(error, 0, 0, "the fake is out of order");
    atomic_fetch_add(&fake->judged, count);
    while (count > most && !atomic_compare_exchange_weak(&fake->most_at_once, &most, count)) {
    }
    for (int i = 0; i < count; i++) {
        fake_priors(evaluations[i].instance, evaluations[i].state, evaluations[i].move_count, evaluations[i].priors);
        evaluations[i].value = fake_value(evaluations[i].instance, evaluations[i].state);
    }
    return true;
}

static void fake_forget(struct evaluator *evaluator) { (void)evaluator; }

static inline struct fake fake_open(int batch) {
    return (struct fake){.evaluator = {.has_policy = true,
                                       .has_value = true,
                                       .batch = batch,
                                       .fits = fake_fits,
                                       .judge = fake_judge,
                                       .forget = fake_forget}};
}

/* ---- the plain search ---- */

enum { PLAIN_MOVES = 64, PLAIN_STATE = 256 };

struct plain_node {
    int count, visits[PLAIN_MOVES], own;
    soloist_move moves[PLAIN_MOVES];
    float priors[PLAIN_MOVES];
    double sum[PLAIN_MOVES], best[PLAIN_MOVES], least[PLAIN_MOVES], first;
    bool closed[PLAIN_MOVES];
    struct plain_node *children[PLAIN_MOVES];
};

struct plain {
    const soloist_instance *instance;
    const struct policy_options *options;
    double least, most;
    struct plain_node *root;
};

static double plain_worth(const struct plain *plain, const struct plain_node *node, int i) {
    if (!node->visits[i])
        return node->first;
    double mean = node->sum[i] / node->visits[i], share = plain->options->best_share;
    return share * node->best[i] + (1 - share) * mean;
}

/* By the formulas of the document, straight from its page. */
static double plain_normalise(const struct plain *plain, const struct plain_node *node, double value) {
    double low = 1e300, high = -1e300;
    if (plain->options->normalise == POLICY_STATIC)
        return value / plain->options->range;
    bool local = plain->options->normalise == POLICY_SPACE_LOCAL;
    for (int i = 0; i < node->count; i++) {
        if (!node->visits[i])
            continue;
        double here = plain_worth(plain, node, i);
        double least = local ? node->least[i] : here, most = local ? node->best[i] : here;
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    if (low < high)
        return (value - low) / (high - low);
    if (!local)
        return 1;
    return plain->least < plain->most ? (value - plain->least) / (plain->most - plain->least) : value;
}

static int plain_choose(const struct plain *plain, const struct plain_node *node) {
    int visits = node->own, chosen = -1;
    double best = 0;
    for (int i = 0; i < node->count; i++)
        visits += node->visits[i];
    for (int i = 0; i < node->count; i++) {
        if (node->closed[i])
            continue;
        double u = plain->options->c * (double)node->priors[i] * __builtin_sqrt(visits) / (1 + node->visits[i]);
        double value = plain_normalise(plain, node, plain_worth(plain, node, i)) + u;
        if (chosen < 0 || value > best + 1e-12)
            best = value, chosen = i;
    }
    return chosen;
}

static struct plain_node *plain_expand(const struct plain *plain, const void *state, double result) {
    struct plain_node *node = calloc(1, sizeof *node);
    node->count = samegame_domain.core->moves(plain->instance, state, node->moves);
    fake_priors(plain->instance, state, node->count, node->priors);
    node->first = result;
    node->own = 1;
    return node;
}

/* One simulation from a state; the whole score it ends with. *closed: nothing is left to try below. */
static inline double plain_simulate(struct plain *plain, struct plain_node **at, unsigned char *state, int32_t score,
                                    bool *closed) {
    int32_t last = 0;
    *closed = false;
    if (samegame_domain.core->ended(plain->instance, state, &last)) {
        *closed = true;
        return score + last;
    }
    if (!*at) {
        double scale = plain->options->value_scale > 0 ? plain->options->value_scale : 1;
        double result = score + (double)fake_value(plain->instance, state) * scale;
        *at = plain_expand(plain, state, result);
        return result;
    }
    struct plain_node *node = *at;
    int i = plain_choose(plain, node);
    score += samegame_domain.core->apply(plain->instance, state, node->moves[i], NULL);
    double result = plain_simulate(plain, &node->children[i], state, score, &node->closed[i]);
    node->best[i] = !node->visits[i] || result > node->best[i] ? result : node->best[i];
    node->least[i] = !node->visits[i] || result < node->least[i] ? result : node->least[i];
    node->sum[i] += result;
    node->visits[i]++;
    *closed = true;
    for (int k = 0; k < node->count; k++)
        *closed = *closed && node->closed[k];
    return result;
}

static inline void plain_free(struct plain_node *node) {
    for (int i = 0; node && i < node->count; i++)
        plain_free(node->children[i]);
    free(node);
}

#endif
