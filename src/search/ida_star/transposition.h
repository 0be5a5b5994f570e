/* The transposition table of IDA* (Reinefeld and Marsland 1994; S2 in docs/REFERENCES.md): stores, within a size limit,
 * what a finished search below a state proved about that state. If two states hash to the same place, the replacement
 * scheme (Breuker 1998) decides which entry is kept. The table compares whole packed states, never keys alone, so that
 * proofs can rely on its entries. */
#ifndef SEARCH_IDA_STAR_TRANSPOSITION_H
#define SEARCH_IDA_STAR_TRANSPOSITION_H

#include "base/memory.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum transposition_scheme {
    /* Two entries per place: a new entry is compared with the first one. The result of the deeper search becomes the
     * first entry, the other result becomes the second. */
    TRANSPOSITION_TWO_LEVEL,
    TRANSPOSITION_DEEP, /* keeps the entry whose search was deeper */
    TRANSPOSITION_NEW,  /* always replaces the old entry */
    TRANSPOSITION_OLD,  /* never replaces an entry */
    TRANSPOSITION_BIG   /* keeps the entry whose search had more nodes */
};

/* What a search proved about a state. */
struct transposition_fact {
    int32_t score;      /* proved lower bound on the cost to a goal; SOLOIST_DEAD: no goal can be reached */
    int32_t depth;      /* how deep the search below the state was: threshold - g */
    uint32_t iteration; /* number of the iteration in which that search was made, from 1 */
    uint32_t size;      /* nodes of that search */
};

/* Number of mutexes of a table that threads share. Each access locks one mutex, which is chosen by the number of the
 * place. Each mutex has a cache line of its own. */
enum { TRANSPOSITION_LOCKS = 1024 };
struct transposition_lock {
    _Alignas(64) pthread_mutex_t mutex;
};

/* The table starts small and doubles up to its size limit, so that a short search needs little memory. */
struct transposition {
    struct memory *memory;
    enum transposition_scheme scheme;
    size_t packed_size, entry_size, pair; /* pair: number of entries per place, 2 or 1 */
    uint64_t places, most_places;
    _Atomic uint64_t count; /* entries in use */
    unsigned char *entries;
    struct transposition_lock *locks; /* NULL: only one thread uses the table */
};

/* Opens a table that may grow to a size of `bytes` bytes. If `bytes` is too small for one place, the table stores no
 * entries. False: memory is full; the caller must close the table in this case too. */
bool transposition_open(struct transposition *table, struct memory *memory, enum transposition_scheme scheme,
                        size_t bytes, size_t packed_size);
/* Opens a table that several threads use at once. Such a table does not grow: it gets its final size here. */
bool transposition_open_shared(struct transposition *table, struct memory *memory, enum transposition_scheme scheme,
                               size_t bytes, size_t packed_size);
void transposition_close(struct transposition *table);

/* Reads the entry of a state; false: the table has no entry for the state. Equal packed states must have equal keys. */
bool transposition_find(const struct transposition *table, uint64_t key, const void *packed,
                        struct transposition_fact *fact);
/* Stores what a search has just proved about a state, if the replacement scheme allows it. If the same state is in the
 * table, the higher score is kept. */
void transposition_put(struct transposition *table, uint64_t key, const void *packed,
                       const struct transposition_fact *fact);

enum transposition_mark { TRANSPOSITION_ABSENT, TRANSPOSITION_MARKED, TRANSPOSITION_MARKED_BEFORE };

/* If the state is in the table, sets the iteration of its entry to `iteration`. TRANSPOSITION_MARKED_BEFORE: the entry
 * already had that iteration. */
enum transposition_mark transposition_mark(struct transposition *table, uint64_t key, const void *packed,
                                           uint32_t iteration);

/* Mixes a key whose bits are not random, by one multiplication. */
static inline uint32_t transposition_hash(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32); }

/* The place to which a hash belongs. Hashes are distributed evenly over any number of places. If the number of places
 * doubles, the hashes of every place are divided between two new places. */
static inline uint64_t transposition_place(const struct transposition *table, uint32_t hash) {
    return hash * table->places >> 32;
}

/* Prefetches the place that a search for this key will read. */
static inline void transposition_prefetch(const struct transposition *table, uint64_t key) {
    if (table->places)
        __builtin_prefetch(table->entries +
                           transposition_place(table, transposition_hash(key)) * table->pair * table->entry_size);
}

#endif
