/* A cache of verdicts: whether the small search of corral_deadlock.c has proved a deadlock. The cache is a fixed number
 * of slots in the instance, which all threads read and write without locks. A verdict depends only on its key, so the
 * content of the cache affects the speed of a search but never its result. Whole keys are compared; a slot that two
 * threads wrote at the same time fails its checksum over key and verdict (lockless hashing: Hyatt and Mann). */
#ifndef DOMAIN_SOKOBAN_DEADLOCK_VERDICT_H
#define DOMAIN_SOKOBAN_DEADLOCK_VERDICT_H

#include "base/hash.h"

#include <stdatomic.h>
#include <stdbool.h>

struct verdicts {
    size_t slots, length; /* slots: a power of two, 0: no cache; length: words per key */
    _Atomic uint64_t word[];
};

/* Makes a cache for keys of `length` words. NULL: no memory. */
struct verdicts *verdicts_make(size_t length);

static inline uint64_t verdict_hash(const uint64_t *key, size_t length) {
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
    return hash_mix(hash);
}

/* Returns the verdict, 0 or 1; -1 if it is unknown. hash: the key's hash. */
static inline int verdict_find(const struct verdicts *verdicts, const uint64_t *key, uint64_t hash) {
    size_t length = verdicts->length;
    const _Atomic uint64_t *slot = verdicts->word + (hash & (verdicts->slots - 1)) * (length + 1);
    uint64_t check = atomic_load_explicit(&slot[length], memory_order_relaxed), differ = (check ^ hash) >> 1;
    for (size_t i = 0; i < length && !differ; i++)
        differ = atomic_load_explicit(&slot[i], memory_order_relaxed) ^ key[i];
    return differ ? -1 : (int)(check & 1);
}

/* Replaces whatever the slot held. */
static inline void verdict_keep(struct verdicts *verdicts, const uint64_t *key, uint64_t hash, bool verdict) {
    size_t length = verdicts->length;
    _Atomic uint64_t *slot = verdicts->word + (hash & (verdicts->slots - 1)) * (length + 1);
    for (size_t i = 0; i < length; i++)
        atomic_store_explicit(&slot[i], key[i], memory_order_relaxed);
    atomic_store_explicit(&slot[length], (hash & ~UINT64_C(1)) | verdict, memory_order_relaxed);
}

#endif
