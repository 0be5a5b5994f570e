/* The pool: chunks of equal power-of-two item counts, and a list of given-back items threaded through the items
 * themselves (the first four bytes of a free item are the index of the next one). */
#include "base/pool.h"

#include <stdbool.h>
#include <string.h>

enum { fewest_bits = 3, most_bits = 14 };

void pool_open(struct pool *pool, struct memory *memory, size_t item_size) {
    *pool = (struct pool){.memory = memory, .used = 1};
    pool->item_size = item_size ? (item_size + 7) / 8 * 8 : 8;
    pool->chunk_bits = fewest_bits;
    while (pool->chunk_bits < most_bits && pool->item_size <= POOL_CHUNK_BYTES >> (pool->chunk_bits + 1))
        pool->chunk_bits++;
}

static size_t chunk_size(const struct pool *pool) { return pool->item_size << pool->chunk_bits; }

static bool add_chunk(struct pool *pool) {
    if (pool->chunk_count == pool->chunk_room) {
        uint32_t room = pool->chunk_room ? pool->chunk_room * 2 : 4;
        void *grown = memory_resize(pool->memory, pool->chunks, pool->chunk_room * sizeof *pool->chunks,
                                    room * sizeof *pool->chunks);
        if (!grown)
            return false;
        pool->chunks = grown;
        pool->chunk_room = room;
    }
    unsigned char *chunk = memory_take(pool->memory, chunk_size(pool));
    if (!chunk)
        return false;
    pool->chunks[pool->chunk_count++] = chunk;
    return true;
}

uint32_t pool_take(struct pool *pool) {
    uint32_t index = pool->free;
    if (index) {
        memcpy(&pool->free, pool_at(pool, index), sizeof pool->free);
    } else {
        if (pool->used == UINT32_MAX)
            return POOL_NONE;
        if (pool->used >> pool->chunk_bits >= pool->chunk_count && !add_chunk(pool))
            return POOL_NONE;
        index = pool->used++;
    }
    pool->live++;
    return index;
}

void pool_give(struct pool *pool, uint32_t index) {
    if (index == POOL_NONE)
        return;
    memcpy(pool_at(pool, index), &pool->free, sizeof pool->free);
    pool->free = index;
    pool->live--;
}

void pool_reset(struct pool *pool) {
    pool->used = 1;
    pool->free = POOL_NONE;
    pool->live = 0;
}

void pool_close(struct pool *pool) {
    for (uint32_t i = 0; i < pool->chunk_count; i++)
        memory_give(pool->memory, pool->chunks[i], chunk_size(pool));
    memory_give(pool->memory, pool->chunks, pool->chunk_room * sizeof *pool->chunks);
    pool_open(pool, pool->memory, pool->item_size);
}
