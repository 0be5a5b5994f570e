/* A plane has 256 bits, one per cell: 16 columns of 16 bits or 8 columns of 32 bits. Bit r of a column is row r from
 * the bottom. The same source serves every instruction set: the including file defines PLANE_VECTOR, the number of
 * bytes in a machine vector (16: SSE2, NEON, or none; 32: AVX2 and up), and sets the compiler's target. */
#ifndef DOMAIN_SAMEGAME_PLANE_H
#define DOMAIN_SAMEGAME_PLANE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#define PLANE_BYTES 32
#define PLANE_VECTORS (PLANE_BYTES / PLANE_VECTOR)
/* Placed before a short loop over vectors or planes: unrolls the loop, so that everything stays in registers. */
#if defined(__clang__)
#define PLANE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PLANE_UNROLL _Pragma("GCC unroll 4")
#endif
#define PLANE_INLINE static inline __attribute__((always_inline, unused))

typedef uint64_t plane_words __attribute__((vector_size(PLANE_VECTOR)));
typedef uint16_t plane_lanes16 __attribute__((vector_size(PLANE_VECTOR)));
typedef uint32_t plane_lanes32 __attribute__((vector_size(PLANE_VECTOR)));

typedef struct plane {
    plane_words v[PLANE_VECTORS];
} plane;

/* For loads and stores at unaligned addresses. (memcpy would do the same, but some compilers copy through the stack in
 * two halves.) */
typedef plane_words plane_words_anywhere __attribute__((aligned(1), may_alias));

/* Executes `statement` for every vector i of a plane. */
#define PLANE_EACH(statement)                                                                                          \
    PLANE_UNROLL for (int i = 0; i < PLANE_VECTORS; i++) { statement; }

PLANE_INLINE plane plane_load(const void *from) {
    plane p;
    PLANE_EACH(p.v[i] = ((const plane_words_anywhere *)from)[i])
    return p;
}

PLANE_INLINE void plane_store(void *to, plane p){PLANE_EACH(((plane_words_anywhere *)to)[i] = p.v[i])}

#define PLANE_LOGIC(name, expression)                                                                                  \
    PLANE_INLINE plane plane_##name(plane a, plane b) {                                                                \
        PLANE_EACH(a.v[i] = expression)                                                                                \
        return a;                                                                                                      \
    }
PLANE_LOGIC(and, a.v[i] & b.v[i]) PLANE_LOGIC(or, a.v[i] | b.v[i]) PLANE_LOGIC(xor, a.v[i] ^ b.v[i])
    PLANE_LOGIC(less, a.v[i] & ~b.v[i])

    /* Takes each bit from a where mask is set, from b elsewhere. */
    PLANE_INLINE plane plane_choose(plane mask, plane a, plane b) {
    return plane_or(plane_and(mask, a), plane_less(b, mask));
}

PLANE_INLINE bool plane_any(plane p) {
#if PLANE_VECTOR == 32
    return !_mm256_testz_si256((__m256i)p.v[0], (__m256i)p.v[0]);
#else
    plane_words both = p.v[0] | p.v[1];
    return (both[0] | both[1]) != 0;
#endif
}

/* Bit k of the result is set if plane k is not empty. */
PLANE_INLINE unsigned plane_any4(const plane p[4]) {
#if defined(__ARM_NEON)
    uint32x4_t joined[4];
    PLANE_UNROLL for (int k = 0; k < 4; k++) { joined[k] = (uint32x4_t)(p[k].v[0] | p[k].v[1]); }
    uint32x4_t any = vpmaxq_u32(vpmaxq_u32(joined[0], joined[1]), vpmaxq_u32(joined[2], joined[3]));
    return vaddvq_u32(vandq_u32(vtstq_u32(any, any), (uint32x4_t){1, 2, 4, 8}));
#else
    unsigned any = 0;
    PLANE_UNROLL for (int k = 0; k < 4; k++) { any |= (unsigned)plane_any(p[k]) << k; }
    return any;
#endif
}

/* Shift a plane by one lane towards lower columns (left) or higher columns (right); zeros are shifted in. */
#if PLANE_VECTOR == 32
#define PLANE_LEFT(p, bytes)                                                                                           \
    ((plane){{(plane_words)_mm256_alignr_epi8(_mm256_permute2x128_si256((__m256i)(p).v[0], (__m256i)(p).v[0], 0x81),   \
                                              (__m256i)(p).v[0], bytes)}})
