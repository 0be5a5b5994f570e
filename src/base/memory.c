/* The byte budget: every block is booked before it is allocated, so that `used` never exceeds the limit, even while
 * several threads allocate. Each large block is mapped separately. Otherwise the allocator would decide when memory is
 * returned to the system, and whether two copies of a block exist while it grows. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* mremap */
#endif
#include "base/memory.h"
#include "base/sanitizer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Sanitizers check only the allocator's blocks; in builds with sanitizers, blocks are therefore not mapped. */
static const bool allocator_only = HAS_SANITIZER;

static const size_t least_mapped = (size_t)128 << 10, least_huge = (size_t)4 << 20, forget_step = (size_t)2 << 20;

static bool is_mapped(size_t size) { return !allocator_only && size >= least_mapped; }

void memory_open(struct memory *memory, size_t limit) {
    memory->limit = limit;
    atomic_init(&memory->used, 0);
    atomic_init(&memory->peak, 0);
    atomic_init(&memory->starved, false);
}

/* Updates the peak; called when booked memory has been allocated. */
static void note_peak(struct memory *memory) {
    size_t used = atomic_load(&memory->used), peak = atomic_load(&memory->peak);
    while (used > peak && !atomic_compare_exchange_weak(&memory->peak, &peak, used))
        ;
}

/* Books `size` more bytes, or refuses. Sizes of PTRDIFF_MAX or more are refused: no machine has so much, and sums of
 * smaller sizes do not wrap around. */
static bool book(struct memory *memory, size_t size) {
    size_t limit = memory->limit ? memory->limit : PTRDIFF_MAX, used = atomic_load(&memory->used);
    do {
        if (used > limit || size > limit - used)
            return false;
    } while (!atomic_compare_exchange_weak(&memory->used, &used, used + size));
    return true;
}

bool memory_book(struct memory *memory, size_t size) {
    bool booked = book(memory, size);
    if (booked)
        note_peak(memory);
    return booked;
}

void memory_unbook(struct memory *memory, size_t size) { atomic_fetch_sub(&memory->used, size); }

void *memory_reserve(size_t size) {
    if (!is_mapped(size))
        return calloc(1, size ? size : 1);
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

void memory_release(void *block, size_t size) {
    if (block && is_mapped(size))
        munmap(block, size);
    else
        free(block);
}

size_t memory_forget(void *block, size_t from, size_t to) {
    size_t size = (to - from) / forget_step * forget_step;
    if (allocator_only || !size)
        return from;
    madvise((unsigned char *)block + from, size, MADV_DONTNEED);
    return from + size;
}

void memory_expect_random(void *block, size_t size) {
#ifdef MADV_HUGEPAGE
    if (is_mapped(size) && size >= least_huge)
        madvise(block, size, MADV_HUGEPAGE);
#endif
}

void *memory_take(struct memory *memory, size_t size) {
    if (!book(memory, size))
        return NULL;
    void *block = memory_reserve(size);
    if (block)
        return note_peak(memory), block;
    memory_refused(memory);
    memory_unbook(memory, size);
    return NULL;
}

static void *change_size(void *block, size_t old_size, size_t new_size) {
    if (!is_mapped(old_size) && !is_mapped(new_size))
        return realloc(block, new_size ? new_size : 1);
    if (block && is_mapped(old_size) && is_mapped(new_size)) {
        void *moved = mremap(block, old_size, new_size, MREMAP_MAYMOVE);
        return moved == MAP_FAILED ? NULL : moved;
    }
    void *moved = memory_reserve(new_size);
    if (moved && block)
        memcpy(moved, block, old_size < new_size ? old_size : new_size);
    if (moved)
        memory_release(block, old_size);
    return moved;
}

void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size) {
    size_t more = new_size > old_size ? new_size - old_size : 0;
    if (!book(memory, more))
        return NULL;
    void *moved = change_size(block, old_size, new_size);
    if (!moved) {
        memory_refused(memory);
        memory_unbook(memory, more);
        return NULL;
    }
    note_peak(memory);
    if (new_size < old_size)
        memory_unbook(memory, old_size - new_size);
    return moved;
}

bool memory_grow(struct memory *memory, void *array, size_t size, uint32_t *room, uint64_t least) {
    enum { first_room = 64 };
    if (least <= *room)
        return true;
    uint64_t wanted = *room ? 2 * (uint64_t)*room : first_room;
    wanted = least > wanted ? least : wanted;
    if (wanted > UINT32_MAX)
        return false;
    void *block; /* copied by memcpy, because the pointer may be of any type */
    memcpy(&block, array, sizeof block);
    block = memory_resize(memory, block, *room * size, (size_t)wanted * size);
    if (!block)
        return false;
    memcpy(array, &block, sizeof block);
    *room = (uint32_t)wanted;
    return true;
}

void memory_give(struct memory *memory, void *block, size_t size) {
    if (!block)
        return;
    memory_release(block, size);
    memory_unbook(memory, size);
}

size_t memory_used(const struct memory *memory) { return atomic_load(&memory->used); }
size_t memory_peak(const struct memory *memory) { return atomic_load(&memory->peak); }
void memory_refused(struct memory *memory) { atomic_store(&memory->starved, true); }
bool memory_starved(const struct memory *memory) { return atomic_load(&memory->starved); }
