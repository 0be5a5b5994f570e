/* When a bucket gets its first open state or loses its last, it is compared once with every live bucket of the other
 * side; everything else takes constant time per state. */
#include "search/bidirectional/dbbs_buckets.h"

#include "base/hash.h"

static struct dbbs_bucket *bucket_at(const struct dbbs *dbbs, int side, uint32_t index) {
    return table_extra(&dbbs->side[side].buckets, index);
}

bool dbbs_open(struct dbbs *dbbs, struct memory *memory) {
    bool opened = true;
    *dbbs = (struct dbbs){.memory = memory, .level = -1};
    for (int s = 0; s < 2; s++) {
        struct dbbs_side *side = &dbbs->side[s];
        frontier_open(&side->active, memory);
        opened &= table_open(&side->buckets, memory, sizeof(struct dbbs_values), sizeof(struct dbbs_bucket));
    }
    return opened;
}

void dbbs_close(struct dbbs *dbbs) {
    struct memory *memory = dbbs->memory;
    for (int s = 0; s < 2; s++) {
        struct dbbs_side *side = &dbbs->side[s];
        for (uint32_t i = 1; i <= table_count(&side->buckets); i++) {
            struct dbbs_bucket *bucket = bucket_at(dbbs, s, i);
            memory_give(memory, bucket->stack.items, bucket->stack.room * sizeof *bucket->stack.items);
        }
        memory_give(memory, side->live, side->live_room * sizeof *side->live);
        tally_close(&side->weight, memory);
        frontier_close(&side->active);
        table_close(&side->buckets);
    }
}

/* ---- pairs ---- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* The lower bound of a pair. Under consistent bounds, a path from u to v costs at least h(u) - h'(v) and at least h(v)
 * - h'(u). */
static int64_t pair_bound(const struct dbbs_values *u, const struct dbbs_values *v) {
    int64_t one_way = (int64_t)u->h - v->opposite, other_way = (int64_t)v->h - u->opposite;
    return (int64_t)u->g + v->g + larger(0, larger(one_way, other_way));
}

static int64_t f_of(const struct dbbs_bucket *bucket) { return (int64_t)bucket->values.g + bucket->values.h; }

static void activate(struct dbbs *dbbs, int s, uint32_t index) {
    struct dbbs_bucket *bucket = bucket_at(dbbs, s, index);
    struct dbbs_side *side = &dbbs->side[s];
    int64_t f = f_of(bucket);
    dbbs->full |= !tally_add(&side->weight, dbbs->memory, f, bucket->live);
    if (bucket->queued)
        return;
    bucket->queued = true;
    dbbs->full |=
        !frontier_push(&side->active, (struct frontier_entry){(uint64_t)f, (uint32_t)bucket->values.h, index});
}

static void deactivate(struct dbbs *dbbs, int s, uint32_t index) {
    const struct dbbs_bucket *bucket = bucket_at(dbbs, s, index);
    tally_remove(&dbbs->side[s].weight, f_of(bucket), bucket->live);
}

static void set_partners(struct dbbs *dbbs, int s, uint32_t index, uint32_t partners) {
    struct dbbs_bucket *bucket = bucket_at(dbbs, s, index);
    uint32_t before = bucket->partners;
    bucket->partners = partners;
    if (!before && partners)
        activate(dbbs, s, index);
    else if (before && !partners)
        deactivate(dbbs, s, index);
}

/* Updates the pairs after a bucket has become live (change 1) or has ceased to be live (change -1). */
static void count_pairs(struct dbbs *dbbs, int s, uint32_t index, int change) {
    const struct dbbs_side *other = &dbbs->side[!s];
    struct dbbs_values values = bucket_at(dbbs, s, index)->values;
    uint32_t partners = 0;
    for (uint32_t i = 0; i < other->live_count; i++) {
        if (pair_bound(&values, &other->live[i].values) > dbbs->level)
            continue;
        uint32_t partner = other->live[i].bucket;
        set_partners(dbbs, !s, partner, bucket_at(dbbs, !s, partner)->partners + (uint32_t)change);
        partners++;
    }
    set_partners(dbbs, s, index, change > 0 ? partners : 0);
}

