/* Bump allocation for objects that are freed together. Blocks grow geometrically; a pointer stays valid until the arena
 * is closed. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/memory.h"

struct arena {
    struct memory *memory;
    struct arena_block *newest;
    size_t next_block; /* size in bytes of the next block */
};

void arena_open(struct arena *arena, struct memory *memory);
/* Allocates `size` zeroed bytes, aligned to 16 bytes; NULL when memory is full. */
void *arena_take(struct arena *arena, size_t size);
void arena_close(struct arena *arena); /* frees everything */

#endif
