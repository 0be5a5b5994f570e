/* The two tables, the meeting test, and the loop. Each side stores a state once, with the least cost known. When the
 * state is also in the other side's table, the two halves form a solution; whole states are compared, so the goal may
 * be any set of states. A meeting is noticed as soon as the state is generated; the search ends when the method's lower
 * bound proves that no cheaper solution exists. */
#include "search/bidirectional/bidirectional.h"
#include "search/picture.h"

#include <string.h>

/* An instance with more goal states than this is refused: listing them would take most of the time. */
enum { most_goals = 1 << 20 };

/* ---- life ---- */

/* Allocates one block for the two states, a packed state and the children. */
static bool open_scratch(struct bidirectional *search) {
    const struct search_run *run = search->run;
    size_t state = memory_round_up(run->shape.state_size), packed = memory_round_up(search_packed_size(run));
    search->scratch_size = 2 * state + packed + (size_t)run->shape.most_moves * sizeof(soloist_child);
    unsigned char *block = memory_take(&run->budget->memory, search->scratch_size);
    if (!block)
        return false;
    search->state = block;
    search->child = block + state;
    search->packed = block + 2 * state;
    search->children = (soloist_child *)(block + 2 * state + packed);
    return true;
}

static bool open_side(struct bidirectional *search, int s, const soloist_core *core, const soloist_bound *bound) {
    struct search_run *run = search->run;
    struct bidirectional_side *side = &search->side[s];
    side->core = core;
    side->bound = bound;
    return table_open(&side->table, &run->budget->memory, search_packed_size(run), sizeof(struct bidirectional_node));
}

static void close_side(struct bidirectional_side *side, struct memory *memory) {
    if (side->table.items.memory)
        table_close(&side->table);
    tally_close(&side->g, memory);
    tally_close(&side->f, memory);
    tally_close(&side->d, memory);
}

static void close_all(struct bidirectional *search) {
    struct memory *memory = &search->run->budget->memory;
    close_side(&search->side[FORWARDS], memory);
    close_side(&search->side[BACKWARDS], memory);
    memory_give(memory, search->state, search->scratch_size);
}

/* ---- open states ---- */

static bool tally_node(struct bidirectional *search, int s, const struct bidirectional_node *node) {
    struct bidirectional_side *side = &search->side[s];
    struct memory *memory = &search->run->budget->memory;
    side->open++;
    return tally_add(&side->g, memory, node->cost, 1) && tally_add(&side->f, memory, bidirectional_f(node), 1) &&
           (!search->rules->wants_opposite || tally_add(&side->d, memory, bidirectional_d(node), 1));
}

static void leave(struct bidirectional *search, int s, uint32_t index) {
    struct bidirectional_side *side = &search->side[s];
    const struct bidirectional_node *node = bidirectional_at(search, s, index);
    if (search->rules->leave)
        search->rules->leave(search, s, index);
    side->open--;
    tally_remove(&side->g, node->cost, 1);
    tally_remove(&side->f, bidirectional_f(node), 1);
    if (search->rules->wants_opposite)
        tally_remove(&side->d, bidirectional_d(node), 1);
}

/* Whether a state cannot lie on a line cheaper than the best one. The least values of the other side only rise, so a
 * useless state stays useless. Under inconsistent bounds the least f may fall, but then it is not used. */
static bool is_useless(struct bidirectional *search, int s, const struct bidirectional_node *node) {
    struct bidirectional_side *other = &search->side[!s];
    int64_t upper = search->upper, f = bidirectional_f(node);
    if (upper == SOLOIST_DEAD || !other->open)
        return false;
    if (f >= upper || node->cost + tally_least(&other->g) + search->epsilon >= upper)
        return true;
    return search->rules->wants_opposite &&
           (f + tally_least(&other->d) >= upper || bidirectional_d(node) + tally_least(&other->f) >= upper);
}

int64_t bidirectional_least(struct bidirectional *search) {
    struct bidirectional_side *a = &search->side[FORWARDS], *b = &search->side[BACKWARDS];
    int64_t least = tally_least(&a->g) + tally_least(&b->g) + search->epsilon;
    int64_t f[2] = {tally_least(&a->f), tally_least(&b->f)};
    if (search->rules->wants_opposite) {
        f[FORWARDS] += tally_least(&b->d);
        f[BACKWARDS] += tally_least(&a->d);
    }
    least = f[FORWARDS] > least ? f[FORWARDS] : least;
    return f[BACKWARDS] > least ? f[BACKWARDS] : least;
}

