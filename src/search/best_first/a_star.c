/* A* (Hart, Nilsson and Raphael 1968; S1) over packed states. The state of least f = g + w h is expanded first; ties go
 * to the deepest state, then to the one opened last. A state is opened again when a cheaper path to it is found, so the
 * result is correct even with an inconsistent bound; inconsistency only costs time. Goals are noticed when they are
 * generated; the search ends when no open state has f below the cost of the best goal. */
#include "search/best_first/a_star.h"
#include "search/best_first/closed.h"
#include "search/best_first/distributed.h"
#include "search/best_first/open_list.h"

struct a_star {
    struct search_run *run;
    const struct a_star_options *options;
    struct closed closed;
    struct open_list open;
    int64_t weight; /* w in thousandths: integers give the same sums on every machine */
    bool admissible;
    bool looks_ahead; /* expanding a state takes less time than a memory access */
    int32_t upper;    /* cost of the best goal found; SOLOIST_DEAD: none */
    int64_t expanded;
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
    bool deep = a_star->options->ties == A_STAR_TIES_DEEP;
    uint32_t minor = deep ? (uint32_t)node->bound : soloist_rng_below(&a_star->rng, 256);
    return open_list_push(&a_star->open, (uint64_t)(node->cost + a_star->weight * node->bound / 1000), minor, index);
}

/* The open state of least f, or POOL_NONE. */
static uint32_t pop(struct a_star *a_star, uint32_t *f) {
    uint32_t index;
    do
        index = open_list_pop(&a_star->open, f);
    while (index != POOL_NONE && is_expanded(node_at(a_star, index)));
    return index;
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
    uint32_t top = bucket_queue_hint(&a_star->open.near);
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

static void paint_open(void *user, uint32_t f, uint32_t index) {
    const struct closed_tally *tally = user;
    const struct closed_node *node = closed_at(tally->closed, index);
    if (is_expanded(node))
        return;
    picture_count(tally->picture, SOLOIST_AXIS_F, 0, f, tally->stride);
    picture_count(tally->picture, SOLOIST_AXIS_COST, 0, node->cost, tally->stride);
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct a_star *a_star = subject;
    struct closed_tally tally = {&a_star->closed, picture, picture_stride(open_list_count(&a_star->open)), 0};
    picture_kind(picture, SOLOIST_PICTURE_FRONT);
    open_list_sample(&a_star->open, tally.stride, paint_open, &tally);
    closed_paint_line(&a_star->closed, picture);
}

static enum a_star_next search(struct a_star *a_star) {
    struct search_run *run = a_star->run;
    enum a_star_next next = A_STAR_GO_ON;
    uint32_t f, noted = UINT32_MAX;
    while (next == A_STAR_GO_ON && !run->optimal && !search_spent(run)) {
        uint32_t index = pop(a_star, &f);
        if (index == POOL_NONE || (a_star->upper != SOLOIST_DEAD && f >= (uint32_t)a_star->upper)) {
            conclude(a_star, index == POOL_NONE);
            break;
        }
        if (f != noted) {
            noted = f;
            search_note(run, "f %u", (unsigned)f);
        }
        if (a_star->options->expansions && a_star->expanded++ == a_star->options->expansions) {
            budget_stop(run->budget, SOLOIST_STOP_NODES);
            break;
        }
        next = expand(a_star, index);
    }
    return next;
}

static bool open_root(struct a_star *a_star) {
    struct search_run *run = a_star->run;
    if (!closed_open(&a_star->closed, run) || !closed_put_root(&a_star->closed))
        return false;
    int32_t bound = search_bound(run, run->domain->bound, a_star->closed.state);
    node_at(a_star, 1)->bound = bound;
    return bound == SOLOIST_DEAD || push(a_star, 1);
}

static soloist_code a_star_run(struct search_run *run) {
    const struct a_star_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    if (options->bound != A_STAR_BOUND_DOMAIN)
        return a_star_network_run(run);
    struct a_star a_star = {.run = run, .options = options, .upper = SOLOIST_DEAD};
    a_star.weight = (int64_t)(options->weight * 1000 + 0.5);
    if (distributed_is_wanted(run)) {
        const struct distributed_settings settings = {true, a_star.weight, options->ties == A_STAR_TIES_RANDOM,
                                                      options->expansions};
        return distributed_run(run, &settings);
    }
    a_star.admissible = run->domain->bound->admissible(run->instance);
    a_star.looks_ahead = run->domain->hints && run->domain->hints->fast_expand;
    soloist_rng_seed(&a_star.rng, run->seed, 0);
    open_list_open(&a_star.open, memory);
    bool opened = open_root(&a_star);
    search_show(run, paint, &a_star);
    enum a_star_next next = opened ? search(&a_star) : A_STAR_FULL;
    search_hide(run);
    open_list_close(&a_star.open);
    closed_close(&a_star.closed);
    if (next == A_STAR_FULL)
        return search_full(run);
    return next == A_STAR_REFUSED ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}

static bool a_star_proves(const void *options) {
    const struct a_star_options *o = options;
    return o->weight <= 1 && o->bound == A_STAR_BOUND_DOMAIN;
}

static unsigned ignores(const void *options) {
    const struct a_star_options *o = options;
    unsigned used = o->ties == A_STAR_TIES_RANDOM ? (unsigned)SEARCH_IGNORES_SEED : 0;
    used |= (unsigned)(o->bound == A_STAR_BOUND_DOMAIN ? SEARCH_IGNORES_THREADS : SEARCH_IGNORES_NETWORK);
    return search_ignores_all(options) & ~used;
}

static enum search_network network(const void *options) {
    const struct a_star_options *o = options;
    return o->bound == A_STAR_BOUND_DOMAIN ? SEARCH_NETWORK_NONE : SEARCH_NETWORK_WITH_VALUES;
}

/* Only a network's estimate can do without the domain's bound. */
static bool suits(const struct search_run *run) {
    const struct a_star_options *o = run->options;
    return run->domain->bound || o->bound == A_STAR_BOUND_NETWORK ||
           soloist_fail(run->error, 0, 0, "astar needs a bound; %s has none", run->domain->name);
}

const struct search_method search_a_star = {
    .name = "astar",
    .summary = "A*: always expands the state with the least sum of cost so far and bound; its solutions are optimal if "
               "the bound is admissible",
    .options = a_star_options_rows,
    .options_size = sizeof(struct a_star_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL,
    .network = network,
    .ignores = ignores,
    .suits = suits,
    .run = a_star_run,
    .proves = a_star_proves,
    .ranks = true,
};
