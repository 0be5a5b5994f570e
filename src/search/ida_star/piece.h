/* A piece of a search tree that one worker gives away and another worker searches, stored as an array of words. A piece
 * can be sent to another process, because it holds moves and numbers but no addresses. Each kind of search has its own
 * format. */
#ifndef SEARCH_IDA_STAR_PIECE_H
#define SEARCH_IDA_STAR_PIECE_H

#include "base/memory.h"

/* The caller must set all members to zero before the first use. */
struct piece {
    uint32_t *words;
    uint32_t count, room;
};

/* Makes room for `count` words and sets the count; existing words are kept. False: memory is full. */
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
