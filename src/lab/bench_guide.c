#include "lab/bench_guide.h"
#include "base/hash.h"

static bool fits(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error) {
    (void)evaluator, (void)instance, (void)error;
    return true;
}

/* Weights are whole numbers up to 255 and their sum is below 2^24, so floats represent them exactly. */
static bool judge(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error) {
    const soloist_core *core = ((struct bench_guide *)evaluator)->network.domain->core;
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

static void forget(struct evaluator *evaluator) { (void)evaluator; }

soloist_network *bench_guide_open(struct bench_guide *guide, const soloist_domain *domain) {
    *guide = (struct bench_guide){.evaluator = {.has_policy = true,
                                                .has_value = true,
                                                .value_scale = 1000,
                                                .batch = 8,
                                                .fits = fits,
                                                .judge = judge,
                                                .forget = forget}};
    guide->network = (soloist_network){domain, &guide->evaluator};
    return &guide->network;
}
