/* A* whose bound is a network's estimate of the cost to go (Ge 2018, section 4.2; L10). The children of several
 * expanded states are sent to the network in one call. The estimate may be too high, so no solution is proved optimal.
 * If no open state is left and no solution was found, there is no solution. With batch=1, states are expanded in the
 * same order as by a_star.c if the bounds are equal. */
#include "search/best_first/a_star.h"
#include "search/best_first/closed.h"
#include "search/best_first/open_list.h"
#include "search/guided/questions.h"

/* Costs are counted in sixteenths, so that estimates are not rounded to whole steps. */
enum { units = 16 };
/* A state about which the network has not been asked yet: its bound is `unasked` plus the domain's bound, if that is
 * used. No estimate reaches this number. */
enum { unasked = 1 << 30, most_estimate = 1 << 28 };

struct learned {
    struct search_run *run;
    const struct a_star_options *options;
    struct closed closed;
    struct open_list open;
    struct questions questions;
    int64_t weight; /* in thousandths */
    unsigned want;
    int32_t upper;    /* cost of the best goal found; SOLOIST_DEAD: none */
    uint32_t *chosen; /* the states that are expanded together */
    uint32_t *born;   /* the states to be opened when the network has been asked, in the order of their births */
    uint32_t born_count, born_room;
    int64_t expanded;
    soloist_rng rng;
};

enum learned_next { LEARNED_GO_ON, LEARNED_FULL, LEARNED_REFUSED, LEARNED_FAILED };

static struct closed_node *node_at(const struct learned *learned, uint32_t index) {
    return closed_at(&learned->closed, index);
}

/* The bound of an expanded state has inverted bits. */
static bool is_expanded(const struct closed_node *node) { return node->bound < 0; }

static bool push(struct learned *learned, uint32_t index) {
    const struct closed_node *node = node_at(learned, index);
    bool deep = learned->options->ties == A_STAR_TIES_DEEP;
    uint32_t minor = deep ? (uint32_t)node->bound : soloist_rng_below(&learned->rng, 256);
    int64_t f = (int64_t)node->cost * units + learned->weight * node->bound / 1000;
    return open_list_push(&learned->open, (uint64_t)f, minor, index);
}

/* ---- the children, and what the network says about them ---- */

static int32_t estimate(const struct learned *learned, double value, int32_t bound) {
    double cost = units * guided_cost_to_go(learned->run->evaluator, value) + 0.5;
    int32_t own = cost < most_estimate ? (int32_t)cost : most_estimate;
    return own > bound ? own : bound;
}

static bool ask(struct learned *learned) {
    struct questions *questions = &learned->questions;
    if (!questions_ask(questions))
        return false;
    for (int i = 0; i < questions->count; i++) {
        struct closed_node *node = node_at(learned, questions->of[i]);
        node->bound = estimate(learned, (double)questions->evaluations[i].value, node->bound - unasked);
    }
    questions_clear(questions);
    return true;
}

/* Opens all states that were generated since the last call. */
static enum learned_next open_born(struct learned *learned) {
    if (!ask(learned))
        return LEARNED_FAILED;
    for (uint32_t i = 0; i < learned->born_count; i++)
        if (!push(learned, learned->born[i]))
            return LEARNED_FULL;
    learned->born_count = 0;
    return LEARNED_GO_ON;
}

/* The domain's bound on a new state, in units, if the options ask for it. */
static int32_t own_bound(const struct learned *learned, const soloist_child *child) {
    int64_t bound = learned->want & SOLOIST_WANT_BOUND && child->bound > 0 ? (int64_t)child->bound * units : 0;
    return bound < most_estimate ? (int32_t)bound : most_estimate;
}

/* Handles one child of the state at `parent`: a goal, a new state, a cheaper path to a known state, or none of these.
 */
static enum learned_next take_child(struct learned *learned, uint32_t parent, const soloist_child *child) {
    struct closed *closed = &learned->closed;
    struct memory *memory = &learned->run->budget->memory;
    int32_t cost;
    bool added;
    if (!search_add_cost(learned->run, node_at(learned, parent)->cost, child->step, &cost))
        return LEARNED_REFUSED;
    if (cost >= learned->upper)
        return LEARNED_GO_ON;
    if (closed_child(closed, child->move)) {
        learned->upper = cost;
        return closed_record(closed, parent, child->move, cost) ? LEARNED_GO_ON : LEARNED_FULL;
    }
    uint32_t index = closed_put(closed, child->key, closed->child, &added);
    if (index == POOL_NONE || !memory_grow(memory, &learned->born, sizeof *learned->born, &learned->born_room,
                                           (uint64_t)learned->born_count + 1))
        return LEARNED_FULL;
    struct closed_node *node = node_at(learned, index);
    if (!added && cost >= node->cost)
        return LEARNED_GO_ON;
    int32_t bound = added ? unasked + own_bound(learned, child) : is_expanded(node) ? ~node->bound : node->bound;
    *node = (struct closed_node){parent, child->move, cost, bound};
    learned->born[learned->born_count++] = index;
    if (!added)
        return LEARNED_GO_ON;
    questions_add(&learned->questions, closed->child, index);
    return !questions_are_full(&learned->questions) || ask(learned) ? LEARNED_GO_ON : LEARNED_FAILED;
}

