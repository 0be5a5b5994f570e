/* A stack together with its dual: the stack of places, whose i-th pancake is the place of pancake i. The flips that
 * sort the stack, taken in reverse order, sort the dual (Zahavi, Felner, Holte and Schaeffer 2008), and both have the
 * same number of gaps. A search may therefore choose the next flip at either end of the solution. Each of the two
 * stacks gives the places of the other one's pancakes, so the flips that remove a gap (at most two) are looked up
 * instead of searched for. */
#ifndef DOMAIN_PANCAKE_PANCAKE_DUAL_H
#define DOMAIN_PANCAKE_PANCAKE_DUAL_H

#include "domain/pancake/pancake_core.h"

#define PANCAKE_DUAL_SPARE 16 /* number of spare bytes before side 0; pancake_dual_reverse may read them */

/* Pancakes and places are numbered from 0 here; the plate is n, at place n. */
struct pancake_dual {
    uint8_t bytes[PANCAKE_DUAL_SPARE + 2 * PANCAKE_ROOM]; /* spare bytes, side 0 (the stack), side 1 (its dual) */
};

/* One of the two stacks. Every byte beyond the plate holds its own index. */
PANCAKE_INLINE const uint8_t *pancake_dual_side(const struct pancake_dual *dual, int side) {
    return dual->bytes + PANCAKE_DUAL_SPARE + side * PANCAKE_ROOM;
}

/* Makes the stack and its dual from a stack with pancakes 1..n. */
static inline void pancake_dual_open(struct pancake_dual *dual, const uint8_t *stack, int n) {
    uint8_t *sides = dual->bytes + PANCAKE_DUAL_SPARE;
    memset(dual, 0, sizeof *dual);
    for (int i = 0; i < PANCAKE_ROOM; i++) {
        int pancake = i < n ? stack[i] - 1 : i;
        sides[i] = (uint8_t)pancake;
        sides[PANCAKE_ROOM + pancake] = (uint8_t)i;
    }
}

PANCAKE_INLINE int pancake_dual_is_gap(int a, int b) { return (unsigned)(a - b + 1) > 2; }

/* What a flip of k adds to the gap count, which is the same for both sides: -1, 0 or 1. */
PANCAKE_INLINE int pancake_dual_change(const struct pancake_dual *dual, int side, int k) {
    const uint8_t *stack = pancake_dual_side(dual, side);
    return pancake_dual_is_gap(stack[0], stack[k]) - pancake_dual_is_gap(stack[k - 1], stack[k]);
}

/* Lists the flips of one side that remove a gap. Such a flip puts the top pancake directly above the next larger or the
 * next smaller one; before the flip, there was a gap above that pancake. Returns the number of flips, at most two; one
 * more entry of `flips` may be overwritten. */
PANCAKE_INLINE int pancake_dual_removing(const struct pancake_dual *dual, int side, uint8_t flips[3]) {
    const uint8_t *stack = pancake_dual_side(dual, side), *place = pancake_dual_side(dual, 1 - side);
    int top = stack[0], larger = place[top + 1];
    flips[0] = (uint8_t)larger;
    int count = pancake_dual_is_gap(stack[larger - 1], stack[larger]);
    if (top == 0)
        return count;
    int smaller = place[top - 1];
    flips[count] = (uint8_t)smaller;
    return count + pancake_dual_is_gap(stack[smaller - 1], stack[smaller]);
}

/* The place to which a flip of k moves the pancake at `place`. This is also the place from which the flip brings a
 * pancake to `place`. */
PANCAKE_INLINE int pancake_dual_turn(int place, int k) { return place < k ? k - 1 - place : place; }

/* Counts the flips that would remove a gap after a flip of k, on both sides together. The flip of k is not made.
 * Returns 0 if one of the sides would have no flip that removes a gap. */
PANCAKE_INLINE int pancake_dual_prospect(const struct pancake_dual *dual, int side, int k) {
    const uint8_t *stack = pancake_dual_side(dual, side), *place = pancake_dual_side(dual, 1 - side);
    int top = stack[k - 1], first = pancake_dual_turn(place[0], k); /* the new tops of this side and of the other */
    int down = pancake_dual_turn(place[top + 1], k);
    int here = pancake_dual_is_gap(stack[pancake_dual_turn(down - 1, k)], top + 1);
    if (top) {
        down = pancake_dual_turn(place[top - 1], k);
        here += pancake_dual_is_gap(stack[pancake_dual_turn(down - 1, k)], top - 1);
    }
    down = stack[pancake_dual_turn(first + 1, k)];
    int there = pancake_dual_is_gap(pancake_dual_turn(place[down - 1], k), first + 1);
    if (first) {
        down = stack[pancake_dual_turn(first - 1, k)];
        there += pancake_dual_is_gap(pancake_dual_turn(place[down - 1], k), first - 1);
    }
    return here && there ? here + there : 0;
}

/* Copies `from` to to[0..room-1] with the top k reversed. The loop has the same length for every k: if its length
 * depended on k, its end would be mispredicted at almost every flip. Reads sixteen bytes before `from`. */
PANCAKE_INLINE void pancake_dual_reverse(const uint8_t *restrict from, uint8_t *restrict to, int k, const size_t room) {
    typedef uint64_t words __attribute__((vector_size(16)));
    const pancake_lanes index = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (int i = 0; i < (int)room; i += 16) {
        int start = k - 16 - i < -16 ? -16 : k - 16 - i;
        uint64_t low, high;
        pancake_lanes kept;
        memcpy(&low, from + start, 8);
        memcpy(&high, from + start + 8, 8);
        memcpy(&kept, from + i, 16);
        pancake_lanes turned = (pancake_lanes)(words){__builtin_bswap64(high), __builtin_bswap64(low)};
        pancake_lanes moved = (pancake_lanes)(index + (uint8_t)i < (uint8_t)k);
        kept = (turned & moved) | (kept & ~moved);
        memcpy(to + i, &kept, 16);
    }
}

/* Sets *to to the result of a flip of k on one side of *from; the other side's entries with values 0 .. k-1 change
 * accordingly. */
PANCAKE_INLINE void pancake_dual_flip(const struct pancake_dual *restrict from, struct pancake_dual *restrict to,
                                      int side, int k, const size_t room) {
    const uint8_t *places = pancake_dual_side(from, 1 - side);
    uint8_t *sides = to->bytes + PANCAKE_DUAL_SPARE;
    for (size_t i = 0; i < room; i += 16) {
        pancake_lanes place;
        memcpy(&place, places + i, 16);
        pancake_lanes moved = (pancake_lanes)(place < (uint8_t)k);
        place = (((uint8_t)(k - 1) - place) & moved) | (place & ~moved);
        memcpy(sides + (1 - side) * PANCAKE_ROOM + i, &place, 16);
    }
    pancake_dual_reverse(pancake_dual_side(from, side), sides + side * PANCAKE_ROOM, k, room);
}

#endif
