/* Every call of a level copies a policy; therefore a policy is stored in one block of memory. */
#include "search/nested/policy.h"

#include <string.h>

enum { least_bits = 10, most_bits = 31 };

static size_t size_of(uint32_t bits) { return sizeof(struct nested_weight) << bits; }

static void fill(struct nested_weight *slots, uint32_t bits) {
    for (size_t i = 0; i < (size_t)1 << bits; i++)
        slots[i] = (struct nested_weight){0, 0, 1};
}

void nested_policy_open(struct nested_policy *policy, struct memory *memory) {
    *policy = (struct nested_policy){.memory = memory};
}

void nested_policy_close(struct nested_policy *policy) {
    if (policy->slots)
        memory_give(policy->memory, policy->slots, size_of(policy->bits));
    policy->slots = NULL;
}

void nested_policy_clear(struct nested_policy *policy) {
    policy->count = 0;
    if (policy->slots)
        fill(policy->slots, policy->bits);
}

/* Gives the policy 2^bits slots, whose content is undefined. */
static bool resize(struct nested_policy *policy, uint32_t bits) {
    if (policy->slots && policy->bits == bits)
        return true;
    struct nested_weight *slots = memory_take(policy->memory, size_of(bits));
    if (!slots)
        return false;
    nested_policy_close(policy);
    policy->slots = slots;
    policy->bits = bits;
    return true;
}

bool nested_policy_copy(struct nested_policy *to, const struct nested_policy *from) {
    if (!resize(to, from->bits))
        return false;
    memcpy(to->slots, from->slots, size_of(from->bits));
    to->count = from->count;
    return true;
}

static void rehash(struct nested_policy *to, const struct nested_policy *from) {
    for (size_t i = 0; from->slots && i < (size_t)1 << from->bits; i++)
        if (from->slots[i].code)
            *nested_policy_find(to, from->slots[i].code) = from->slots[i];
    to->count = from->count;
}

/* The table is at most half full, so that most look-ups end at the first slot. */
bool nested_policy_reserve(struct nested_policy *policy, uint32_t more) {
    uint64_t wanted = ((uint64_t)policy->count + more) * 2;
    uint32_t bits = policy->slots ? policy->bits : least_bits;
    while (bits < most_bits && (uint64_t)1 << bits < wanted)
        bits++;
    if (policy->slots && bits == policy->bits)
        return true;
    struct nested_policy grown = {.memory = policy->memory};
    if ((uint64_t)1 << bits < wanted || !resize(&grown, bits))
        return false;
    fill(grown.slots, bits);
    rehash(&grown, policy);
    nested_policy_close(policy);
    *policy = grown;
    return true;
}
