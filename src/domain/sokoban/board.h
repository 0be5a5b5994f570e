/* Sets of squares as bits, and the flood fill of the player's region over them. Square y * stride + x is one bit; each
 * row ends in one column that is never floor, so that a shift by one cannot run into the next row. Several rows share a
 * word. If the number of words n is small, the functions are inlined with n as a constant, and the loops disappear. */
#ifndef DOMAIN_SOKOBAN_BOARD_H
#define DOMAIN_SOKOBAN_BOARD_H

#include "base/bitset.h"

#include <string.h>

#define SOKOBAN_WORDS 62 /* enough for 62 rows, each with 62 squares and one separating column */
#define BOARD_INLINE static inline __attribute__((always_inline))

/* A set with an empty margin: code may read up to one row before the first square and after the last. The squares begin
 * at all[1]. */
struct board {
    uint64_t all[SOKOBAN_WORDS + 3];
};

/* Clears the margin; returns the words of the squares. */
BOARD_INLINE uint64_t *board_open(struct board *board, int n) {
    board->all[0] = board->all[n + 1] = board->all[n + 2] = 0;
    return board->all + 1;
}

/* Word i of the set after a shift of all members by `by` squares: board_more to higher numbers, board_less to lower
 * ones; 0 < by < 64. */
BOARD_INLINE uint64_t board_more(const uint64_t *set, int i, int by) {
    return set[i] << by | (i ? set[i - 1] >> (64 - by) : 0);
}

BOARD_INLINE uint64_t board_less(const uint64_t *set, int i, int by, int n) {
    return set[i] >> by | (i + 1 < n ? set[i + 1] << (64 - by) : 0);
}

/* Word i of the squares that have a neighbour in the set, in any of the four directions. */
BOARD_INLINE uint64_t board_spread(const uint64_t *set, int i, int stride, int n) {
    return board_more(set, i, 1) | board_less(set, i, 1, n) | board_more(set, i, stride) |
           board_less(set, i, stride, n);
}

/* Word i of the set of one square. */
BOARD_INLINE uint64_t board_one(int square, int i) { return (uint64_t)(square >> 6 == i) << (square & 63); }

BOARD_INLINE int board_lowest(const uint64_t *set, int n) {
    for (int i = 0; i < n; i++)
        if (set[i])
            return i * 64 + bits_lowest(set[i]);
    return -1;
}

BOARD_INLINE bool board_empty(const uint64_t *set, int n) {
    uint64_t any = 0;
    for (int i = 0; i < n; i++)
        any |= set[i];
    return !any;
}

BOARD_INLINE bool board_equal(const uint64_t *a, const uint64_t *b, int n) {
    uint64_t differ = 0;
    for (int i = 0; i < n; i++)
        differ |= a[i] ^ b[i];
    return !differ;
}

/* Which of the three squares from `first` on are members, as bits 0 to 2; `first` may lie one row before the board. */
BOARD_INLINE unsigned board_three(const struct board *board, int first) {
    const uint64_t *words = board->all;
    unsigned at = (unsigned)(first + 64), w = at >> 6, shift = at & 63;
    return (unsigned)(words[w] >> shift | words[w + 1] << 1 << (63 - shift)) & 7;
}

BOARD_INLINE bool board_has(const struct board *board, int square) {
    return bitset_has(board->all, (unsigned)(square + 64));
}

/* Which neighbours are members, as bits 0 to 3: up, left, right, down. */
BOARD_INLINE unsigned board_neighbours(const struct board *board, int square, int stride) {
    unsigned row = board_three(board, square - 1);
    return (unsigned)board_has(board, square - stride) | (row & 1) << 1 | row >> 2 << 2 |
           (unsigned)board_has(board, square + stride) << 3;
}

/* Which of the eight squares around a square are members, as bits: 0-2 above, 3 left, 4 right, 5-7 below. */
BOARD_INLINE unsigned board_ring(const struct board *board, int square, int stride) {
    unsigned row = board_three(board, square - 1);
    return board_three(board, square - stride - 1) | (row & 1) << 3 | row >> 2 << 4 |
           board_three(board, square + stride - 1) << 5;
}

/* Grows a set within one word until nothing more is added, or a member of `stop` is reached. The carry of an addition
 * moves a member through a whole run of free squares to its right. */
BOARD_INLINE uint64_t board_settle(uint64_t set, uint64_t free, uint64_t stop, int stride) {
    uint64_t next = set, old;
    do {
        old = next;
        next |= (next >> 1 | next << stride | next >> stride) & free;
        next |= free & ~(free + next);
    } while (next != old && !(next & stop));
    return next;
}

/* Grows `reach` (within `free`) to whole connected components, or until it contains the square `stop` (-1: none).
 * `waiting` is the set of words that got new members from a neighbouring word; the lowest is processed first. */
BOARD_INLINE void board_flood(const uint64_t *free, uint64_t *reach, int stop, int stride, int n) {
    uint64_t waiting = 0, target = stop < 0 ? 0 : UINT64_C(1) << (stop & 63);
    if (n == 1) {
        reach[0] = board_settle(reach[0], free[0], target, stride);
        return;
    }
    for (int i = 0; i < n; i++)
        waiting |= (uint64_t)(reach[i] != 0) << i;
    while (waiting) {
        int i = bits_lowest(waiting);
        uint64_t here = stop >> 6 == i ? target : 0, set = board_settle(reach[i], free[i], here, stride);
        reach[i] = set;
        if (set & here)
            return;
        waiting &= waiting - 1;
        if (i + 1 < n) {
            uint64_t fresh = (set >> 63 | set >> (64 - stride)) & free[i + 1] & ~reach[i + 1];
            reach[i + 1] |= fresh;
            waiting |= (uint64_t)(fresh != 0) << (i + 1);
        }
        if (i) {
            uint64_t fresh = (set << 63 | set << (64 - stride)) & free[i - 1] & ~reach[i - 1];
            reach[i - 1] |= fresh;
            waiting |= (uint64_t)(fresh != 0) << (i - 1);
        }
    }
}

/* Adds all free squares one step away from the set; false if there are no such squares. */
BOARD_INLINE bool board_step(const uint64_t *free, uint64_t *reach, int stride, int n) {
    uint64_t next[SOKOBAN_WORDS], grown = 0;
    for (int i = 0; i < n; i++) {
        next[i] = board_spread(reach, i, stride, n) & free[i] & ~reach[i];
        grown |= next[i];
    }
    for (int i = 0; i < n; i++)
        reach[i] |= next[i];
    return grown;
}

#endif
