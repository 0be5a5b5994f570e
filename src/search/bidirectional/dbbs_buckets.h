/* The buckets of DBBS. A bucket holds the open states of one side that have equal (g, h, h'). A pair of buckets, one
 * from each side, has a lower bound on the cost of every solution that leads through both buckets. The level is the
 * least bound of any pair. A bucket is live while it has open states. A live bucket is active while, together with some
 * live bucket of the other side, it forms a pair whose bound is at most the level. */
#ifndef SEARCH_BIDIRECTIONAL_DBBS_BUCKETS_H
#define SEARCH_BIDIRECTIONAL_DBBS_BUCKETS_H

#include "base/heap.h"
#include "search/bidirectional/bidirectional.h"

/* Maximum number of live buckets per side. A bucket's possible partners are examined one by one; with more live buckets
 * this would take most of the search time. */
enum { DBBS_MOST_LIVE = 1 << 13 };

struct dbbs_values {
    int32_t g, h, opposite;
};

struct dbbs_bucket {
    struct dbbs_values values;
    struct bucket stack; /* its states; an entry is stale if the state is no longer open at cost g */
    uint32_t live;       /* number of open states */
    /* Number of live buckets of the other side with which this one forms a pair whose bound is at most the level. */
    uint32_t partners;
    uint32_t position; /* index in the list of live buckets; valid while the bucket is live */
    bool queued;       /* the bucket has an entry in the queue `active` */
};

/* A live bucket. The bucket's values are copied here, so that counting pairs reads memory sequentially. */
struct dbbs_live {
    struct dbbs_values values;
    uint32_t bucket;
};

struct dbbs_side {
    struct table buckets; /* maps a struct dbbs_values to its struct dbbs_bucket */
    struct dbbs_live *live;
    uint32_t live_count, live_room;
    /* Queue ordered by f, then h; it holds all active buckets, and some that are no longer active. */
    struct frontier active;
    struct tally weight; /* number of open states in active buckets, for each f */
};

struct dbbs {
    struct memory *memory;
    struct dbbs_side side[2];
    int64_t level; /* the search handles the pairs of buckets whose bound is at most this */
    bool full;     /* memory is full, and the contents are no longer valid */
};

/* False: memory is full; the caller must call dbbs_close in this case too. */
bool dbbs_open(struct dbbs *dbbs, struct memory *memory);
void dbbs_close(struct dbbs *dbbs);
/* The search calls this when it has opened a state with these values. */
void dbbs_add(struct dbbs *dbbs, int side, struct dbbs_values values, uint32_t item);
/* The search calls this when it has closed a state with these values. */
void dbbs_remove(struct dbbs *dbbs, int side, struct dbbs_values values);
/* Sets the level to the least bound of any pair of live buckets. Both sides must have open states. */
void dbbs_find_level(struct dbbs *dbbs);
/* The active bucket of least f; ties go to the least h. *weight: number of open states in all active buckets of that f.
 * NULL: no bucket is active. */
struct dbbs_bucket *dbbs_first(struct dbbs *dbbs, int side, uint32_t *weight);

#endif
