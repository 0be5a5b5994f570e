/* The byte budget: every block is booked before it is taken, so that `used` never passes the limit, not even for a
 * moment while several threads ask. */
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void memory_open(struct memory *memory, size_t limit) {
    memory->limit = limit;
    atomic_init(&memory->used, 0);
    atomic_init(&memory->peak, 0);
}

/* Books `size` more bytes, or refuses. No machine has PTRDIFF_MAX bytes, and below it no sum wraps around. */
static bool book(struct memory *memory, size_t size) {
    size_t limit = memory->limit ? memory->limit : PTRDIFF_MAX, used = atomic_load(&memory->used);
    do {
        if (used > limit || size > limit - used)
            return false;
    } while (!atomic_compare_exchange_weak(&memory->used, &used, used + size));
    return true;
}

/* What was booked is now held: the peak may have risen. */
static void note_peak(struct memory *memory) {
    size_t used = atomic_load(&memory->used), peak = atomic_load(&memory->peak);
    while (used > peak && !atomic_compare_exchange_weak(&memory->peak, &peak, used))
        ;
}

void *memory_take(struct memory *memory, size_t size) {
    if (!book(memory, size))
        return NULL;
    void *block = calloc(1, size ? size : 1);
    if (block)
        note_peak(memory);
    else
        atomic_fetch_sub(&memory->used, size);
    return block;
}

void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size) {
    size_t more = new_size > old_size ? new_size - old_size : 0;
    if (!book(memory, more))
        return NULL;
    void *moved = realloc(block, new_size ? new_size : 1);
    if (!moved) {
        atomic_fetch_sub(&memory->used, more);
        return NULL;
    }
    note_peak(memory);
    if (new_size < old_size)
        atomic_fetch_sub(&memory->used, old_size - new_size);
    return moved;
}

void memory_give(struct memory *memory, void *block, size_t size) {
    if (!block)
        return;
    free(block);
    atomic_fetch_sub(&memory->used, size);
}

size_t memory_used(const struct memory *memory) { return atomic_load(&memory->used); }
size_t memory_peak(const struct memory *memory) { return atomic_load(&memory->peak); }
