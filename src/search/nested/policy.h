/* A policy: how much each code weighs. An open-addressing table of codes that were ever adapted; all others weigh 1.
 * The exponential of a logit is kept with it, so that a play-out computes none. */
#ifndef SEARCH_NESTED_POLICY_H
#define SEARCH_NESTED_POLICY_H

#include "base/memory.h"

#include <stdint.h>

struct nested_weight {
    uint64_t code; /* 0: free */
    float logit, weight;
};

struct nested_policy {
    struct memory *memory;
    struct nested_weight *slots;
    uint32_t bits; /* of the number of slots */
    uint32_t count;
};

void nested_policy_open(struct nested_policy *policy, struct memory *memory);
void nested_policy_close(struct nested_policy *policy);
/* Every code weighs 1 again. */
void nested_policy_clear(struct nested_policy *policy);
/* Both return false if there is no memory. reserve makes room for `more` codes. */
bool nested_policy_copy(struct nested_policy *to, const struct nested_policy *from);
bool nested_policy_reserve(struct nested_policy *policy, uint32_t more);

/* The slot of a code, or the free one where it would go. There is always a free one. */
static inline struct nested_weight *nested_policy_find(const struct nested_policy *policy, uint64_t code) {
    uint32_t mask = (1u << policy->bits) - 1, at = (uint32_t)(code >> (64 - policy->bits));
    code |= 1;
    while (policy->slots[at].code != code && policy->slots[at].code)
        at = (at + 1) & mask;
    return &policy->slots[at];
}

/* The slot of a code, made if need be; room for it has been reserved. */
static inline struct nested_weight *nested_policy_add(struct nested_policy *policy, uint64_t code) {
    struct nested_weight *slot = nested_policy_find(policy, code);
    if (!slot->code) {
        slot->code = code | 1;
        policy->count++;
    }
    return slot;
}

#endif
