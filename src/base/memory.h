/* A byte budget that everything of one run allocates under. "Full" is a result, not a crash: the caller gets
 * NULL, keeps what it has, and says that memory ended the run. Safe for several threads. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>

struct memory {
    size_t limit; /* bytes; 0: none */
    _Atomic size_t used, peak;
};

void memory_open(struct memory *memory, size_t limit);
/* Zeroed bytes, or NULL when the budget or the machine has no more. size 0 gives a pointer that may be freed. */
void *memory_take(struct memory *memory, size_t size);
/* Grows or shrinks; on NULL the old block is untouched. New bytes are not zeroed. */
void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size);
/* size is the one the block was taken with. NULL is allowed. */
void memory_give(struct memory *memory, void *block, size_t size);
size_t memory_used(const struct memory *memory);
size_t memory_peak(const struct memory *memory);

#endif
