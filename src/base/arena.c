/* The arena: a list of blocks, newest first; objects are cut from the newest block, starting at its beginning. */
#include "base/arena.h"

#include <stdint.h>

enum { alignment = 16 };
static const size_t first_block = 4096, largest_block = (size_t)4 << 20;

struct arena_block {
    struct arena_block *older;
    size_t size, used; /* numbers of bytes, without this header */
};

static size_t round_up(size_t size) { return (size + alignment - 1) & ~(size_t)(alignment - 1); }
static size_t header_size(void) { return round_up(sizeof(struct arena_block)); }

void arena_open(struct arena *arena, struct memory *memory) {
    *arena = (struct arena){.memory = memory, .next_block = first_block};
}

static struct arena_block *take_block(struct arena *arena, size_t size) {
    struct arena_block *block = memory_take(arena->memory, header_size() + size);
    if (block)
        *block = (struct arena_block){.older = arena->newest, .size = size};
    return block;
}

/* Adds a block of at least `size` bytes, or of exactly that size if memory does not allow a larger one. */
static struct arena_block *add_block(struct arena *arena, size_t size) {
    struct arena_block *block = size < arena->next_block ? take_block(arena, arena->next_block) : NULL;
    if (!block)
        block = take_block(arena, size);
    if (!block)
        return NULL;
    if (arena->next_block < largest_block)
        arena->next_block *= 2;
    return arena->newest = block;
}

void *arena_take(struct arena *arena, size_t size) {
    struct arena_block *block = arena->newest;
    if (size > SIZE_MAX / 2)
        return NULL;
    size = round_up(size ? size : 1);
    if ((!block || size > block->size - block->used) && !(block = add_block(arena, size)))
        return NULL;
    void *taken = (unsigned char *)block + header_size() + block->used;
    block->used += size;
    return taken;
}

static void give_block(struct arena *arena, struct arena_block *block) {
    memory_give(arena->memory, block, header_size() + block->size);
}

void arena_close(struct arena *arena) {
    for (struct arena_block *block = arena->newest, *older; block; block = older) {
        older = block->older;
        give_block(arena, block);
    }
    arena_open(arena, arena->memory);
}
