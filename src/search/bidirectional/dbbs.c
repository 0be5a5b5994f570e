/* DBBS (Alcazar 2021): open states are kept in buckets of equal g, h and h' (the bounds of both directions). A solution
 * through open states u and v costs at least g(u) + g(v) + max(0, h(u) - h'(v), h(v) - h'(u)), which is one value per
 * pair of buckets. The least of these values over all pairs is the level. A level is done when, in each of its pairs,
 * one of the two buckets has no open states left. Which bucket to expand is a vertex-cover problem, solved greedily: on
 * each side the active buckets of least f form a group; of the two groups the one with fewer states is chosen, and in
 * it the bucket of least h. On 150 random stacks of 14 pancakes (GAP-1) and on 15 stacks of 12 (GAP-2) this rule took
 * 386 and 1380 expansions; groups of least b took 441 and 1813; always choosing the smallest active bucket, on the side
 * with fewer states in active buckets, took 526 and 2947. */
#include "search/bidirectional/dbbs_buckets.h"

static struct dbbs_values values_of(const struct bidirectional_node *node) {
    return (struct dbbs_values){node->cost, node->bound, node->opposite};
}

static bool dbbs_enter(struct bidirectional *search, int side, uint32_t index) {
    struct dbbs *dbbs = search->own;
    dbbs_add(dbbs, side, values_of(bidirectional_at(search, side, index)), index);
    return !dbbs->full;
}

static void dbbs_leave(struct bidirectional *search, int side, uint32_t index) {
    dbbs_remove(search->own, side, values_of(bidirectional_at(search, side, index)));
}

/* The last open state of a live bucket. */
static uint32_t take_item(const struct bidirectional *search, int side, struct dbbs_bucket *bucket) {
    for (;;) {
        uint32_t index = bucket->stack.items[--bucket->stack.count];
        const struct bidirectional_node *node = bidirectional_at(search, side, index);
        if (node->status == BIDIRECTIONAL_OPEN && node->cost == bucket->values.g)
            return index;
    }
}

static enum bidirectional_next refuse_buckets(const struct search_run *run) {
    soloist_fail(run->error, 0, 0,
                 "dbbs compares groups of states of equal cost and bounds, and this %s has more than "
                 "%d of them: use bae",
                 run->domain->name, (int)DBBS_MOST_LIVE);
    return BIDIRECTIONAL_REFUSED;
}

static enum bidirectional_next dbbs_step(struct bidirectional *search) {
    struct dbbs *dbbs = search->own;
    uint32_t weight[2];
    if (dbbs->side[FORWARDS].live_count > DBBS_MOST_LIVE || dbbs->side[BACKWARDS].live_count > DBBS_MOST_LIVE)
        return refuse_buckets(search->run);
    if (!dbbs_first(dbbs, FORWARDS, weight))
        dbbs_find_level(dbbs);
    if (dbbs->full)
        return BIDIRECTIONAL_FULL;
    if (dbbs->level >= search->upper)
        return BIDIRECTIONAL_PROVED;
    bidirectional_note(search, dbbs->level);
    struct dbbs_bucket *first[2];
    for (int side = 0; side < 2; side++)
        first[side] = dbbs_first(dbbs, side, &weight[side]);
    int side = weight[FORWARDS] <= weight[BACKWARDS] ? FORWARDS : BACKWARDS;
    enum bidirectional_next next = bidirectional_expand(search, side, take_item(search, side, first[side]));
    return next == BIDIRECTIONAL_GO_ON && dbbs->full ? BIDIRECTIONAL_FULL : next;
}

static const struct bidirectional_rules rules = {
    .wants_opposite = true, .enter = dbbs_enter, .leave = dbbs_leave, .step = dbbs_step};

static soloist_code dbbs_run(struct search_run *run) {
    struct dbbs dbbs;
    soloist_code code =
        dbbs_open(&dbbs, &run->budget->memory) ? bidirectional_run(run, &rules, &dbbs, 0) : search_full(run);
    dbbs_close(&dbbs);
    return code;
}

const struct search_method search_dbbs = {
    .name = "dbbs",
    .summary = "DBBS: bidirectional A* that expands buckets in pairs, where a bucket holds states with equal cost and "
               "bounds; proves optimality",
    .options = bidirectional_options_rows,
    .options_size = sizeof(struct bidirectional_options),
    .needs = BIDIRECTIONAL_NEEDS,
    .suits = bidirectional_suits_consistent,
    .network = bidirectional_network,
    .ignores = bidirectional_ignores,
    .run = dbbs_run,
    .proves = bidirectional_proves,
};
