/* Equal-sized items with 32-bit indices, which are half the size of pointers and stay valid in a file. Items are in
 * chunks, so that an item's address never changes. Index 0 is never given to an item: it means "none". */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/memory.h"

#include <stdint.h>

#define POOL_NONE 0u
/* The number of items in the first block is a power of two: the greatest for which the items fit into this many bytes,
 * but at least 8. */
#define POOL_FIRST_BYTES ((size_t)4 << 10)
#define POOL_STEP_BYTES ((size_t)256 << 10) /* memory of larger chunks is booked in steps of this size */

struct pool {
    struct memory *memory;
    size_t item_size; /* in bytes, rounded up to a multiple of 8 */
    /* Chunk k holds items 1 << k .. (2 << k) - 1; the chunks with the smallest k share the first block. */
    unsigned char *chunks[32];
    uint32_t first_bits; /* the first block has room for 1 << first_bits items */
    uint64_t booked;     /* the memory of all indices below this one is booked */
    uint32_t used;       /* number of indices given out so far, including index 0 */
};

void pool_open(struct pool *pool, struct memory *memory, size_t item_size);
uint32_t pool_take(struct pool *pool); /* allocates an item, which is not initialised; POOL_NONE when memory is full */
/* Forgets every item but keeps the chunks: the indices start again at 1. */
void pool_reset(struct pool *pool);
void pool_close(struct pool *pool);

/* index: from pool_take, not POOL_NONE. */
static inline void *pool_at(const struct pool *pool, uint32_t index) {
    unsigned k = 31 - (unsigned)__builtin_clz(index);
    return pool->chunks[k] + (index ^ UINT32_C(1) << k) * pool->item_size;
}

#endif
