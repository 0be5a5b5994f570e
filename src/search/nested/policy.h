/* A policy: the weight of each code (a number that identifies a move). The policy is a hash table (open addressing) of
 * all codes whose weights were ever adapted; any other code has weight 1. The table stores both the logit and the
 * weight, which is the exponential of the logit, so that play-outs need not compute exponentials. */
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
    uint32_t bits; /* there are 2^bits slots */
    uint32_t count;
};

void nested_policy_open(struct nested_policy *policy, struct memory *memory);
void nested_policy_close(struct nested_policy *policy);
/* Sets the weight of every code to 1. */
void nested_policy_clear(struct nested_policy *policy);
/* False: memory is full. */
bool nested_policy_copy(struct nested_policy *to, const struct nested_policy *from);
/* Makes room for `more` codes. False: memory is full. */
bool nested_policy_reserve(struct nested_policy *policy, uint32_t more);

/* The slot of a code, or the free slot where it would be put. There is always a free slot. */
static inline struct nested_weight *nested_policy_find(const struct nested_policy *policy, uint64_t code) {
    uint32_t mask = (1u << policy->bits) - 1, at = (uint32_t)(code >> (64 - policy->bits));
    code |= 1;
    while (policy->slots[at].code != code && policy->slots[at].code)
        at = (at + 1) & mask;
    return &policy->slots[at];
}

/* The slot of a code, which is added if absent; room for it must have been reserved. */
static inline struct nested_weight *nested_policy_add(struct nested_policy *policy, uint64_t code) {
    struct nested_weight *slot = nested_policy_find(policy, code);
    if (!slot->code) {
        slot->code = code | 1;
        policy->count++;
    }
    return slot;
}

#endif
