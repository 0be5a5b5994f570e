/* The transposition table and its replacement schemes. */
#include "search/ida_star/transposition.h"

#include <string.h>

/* An entry; a place has one or two of them. The packed state follows. */
struct transposition_entry {
    struct transposition_fact fact; /* iteration 0: empty */
    uint32_t hash;
};

/* first_size: bytes of a new table. sparse: the table grows when one of every `sparse` entries is in use. A conflict
 * loses the result of a search, while an empty place costs next to nothing. */
enum { first_size = 1 << 20, sparse = 8 };

static size_t table_size(const struct transposition *table, uint64_t places) {
    return places * table->pair * table->entry_size;
}

/* The table has at most UINT32_MAX places, because the hash has 32 bits. */
bool transposition_open(struct transposition *table, struct memory *memory, enum transposition_scheme scheme,
                        size_t bytes, size_t packed_size) {
    *table = (struct transposition){.memory = memory,
                                    .scheme = scheme,
                                    .packed_size = packed_size,
                                    .pair = scheme == TRANSPOSITION_TWO_LEVEL ? 2 : 1};
    table->entry_size = (sizeof(struct transposition_entry) + packed_size + 3) & ~(size_t)3;
    table->most_places = bytes / (table->pair * table->entry_size);
    if (table->most_places > UINT32_MAX)
        table->most_places = UINT32_MAX;
    for (table->places = table->most_places; table_size(table, table->places) > first_size;)
        table->places /= 2;
    if (table->places)
        table->entries = memory_take(memory, table_size(table, table->places));
    return !table->places || table->entries;
}

/* The table has its full size from the beginning; pages that are never written cost nothing. */
bool transposition_open_shared(struct transposition *table, struct memory *memory, enum transposition_scheme scheme,
                               size_t bytes, size_t packed_size) {
    bool opened = transposition_open(table, memory, scheme, bytes, packed_size);
    if (!opened || !table->places)
        return opened;
    table->locks = memory_take(memory, TRANSPOSITION_LOCKS * sizeof *table->locks);
    if (!table->locks)
        return false;
    for (int i = 0; i < TRANSPOSITION_LOCKS; i++)
        pthread_mutex_init(&table->locks[i].mutex, NULL);
    unsigned char *entries = NULL;
    for (uint64_t places = table->most_places; !entries && places > table->places; places /= 2) {
        entries = memory_take(memory, table_size(table, places));
        if (!entries)
            continue;
        memory_give(memory, table->entries, table_size(table, table->places));
        table->entries = entries;
        table->places = places;
    }
    table->most_places = table->places;
    return true;
}

void transposition_close(struct transposition *table) {
    memory_give(table->memory, table->entries, table_size(table, table->places));
    for (int i = 0; table->locks && i < TRANSPOSITION_LOCKS; i++)
        pthread_mutex_destroy(&table->locks[i].mutex);
    memory_give(table->memory, table->locks, TRANSPOSITION_LOCKS * sizeof *table->locks);
    *table = (struct transposition){0};
}

/* The first entry of a place; if places have two entries, the second follows it. */
static struct transposition_entry *first_at(const struct transposition *table, uint64_t place) {
    return (struct transposition_entry *)(void *)(table->entries + table_size(table, place));
}

static struct transposition_entry *second_of(const struct transposition *table, struct transposition_entry *first) {
    return (struct transposition_entry *)(void *)((unsigned char *)first + table->entry_size);
}

static bool is_empty(const struct transposition_entry *entry) { return !entry->fact.iteration; }

static bool holds(const struct transposition *table, const struct transposition_entry *entry, uint32_t hash,
                  const void *packed) {
    return entry->hash == hash && !is_empty(entry) && !memcmp(entry + 1, packed, table->packed_size);
}

/* The state's entry at its place, or NULL. */
static struct transposition_entry *find_at(const struct transposition *table, struct transposition_entry *first,
                                           uint32_t hash, const void *packed) {
    if (holds(table, first, hash, packed))
        return first;
    if (table->pair == 1)
        return NULL;
    struct transposition_entry *second = second_of(table, first);
    return holds(table, second, hash, packed) ? second : NULL;
}

static struct transposition_entry *find(const struct transposition *table, uint64_t key, const void *packed) {
    if (!table->places)
        return NULL;
    uint32_t hash = transposition_hash(key);
    return find_at(table, first_at(table, transposition_place(table, hash)), hash, packed);
}

/* Locks the place of a key if threads share the table. Returns the lock; NULL: none. */
static pthread_mutex_t *lock_place(const struct transposition *table, uint64_t key) {
    if (!table->locks)
        return NULL;
    uint64_t place = transposition_place(table, transposition_hash(key));
    pthread_mutex_t *lock = &table->locks[place % TRANSPOSITION_LOCKS].mutex;
    pthread_mutex_lock(lock);
    return lock;
}

static void unlock_place(pthread_mutex_t *lock) {
    if (lock)
        pthread_mutex_unlock(lock);
}

