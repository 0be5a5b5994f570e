/* A byte budget from which all memory of one run is allocated. If the budget is used up, the caller gets NULL, keeps
 * what it has, and reports that memory ended the run. Safe for several threads. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory {
    size_t limit; /* in bytes; 0: no limit */
    _Atomic size_t used, peak;
    _Atomic bool starved; /* the machine refused memory that the limit allowed */
};

void memory_open(struct memory *memory, size_t limit);
/* Allocates `size` zeroed bytes; NULL if the budget is used up or the machine refuses. For size 0, returns a pointer
 * that memory_give accepts. */
void *memory_take(struct memory *memory, size_t size);
/* Grows or shrinks a block; if it returns NULL, the old block is unchanged. New bytes are not zeroed. A large block is
 * moved without copying, so that it never takes up memory twice. */
void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size);
/* Grows an array, if necessary, so that it has room for at least `least` items of `size` bytes. *room: the number of
 * items that it has room for. `array` is the address of the pointer to the array; that pointer is NULL at first. The
 * array gets room for at least 64 items, and at least doubles when it grows. New bytes are not zeroed. False: no
 * memory, or 2^32 items or more; then nothing has changed. */
bool memory_grow(struct memory *memory, void *array, size_t size, uint32_t *room, uint64_t least);
/* Frees a block. size must be the size with which it was allocated. NULL is allowed. */
void memory_give(struct memory *memory, void *block, size_t size);
size_t memory_used(const struct memory *memory);
size_t memory_peak(const struct memory *memory);
/* memory_refused records that the machine refused memory, under this budget or outside it; memory_starved says whether
 * that ever happened. */
void memory_refused(struct memory *memory);
bool memory_starved(const struct memory *memory);

/* ---- for blocks that grow without moving: the two halves of memory_take, booking and allocating ---- */

/* Counts bytes as used without allocating them; false: the budget has no more. */
bool memory_book(struct memory *memory, size_t size);
void memory_unbook(struct memory *memory, size_t size);
/* Reserves zeroed address space, which costs almost nothing until it is written. Code that writes to it must first book
 * the bytes by memory_book. */
void *memory_reserve(size_t size);
void memory_release(void *block, size_t size); /* NULL is allowed */
/* Gives the memory of the bytes `from` .. `to` - 1 of a reserved block back to the machine, in steps of 2 MiB; a
 * remainder of less than 2 MiB is kept. The bytes must not be read any more. Returns the value that the next call must
 * pass as `from`. */
size_t memory_forget(void *block, size_t from, size_t to);
/* Announces random access to a whole reserved block: it gets large pages if the machine has them. */
void memory_expect_random(void *block, size_t size);

/* Rounds the size of an object up, so that an object of any type may directly follow it in the same block. */
static inline size_t memory_round_up(size_t size) { return (size + 15) & ~(size_t)15; }

#endif
