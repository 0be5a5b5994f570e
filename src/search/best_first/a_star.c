/* A* (Hart, Nilsson and Raphael 1968; S1) over packed states. The state of least f = g + w h is expanded first; ties go
 * to the deepest state, then to the one opened last. A state is opened again when a cheaper path to it is found, so
 * the result is correct even with an inconsistent bound, which only costs time. Goals are noticed when they are
 * generated; the search ends when no open state has f below the cost of the best goal. */
#include "search/best_first/closed.h"

#include "base/heap.h"

#define A_STAR_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    REAL(T, weight, 1, 0, 100,                                                                                         \
         "factor w in f = g + w h, where g is the cost so far and h the bound; above 1: faster, but solutions may "    \
         "not be optimal; 0: Dijkstra's algorithm")                                                                    \
    CHOICE(T, ties, 0, "deep|random",                                                                                  \
           "which of several states with equal f is expanded first: deep: the deepest; random: a random one")
SOLOIST_OPTIONS(a_star_options, A_STAR_OPTIONS);

enum { TIES_DEEP, TIES_RANDOM };

/* States with a greater f are kept in a heap instead of buckets, because the memory for buckets grows with f. */
enum { most_bucket = 1 << 16 };

struct a_star {
    struct search_run *run;
    const struct a_star_options *options;
    struct closed closed;
    struct bucket_queue near;
    struct heap far;
    int64_t weight; /* w in thousandths: integers give the same sums on every machine */
    bool admissible;
    bool looks_ahead; /* expanding a state takes less time than a memory access */
    int32_t upper;    /* cost of the best goal found; SOLOIST_DEAD: none */
    soloist_rng rng;
};

static struct closed_node *node_at(const struct a_star *a_star, uint32_t index) {
    return closed_at(&a_star->closed, index);
}

/* When a state has been expanded, its bound is stored with inverted bits, which marks its other entries in the open
 * list as stale. */
static bool is_expanded(const struct closed_node *node) { return node->bound < 0; }

static bool push(struct a_star *a_star, uint32_t index) {
    const struct closed_node *node = node_at(a_star, index);
    uint64_t f = (uint64_t)(node->cost + a_star->weight * node->bound / 1000);
    uint32_t minor = a_star->options->ties == TIES_DEEP ? (uint32_t)node->bound : soloist_rng_below(&a_star->rng, 256);
    if (f >= UINT32_MAX)
        f = UINT32_MAX;
    if (f <= most_bucket && minor <= most_bucket)
        return bucket_queue_push(&a_star->near, (uint32_t)f, minor, index);
    return heap_push(&a_star->far, f << 32 | minor, index);
}

/* The open state of least f, or POOL_NONE. */
static uint32_t pop(struct a_star *a_star, uint32_t *f) {
    uint64_t priority;
    uint32_t minor, index, least;
    for (;;) {
        bool near = bucket_queue_least(&a_star->near, &least);
        if (near && (!a_star->far.count || a_star->far.entries[0].priority >> 32 >= least)) {
            bucket_queue_pop(&a_star->near, f, &minor, &index);
        } else if (heap_pop(&a_star->far, &priority, &index)) {
            *f = (uint32_t)(priority >> 32);
        } else {
            return POOL_NONE;
        }
        if (!is_expanded(node_at(a_star, index)))
            return index;
    }
}

enum a_star_next { A_STAR_GO_ON, A_STAR_FULL, A_STAR_REFUSED };

/* Whether no line through a state of this cost and bound can beat the best goal. */
static bool is_too_dear(const struct a_star *a_star, int32_t cost, int32_t bound) {
    return (int64_t)cost + (a_star->admissible ? bound : 0) >= a_star->upper;
}

/* Handles one child of the state at `parent`: a goal, a new state, a cheaper path to a known state, or none of these.
 */
static enum a_star_next take_child(struct a_star *a_star, uint32_t parent, const soloist_child *child) {
    struct closed *closed = &a_star->closed;
    int32_t cost;
    if (!search_add_cost(a_star->run, node_at(a_star, parent)->cost, child->step, &cost))
        return A_STAR_REFUSED;
    if (is_too_dear(a_star, cost, child->bound))
        return A_STAR_GO_ON;
    if (closed_child(closed, child->move)) {
        a_star->upper = cost;
        return closed_record(closed, parent, child->move, cost) ? A_STAR_GO_ON : A_STAR_FULL;
    }
    bool added;
    uint32_t index = closed_put(closed, child->key, closed->child, &added);
    if (index == POOL_NONE)
        return A_STAR_FULL;
    if (!added && cost >= node_at(a_star, index)->cost)
        return A_STAR_GO_ON;
    *node_at(a_star, index) = (struct closed_node){parent, child->move, cost, child->bound};
    closed_note_child(closed, child->move, index);
    return push(a_star, index) ? A_STAR_GO_ON : A_STAR_FULL;
}

