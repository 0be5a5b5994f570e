/* A set of equal-sized byte strings (packed states), each with a 32-bit index that says when it came: the first is 1.
 * Look-ups compare whole strings, never keys alone. Doubles under the byte budget, at the end by less. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/memory.h"
#include "base/pool.h"

#include <stdbool.h>
#include <stdint.h>

/* 32 bits of the key stand beside the index: growth needs no item, and a miss or another key's slot touches none. */
struct table_slot {
    uint32_t index; /* POOL_NONE: empty */
    uint32_t hash;
};

struct table {
    struct pool items;        /* each item: `extra` bytes of the caller's, then the string */
    struct table_slot *slots; /* open addressing, linear probing; home slots are in the order of hashes */
    uint32_t slot_count;
    uint32_t count, grow_at; /* growth is tried when count reaches grow_at */
    size_t string_size, extra_size;
};

/* extra: bytes kept before each string for the caller (parent, move, cost ...), zero at first. */
bool table_open(struct table *table, struct memory *memory, size_t string_size, size_t extra_size);
/* Finds or adds. Returns its index and *added; POOL_NONE when memory is full: the table then still finds, and adds
 * again as soon as memory is given back. key must be a function of string. */
uint32_t table_put(struct table *table, uint64_t key, const void *string, bool *added);
/* POOL_NONE if absent. */
uint32_t table_find(const struct table *table, uint64_t key, const void *string);
uint32_t table_count(const struct table *table);
/* Forgets every string but keeps the memory. */
void table_clear(struct table *table);
void table_close(struct table *table);

/* One multiplication spreads a weak key over the top bits, which choose the slot. */
static inline uint32_t table_hash(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32); }

/* Any number of slots will do, so that the table may grow by what memory allows. */
static inline uint32_t table_home(uint32_t slot_count, uint32_t hash) {
    return (uint32_t)((uint64_t)hash * slot_count >> 32);
}

/* Asks for the slot that a put or find of this key will read first. */
static inline void table_prefetch(const struct table *table, uint64_t key) {
    __builtin_prefetch(&table->slots[table_home(table->slot_count, table_hash(key))]);
}

/* Asks for an item that will be looked at soon. */
static inline void table_prefetch_item(const struct table *table, uint32_t index) {
    __builtin_prefetch(pool_at(&table->items, index));
}

static inline void *table_extra(const struct table *table, uint32_t index) { return pool_at(&table->items, index); }
static inline void *table_string(const struct table *table, uint32_t index) {
    return (unsigned char *)pool_at(&table->items, index) + table->extra_size;
}

#endif
