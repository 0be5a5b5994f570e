/* Equal-sized items named by 32-bit indices: half the size of pointers, and relocatable to a file. Items live in
 * chunks, so an item's address never changes. Index 0 is never handed out: it means "none". */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/memory.h"

#include <stdint.h>

#define POOL_NONE 0u
#define POOL_CHUNK_BYTES ((size_t)256 << 10) /* a chunk is the largest power of two of items that fits, at least 8 */

struct pool {
    struct memory *memory;
    size_t item_size; /* rounded up to 8 */
    unsigned char **chunks;
    uint32_t chunk_bits; /* a chunk holds 1 << chunk_bits items */
    uint32_t chunk_count, chunk_room;
    uint32_t used; /* indices handed out so far, freed ones included, and index 0 */
    uint32_t free; /* head of the list of given-back items */
    uint32_t live; /* items now in use */
};

void pool_open(struct pool *pool, struct memory *memory, size_t item_size);
uint32_t pool_take(struct pool *pool); /* bytes as they come (not zeroed); POOL_NONE when memory is full */
void pool_give(struct pool *pool, uint32_t index);
/* Forgets every item but keeps the chunks: the indices start again at 1. */
void pool_reset(struct pool *pool);
void pool_close(struct pool *pool);

static inline void *pool_at(const struct pool *pool, uint32_t index) {
    return pool->chunks[index >> pool->chunk_bits] + (size_t)(index & ((1u << pool->chunk_bits) - 1)) * pool->item_size;
}

#endif
