/* The inner functions of the pancake domain, always inlined, so that a search can be specialised from them. A flip of k
 * changes one pair of neighbours: the pancake at place k + 1 now has the old top pancake above it. The key is made of
 * the pairs of neighbours and the top pancake. The key and the gap count (GAP heuristic: Helmert 2010) of every child
 * can therefore be computed in O(1), without making the flip. */
#ifndef DOMAIN_PANCAKE_PANCAKE_CORE_H
#define DOMAIN_PANCAKE_PANCAKE_CORE_H

#include "domain/pancake/pancake.h"

#include <string.h>

#define PANCAKE_INLINE static inline __attribute__((always_inline))

typedef uint8_t pancake_lanes __attribute__((vector_size(16)));

/* ---- flips ---- */

/* Reverses the bytes first .. first + count - 1; the simple version, which serves as a reference. */
PANCAKE_INLINE void pancake_reverse_plain(uint8_t *first, int count) {
    for (uint8_t *last = first + count - 1; first < last; first++, last--) {
        uint8_t kept = *first;
        *first = *last;
        *last = kept;
    }
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

/* Reverses sixteen bytes, then shifts the wanted ones into place. count <= 16; 16 bytes may be read and written. */
PANCAKE_INLINE void pancake_reverse_block(uint8_t *first, int count) {
    uint64_t half[2];
    memcpy(half, first, 16);
    unsigned __int128 block = (unsigned __int128)half[1] << 64 | half[0];
    unsigned __int128 turned = (unsigned __int128)__builtin_bswap64(half[0]) << 64 | __builtin_bswap64(half[1]);
    int rest = 8 * (16 - count);
    unsigned __int128 keep = rest ? ~(unsigned __int128)0 << (128 - rest) : 0;
    block = turned >> rest | (block & keep);
    half[0] = (uint64_t)block, half[1] = (uint64_t)(block >> 64);
    memcpy(first, half, 16);
}

/* Reverses the top `count` bytes: exchanges words of eight bytes from both ends until at most sixteen bytes are left in
 * the middle. Reading sixteen bytes there never goes beyond the array: if words were exchanged, the stack has at least
 * 17 bytes, so the array has at least 32, and the middle begins in the first half of the array. */
PANCAKE_INLINE void pancake_reverse_top(uint8_t *stack, int count) {
    for (; count > 16; stack += 8, count -= 16) {
        uint64_t upper, lower;
        memcpy(&upper, stack, 8);
        memcpy(&lower, stack + count - 8, 8);
        upper = __builtin_bswap64(upper), lower = __builtin_bswap64(lower);
        memcpy(stack, &lower, 8);
        memcpy(stack + count - 8, &upper, 8);
    }
    pancake_reverse_block(stack, count);
}

#else
PANCAKE_INLINE void pancake_reverse_top(uint8_t *stack, int count) { pancake_reverse_plain(stack, count); }
#endif

/* ---- primitives ---- */

struct pancake_undo {
    uint64_t key;
    uint32_t gaps;
};

PANCAKE_INLINE const struct pancake_pair *pancake_pair_of(const soloist_instance *instance, int a, int b) {
    return &instance->pairs[a * instance->stride + b];
}

PANCAKE_INLINE void pancake_apply(const soloist_instance *instance, struct pancake_state *state, int count,
                                  struct pancake_undo *undo) {
    int top = state->stack[0], above = state->stack[count - 1], below = state->stack[count];
    const struct pancake_pair *gained = pancake_pair_of(instance, top, below);
    const struct pancake_pair *lost = pancake_pair_of(instance, above, below);
    if (undo)
        undo->key = state->key, undo->gaps = state->gaps;
    state->key ^= gained->key ^ lost->key ^ pancake_pair_of(instance, top, top)->key ^
                  pancake_pair_of(instance, above, above)->key;
    state->gaps += gained->gap - lost->gap;
    pancake_reverse_top(state->stack, count);
}

PANCAKE_INLINE void pancake_undo(struct pancake_state *state, int count, const struct pancake_undo *undo) {
    state->key = undo->key;
    state->gaps = undo->gaps;
    pancake_reverse_top(state->stack, count);
}

PANCAKE_INLINE bool pancake_equal(const soloist_instance *instance, const uint8_t *stack, const uint8_t *other) {
    return memcmp(stack, other, 16) == 0 &&
           (instance->room == 16 || memcmp(stack + 16, other + 16, instance->room - 16) == 0);
}

/* ---- expand ---- */

/* Returns 1 if two labels form a gap, otherwise 0. */
PANCAKE_INLINE uint8_t pancake_is_gap(uint8_t a, uint8_t b) {
    return (uint8_t)((a != 0) & (b != 0) & ((uint8_t)(a - b + 1) > 2));
}

/* Sets label[i] to the label of the pancake at place i, for all i < room, and label[room] to 0. */
PANCAKE_INLINE void pancake_label(const soloist_instance *instance, const struct pancake_state *state,
                                  enum pancake_direction direction, size_t room, uint8_t *label) {
    const struct pancake_labels *labels = &instance->labels[direction];
    if (labels->same)
        memcpy(label, state->stack, room);
    else
        for (size_t i = 0; i < room; i++)
            label[i] = labels->of[state->stack[i]];
    label[room] = 0;
}

PANCAKE_INLINE int32_t pancake_count_gaps(const uint8_t *label, size_t room) {
    int32_t gaps = 0;
    for (size_t i = 0; i < room; i++)
        gaps += pancake_is_gap(label[i], label[i + 1]);
    return gaps;
}

PANCAKE_INLINE int32_t pancake_bound(const soloist_instance *instance, const struct pancake_state *state,
                                     enum pancake_direction direction) {
    if (direction == PANCAKE_FORWARD)
        return (int32_t)state->gaps;
    uint8_t label[PANCAKE_ROOM + 1];
    pancake_label(instance, state, direction, instance->room, label);
    return pancake_count_gaps(label, instance->room);
}

/* Sets all bits of each lane in which the labels of a and b form a gap. */
PANCAKE_INLINE pancake_lanes pancake_gap_lanes(pancake_lanes a, pancake_lanes b) {
    return (pancake_lanes)(a != 0) & (pancake_lanes)(b != 0) & (pancake_lanes)(a - b + 1 > 2);
}

/* Shifts the lanes by one place; a 0 is shifted in. */
PANCAKE_INLINE pancake_lanes pancake_next_lanes(pancake_lanes block) {
    const pancake_lanes none = {0};
#ifdef __clang__
    return __builtin_shufflevector(block, none, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
#else
    return __builtin_shuffle(block, none, (pancake_lanes){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
#endif
}

/* The same as pancake_changes for a stack of one block, in registers: a load of a shifted copy from memory would have
 * to wait until the preceding store is done. */
PANCAKE_INLINE void pancake_changes_block(const uint8_t *label, uint8_t *change) {
    pancake_lanes block, top = (pancake_lanes){0} + label[0];
    memcpy(&block, label, 16);
    pancake_lanes next = pancake_next_lanes(block);
    pancake_lanes sum = 1 + pancake_gap_lanes(block, next) - pancake_gap_lanes(top, next); /* true is -1 in a lane */
    memcpy(change, &sum, 16);
}

/* Sets change[k - 1] to 1 plus the change of the gap count by a flip of k; returns the gap count. The loop works in
 * whole blocks, so that compilers vectorise it. */
PANCAKE_INLINE int32_t pancake_changes(const soloist_instance *instance, const struct pancake_state *state,
                                       enum pancake_direction direction, size_t room, uint8_t *change) {
    uint8_t label[PANCAKE_ROOM + 1];
    bool direct = room == 16 && direction == PANCAKE_FORWARD && instance->labels[direction].same;
    if (!direct)
        pancake_label(instance, state, direction, room, label);
    if (room == 16)
        pancake_changes_block(direct ? state->stack : label, change);
    else
        for (size_t i = 0; i < room; i++)
            change[i] = (uint8_t)(1 + pancake_is_gap(label[0], label[i + 1]) - pancake_is_gap(label[i], label[i + 1]));
    return direction == PANCAKE_FORWARD ? (int32_t)state->gaps : pancake_count_gaps(label, room);
}

PANCAKE_INLINE uint64_t pancake_child_key(const soloist_instance *instance, const struct pancake_state *state,
                                          uint64_t topless, const struct pancake_pair *top_row, int count) {
    int above = state->stack[count - 1], below = state->stack[count];
    const struct pancake_pair *row = pancake_pair_of(instance, above, 0);
    return topless ^ top_row[below].key ^ row[below].key ^ row[above].key;
}

/* Lists the children by flips of k pancakes, for k from `first` to `last`. */
PANCAKE_INLINE int pancake_list(const soloist_instance *instance, const struct pancake_state *state,
                                const uint8_t *change, int32_t before, unsigned want, int first, int last,
                                soloist_child *children) {
    int top = state->stack[0];
    const struct pancake_pair *top_row = pancake_pair_of(instance, top, 0);
    uint64_t topless = state->key ^ top_row[top].key;
    for (int k = first; k <= last; k++, children++) {
        children->move = (soloist_move)k;
        children->step = 1;
        children->bound = want & SOLOIST_WANT_BOUND ? before + change[k - 1] : 0;
        if (want & SOLOIST_WANT_KEY)
            children->key = pancake_child_key(instance, state, topless, top_row, k);
    }
    return last < first ? 0 : last - first + 1;
}

/* Lists the children by all flips except `last`, which would lead back to the parent. Callers that need speed pass
 * constants for `want` and `direction`. */
PANCAKE_INLINE int pancake_expand(const soloist_instance *instance, const struct pancake_state *state,
                                  soloist_move last, unsigned want, enum pancake_direction direction, size_t room,
                                  soloist_child *children) {
    uint8_t change[PANCAKE_ROOM];
    int32_t before = 0;
    if (want & SOLOIST_WANT_BOUND)
        before = pancake_changes(instance, state, direction, room, change) - 1;
    int n = instance->n, cut = last <= (soloist_move)n ? (int)last : n + 1;
    int count = pancake_list(instance, state, change, before, want, 2, cut - 1, children);
    return count + pancake_list(instance, state, change, before, want, cut + 1, n, children + count);
}

#endif
