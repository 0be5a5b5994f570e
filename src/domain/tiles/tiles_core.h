/* The inner functions of the sliding tiles as always-inline bodies. tiles.c makes the domain's table of functions from
 * them. A search that needs these functions inlined (depth_first_tiles.c) makes its own copy from the same source.
 * `bits` and `end` are constants at every call; `offsets` is the instance's field of that name, or a constant if the
 * board's width is a constant. */
#ifndef DOMAIN_TILES_TILES_CORE_H
#define DOMAIN_TILES_TILES_CORE_H

#include "base/hash.h"
#include "domain/tiles/tiles.h"

#define TILES_INLINE static inline __attribute__((always_inline))

/* The bytes -width, -1, 1, width: see `offsets` in struct soloist_instance. */
#define TILES_OFFSETS(width) (0x0001ff00u | (uint32_t)(width) << 24 | (uint8_t) - (width))

TILES_INLINE int tiles_offset(uint32_t offsets, unsigned move) { return (int8_t)(offsets >> move * 8); }

TILES_INLINE unsigned tiles_blank(const struct tiles_state *state) { return state->summary & 255; }

TILES_INLINE int32_t tiles_distance(uint64_t summary, const int end) {
    return (int32_t)(summary >> (end == TILES_TO_GOAL ? 8 : 20) & 0xfff);
}

TILES_INLINE uint64_t tiles_rotate(uint64_t word, unsigned left) { return word << (left & 63) | word >> (-left & 63); }

/* The tile that is `offset` squares from the blank. If the board is one word, the word is rotated until the blank is in
 * its lowest bits, so that the four neighbours are at fixed positions. If the square at that offset is off the board,
 * the result is an arbitrary tile. */
TILES_INLINE unsigned tiles_beside(const uint64_t *board, unsigned blank, int offset, const int bits) {
    if (bits == 4)
        return tiles_rotate(board[0], -blank * 4) >> (offset * 4 & 63) & 15;
    unsigned square = (blank + (unsigned)offset) & 31;
    return board[square / 8] >> square % 8 * 8 & 255;
}

/* Exchanges the blank and a tile. The blank is 0, so two exclusive ors are enough. */
TILES_INLINE void tiles_slide(uint64_t *board, unsigned blank, int offset, uint64_t tile, const int bits) {
    if (bits == 4) {
        board[0] ^= tiles_rotate(tile | tile << (offset * 4 & 63), blank * 4);
        return;
    }
    unsigned square = blank + (unsigned)offset;
    board[blank / 8] ^= tile << blank % 8 * 8;
    board[square / 8] ^= tile << square % 8 * 8;
}

TILES_INLINE uint64_t tiles_key_of(const uint64_t *board, const int bits) {
    uint64_t key = hash_mix(board[0] + 0x9e3779b97f4a7c15u);
    for (int w = 1; bits == 8 && w < 4; w++)
        key = hash_mix((key ^ board[w]) + 0x9e3779b97f4a7c15u);
    return key;
}

TILES_INLINE int32_t tiles_apply_body(const soloist_instance *instance, struct tiles_state *state, soloist_move move,
                                      const uint32_t offsets, const int bits) {
    unsigned blank = tiles_blank(state);
    int offset = tiles_offset(offsets, move);
    unsigned tile = tiles_beside(state->board, blank, offset, bits);
    state->summary += (uint64_t)(int64_t)instance->delta[blank][move][tile];
    tiles_slide(state->board, blank, offset, tile, bits);
    return 1;
}

/* Undo needs only the old summary; the board is restored by the inverse move. */
TILES_INLINE void tiles_undo_body(const soloist_instance *instance, struct tiles_state *state, soloist_move move,
                                  uint64_t summary, const int bits) {
    unsigned blank = tiles_blank(state);
    int offset = -tiles_offset(instance->offsets, move);
    tiles_slide(state->board, blank, offset, tiles_beside(state->board, blank, offset, bits), bits);
    state->summary = summary;
}

/* The set of the legal moves without the one that would undo the last move. */
TILES_INLINE unsigned tiles_open(const soloist_instance *instance, unsigned blank, soloist_move last) {
    return instance->open[blank] & (last < TILES_DIRECTIONS ? ~(8u >> last) : ~0u);
}

/* The Manhattan distance after a move. The set of tiles that would come nearer can be read before the tile is known;
 * this is faster than a look-up by tile. */
TILES_INLINE int32_t tiles_child_distance(const soloist_instance *instance, const struct tiles_state *state,
                                          unsigned move, const uint32_t offsets, const int bits, const int end) {
    unsigned blank = tiles_blank(state);
    unsigned tile = tiles_beside(state->board, blank, tiles_offset(offsets, move), bits);
    return tiles_distance(state->summary, end) + 1 - 2 * (int32_t)(instance->nearer[end][blank][move] >> tile & 1);
}

TILES_INLINE uint64_t tiles_child_key(const soloist_instance *instance, const struct tiles_state *state, unsigned move,
                                      const int bits) {
    uint64_t board[4];
    unsigned blank = tiles_blank(state);
    int offset = tiles_offset(instance->offsets, move);
    for (int w = 0; w < (bits == 4 ? 1 : 4); w++)
        board[w] = state->board[w];
    tiles_slide(board, blank, offset, tiles_beside(board, blank, offset, bits), bits);
    return tiles_key_of(board, bits);
}

/* Lists the children with their Manhattan distances. */
TILES_INLINE int tiles_expand_body(const soloist_instance *instance, const struct tiles_state *state, soloist_move last,
                                   unsigned want, soloist_child *children, const int bits, const int end) {
    unsigned open = tiles_open(instance, tiles_blank(state), last);
    int count = 0;
    for (unsigned move = 0; move < TILES_DIRECTIONS; move++) {
        if (!(open >> move & 1))
            continue;
        children[count].move = move;
        children[count].step = 1;
        children[count].bound = tiles_child_distance(instance, state, move, instance->offsets, bits, end);
        if (want & SOLOIST_WANT_KEY)
            children[count].key = tiles_child_key(instance, state, move, bits);
        count++;
    }
    return count;
}

#endif
