/* Breadth-first search over packed states (S19). As long as every move costs the same, the closed table, in the order
 * of its indices, serves as the queue. At the first move with another cost, the search continues as Dijkstra's
 * algorithm, cheapest state first, with a heap of the states not yet expanded. In both cases a goal is proved optimal
 * once no open state is cheaper. */
#include "search/best_first/closed.h"
#include "search/best_first/distributed.h"

#include "base/heap.h"

struct bfs {
    struct search_run *run;
    struct closed closed;
    struct heap open; /* open states, ordered by cost, then by age */
    bool by_cost;     /* step costs are known to differ: the heap is in use */
    uint32_t next;    /* index of the next state to expand while the heap is not in use */
    int32_t step;     /* the only step cost seen so far; -1: none yet */
    int32_t upper;    /* cost of the best goal found; SOLOIST_DEAD: none */
    uint32_t pushed;
};

static struct closed_node *node_at(const struct bfs *bfs, uint32_t index) { return closed_at(&bfs->closed, index); }

static bool push(struct bfs *bfs, uint32_t index) {
    return heap_push(&bfs->open, (uint64_t)node_at(bfs, index)->cost << 32 | bfs->pushed++, index);
}

/* Called when step costs differ: puts all states from the next one on into the heap. Expanded states stay closed,
 * because they cost no more than any open state. */
static bool order_by_cost(struct bfs *bfs) {
    bfs->by_cost = true;
    for (uint32_t index = bfs->next; index <= table_count(&bfs->closed.table); index++)
        if (!push(bfs, index))
            return false;
    return true;
}

/* The cheapest open state, or POOL_NONE. A heap entry is stale if a cheaper path was found after it was pushed. */
static uint32_t pop(struct bfs *bfs) {
    uint64_t priority;
    uint32_t index;
    if (!bfs->by_cost)
        return bfs->next <= table_count(&bfs->closed.table) ? bfs->next++ : POOL_NONE;
    while (heap_pop(&bfs->open, &priority, &index))
        if ((int32_t)(priority >> 32) == node_at(bfs, index)->cost)
            return index;
    return POOL_NONE;
}

enum bfs_next { BFS_GO_ON, BFS_FULL, BFS_REFUSED };

/* Handles one child of the state at `parent`: a goal, a new state, a cheaper path to a known state, or none of these.
 */
static enum bfs_next take_child(struct bfs *bfs, uint32_t parent, const soloist_child *child) {
    struct closed *closed = &bfs->closed;
    int32_t cost;
    if (!search_add_cost(bfs->run, node_at(bfs, parent)->cost, child->step, &cost))
        return BFS_REFUSED;
    if (bfs->step < 0)
        bfs->step = child->step;
    if (child->step != bfs->step && !bfs->by_cost && !order_by_cost(bfs))
        return BFS_FULL;
    if (cost >= bfs->upper)
        return BFS_GO_ON;
    if (closed_child(closed, child->move)) {
        bfs->upper = cost;
        return closed_record(closed, parent, child->move, cost) ? BFS_GO_ON : BFS_FULL;
    }
    bool added;
    uint32_t index = closed_put(closed, child->key, closed->child, &added);
    if (index == POOL_NONE)
        return BFS_FULL;
    if (!added && cost >= node_at(bfs, index)->cost)
        return BFS_GO_ON;
    *node_at(bfs, index) = (struct closed_node){.parent = parent, .move = child->move, .cost = cost};
    return !bfs->by_cost || push(bfs, index) ? BFS_GO_ON : BFS_FULL;
}

static enum bfs_next expand(struct bfs *bfs, uint32_t index) {
    int count = closed_expand(&bfs->closed, index, SOLOIST_WANT_KEY);
    enum bfs_next next = BFS_GO_ON;
    for (int i = 0; i < count && next == BFS_GO_ON; i++)
        next = take_child(bfs, index, &bfs->closed.children[i]);
    return next;
}

static void paint_open(struct search_picture *picture, const struct bfs *bfs, uint32_t index, uint64_t stride) {
    picture_count(picture, SOLOIST_AXIS_COST, 0, node_at(bfs, index)->cost, stride);
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct bfs *bfs = subject;
    uint64_t last = table_count(&bfs->closed.table);
    uint64_t stride = picture_stride(bfs->by_cost ? bfs->open.count : last + 1 - bfs->next);
    picture_kind(picture, SOLOIST_PICTURE_FRONT);
    for (size_t i = 0; i < bfs->open.count; i += stride)
        paint_open(picture, bfs, bfs->open.entries[i].item, stride);
    for (uint64_t i = bfs->next; !bfs->by_cost && i <= last; i += stride)
        paint_open(picture, bfs, (uint32_t)i, stride);
    closed_paint_line(&bfs->closed, picture);
}

/* Expands the cheapest open state until none is cheaper than the best goal. */
static enum bfs_next search(struct bfs *bfs) {
    struct search_run *run = bfs->run;
    int32_t noted = -1;
    enum bfs_next next = BFS_GO_ON;
    while (next == BFS_GO_ON && !search_spent(run)) {
        uint32_t index = pop(bfs);
        if (index == POOL_NONE || node_at(bfs, index)->cost >= bfs->upper) {
            run->optimal = run->found;
            run->impossible = !run->found;
            break;
        }
        if (node_at(bfs, index)->cost > noted) {
            noted = node_at(bfs, index)->cost;
            search_note(run, "cost %d", (int)noted);
        }
        next = expand(bfs, index);
    }
    return next;
}

static soloist_code bfs_run(struct search_run *run) {
    static const struct distributed_settings settings = {.bounds = false};
    if (distributed_is_wanted(run))
        return distributed_run(run, &settings);
    struct bfs bfs = {.run = run, .next = 1, .step = -1, .upper = SOLOIST_DEAD};
    enum bfs_next next = BFS_FULL;
    heap_open(&bfs.open, &run->budget->memory);
    if (closed_open(&bfs.closed, run) && closed_put_root(&bfs.closed)) {
        search_show(run, paint, &bfs);
        next = search(&bfs);
        search_hide(run);
    }
    heap_close(&bfs.open);
    closed_close(&bfs.closed);
    if (next == BFS_FULL)
        return search_full(run);
    return next == BFS_REFUSED ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}

static unsigned ignores(const void *options) { return search_ignores_all(options) & ~(unsigned)SEARCH_IGNORES_THREADS; }

const struct search_method search_bfs = {
    .name = "bfs",
    .summary = "breadth-first search, in order of increasing cost; proves optimality if memory suffices",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL,
    .ignores = ignores,
    .run = bfs_run,
    .proves = search_proves_always,
    .ranks = true,
};