static const unsigned wanted = SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND;

/* Predicts which state will be expanded next: usually the last child with the same f as its parent, otherwise the first
 * of the open list. */
static void look_ahead(struct a_star *a_star, int32_t bound, int count) {
    struct closed *closed = &a_star->closed;
    uint32_t top = bucket_queue_hint(&a_star->near);
    while (count-- > 0)
        if (closed->children[count].step + closed->children[count].bound <= bound) {
            if (top)
                table_prefetch_item(&closed->table, top);
            closed_look_ahead_at_child(closed, closed->children[count].move, wanted);
            return;
        }
    if (top)
        closed_look_ahead(closed, top, wanted);
}

static enum a_star_next expand(struct a_star *a_star, uint32_t index) {
    struct closed_node *node = node_at(a_star, index);
    int32_t bound = node->bound;
    node->bound = ~bound;
    int count = closed_expand(&a_star->closed, index, wanted);
    if (a_star->looks_ahead)
        look_ahead(a_star, bound, count);
    enum a_star_next next = A_STAR_GO_ON;
    for (int i = 0; i < count && next == A_STAR_GO_ON; i++)
        next = take_child(a_star, index, &a_star->closed.children[i]);
    return next;
}

/* Reports what is proved when nothing better can be left. With w > 1, f is no lower bound, but an empty open list still
 * is a proof. */
static void conclude(struct a_star *a_star, bool exhausted) {
    struct search_run *run = a_star->run;
    run->impossible = exhausted && !run->found;
    if (run->found && (exhausted || (a_star->admissible && a_star->weight <= 1000)))
        run->optimal = true;
}

static enum a_star_next search(struct a_star *a_star) {
    struct search_run *run = a_star->run;
    enum a_star_next next = A_STAR_GO_ON;
    uint32_t f, noted = UINT32_MAX;
    while (next == A_STAR_GO_ON && !run->optimal && !search_spent(run)) {
        uint32_t index = pop(a_star, &f);
        if (index == POOL_NONE || f >= (uint32_t)a_star->upper) {
            conclude(a_star, index == POOL_NONE);
            break;
        }
        if (f != noted) {
            noted = f;
            search_note(run, "f %u", (unsigned)f);
        }
        next = expand(a_star, index);
    }
    return next;
}

static bool open_root(struct a_star *a_star) {
    struct search_run *run = a_star->run;
    if (!closed_open(&a_star->closed, run) || !closed_put_root(&a_star->closed))
        return false;
    int32_t bound = run->domain->bound->value(run->instance, a_star->closed.state);
    node_at(a_star, 1)->bound = bound;
    return bound == SOLOIST_DEAD || push(a_star, 1);
}

static soloist_code a_star_run(struct search_run *run) {
    const struct a_star_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    struct a_star a_star = {.run = run, .options = options, .upper = SOLOIST_DEAD};
    a_star.weight = (int64_t)(options->weight * 1000 + 0.5);
    a_star.admissible = run->domain->bound->admissible(run->instance);
    a_star.looks_ahead = run->domain->hints && run->domain->hints->fast_expand;
    soloist_rng_seed(&a_star.rng, run->seed, 0);
    bucket_queue_open(&a_star.near, memory);
    heap_open(&a_star.far, memory);
    enum a_star_next next = open_root(&a_star) ? search(&a_star) : A_STAR_FULL;
    heap_close(&a_star.far);
    bucket_queue_close(&a_star.near);
    closed_close(&a_star.closed);
    if (next == A_STAR_FULL)
        return search_full(run);
    return next == A_STAR_REFUSED ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}

static unsigned ignores(const void *options) {
    const struct a_star_options *o = options;
    return search_ignores_all(options) & ~(o->ties == TIES_RANDOM ? (unsigned)SEARCH_IGNORES_SEED : 0);
}

const struct search_method search_a_star = {
    .name = "astar",
    .summary =
        "A*: always expands the state for which cost so far plus bound is least; optimal under an admissible bound",
    .options = a_star_options_rows,
    .options_size = sizeof(struct a_star_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_BOUND,
    .ignores = ignores,
    .run = a_star_run,
};
