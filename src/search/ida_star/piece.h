/* A piece of a search tree as an array of words, which one worker gives away and another searches. It can be sent to
 * another process: it holds moves and numbers, no addresses. Each search has its own format. */
#ifndef SEARCH_IDA_STAR_PIECE_H
#define SEARCH_IDA_STAR_PIECE_H

#include "base/memory.h"

/* All zero at first. */
struct piece {
    uint32_t *words;
    uint32_t count, room;
};

/* Makes room for `count` words and sets the count; words that were there stay. False: memory is full. */
static inline bool piece_begin(struct piece *piece, struct memory *memory, uint64_t count) {
    if (!memory_grow(memory, &piece->words, sizeof *piece->words, &piece->room, count))
        return false;
    piece->count = (uint32_t)count;
    return true;
}

static inline void piece_close(struct piece *piece, struct memory *memory) {
    memory_give(memory, piece->words, piece->room * sizeof *piece->words);
    *piece = (struct piece){0};
}

#endif
