/* The transposition table of IDA* (Reinefeld and Marsland 1994; S2): what a finished search below a state proved, kept
 * in a block of fixed size. Two states that fall on one place conflict; the replacement scheme (Breuker 1998) says
 * which is kept. Whole packed states are compared, never keys alone, so that what is found may serve in a proof. */
#ifndef SEARCH_TRANSPOSITION_H
#define SEARCH_TRANSPOSITION_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum transposition_scheme {
    TRANSPOSITION_TWO_LEVEL, /* places in pairs: the deeper search in the first; the one it replaced, or the newer one,
                              * in the second
                              */
    TRANSPOSITION_DEEP,      /* the deeper search stays */
    TRANSPOSITION_NEW,       /* the newer stays */
    TRANSPOSITION_OLD,       /* the older stays */
    TRANSPOSITION_BIG        /* the search of more nodes stays */
};

/* What a search proved of a state. */
struct transposition_fact {
    int32_t score;      /* proved: the goal is at least that far; SOLOIST_DEAD: it cannot be reached */
    int32_t depth;      /* how deep below it was searched: threshold - g */
    uint32_t iteration; /* in which that was, from 1 */
    uint32_t size;      /* nodes of that search */
};

/* It grows by doubling up to the size it is given, so that a short search pays for a small table. */
struct transposition {
    struct memory *memory;
    enum transposition_scheme scheme;
    size_t packed_size, entry_size, pair; /* pair: entries at a place, 2 or 1 */
    uint64_t places, most_places;
    uint64_t count; /* entries in use */
    unsigned char *entries;
};

/* Opens a table with as many places as fit into `bytes`; with no place it finds and keeps nothing. False: memory is
 * full; close it even then. */
bool transposition_open(struct transposition *table, struct memory *memory, enum transposition_scheme scheme,
                        size_t bytes, size_t packed_size);
void transposition_close(struct transposition *table);

/* NULL if absent. The fact is valid until the next put. key must be a function of packed. */
const struct transposition_fact *transposition_find(const struct transposition *table, uint64_t key,
                                                    const void *packed);
/* Offers what a search has just proved. What is known of the same state is brought up to date: the higher score stays.
 */
void transposition_put(struct transposition *table, uint64_t key, const void *packed,
                       const struct transposition_fact *fact);

enum transposition_mark { TRANSPOSITION_ABSENT, TRANSPOSITION_MARKED, TRANSPOSITION_MARKED_BEFORE };

/* Sets the iteration of what is known of a state, and says whether that is new. */
enum transposition_mark transposition_mark(struct transposition *table, uint64_t key, const void *packed,
                                           uint32_t iteration);

/* One multiplication spreads a weak key over the top bits. */
static inline uint32_t transposition_hash(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32); }

/* The high half of a product: even for any number of places, and twice as many split each in two. */
static inline uint64_t transposition_place(const struct transposition *table, uint32_t hash) {
    return hash * table->places >> 32;
}

/* Asks for the place that a find of this key will read. */
static inline void transposition_prefetch(const struct transposition *table, uint64_t key) {
    if (table->places)
        __builtin_prefetch(table->entries +
                           transposition_place(table, transposition_hash(key)) * table->pair * table->entry_size);
}

#endif
