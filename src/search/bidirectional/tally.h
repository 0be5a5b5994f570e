/* Counts how many open states have each value of g, f or d, in order to find the least value. Values above TALLY_MOST
 * are counted as TALLY_MOST, so tally_least never returns more than the true least value. */
#ifndef SEARCH_BIDIRECTIONAL_TALLY_H
#define SEARCH_BIDIRECTIONAL_TALLY_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum { TALLY_MOST = 1 << 16 };

struct tally {
    uint32_t *count;
    uint32_t room, least; /* least: the counts of all values below this are 0 */
};

/* False when memory is full. */
bool tally_reserve(struct tally *tally, struct memory *memory, uint32_t value);
void tally_close(struct tally *tally, struct memory *memory);

static inline uint32_t tally_clamp(int64_t value) {
    return value < 0 ? 0 : value > TALLY_MOST ? TALLY_MOST : (uint32_t)value;
}

static inline bool tally_add(struct tally *tally, struct memory *memory, int64_t value, uint32_t times) {
    uint32_t at = tally_clamp(value);
    if (at >= tally->room && !tally_reserve(tally, memory, at))
        return false;
    tally->count[at] += times;
    tally->least = at < tally->least ? at : tally->least;
    return true;
}

/* Removes a value that was added before. */
static inline void tally_remove(struct tally *tally, int64_t value, uint32_t times) {
    tally->count[tally_clamp(value)] -= times;
}

static inline uint32_t tally_count(const struct tally *tally, int64_t value) {
    return tally->count[tally_clamp(value)];
}

/* The least value. The tally must not be empty. */
static inline int64_t tally_least(struct tally *tally) {
    while (!tally->count[tally->least])
        tally->least++;
    return tally->least;
}

#endif
