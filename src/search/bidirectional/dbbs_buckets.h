/* The buckets of DBBS: open states of equal (g, h, h') on one side, and the pairs of buckets that the level admits. A
 * bucket is live while it has open states, and active while it makes a pair with a live bucket of the other side. */
#ifndef SEARCH_DBBS_BUCKETS_H
#define SEARCH_DBBS_BUCKETS_H

#include "base/heap.h"
#include "search/bidirectional/bidirectional.h"

/* The pairs of a live bucket are examined one by one: with more live buckets than this, that would dominate the work.
 */
enum { DBBS_MOST_LIVE = 1 << 13 };

struct dbbs_values {
    int32_t g, h, opposite;
};

struct dbbs_bucket {
    struct dbbs_values values;
    struct bucket stack; /* of states; those no longer open at cost g are stale */
    uint32_t live;       /* open states */
    uint32_t partners;   /* live buckets of the other side with which this one makes a pair of the level */
    uint32_t position;   /* in the list of live buckets, while live */
    bool queued;         /* has an entry in `active` */
};

/* The values stand beside the index: counting pairs then reads memory in order. */
struct dbbs_live {
    struct dbbs_values values;
    uint32_t bucket;
};

struct dbbs_side {
    struct table buckets; /* by their values; struct dbbs_bucket is the extra */
    struct dbbs_live *live;
    uint32_t live_count, live_room;
    struct frontier active; /* active buckets, and some that no longer are: by f, then h */
    struct tally weight;    /* open states in active buckets, by f */
};

struct dbbs {
    struct memory *memory;
    struct dbbs_side side[2];
    int64_t level; /* pairs of the level: those whose bound is at most this */
    bool full;     /* memory is full: the contents are no longer valid */
};

bool dbbs_open(struct dbbs *dbbs, struct memory *memory); /* false: memory is full; close it even then */
void dbbs_close(struct dbbs *dbbs);
/* A state of these values was opened; one was closed. */
void dbbs_add(struct dbbs *dbbs, int side, struct dbbs_values values, uint32_t item);
void dbbs_remove(struct dbbs *dbbs, int side, struct dbbs_values values);
/* Sets the level to the least bound of any pair; both sides have open states. */
void dbbs_find_level(struct dbbs *dbbs);
/* The active bucket of least f, among them of least h; *weight: open states in all active ones of that f. NULL: none
 * is active. */
struct dbbs_bucket *dbbs_first(struct dbbs *dbbs, int side, uint32_t *weight);

#endif
