/* The closed table: Knuth's linear probing (Algorithm L) over eight-byte slots. The home slot is the top bits of the
 * hash, so doubling walks both arrays from front to back. */
#include "base/table.h"

#include <string.h>

enum { first_bits = 6, most_bits = 31 };

static uint32_t slot_count(const struct table *table) { return UINT32_C(1) << table->slot_bits; }
static size_t slots_size(const struct table *table) { return slot_count(table) * sizeof *table->slots; }

/* Three quarters full: a miss then looks at about eight slots, one cache line. */
static uint32_t comfortable(uint32_t slots) { return slots / 4 * 3; }

bool table_open(struct table *table, struct memory *memory, size_t string_size, size_t extra_size) {
    *table = (struct table){.slot_bits = first_bits, .string_size = string_size, .extra_size = extra_size};
    pool_open(&table->items, memory, extra_size + string_size);
    table->slots = memory_take(memory, slots_size(table));
    table->grow_at = comfortable(slot_count(table));
    return table->slots != NULL;
}

/* The slot that holds the string, or the empty one where it belongs. One slot is always empty, so this ends. */
static struct table_slot *find_slot(const struct table *table, uint32_t hash, const void *string) {
    uint32_t mask = slot_count(table) - 1;
    for (uint32_t at = hash >> (32 - table->slot_bits);; at = (at + 1) & mask) {
        struct table_slot *slot = &table->slots[at];
        if (slot->index == POOL_NONE)
            return slot;
        if (slot->hash == hash && !memcmp(table_string(table, slot->index), string, table->string_size))
            return slot;
    }
}

static void move_slots(const struct table *table, struct table_slot *to, uint32_t bits) {
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    for (uint32_t i = 0; i < slot_count(table); i++) {
        struct table_slot slot = table->slots[i];
        if (slot.index == POOL_NONE)
            continue;
        uint32_t at = slot.hash >> (32 - bits);
        while (to[at].index != POOL_NONE)
            at = (at + 1) & mask;
        to[at] = slot;
    }
}

/* Doubles if memory allows. If not, the table goes on, ever slower, until one slot is left, and asks again from time
 * to time. */
static void grow(struct table *table) {
    struct memory *memory = table->items.memory;
    uint32_t bits = table->slot_bits + 1, left = slot_count(table) - table->count;
    struct table_slot *larger = bits <= most_bits ? memory_take(memory, sizeof *larger << bits) : NULL;
    if (!larger) {
        table->grow_at = table->count + left / 8;
        return;
    }
    move_slots(table, larger, bits);
    memory_give(memory, table->slots, slots_size(table));
    table->slots = larger;
    table->slot_bits = bits;
    table->grow_at = comfortable(slot_count(table));
}

uint32_t table_put(struct table *table, uint64_t key, const void *string, bool *added) {
    uint32_t hash = table_hash(key);
    struct table_slot *slot = find_slot(table, hash, string);
    *added = false;
    if (slot->index != POOL_NONE)
        return slot->index;
    if (table->count >= table->grow_at) {
        grow(table);
        slot = find_slot(table, hash, string);
    }
    if (table->count + 1 >= slot_count(table))
        return POOL_NONE;
    uint32_t index = pool_take(&table->items);
    if (index == POOL_NONE)
        return POOL_NONE;
    memset(table_extra(table, index), 0, table->extra_size);
    memcpy(table_string(table, index), string, table->string_size);
    *slot = (struct table_slot){index, hash};
    table->count++;
    *added = true;
    return index;
}

uint32_t table_find(const struct table *table, uint64_t key, const void *string) {
    return find_slot(table, table_hash(key), string)->index;
}

uint32_t table_count(const struct table *table) { return table->count; }

void table_clear(struct table *table) {
    memset(table->slots, 0, slots_size(table));
    pool_reset(&table->items);
    table->count = 0;
    table->grow_at = comfortable(slot_count(table));
}

void table_close(struct table *table) {
    struct memory *memory = table->items.memory;
    if (table->slots)
        memory_give(memory, table->slots, slots_size(table));
    pool_close(&table->items);
    *table = (struct table){.items = table->items};
}