void bidirectional_note(struct bidirectional *search, int64_t least) {
    if (least == search->noted)
        return;
    search->noted = least;
    search_note(search->run, "cost at least %lld", (long long)least);
}

bool bidirectional_push(const struct bidirectional *search, int side, uint32_t index, struct frontier *frontier,
                        bidirectional_priority *priority) {
    const struct bidirectional_node *node = bidirectional_at(search, side, index);
    struct frontier_entry entry = {(uint64_t)priority(search, node), (uint32_t)node->bound, index};
    return frontier_push(frontier, entry);
}

const struct frontier_entry *bidirectional_head(const struct bidirectional *search, int side, struct frontier *frontier,
                                                bidirectional_priority *priority) {
    const struct frontier_entry *head;
    for (; (head = frontier_peek(frontier)); frontier_drop(frontier)) {
        const struct bidirectional_node *node = bidirectional_at(search, side, head->item);
        if (node->status == BIDIRECTIONAL_OPEN && (uint64_t)priority(search, node) == head->major)
            break;
    }
    return head;
}

/* ---- generating ---- */

/* Handles the state search->child; `made` holds its parent, move, cost and bounds. If the state is new or now cheaper,
 * looks for it on the other side and opens it. */
static enum bidirectional_next take(struct bidirectional *search, int s, uint64_t key,
                                    const struct bidirectional_node *made) {
    struct search_run *run = search->run;
    struct bidirectional_side *side = &search->side[s], *other = &search->side[!s];
    bool added;
    search_pack(run, search->child, search->packed);
    uint32_t index = table_put(&side->table, key, search->packed, &added);
    if (index == POOL_NONE)
        return BIDIRECTIONAL_FULL;
    struct bidirectional_node *node = bidirectional_at(search, s, index);
    if (!added && (node->status == BIDIRECTIONAL_DEAD || made->cost >= node->cost))
        return BIDIRECTIONAL_GO_ON;
    if (!added && node->status == BIDIRECTIONAL_CLOSED && search->rules->never_reopens)
        return BIDIRECTIONAL_GO_ON;
    int32_t opposite = node->opposite, bound = added || !search->learned ? made->bound : node->bound;
    if (!added && node->status == BIDIRECTIONAL_OPEN)
        leave(search, s, index);
    if (added && search->rules->wants_opposite)
        opposite = search->learned ? made->opposite : search_bound(run, other->bound, search->child);
    *node = *made;
    node->bound = bound;
    node->opposite = search->learned && opposite > made->cost ? made->cost : opposite;
    node->status = opposite == SOLOIST_DEAD ? BIDIRECTIONAL_DEAD : BIDIRECTIONAL_PRUNED;
    if (node->status == BIDIRECTIONAL_DEAD)
        return BIDIRECTIONAL_GO_ON;
    uint32_t met = table_find(&other->table, key, search->packed);
    if (met != POOL_NONE && (int64_t)made->cost + bidirectional_at(search, !s, met)->cost < search->upper &&
        !bidirectional_record(search, s == FORWARDS ? (uint32_t[2]){index, met} : (uint32_t[2]){met, index}))
        return BIDIRECTIONAL_FULL;
    if (is_useless(search, s, node))
        return BIDIRECTIONAL_GO_ON;
    node->status = BIDIRECTIONAL_OPEN;
    return tally_node(search, s, node) && search->rules->enter(search, s, index) ? BIDIRECTIONAL_GO_ON
                                                                                 : BIDIRECTIONAL_FULL;
}

static enum bidirectional_next refuse_step(const struct bidirectional *search, int32_t step) {
    const struct search_run *run = search->run;
    soloist_fail(run->error, 0, 0, "epsilon=%d is wrong for this %s: a move costs %d", (int)search->epsilon,
                 run->domain->name, (int)step);
    return BIDIRECTIONAL_REFUSED;
}

static enum bidirectional_next take_child(struct bidirectional *search, int s, uint32_t parent, int number) {
    struct search_run *run = search->run;
    const soloist_child *child = &search->children[number];
    struct bidirectional_node made = {.parent = parent, .move = child->move};
    if (!search_add_cost(run, bidirectional_at(search, s, parent)->cost, child->step, &made.cost))
        return BIDIRECTIONAL_REFUSED;
    if (child->step < search->epsilon)
        return refuse_step(search, child->step);
    if (search->learned) {
        int32_t to_goal = bidirectional_learned_of(search, number);
        made.bound = bidirectional_learned_bound(search, s, to_goal);
        made.opposite = bidirectional_learned_bound(search, !s, to_goal);
    } else {
        made.bound = child->bound > 0 ? child->bound : 0;
    }
    if (!search->learned && bidirectional_f(&made) >= search->upper)
        return BIDIRECTIONAL_GO_ON;
    memcpy(search->child, search->state, run->shape.state_size);
    search->side[s].core->apply(run->instance, search->child, child->move, NULL);
    return take(search, s, child->key, &made);
}

