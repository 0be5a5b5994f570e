/* The pool: chunks that double in size. A large chunk is reserved address space, which is booked step by step, so that
 * only memory in use counts towards the limit. */
#include "base/pool.h"

#include <stdbool.h>

enum { fewest_bits = 3 };

void pool_open(struct pool *pool, struct memory *memory, size_t item_size) {
    *pool = (struct pool){.memory = memory, .used = 1};
    pool->item_size = item_size ? (item_size + 7) / 8 * 8 : 8;
    pool->first_bits = fewest_bits;
    while (pool->item_size << (pool->first_bits + 1) <= POOL_FIRST_BYTES)
        pool->first_bits++;
}

static size_t chunk_size(const struct pool *pool, uint32_t k) { return pool->item_size << k; }
static bool is_booked_whole(const struct pool *pool, uint32_t k) { return chunk_size(pool, k) <= POOL_STEP_BYTES; }

static bool add_first(struct pool *pool) {
    unsigned char *block = memory_take(pool->memory, chunk_size(pool, pool->first_bits));
    if (!block)
        return false;
    for (uint32_t k = 0; k < pool->first_bits; k++)
        pool->chunks[k] = block + chunk_size(pool, k);
    pool->booked = UINT64_C(1) << pool->first_bits;
    return true;
}

static bool add_chunk(struct pool *pool, uint32_t k) {
    size_t size = chunk_size(pool, k);
    if (is_booked_whole(pool, k)) {
        pool->chunks[k] = memory_take(pool->memory, size);
        if (pool->chunks[k])
            pool->booked = UINT64_C(2) << k;
    } else {
        pool->chunks[k] = memory_reserve(size);
        if (pool->chunks[k])
            memory_expect_random(pool->chunks[k], size);
        else
            memory_refused(pool->memory);
    }
    return pool->chunks[k] != NULL;
}

/* Books the next step of memory in the newest chunk. */
static bool book_step(struct pool *pool, uint32_t k) {
    uint64_t left = (UINT64_C(2) << k) - pool->booked, step = POOL_STEP_BYTES / pool->item_size;
    step = step < 1 ? 1 : step > left ? left : step;
    if (!memory_book(pool->memory, step * pool->item_size))
        return false;
    pool->booked += step;
    return true;
}

/* Makes sure that the bytes of index `used` are booked. */
static bool extend(struct pool *pool) {
    if (!pool->booked)
        return add_first(pool);
    uint32_t k = 31 - (uint32_t)__builtin_clz(pool->used);
    if (!pool->chunks[k] && !add_chunk(pool, k))
        return false;
    return pool->used < pool->booked || book_step(pool, k);
}

uint32_t pool_take(struct pool *pool) {
    if (pool->used == UINT32_MAX || (pool->used >= pool->booked && !extend(pool)))
        return POOL_NONE;
    return pool->used++;
}

void pool_reset(struct pool *pool) { pool->used = 1; }

static void close_chunk(struct pool *pool, uint32_t k) {
    uint64_t first = UINT64_C(1) << k, end = pool->booked < 2 * first ? pool->booked : 2 * first;
    memory_release(pool->chunks[k], chunk_size(pool, k));
    memory_unbook(pool->memory, (end - first) * pool->item_size);
}

void pool_close(struct pool *pool) {
    if (pool->booked)
        memory_give(pool->memory, pool->chunks[0] - pool->item_size, chunk_size(pool, pool->first_bits));
    for (uint32_t k = pool->first_bits; k < 32 && pool->chunks[k]; k++)
        close_chunk(pool, k);
    pool_open(pool, pool->memory, pool->item_size);
}
