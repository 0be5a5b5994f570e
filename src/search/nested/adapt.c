/* Adapts a policy to a line (Rosin 2011, Nested rollout policy adaptation for Monte Carlo tree search). The line stores
 * the codes of all choices, so that it need not be replayed. A choice that was available at many steps is looked up
 * only once, and its exponential is computed only once. */
#include "base/real.h"
#include "search/nested/line.h"

#include <string.h>

void nested_adapt_open(struct nested_adapt *adapt, struct memory *memory) {
    *adapt = (struct nested_adapt){.memory = memory};
}

void nested_adapt_close(struct nested_adapt *adapt) {
    memory_give(adapt->memory, adapt->slots, adapt->room * sizeof *adapt->slots);
    memory_give(adapt->memory, adapt->weights, adapt->room * sizeof *adapt->weights);
    memory_give(adapt->memory, adapt->shares, adapt->room * sizeof *adapt->shares);
    memory_give(adapt->memory, adapt->logits, adapt->room * sizeof *adapt->logits);
    *adapt = (struct nested_adapt){.memory = adapt->memory};
}

static bool reserve(struct nested_adapt *adapt, uint32_t count) {
    struct memory *memory = adapt->memory;
    if (count <= adapt->room)
        return true;
    nested_adapt_close(adapt);
    adapt->room = count + count / 2;
    adapt->slots = memory_take(memory, adapt->room * sizeof *adapt->slots);
    adapt->weights = memory_take(memory, adapt->room * sizeof *adapt->weights);
    adapt->shares = memory_take(memory, adapt->room * sizeof *adapt->shares);
    adapt->logits = memory_take(memory, adapt->room * sizeof *adapt->logits);
    if (adapt->slots && adapt->weights && adapt->shares && adapt->logits)
        return true;
    nested_adapt_close(adapt); /* all arrays must have the same size, so none is kept */
    return false;
}

static void look_up(struct nested_adapt *adapt, struct nested_policy *policy, const struct nested_line *line) {
    for (uint32_t i = 1; i < line->code_count; i++) {
        const struct nested_weight *slot = nested_policy_add(policy, line->codes[i].code);
        adapt->slots[i] = (uint32_t)(slot - policy->slots);
        adapt->weights[i] = slot->weight * line->codes[i].factor;
        adapt->shares[i] = 0;
    }
}

/* Adds up weights in four partial sums with a fixed order of additions, so that every machine gets the same result. */
static float sum_of(const float *weights, const uint32_t *numbers, uint32_t count) {
    float a = 0, b = 0, c = 0, d = 0;
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        a += weights[numbers[i]];
        b += weights[numbers[i + 1]];
        c += weights[numbers[i + 2]];
        d += weights[numbers[i + 3]];
    }
    for (; i < count; i++)
        a += weights[numbers[i]];
    return (a + b) + (c + d);
}

/* Computes for each choice the sum, over the steps at which it was available, of alpha / (total weight of the step's
 * choices). */
static void share(struct nested_adapt *adapt, const struct nested_line *line, float alpha) {
    float *shares = adapt->shares;
    for (int t = 0; t < line->count; t++) {
        const struct nested_step *step = &line->steps[t];
        const uint32_t *numbers = line->numbers + step->first;
        float sum = sum_of(adapt->weights, numbers, step->count), part = sum > 0 ? alpha / sum : 0;
        for (uint32_t i = 0; i < step->count; i++)
            shares[numbers[i]] += part;
    }
}

bool nested_adapt(struct nested_adapt *adapt, struct nested_policy *policy, const struct nested_line *line,
                  double alpha) {
    uint32_t count = line->code_count;
    if (!reserve(adapt, count) || !nested_policy_reserve(policy, count))
        return false;
    look_up(adapt, policy, line);
    share(adapt, line, (float)alpha);
    struct nested_weight *slots = policy->slots;
    for (uint32_t i = 1; i < count; i++)
        slots[adapt->slots[i]].logit -= adapt->weights[i] * adapt->shares[i];
    for (int t = 0; t < line->count; t++)
        slots[adapt->slots[line->steps[t].played]].logit += (float)alpha;
    for (uint32_t i = 1; i < count; i++)
        adapt->logits[i] = slots[adapt->slots[i]].logit;
    real_exp_floats(adapt->logits + 1, adapt->weights + 1, count - 1);
    for (uint32_t i = 1; i < count; i++)
        slots[adapt->slots[i]].weight = adapt->weights[i];
    return true;
}