/* Whether the other side has closed this state at its least cost; then the best line through it is known already
 * (nipping, Kwa 1989). */
static bool is_settled(const struct bidirectional *search, int s, uint64_t key, uint32_t index) {
    const struct bidirectional_side *side = &search->side[s], *other = &search->side[!s];
    uint32_t met = table_find(&other->table, key, table_string(&side->table, index));
    if (met == POOL_NONE)
        return false;
    const struct bidirectional_node *node = bidirectional_at(search, !s, met);
    if (node->status != BIDIRECTIONAL_CLOSED)
        return false;
    return (search->rules->closes_for_good && search->consistent) ||
           (search->rules->wants_opposite && node->cost == node->opposite);
}

enum bidirectional_next bidirectional_expand(struct bidirectional *search, int s, uint32_t index) {
    struct search_run *run = search->run;
    struct bidirectional_side *side = &search->side[s];
    struct bidirectional_node *node = bidirectional_at(search, s, index);
    leave(search, s, index);
    node->status = BIDIRECTIONAL_CLOSED;
    if (is_useless(search, s, node))
        return BIDIRECTIONAL_GO_ON;
    bidirectional_unpack(search, s, index, search->state);
    if (is_settled(search, s, side->core->key(run->instance, search->state), index))
        return BIDIRECTIONAL_GO_ON;
    unsigned want = SOLOIST_WANT_KEY | (search->learned ? 0 : SOLOIST_WANT_BOUND);
    int count = search_expand(run, side->core, search->state, node->move, want, search->children);
    count = search_count_nodes(run, count);
    search_count_expanded(run, 1);
    for (int i = 0; i < count; i++) {
        table_prefetch(&search->side[FORWARDS].table, search->children[i].key);
        table_prefetch(&search->side[BACKWARDS].table, search->children[i].key);
    }
    enum bidirectional_next next = BIDIRECTIONAL_GO_ON;
    if (search->learned && !bidirectional_learned_ask(search, s, count))
        return BIDIRECTIONAL_FAILED;
    for (int i = 0; i < count && next == BIDIRECTIONAL_GO_ON; i++)
        next = take_child(search, s, index, i);
    return next;
}

/* ---- roots and the loop ---- */

/* Opens the state search->child as a root of this side. */
static enum bidirectional_next take_root(struct bidirectional *search, int s) {
    const struct search_run *run = search->run;
    const struct bidirectional_side *side = &search->side[s];
    struct bidirectional_node made = {.parent = POOL_NONE, .move = SOLOIST_NO_MOVE};
    if (search->learned) { /* the estimate for the root is the bound of both sides' roots */
        made.bound = bidirectional_learned_bound(search, BACKWARDS, 0);
        return take(search, s, side->core->key(run->instance, search->child), &made);
    }
    made.bound = search_bound(run, side->bound, search->child);
    if (made.bound == SOLOIST_DEAD || (side->bound->dead && side->bound->dead(run->instance, search->child)))
        return BIDIRECTIONAL_GO_ON;
    made.bound = made.bound > 0 ? made.bound : 0;
    return take(search, s, side->core->key(run->instance, search->child), &made);
}

static enum bidirectional_next refuse_goals(const struct search_run *run) {
    soloist_fail(run->error, 0, 0, "%.*s searches from the goals backwards, and this %s has more than %d goal states",
                 (int)strcspn(run->method, ":"), run->method, run->domain->name, (int)most_goals);
    return BIDIRECTIONAL_REFUSED;
}

static enum bidirectional_next take_roots(struct bidirectional *search) {
    struct search_run *run = search->run;
    const soloist_reverse *reverse = run->domain->reverse;
    run->domain->life->root(run->instance, search->child);
    enum bidirectional_next next = take_root(search, FORWARDS);
    for (uint64_t i = 0; next == BIDIRECTIONAL_GO_ON && !search_spent(run); i++) {
        if (!reverse->goal(run->instance, i, search->child))
            break;
        if (i == most_goals)
            return refuse_goals(run);
        if (search_count_nodes(run, 1))
            next = take_root(search, BACKWARDS);
    }
    return next;
}