bool transposition_find(const struct transposition *table, uint64_t key, const void *packed,
                        struct transposition_fact *fact) {
    pthread_mutex_t *lock = lock_place(table, key);
    const struct transposition_entry *entry = find(table, key, packed);
    if (entry)
        *fact = entry->fact;
    unlock_place(lock);
    return entry;
}

static enum transposition_mark mark(struct transposition_entry *entry, uint32_t iteration) {
    if (!entry)
        return TRANSPOSITION_ABSENT;
    if (entry->fact.iteration == iteration)
        return TRANSPOSITION_MARKED_BEFORE;
    entry->fact.iteration = iteration;
    return TRANSPOSITION_MARKED;
}

enum transposition_mark transposition_mark(struct transposition *table, uint64_t key, const void *packed,
                                           uint32_t iteration) {
    pthread_mutex_t *lock = lock_place(table, key);
    enum transposition_mark result = mark(find(table, key, packed), iteration);
    unlock_place(lock);
    return result;
}

/* Moves an entry up to its new place: into the first entry there or, if that is in use, into the second. */
static void move_up(const struct transposition *table, struct transposition_entry *from) {
    struct transposition_entry *to = first_at(table, transposition_place(table, from->hash));
    if (to == from)
        return;
    if (!is_empty(to))
        to = second_of(table, to);
    if (to == from)
        return;
    memcpy(to, from, table->entry_size);
    memset(from, 0, table->entry_size);
}

/* Doubles the number of places if memory allows. Each place splits into two; the last place is split first, so that no
 * entry overwrites one that still has to be moved. */
static void grow(struct transposition *table) {
    uint64_t old = table->places;
    size_t old_size = table_size(table, old), new_size = table_size(table, 2 * old);
    unsigned char *entries = memory_resize(table->memory, table->entries, old_size, new_size);
    if (!entries) {
        table->most_places = old;
        return;
    }
    memset(entries + old_size, 0, new_size - old_size);
    table->entries = entries;
    table->places = 2 * old;
    for (uint64_t place = old; place-- > 0;)
        for (struct transposition_entry *entry = first_at(table, place), *end = first_at(table, place + 1); entry < end;
             entry = second_of(table, entry))
            if (!is_empty(entry))
                move_up(table, entry);
}

/* Both scores are proved lower bounds, so the higher one is kept. The depth is that of the newer iteration, or the
 * greater one if both are of the same iteration. */
static void merge(struct transposition_fact *fresh, const struct transposition_fact *known) {
    if (known->score > fresh->score)
        fresh->score = known->score;
    if (known->iteration == fresh->iteration && known->depth > fresh->depth)
        fresh->depth = known->depth;
}

/* Whether a new entry replaces the entry of another state. */
static bool drives_out(const struct transposition *table, const struct transposition_fact *fresh,
                       const struct transposition_entry *resident) {
    if (is_empty(resident))
        return true;
    switch (table->scheme) {
    case TRANSPOSITION_NEW: return true;
    case TRANSPOSITION_OLD: return false;
    case TRANSPOSITION_BIG: return fresh->size >= resident->fact.size;
    case TRANSPOSITION_TWO_LEVEL:
    case TRANSPOSITION_DEEP: break;
    }
    return fresh->depth >= resident->fact.depth;
}

/* Counts an entry that is about to be written. Threads that count at the same time may lose a count, which does not
 * matter: their table does not grow. */
static void count_entry(struct transposition *table, const struct transposition_entry *to) {
    uint64_t count = atomic_load_explicit(&table->count, memory_order_relaxed);
    atomic_store_explicit(&table->count, count + is_empty(to), memory_order_relaxed);
}

static void write_entry(struct transposition *table, struct transposition_entry *to,
                        const struct transposition_fact *fact, uint32_t hash, const void *packed) {
    count_entry(table, to);
    to->fact = *fact;
    to->hash = hash;
    memcpy(to + 1, packed, table->packed_size);
}

/* Stores a fact at its place, which is locked if threads share the table. */
static void put_at(struct transposition *table, struct transposition_entry *first, uint32_t hash, const void *packed,
                   const struct transposition_fact *fact) {
    struct transposition_entry *known = find_at(table, first, hash, packed);
    struct transposition_fact fresh = *fact;
    if (known)
        merge(&fresh, &known->fact);
    if (known != first && !drives_out(table, &fresh, first)) {
        if (table->pair == 2)
            write_entry(table, second_of(table, first), &fresh, hash, packed);
        return;
    }
    if (known != first && table->pair == 2 && !is_empty(first)) {
        count_entry(table, second_of(table, first));
        memcpy(second_of(table, first), first, table->entry_size);
    }
    write_entry(table, first, &fresh, hash, packed);
}

void transposition_put(struct transposition *table, uint64_t key, const void *packed,
                       const struct transposition_fact *fact) {
    if (!table->places)
        return;
    if (2 * table->places <= table->most_places && table->count > table->places * table->pair / sparse)
        grow(table);
    uint32_t hash = transposition_hash(key);
    pthread_mutex_t *lock = lock_place(table, key);
    put_at(table, first_at(table, transposition_place(table, hash)), hash, packed, fact);
    unlock_place(lock);
}
