/* The store of patterns found so far: lists of patterns for each box square, and the sum of the values of a position's
 * patterns. */
#include "domain/sokoban/pattern/pattern.h"

#include <stdlib.h>

#define CAPACITY ((uint32_t)1 << 14)

size_t pattern_store_size(const struct sokoban *game) {
    return CAPACITY * (sizeof(struct pattern) + 2 * (size_t)game->words * sizeof(uint64_t));
}

bool pattern_store_make(struct patterns *patterns, const struct sokoban *game) {
    size_t size = (size_t)game->size;
    patterns->list = malloc(CAPACITY * sizeof *patterns->list);
    patterns->words = malloc(CAPACITY * 2 * (size_t)game->words * sizeof *patterns->words);
    patterns->first = calloc(size, sizeof *patterns->first);
    patterns->lowest = calloc(size, sizeof *patterns->lowest);
    return patterns->list && patterns->words && patterns->first && patterns->lowest;
}

static uint64_t *boxes_of(const struct sokoban *game, uint32_t at) {
    return game->patterns->words + (size_t)at * 2 * (size_t)game->words;
}

/* Whether a position contains the pattern. */
static bool is_held(const struct sokoban *game, uint32_t at, const uint64_t *boxes, int player) {
    const uint64_t *pattern = boxes_of(game, at);
    for (int i = 0; i < game->words; i++)
        if (pattern[i] & ~boxes[i])
            return false;
    return bitset_has(pattern + game->words, (unsigned)player);
}

/* Links a pattern into a list. A thread that finds the pattern in the list also sees everything that was written to the
 * pattern before. */
static void link_pattern(_Atomic uint32_t *first, uint32_t *next, uint32_t at) {
    *next = atomic_load_explicit(first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(first, next, at + 1, memory_order_release, memory_order_relaxed)) {
    }
}

static bool is_known(const struct sokoban *game, const uint64_t *boxes, int player, int32_t value) {
    const struct patterns *patterns = game->patterns;
    int lowest = board_lowest(boxes, game->words);
    uint32_t at = atomic_load_explicit(&patterns->lowest[lowest], memory_order_acquire);
    for (; at; at = patterns->list[at - 1].same)
        if (patterns->list[at - 1].value >= value && is_held(game, at - 1, boxes, player))
            return true;
    return false;
}

void pattern_store_add(const struct sokoban *game, const uint64_t *boxes, int player, int32_t value) {
    struct patterns *patterns = game->patterns;
    if (is_known(game, boxes, player, value) ||
        atomic_load_explicit(&patterns->count, memory_order_relaxed) >= CAPACITY)
        return;
    uint32_t at = atomic_fetch_add_explicit(&patterns->count, 1, memory_order_relaxed);
    if (at >= CAPACITY)
        return;
    struct pattern *pattern = &patterns->list[at];
    pattern->value = value;
    pattern->count = 0;
    memcpy(boxes_of(game, at), boxes, (size_t)game->words * sizeof *boxes);
    sokoban_reach(game, boxes, player, boxes_of(game, at) + game->words);
    for (BITSET_EACH(box, boxes, (size_t)game->words))
        pattern->box[pattern->count++] = (uint16_t)box;
    for (int i = 0; i < pattern->count; i++)
        link_pattern(&patterns->first[pattern->box[i]], &pattern->next[i], at);
    link_pattern(&patterns->lowest[pattern->box[0]], &pattern->same, at);
}

/* Adds a pattern to the list; false if it is a deadlock. */
static bool hold(const struct patterns *patterns, uint32_t at, struct pattern_held *held) {
    if (held->count < PATTERN_MOST_HELD)
        held->at[held->count++] = at;
    return patterns->list[at].value != SOKOBAN_NEVER;
}

static uint32_t next_with(const struct pattern *pattern, int box) {
    int i = 0;
    while (pattern->box[i] != box)
        i++;
    return pattern->next[i];
}

bool pattern_store_held_by(const struct sokoban *game, const uint64_t *boxes, int player, int box,
                           struct pattern_held *held) {
    const struct patterns *patterns = game->patterns;
    uint32_t at = atomic_load_explicit(&patterns->first[box], memory_order_acquire);
    for (; at; at = next_with(&patterns->list[at - 1], box))
        if (is_held(game, at - 1, boxes, player) && !hold(patterns, at - 1, held))
            return false;
    return true;
}

bool pattern_store_held(const struct sokoban *game, const uint64_t *boxes, int player, struct pattern_held *held) {
    const struct patterns *patterns = game->patterns;
    for (BITSET_EACH(box, boxes, (size_t)game->words)) {
        uint32_t at = atomic_load_explicit(&patterns->lowest[box], memory_order_acquire);
        for (; at; at = patterns->list[at - 1].same)
            if (is_held(game, at - 1, boxes, player) && !hold(patterns, at - 1, held))
                return false;
    }
    return true;
}

static bool are_disjoint(const uint64_t *a, const uint64_t *b, int n) {
    uint64_t common = 0;
    for (int i = 0; i < n; i++)
        common |= a[i] & b[i];
    return !common;
}

/* The pattern of highest value that contains none of the boxes in `taken`; -1: no pattern adds anything. */
static int64_t dearest(const struct sokoban *game, const struct pattern_held *held, const uint64_t *taken,
                       int32_t *value) {
    int64_t best = -1;
    for (int i = 0; i < held->count; i++) {
        int32_t each = game->patterns->list[held->at[i]].value;
        if (each > *value && are_disjoint(boxes_of(game, held->at[i]), taken, game->words)) {
            best = held->at[i];
            *value = each;
        }
    }
    return best;
}

int32_t pattern_store_sum(const struct sokoban *game, const struct pattern_held *held, int without,
                          const struct pattern_held *more) {
    uint64_t taken[SOKOBAN_WORDS];
    int32_t sum = 0;
    memset(taken, 0, (size_t)game->words * sizeof *taken);
    if (without >= 0)
        bitset_add(taken, (unsigned)without);
    for (;;) {
        int32_t value = 0;
        int64_t best = dearest(game, held, taken, &value), other = dearest(game, more, taken, &value);
        best = other >= 0 ? other : best;
        if (best < 0)
            return sum;
        sum += value;
        for (int i = 0; i < game->words; i++)
            taken[i] |= boxes_of(game, (uint32_t)best)[i];
    }
}