static void paint_tally(struct search_picture *picture, soloist_axis axis, int s, const struct tally *tally) {
    for (uint32_t value = tally->least; value < tally->room; value++)
        if (tally->count[value])
            picture_count(picture, axis, s, value, tally->count[value]);
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct bidirectional *search = subject;
    picture_kind(picture, SOLOIST_PICTURE_FRONT);
    for (int s = 0; s < 2; s++) {
        paint_tally(picture, SOLOIST_AXIS_F, s, &search->side[s].f);
        paint_tally(picture, SOLOIST_AXIS_COST, s, &search->side[s].g);
    }
}

static enum bidirectional_next search_until_proved(struct bidirectional *search) {
    struct search_run *run = search->run;
    enum bidirectional_next next = take_roots(search);
    while (next == BIDIRECTIONAL_GO_ON && !run->optimal && !search_spent(run))
        next = search->side[FORWARDS].open && search->side[BACKWARDS].open ? search->rules->step(search)
                                                                           : BIDIRECTIONAL_PROVED;
    return next;
}

static bool has_consistent_bounds(const struct search_run *run) {
    return run->domain->bound->consistent(run->instance) && run->domain->reverse->bound->consistent(run->instance);
}

bool bidirectional_suits(const struct search_run *run) {
    const soloist_bound *bounds[2] = {run->domain->bound, run->domain->reverse->bound};
    bool learned = bidirectional_is_learned(run->options);
    for (int s = 0; s < 2 && !learned; s++)
        if (!bounds[s]->admissible(run->instance))
            return soloist_fail(run->error, 0, 0, "%.*s needs admissible bounds; those of %s may exceed the cost",
                                (int)strcspn(run->method, ":"), run->method, run->domain->name);
    /* With pruning in both directions, perhaps neither side can complete a line. */
    if (bounds[FORWARDS]->pruned && bounds[BACKWARDS]->pruned)
        return soloist_fail(run->error, 0, 0,
                            "%.*s needs all moves in at least one direction; %s leaves out some in both",
                            (int)strcspn(run->method, ":"), run->method, run->domain->name);
    return true;
}

bool bidirectional_suits_consistent(const struct search_run *run) {
    if (!bidirectional_suits(run))
        return false;
    return bidirectional_is_learned(run->options) || has_consistent_bounds(run) ||
           soloist_fail(run->error, 0, 0, "%.*s needs consistent bounds; those of %s are not: use mm or nbs",
                        (int)strcspn(run->method, ":"), run->method, run->domain->name);
}

/* Opens both sides and searches. */
static enum bidirectional_next search_from_both(struct bidirectional *search) {
    const soloist_domain *domain = search->run->domain;
    if (!open_side(search, FORWARDS, domain->core, domain->bound) ||
        !open_side(search, BACKWARDS, domain->reverse->core, domain->reverse->bound) || !open_scratch(search))
        return BIDIRECTIONAL_FULL;
    enum bidirectional_next next =
        bidirectional_is_learned(search->run->options) ? bidirectional_learned_open(search) : BIDIRECTIONAL_GO_ON;
    return next == BIDIRECTIONAL_GO_ON ? search_until_proved(search) : next;
}

static soloist_code conclude(struct search_run *run, enum bidirectional_next next) {
    switch (next) {
    case BIDIRECTIONAL_FULL: return search_full(run);
    case BIDIRECTIONAL_REFUSED: return SOLOIST_UNSUPPORTED;
    case BIDIRECTIONAL_FAILED: return search_failed(run);
    default: return SOLOIST_OK;
    }
}

soloist_code bidirectional_run(struct search_run *run, const struct bidirectional_rules *rules, void *own,
                               int32_t epsilon) {
    struct bidirectional search = {
        .run = run, .rules = rules, .own = own, .upper = SOLOIST_DEAD, .epsilon = epsilon, .noted = -1};
    bool learned = bidirectional_is_learned(run->options), proof_known = run->proof_known;
    if (learned && !search_check_network(run, false, true))
        return SOLOIST_UNSUPPORTED;
    if (epsilon < 0)
        search.epsilon = run->shape.least_step;
    if (run->found)
        search.upper = run->best.value;
    search.consistent = !learned && has_consistent_bounds(run);
    run->proof_known = proof_known && !learned;
    search_show(run, paint, &search);
    enum bidirectional_next next = search_from_both(&search);
    search_hide(run);
    run->proof_known = proof_known;
    bidirectional_learned_close(&search);
    close_all(&search);
    if (next == BIDIRECTIONAL_PROVED) {
        run->optimal |= run->found && !rules->never_reopens && !learned;
        run->impossible = !run->found;
    }
    return conclude(run, next);
}
