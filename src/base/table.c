/* The closed table: linear probing (Knuth's Algorithm L) over eight-byte slots. The top bits of the hash give the home
 * slot. Therefore, when the table grows, both arrays can be processed from front to back, and the old one is freed step
 * by step: growing never needs more memory than the new array. */
#include "base/table.h"

#include <string.h>

enum { first_slots = 64 };
static const uint32_t most_slots = UINT32_C(1) << 31;

static size_t slots_size(const struct table *table) { return table->slot_count * sizeof *table->slots; }

/* The count at which the table should grow: three quarters of the slots are full. An unsuccessful look-up then reads
 * about eight slots, which is one cache line. */
static uint32_t comfortable(uint32_t slots) { return slots / 4 * 3; }
/* The count at which no more strings are added: only one sixteenth of the slots is empty. An unsuccessful look-up then
 * reads about 130 slots; anything slower is not acceptable. */
static uint32_t bearable(uint32_t slots) { return slots - slots / 16; }

bool table_open(struct table *table, struct memory *memory, size_t string_size, size_t extra_size) {
    *table = (struct table){.slot_count = first_slots, .string_size = string_size, .extra_size = extra_size};
    pool_open(&table->items, memory, extra_size + string_size);
    table->slots = memory_take(memory, slots_size(table));
    table->grow_at = comfortable(first_slots);
    return table->slots != NULL;
}

/* Special cases for strings of one or two words, which are the most frequent. */
static inline bool is_equal(const void *a, const void *b, size_t size) {
    uint64_t x[2], y[2];
    if (size == 8) {
        memcpy(x, a, 8), memcpy(y, b, 8);
        return x[0] == y[0];
    }
    if (size == 16) {
        memcpy(x, a, 16), memcpy(y, b, 16);
        return x[0] == y[0] && x[1] == y[1];
    }
    return !memcmp(a, b, size);
}

/* The slot that holds the string, or the empty slot where it belongs. The search ends because some slots are always
 * empty. */
static struct table_slot *find_slot(const struct table *table, uint32_t hash, const void *string) {
    struct table_slot *slot = &table->slots[table_home(table->slot_count, hash)],
                      *end = table->slots + table->slot_count;
    for (;; slot = slot + 1 < end ? slot + 1 : table->slots) {
        if (slot->index == POOL_NONE)
            return slot;
        if (slot->hash == hash && is_equal(table_string(table, slot->index), string, table->string_size))
            return slot;
    }
}

static void move_slots(const struct table *table, struct table_slot *to, uint32_t count) {
    size_t forgotten = 0;
    for (uint32_t i = 0; i < table->slot_count; i++) {
        if (!(i & 0xffff))
            forgotten = memory_forget(table->slots, forgotten, i * sizeof *to);
        struct table_slot slot = table->slots[i];
        if (slot.index == POOL_NONE)
            continue;
        uint32_t at = table_home(count, slot.hash);
        while (to[at].index != POOL_NONE)
            at = at + 1 < count ? at + 1 : 0;
        to[at] = slot;
    }
}

/* Allocates an array with `more` additional slots. Only these are booked, because the bytes of the old array are booked
 * already and will be freed. NULL: memory is full. */
static struct table_slot *take_larger(const struct table *table, uint32_t more) {
    struct memory *memory = table->items.memory;
    size_t more_size = more * sizeof *table->slots, size = slots_size(table) + more_size;
    if (table->slot_count > most_slots - more || !memory_book(memory, more_size))
        return NULL;
    struct table_slot *larger = memory_reserve(size);
    if (larger)
        return memory_expect_random(larger, size), larger;
    memory_refused(memory);
    memory_unbook(memory, more_size);
    return NULL;
}

/* Doubles the table, or grows it by less if memory is short, at least by an eighth. If even that fails, the table fills
 * up to its limit and gets slower, and tries to grow again from time to time. */
static void grow(struct table *table) {
    for (uint32_t more = table->slot_count; more >= table->slot_count / 8; more /= 2) {
        struct table_slot *larger = take_larger(table, more);
        if (!larger)
            continue;
        move_slots(table, larger, table->slot_count + more);
        memory_release(table->slots, slots_size(table));
        table->slots = larger;
        table->slot_count += more;
        table->grow_at = comfortable(table->slot_count);
        return;
    }
    uint32_t later = table->count + (table->slot_count - table->count) / 8, end = bearable(table->slot_count);
    table->grow_at = later < end ? later : end;
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
    if (table->count >= bearable(table->slot_count))
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
    table->grow_at = comfortable(table->slot_count);
}

void table_close(struct table *table) {
    struct memory *memory = table->items.memory;
    if (table->slots)
        memory_give(memory, table->slots, slots_size(table));
    pool_close(&table->items);
    *table = (struct table){.items = table->items};
}
