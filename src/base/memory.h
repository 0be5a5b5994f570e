/* A byte budget that everything of one run allocates under. "Full" is a result, not a crash: the caller gets
 * NULL, keeps what it has, and says that memory ended the run. Safe for several threads. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory {
    size_t limit; /* bytes; 0: none */
    _Atomic size_t used, peak;
    _Atomic bool starved; /* the machine refused what the limit allowed */
};

void memory_open(struct memory *memory, size_t limit);
/* Zeroed bytes, or NULL when the budget or the machine has no more. size 0 gives a pointer that may be freed. */
void *memory_take(struct memory *memory, size_t size);
/* Grows or shrinks; on NULL the old block is untouched. New bytes are not zeroed. A large block moves without being
 * copied, so that it is never there twice. */
void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size);
/* Makes room for `least` items of `size` bytes in an array that has room for *room of them; `array` is the address of
 * the pointer to it, which is NULL at first. It has room for 64 items or more, and at least doubles when it grows. New
 * bytes are not zeroed. False: no memory, or 2^32 items and more; then nothing has changed. */
bool memory_grow(struct memory *memory, void *array, size_t size, uint32_t *room, uint64_t least);
/* size is the one the block was taken with. NULL is allowed. */
void memory_give(struct memory *memory, void *block, size_t size);
size_t memory_used(const struct memory *memory);
size_t memory_peak(const struct memory *memory);
/* Notes that the machine refused something, of this budget or beside it; asks whether it ever did. */
void memory_refused(struct memory *memory);
bool memory_starved(const struct memory *memory);

/* ---- for what grows in place: the two halves of memory_take ---- */

/* Books bytes; false: the budget has no more. */
bool memory_book(struct memory *memory, size_t size);
void memory_unbook(struct memory *memory, size_t size);
/* Zeroed address room that costs (next to) nothing before it is written. The writer books what it writes. */
void *memory_reserve(size_t size);
void memory_release(void *block, size_t size); /* NULL is allowed */
/* Gives back the bytes `from` .. `to` - 1 of a reserved block, as far as they are whole pages; they must not be read
 * any more. Returns where the next call may go on. */
size_t memory_forget(void *block, size_t from, size_t to);
/* Says that a reserved block will be read at random all over: it gets large pages where the machine has them. */
void memory_expect_random(void *block, size_t size);

/* To a size after which anything may stand in the same block. */
static inline size_t memory_round_up(size_t size) { return (size + 15) & ~(size_t)15; }

#endif
