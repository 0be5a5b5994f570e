/* Sets of small numbers as arrays of 64-bit words. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BITSET_WORDS(n) (((n) + 63) / 64)

static inline bool bitset_has(const uint64_t *set, unsigned i) { return set[i >> 6] >> (i & 63) & 1; }
static inline void bitset_add(uint64_t *set, unsigned i) { set[i >> 6] |= UINT64_C(1) << (i & 63); }
static inline void bitset_remove(uint64_t *set, unsigned i) { set[i >> 6] &= ~(UINT64_C(1) << (i & 63)); }

static inline int bits_count(uint64_t word) { return __builtin_popcountll(word); }
static inline int bits_lowest(uint64_t word) { return __builtin_ctzll(word); } /* word != 0 */

static inline int bitset_count(const uint64_t *set, size_t words) {
    int count = 0;
    for (size_t w = 0; w < words; w++)
        count += bits_count(set[w]);
    return count;
}

/* for (BITSET_EACH(i, set, words)) visits the members in rising order; the set must not change during the loop. */
#define BITSET_EACH(i, set, words)                                                                                     \
    int i = bitset_next(set, words, 0);                                                                                \
    i >= 0;                                                                                                            \
    i = bitset_next(set, words, (unsigned)i + 1)

/* The least member >= from, or -1 if there is none. */
static inline int bitset_next(const uint64_t *set, size_t words, unsigned from) {
    size_t w = from >> 6;
    if (w >= words)
        return -1;
    uint64_t word = set[w] & (UINT64_MAX << (from & 63));
    while (!word) {
        if (++w == words)
            return -1;
        word = set[w];
    }
    return (int)(w << 6) + bits_lowest(word);
}

#endif
