/* A set of byte strings of equal size (packed states). Strings have 32-bit indices 1, 2, 3, ... in the order in which
 * they were added. Look-ups compare whole strings, never keys alone. The table grows by doubling, or by less if the
 * byte budget does not allow that. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/memory.h"
#include "base/pool.h"

#include <stdbool.h>
#include <stdint.h>

/* 32 bits of the key are stored next to the index. Therefore the table can grow without reading any item, and a look-up
 * can skip most slots of other keys without reading their items. */
struct table_slot {
    uint32_t index; /* POOL_NONE: empty */
    uint32_t hash;
};

struct table {
    struct pool items;        /* each item consists of `extra_size` bytes for the caller, then the string */
    struct table_slot *slots; /* open addressing with linear probing; a greater hash never has a lower home slot */
    uint32_t slot_count;
    uint32_t count, grow_at; /* growth is tried when count reaches grow_at */
    size_t string_size, extra_size;
};

/* extra_size: bytes before each string for the caller's use (parent, move, cost ...), initially zero. */
bool table_open(struct table *table, struct memory *memory, size_t string_size, size_t extra_size);
/* Finds or adds a string. Returns its index and sets *added to whether it was added. POOL_NONE: memory is full; the
 * table can then still find strings, and can add again as soon as memory has been freed. Equal strings must have equal
 * keys. */
uint32_t table_put(struct table *table, uint64_t key, const void *string, bool *added);
/* Returns the string's index, or POOL_NONE if it is absent. */
uint32_t table_find(const struct table *table, uint64_t key, const void *string);
uint32_t table_count(const struct table *table);
/* Removes every string but keeps the memory. */
void table_clear(struct table *table);
void table_close(struct table *table);

/* Mixes the key by one multiplication, because the bits of a key need not be random; the slot depends on the top bits
 * of the result. */
static inline uint32_t table_hash(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32); }

/* The slot where a hash belongs. The formula works for any number of slots, not only powers of two, so that the table
 * can grow by as much as memory allows. */
static inline uint32_t table_home(uint32_t slot_count, uint32_t hash) {
    return (uint32_t)((uint64_t)hash * slot_count >> 32);
}

/* Prefetches the slot that a put or find of this key will read first. */
static inline void table_prefetch(const struct table *table, uint64_t key) {
    __builtin_prefetch(&table->slots[table_home(table->slot_count, table_hash(key))]);
}

/* Prefetches the item that a put or find of this key will compare, if the index of that item is in the first slot that
 * will be read. */
static inline void table_prefetch_match(const struct table *table, uint64_t key) {
    uint32_t hash = table_hash(key);
    const struct table_slot *slot = &table->slots[table_home(table->slot_count, hash)];
    if (slot->index != POOL_NONE && slot->hash == hash)
        __builtin_prefetch(pool_at(&table->items, slot->index));
}

/* Prefetches an item that will be read soon. */
static inline void table_prefetch_item(const struct table *table, uint32_t index) {
    __builtin_prefetch(pool_at(&table->items, index));
}

static inline void *table_extra(const struct table *table, uint32_t index) { return pool_at(&table->items, index); }
static inline void *table_string(const struct table *table, uint32_t index) {
    return (unsigned char *)pool_at(&table->items, index) + table->extra_size;
}

#endif
