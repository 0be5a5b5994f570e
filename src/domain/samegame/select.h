/* Rank and select on 64-bit words, to find a random set bit. With BMI2 this takes two instructions; without BMI2, sums
 * are computed in the bytes of a word (Vigna 2008, Broadword implementation of rank/select queries). */
#ifndef DOMAIN_SAMEGAME_SELECT_H
#define DOMAIN_SAMEGAME_SELECT_H

#include "domain/samegame/plane.h"

PLANE_INLINE int select_count(uint64_t word) {
#if defined(SELECT_HARDWARE) || defined(__ARM_NEON)
    return __builtin_popcountll(word);
#else
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    return (int)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
#endif
}

/* The position of the set bit that has `rank` set bits below it; such a bit must exist. */
PLANE_INLINE int select_bit(uint64_t word, int rank) {
#if defined(SELECT_HARDWARE)
    return __builtin_ctzll(_pdep_u64(UINT64_C(1) << rank, word));
#else
    const uint64_t ones = 0x0101010101010101u;
    uint64_t sums = word - (word >> 1 & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + (sums >> 2 & 0x3333333333333333u);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * ones; /* byte i: number of set bits in bytes 0 .. i */
    /* The bit is in the first byte whose sum exceeds the rank: count the bytes whose sum does not. */
    uint64_t passed = ((((uint64_t)rank * ones) | 0x80 * ones) - sums) >> 7 & ones;
    int byte = (int)(passed * ones >> 56) * 8;
    uint64_t bits = word >> byte & 0xff;
    rank -= (int)((sums << 8) >> byte & 0xff);
    /* Spread the byte over a word, so that its bit i becomes byte i; then count in the same way. */
    bits = (bits * ones & 0x8040201008040201u) + 0x7f7f7f7f7f7f7f7fu;
    bits = (bits >> 7 & ones) * ones;
    passed = ((((uint64_t)rank * ones) | 0x80 * ones) - bits) >> 7 & ones;
    return byte + (int)(passed * ones >> 56);
#endif
}

#endif