static enum learned_next expand(struct learned *learned, uint32_t index) {
    enum learned_next next = LEARNED_GO_ON;
    int count = closed_expand(&learned->closed, index, learned->want);
    for (int i = 0; i < count && next == LEARNED_GO_ON; i++)
        next = take_child(learned, index, &learned->closed.children[i]);
    return next;
}

/* ---- the search ---- */

/* The open states of least f, marked as expanded; at most a batch. *exhausted: no state is open. */
static int choose(struct learned *learned, bool *exhausted) {
    const struct a_star_options *options = learned->options;
    int count = 0, most = (int)options->batch;
    uint32_t f = 0, index;
    if (options->expansions && options->expansions - learned->expanded < most)
        most = (int)(options->expansions - learned->expanded);
    *exhausted = false;
    while (count < most) {
        index = open_list_pop(&learned->open, &f);
        if (index == POOL_NONE) {
            *exhausted = !count;
            break;
        }
        struct closed_node *node = node_at(learned, index);
        if (is_expanded(node))
            continue;
        if (f >= (uint64_t)learned->upper * units)
            break;
        node->bound = ~node->bound;
        learned->chosen[count++] = index;
    }
    learned->expanded += count;
    if (count)
        search_note(learned->run, "f %.1f", (double)f / units);
    return count;
}

static void paint_open(void *user, uint32_t f, uint32_t index) {
    const struct closed_tally *tally = user;
    const struct closed_node *node = closed_at(tally->closed, index);
    if (is_expanded(node))
        return;
    picture_count(tally->picture, SOLOIST_AXIS_F, 0, f / units, tally->stride);
    picture_count(tally->picture, SOLOIST_AXIS_COST, 0, node->cost, tally->stride);
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct learned *learned = subject;
    struct closed_tally tally = {&learned->closed, picture, picture_stride(open_list_count(&learned->open)), 0};
    picture_kind(picture, SOLOIST_PICTURE_FRONT);
    open_list_sample(&learned->open, tally.stride, paint_open, &tally);
    closed_paint_line(&learned->closed, picture);
}

static enum learned_next search(struct learned *learned) {
    struct search_run *run = learned->run;
    const struct a_star_options *options = learned->options;
    enum learned_next next = LEARNED_GO_ON;
    while (next == LEARNED_GO_ON && !search_spent(run)) {
        bool exhausted;
        int count = choose(learned, &exhausted);
        if (!count) {
            run->impossible = exhausted && !run->found;
            if (options->expansions && learned->expanded == options->expansions && !exhausted)
                budget_stop(run->budget, SOLOIST_STOP_NODES);
            break;
        }
        for (int i = 0; i < count && next == LEARNED_GO_ON && !search_spent(run); i++)
            next = expand(learned, learned->chosen[i]);
        if (next == LEARNED_GO_ON && !search_spent(run))
            next = open_born(learned);
    }
    return next;
}

static bool open_learned(struct learned *learned) {
    struct search_run *run = learned->run;
    int64_t children = learned->options->batch * run->shape.most_moves;
    open_list_open(&learned->open, &run->budget->memory);
    learned->chosen = memory_take(&run->budget->memory, (size_t)learned->options->batch * sizeof *learned->chosen);
    bool opened = closed_open(&learned->closed, run) && closed_put_root(&learned->closed);
    return questions_open(&learned->questions, run, questions_room(run, children), false) && opened &&
           learned->chosen && push(learned, 1);
}

static void close_learned(struct learned *learned) {
    struct memory *memory = &learned->run->budget->memory;
    memory_give(memory, learned->chosen, (size_t)learned->options->batch * sizeof *learned->chosen);
    memory_give(memory, learned->born, learned->born_room * sizeof *learned->born);
    questions_close(&learned->questions);
    open_list_close(&learned->open);
    closed_close(&learned->closed);
}

soloist_code a_star_network_run(struct search_run *run) {
    const struct a_star_options *options = run->options;
    struct learned learned = {.run = run, .options = options, .upper = SOLOIST_DEAD, .want = SOLOIST_WANT_KEY};
    if (!search_check_network(run, false, true))
        return SOLOIST_UNSUPPORTED;
    if (options->bound == A_STAR_BOUND_BOTH)
        learned.want |= SOLOIST_WANT_BOUND;
    learned.weight = (int64_t)(options->weight * 1000 + 0.5);
    soloist_rng_seed(&learned.rng, run->seed, 0);
    bool proof_known = run->proof_known;
    run->proof_known = false; /* no solution is called optimal */
    bool opened = open_learned(&learned);
    search_show(run, paint, &learned);
    enum learned_next next = opened ? search(&learned) : LEARNED_FULL;
    search_hide(run);
    run->proof_known = proof_known;
    close_learned(&learned);
    if (next == LEARNED_FULL)
        return search_full(run);
    return next == LEARNED_REFUSED ? SOLOIST_UNSUPPORTED : next == LEARNED_FAILED ? search_failed(run) : SOLOIST_OK;
}
