/* 64-bit mixing and Zobrist keys. A Zobrist key is computed from its number, not drawn at random and stored in a table.
 * It is therefore the same on every machine and in every build. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* SplitMix64's finaliser: a bijection that spreads every input bit over the output. */
static inline uint64_t hash_mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Zobrist key number `index` of the family `family` (each use of Zobrist keys has a family of its own). */
static inline uint64_t hash_zobrist(uint32_t family, uint32_t index) {
    return hash_mix(hash_mix(((uint64_t)family << 32 | index) + 0x9e3779b97f4a7c15u) + 0x9e3779b97f4a7c15u);
}

/* Reads up to eight bytes as a number; the first byte is the least significant one on every machine. */
static inline uint64_t hash_load(const unsigned char *p, size_t length) {
    uint64_t word = 0;
    memcpy(&word, p, length);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The hash of a block of bytes, computed eight bytes at a time. */
static inline uint64_t hash_bytes(const void *bytes, size_t length) {
    const unsigned char *p = (const unsigned char *)bytes;
    uint64_t h = 0x9e3779b97f4a7c15u ^ length;
    for (; length >= 8; p += 8, length -= 8)
        h = hash_mix(h ^ hash_load(p, 8)) + 0x9e3779b97f4a7c15u;
    return hash_mix(h ^ (length ? hash_load(p, length) : 0));
}

#endif
