/* A network that is none, for any domain: priors and values are drawn from the keys of states. */
#ifndef TESTS_UNIT_ANY_NETWORK_H
#define TESTS_UNIT_ANY_NETWORK_H

#include "base/hash.h"
#include "search/evaluator.h"

struct any_network {
    struct evaluator evaluator; /* first member, so that a pointer to it is a pointer to the whole */
    soloist_network network;
};

static inline bool any_network_fits(const struct evaluator *evaluator, const soloist_instance *instance,
                                    soloist_error *error) {
    (void)evaluator, (void)instance, (void)error;
    return true;
}

static inline bool any_network_judge(struct evaluator *evaluator, struct evaluation *evaluations, int count,
                                     soloist_error *error) {
    const soloist_core *core = ((struct any_network *)(void *)evaluator)->network.domain->core;
    (void)error;
    for (int i = 0; i < count; i++) {
        struct evaluation *now = &evaluations[i];
        uint64_t key = core->key(now->instance, now->state), sum = 0;
        for (int k = 0; now->priors && k < now->move_count; k++)
            sum += 1 + hash_mix(key + now->moves[k]) % 255;
        for (int k = 0; now->priors && k < now->move_count; k++)
            now->priors[k] = (float)(1 + hash_mix(key + now->moves[k]) % 255) / (float)sum;
        now->value = (float)(hash_mix(key) % 256) / 256;
    }
    return true;
}

static inline void any_network_forget(struct evaluator *evaluator) { (void)evaluator; }

/* The network; it lives as long as `any`. NULL if the domain does not show its states to networks. */
static inline soloist_network *any_network_open(struct any_network *any, const soloist_domain *domain) {
    any->evaluator = (struct evaluator){.has_policy = true,
                                        .has_value = true,
                                        .value_scale = 1000,
                                        .step_value = 0.01,
                                        .batch = 8,
                                        .fits = any_network_fits,
                                        .judge = any_network_judge,
                                        .forget = any_network_forget};
    any->network = (soloist_network){domain, &any->evaluator};
    return domain->learn ? &any->network : NULL;
}

#endif