/* Sets every bucket's count of partners to 0, finds the new level, and counts the partners again. */
void dbbs_find_level(struct dbbs *dbbs) {
    struct dbbs_side *sides = dbbs->side;
    int64_t level = INT64_MAX;
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < sides[s].live_count; i++)
            set_partners(dbbs, s, sides[s].live[i].bucket, 0);
    for (uint32_t i = 0; i < sides[FORWARDS].live_count; i++)
        for (uint32_t j = 0; j < sides[BACKWARDS].live_count; j++) {
            int64_t bound = pair_bound(&sides[FORWARDS].live[i].values, &sides[BACKWARDS].live[j].values);
            level = bound < level ? bound : level;
        }
    dbbs->level = level;
    for (uint32_t i = 0; i < sides[FORWARDS].live_count; i++)
        count_pairs(dbbs, FORWARDS, sides[FORWARDS].live[i].bucket, 1);
}

/* ---- adding and removing states ---- */

static bool revive(struct dbbs *dbbs, int s, uint32_t index) {
    struct dbbs_side *side = &dbbs->side[s];
    struct dbbs_bucket *bucket = bucket_at(dbbs, s, index);
    if (!memory_grow(dbbs->memory, &side->live, sizeof *side->live, &side->live_room, (uint64_t)side->live_count + 1))
        return false;
    bucket->stack.count = 0;
    bucket->position = side->live_count;
    side->live[side->live_count++] = (struct dbbs_live){bucket->values, index};
    count_pairs(dbbs, s, index, 1);
    return true;
}

static void bury(struct dbbs *dbbs, int s, uint32_t index) {
    struct dbbs_side *side = &dbbs->side[s];
    uint32_t position = bucket_at(dbbs, s, index)->position;
    side->live[position] = side->live[--side->live_count];
    bucket_at(dbbs, s, side->live[position].bucket)->position = position;
    count_pairs(dbbs, s, index, -1);
}

static uint64_t key_of(const struct dbbs_values *values) { return hash_bytes(values, sizeof *values); }

void dbbs_add(struct dbbs *dbbs, int s, struct dbbs_values values, uint32_t item) {
    struct dbbs_side *side = &dbbs->side[s];
    bool added;
    uint32_t index = table_put(&side->buckets, key_of(&values), &values, &added);
    if (index == POOL_NONE) {
        dbbs->full = true;
        return;
    }
    struct dbbs_bucket *bucket = bucket_at(dbbs, s, index);
    bucket->values = values;
    if ((!bucket->live && !revive(dbbs, s, index)) || !bucket_push(dbbs->memory, &bucket->stack, item)) {
        dbbs->full = true;
        return;
    }
    bucket->live++;
    if (bucket->partners)
        dbbs->full |= !tally_add(&side->weight, dbbs->memory, f_of(bucket), 1);
}

void dbbs_remove(struct dbbs *dbbs, int s, struct dbbs_values values) {
    struct dbbs_side *side = &dbbs->side[s];
    uint32_t index = table_find(&side->buckets, key_of(&values), &values);
    struct dbbs_bucket *bucket = bucket_at(dbbs, s, index);
    if (bucket->partners)
        tally_remove(&side->weight, f_of(bucket), 1);
    if (--bucket->live == 0)
        bury(dbbs, s, index);
}

struct dbbs_bucket *dbbs_first(struct dbbs *dbbs, int s, uint32_t *weight) {
    struct dbbs_side *side = &dbbs->side[s];
    for (const struct frontier_entry *head; (head = frontier_peek(&side->active)); frontier_drop(&side->active)) {
        struct dbbs_bucket *bucket = bucket_at(dbbs, s, head->item);
        if (bucket->partners) {
            *weight = tally_count(&side->weight, f_of(bucket));
            return bucket;
        }
        bucket->queued = false;
    }
    return NULL;
}