#define PLANE_RIGHT(p, bytes)                                                                                          \
    ((plane){{(plane_words)_mm256_alignr_epi8(                                                                         \
        (__m256i)(p).v[0], _mm256_permute2x128_si256((__m256i)(p).v[0], (__m256i)(p).v[0], 0x08), 16 - (bytes))}})
#elif defined(__x86_64__)
#define PLANE_LEFT(p, bytes)                                                                                           \
    ((plane){{(plane_words)_mm_or_si128(_mm_srli_si128((__m128i)(p).v[0], bytes),                                      \
                                        _mm_slli_si128((__m128i)(p).v[1], 16 - (bytes))),                              \
              (plane_words)_mm_srli_si128((__m128i)(p).v[1], bytes)}})
#define PLANE_RIGHT(p, bytes)                                                                                          \
    ((plane){{(plane_words)_mm_slli_si128((__m128i)(p).v[0], bytes),                                                   \
              (plane_words)_mm_or_si128(_mm_slli_si128((__m128i)(p).v[1], bytes),                                      \
                                        _mm_srli_si128((__m128i)(p).v[0], 16 - (bytes)))}})
#elif defined(__ARM_NEON)
#define PLANE_EXTRACT(a, b, bytes) ((plane_words)vextq_u8((uint8x16_t)(a), (uint8x16_t)(b), bytes))
#define PLANE_LEFT(p, bytes)                                                                                           \
    ((plane){{PLANE_EXTRACT((p).v[0], (p).v[1], bytes), PLANE_EXTRACT((p).v[1], (plane_words){0}, bytes)}})
#define PLANE_RIGHT(p, bytes)                                                                                          \
    ((plane){                                                                                                          \
        {PLANE_EXTRACT((plane_words){0}, (p).v[0], 16 - (bytes)), PLANE_EXTRACT((p).v[0], (p).v[1], 16 - (bytes))}})
#else
/* Shifts a plane as one number of 256 bits; the columns with the lowest numbers are its lowest bits. */
PLANE_INLINE plane plane_shift_words(plane p, int bits, bool left) {
    uint64_t w[6] = {0}, out[4];
    memcpy(w + 1, &p, sizeof p);
    for (int i = 0; i < 4; i++)
        out[i] = left ? w[i + 1] >> bits | w[i + 2] << (64 - bits) : w[i + 1] << bits | w[i] >> (64 - bits);
    return plane_load(out);
}
#define PLANE_LEFT(p, bytes) plane_shift_words(p, 8 * (bytes), true)
#define PLANE_RIGHT(p, bytes) plane_shift_words(p, 8 * (bytes), false)
#endif

/* Operations that depend on the width of a column. up and down move all bits by one row, left and right by one column.
 * below_lowest: the bits below the lowest bit of a column; all bits if the column is empty. equal: all bits of a column
 * are set if the column is the same in both planes. */
#define PLANE_COLUMNS(bits)                                                                                            \
    PLANE_INLINE plane plane_up##bits(plane p) {                                                                       \
        PLANE_EACH(p.v[i] = (plane_words)((plane_lanes##bits)p.v[i] << 1))                                             \
        return p;                                                                                                      \
    }                                                                                                                  \
    PLANE_INLINE plane plane_down##bits(plane p) {                                                                     \
        PLANE_EACH(p.v[i] = (plane_words)((plane_lanes##bits)p.v[i] >> 1))                                             \
        return p;                                                                                                      \
    }                                                                                                                  \
    PLANE_INLINE plane plane_left##bits(plane p) { return PLANE_LEFT(p, bits / 8); }                                   \
    PLANE_INLINE plane plane_right##bits(plane p) { return PLANE_RIGHT(p, bits / 8); }                                 \
    PLANE_INLINE plane plane_below_lowest##bits(plane p) {                                                             \
        PLANE_EACH(plane_lanes##bits x = (plane_lanes##bits)p.v[i]; p.v[i] = (plane_words)((x & -x) - 1))              \
        return p;                                                                                                      \
    }                                                                                                                  \
    PLANE_INLINE plane plane_equal##bits(plane a, plane b) {                                                           \
        PLANE_EACH(a.v[i] = (plane_words)((plane_lanes##bits)a.v[i] == (plane_lanes##bits)b.v[i]))                     \
        return a;                                                                                                      \
    }                                                                                                                  \
    PLANE_INLINE plane plane_fill##bits(uint##bits##_t x) {                                                            \
        plane p;                                                                                                       \
        PLANE_EACH(p.v[i] = (plane_words)((plane_lanes##bits){0} + x))                                                 \
        return p;                                                                                                      \
    }
PLANE_COLUMNS(16)
PLANE_COLUMNS(32)

#endif
