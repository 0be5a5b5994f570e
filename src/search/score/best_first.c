/* Best-first search for the highest score: A* for a maximum. The state of greatest f = score so far + upper bound is
 * expanded first; ties go to the state opened last. Each state is stored once, packed. A state is opened again when a
 * better path to it is found, so the result is correct even with an inconsistent bound; inconsistency only costs time.
 * When no open state has f above the score of the best line, that line is optimal. No other search with the same bound
 * can prove this by expanding fewer states. */
#include "search/best_first/closed.h"
#include "search/score/score_to_beat.h"
#include "search/score/tail.h"

#include "base/heap.h"

#include <string.h>

#define BEST_FIRST_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                 \
    INT(T, games, 1000, 0, 1e9, "number of play-outs at the beginning, whose best score is the first score to beat")   \
    BOOL(T, tight, 1, "use the domain's tighter bound, if it has one")
SOLOIST_OPTIONS(best_first_options, BEST_FIRST_OPTIONS);

/* States whose f is further than this below the root's f share one bucket and are not ordered: the memory for buckets
 * grows with the greatest distance. */
enum { most_bucket = 1 << 16 };

/* The bound stored for a state that has been expanded. */
enum { expanded = -1 };

struct best_first {
    struct search_run *run;
    bool tight;
    struct closed closed; /* here a node's cost is its score so far, and its bound is the root's f minus its f */
    struct bucket_queue open;
    int32_t top; /* the root's f; no state has a higher f */
};

static struct closed_node *node_at(const struct best_first *search, uint32_t index) {
    return closed_at(&search->closed, index);
}

static bool can_win(const struct best_first *search, int64_t f) {
    return !search->run->found || f > search->run->best.value;
}

static uint32_t bucket_of(const struct closed_node *node) {
    return node->bound < most_bucket ? (uint32_t)node->bound : most_bucket;
}

static bool push(struct best_first *search, uint32_t index) {
    return bucket_queue_push(&search->open, bucket_of(node_at(search, index)), 0, index);
}

/* The open state of greatest f, or POOL_NONE. An entry is stale if its state was expanded or got a higher f since. */
static uint32_t pop(struct best_first *search, int64_t *f) {
    uint32_t bucket, minor, index;
    while (bucket_queue_pop(&search->open, &bucket, &minor, &index)) {
        const struct closed_node *node = node_at(search, index);
        *f = (int64_t)search->top - node->bound;
        if (node->bound == expanded || bucket != bucket_of(node))
            continue;
        if (can_win(search, *f))
            return index;
        if (bucket < most_bucket)
            break;
    }
    return POOL_NONE;
}

/* Makes closed->child by a move. True if play ends there; *last is then what the end adds to the score. */
static bool make_child(struct best_first *search, soloist_move move, int32_t *last) {
    const struct search_run *run = search->run;
    void *child = search->closed.child;
    memcpy(child, search->closed.state, run->shape.state_size);
    run->domain->core->apply(run->instance, child, move, NULL);
    return run->domain->core->ended(run->instance, child, last);
}

/* The f of closed->child by the domain's tight bound; at most `f`, which is its f by the plain bound. */
static int64_t tighten(const struct best_first *search, int32_t score, int64_t f) {
    const struct search_run *run = search->run;
    if (!search->tight)
        return f;
    int64_t enough = run->found ? (int64_t)run->best.value - score : INT32_MIN;
    return score + (int64_t)score_tighten(run, search->closed.child, (int32_t)(f - score), enough);
}

/* Handles one child of the state at `parent`: play ends there, or it is a new state, a better path to a known state, or
 * none of these. f: the parent's f. The child's f is limited to this value: if the child's bound gives more, that bound
 * is known to be too high. False: memory is full. */
static bool take_child(struct best_first *search, uint32_t parent, int64_t f, const soloist_child *child) {
    struct closed *closed = &search->closed;
    int32_t score = search_sum(node_at(search, parent)->cost, child->step), last = 0;
    if (!search_fits(search->run, score))
        return true;
    if ((int64_t)score + child->bound < f)
        f = (int64_t)score + child->bound;
    if (!can_win(search, f))
        return true;
    if (make_child(search, child->move, &last))
        return !can_win(search, (int64_t)score + last) ||
               closed_record(closed, parent, child->move, search_sum(score, last));
    bool added;
    uint32_t index = closed_put(closed, child->key, closed->child, &added);
    if (index == POOL_NONE)
        return false;
    struct closed_node *node = node_at(search, index);
    if (!added && score <= node->cost)
        return true;
    *node = (struct closed_node){parent, child->move, score, expanded};
    f = tighten(search, score, f);
    if (!can_win(search, f))
        return true;
    int64_t below = search->top - f; /* if it does not fit, f counts as higher than it is: then nothing is missed */
    node->bound = below < INT32_MAX ? (int32_t)below : INT32_MAX;
    return push(search, index);
}

static bool expand(struct best_first *search, uint32_t index, int64_t f) {
    node_at(search, index)->bound = expanded;
    int count = closed_expand(&search->closed, index, SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND);
    bool good = true;
    for (int i = 0; i < count; i++)
        table_prefetch(&search->closed.table, search->closed.children[i].key);
    for (int i = 0; good && i < count; i++)
        good = take_child(search, index, f, &search->closed.children[i]);
    return good;
}

static void paint_open(void *user, uint32_t bucket, uint32_t index) {
    const struct closed_tally *tally = user;
    const struct closed_node *node = closed_at(tally->closed, index);
    if (node->bound == expanded || bucket != bucket_of(node))
        return;
    picture_count(tally->picture, SOLOIST_AXIS_F, 0, (int64_t)tally->top - node->bound, tally->stride);
    picture_count(tally->picture, SOLOIST_AXIS_COST, 0, node->cost, tally->stride);
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct best_first *search = subject;
    struct closed_tally tally = {&search->closed, picture, picture_stride(search->open.count), search->top};
    picture_kind(picture, SOLOIST_PICTURE_FRONT);
    bucket_queue_sample(&search->open, tally.stride, paint_open, &tally);
    closed_paint_line(&search->closed, picture);
}

/* Expands states until the best line is proved optimal or a limit is reached. False: memory is full. */
static bool search_all(struct best_first *search) {
    struct search_run *run = search->run;
    int64_t f, noted = INT64_MAX;
    while (!run->optimal && !search_spent(run)) {
        uint32_t index = pop(search, &f);
        if (index == POOL_NONE) {
            run->optimal = run->found && run->domain->bound->admissible(run->instance);
            return true;
        }
        if (f != noted) {
            noted = f;
            search_note(run, "at most %d", (int)f);
        }
        if (!expand(search, index, f))
            return false;
    }
    return true;
}

/* start: the state from which lines begin; NULL: the root. */
static bool open_root(struct best_first *search, const void *start) {
    struct search_run *run = search->run;
    struct closed *closed = &search->closed;
    if (!closed_open(closed, run) || !(start ? closed_put_start(closed, start) : closed_put_root(closed)))
        return false;
    search->top = search_bound(run, run->domain->bound, search->closed.state);
    return push(search, 1);
}

static soloist_code best_first_run(struct search_run *run) {
    const struct best_first_options *options = run->options;
    struct best_first search = {.run = run, .tight = options->tight};
    score_play_first(run, options->games);
    bucket_queue_open(&search.open, &run->budget->memory);
    bool good = open_root(&search, NULL);
    search_show(run, paint, &search);
    good = good && search_all(&search);
    search_hide(run);
    bucket_queue_close(&search.open);
    closed_close(&search.closed);
    return good ? SOLOIST_OK : search_full(run);
}

/* ---- tails -------------------------------------------------------------------------------------------- */

bool tail_is_possible(const struct search_run *run) {
    return run->domain->aim == SOLOIST_MOST_SCORE && run->domain->players < 2 && run->domain->bound &&
           run->shape.most_steps > 0;
}

enum tail_end tail_search(struct search_run *run, const void *state, int32_t beat, uint64_t *nodes,
                          struct search_line *tail) {
    soloist_limits limits = {.nodes = *nodes, .memory = TAIL_MEMORY, .stop = &run->budget->token};
    soloist_error error = {0};
    struct budget budget;
    if (!memory_book(&run->budget->memory, TAIL_MEMORY))
        return TAIL_LIMIT;
    budget_open(&budget, &limits, NULL);
    struct search_run part = {.domain = run->domain,
                              .instance = run->instance,
                              .shape = run->shape,
                              .budget = &budget,
                              .threads = 1,
                              .guard = run->guard,
                              .error = &error,
                              .best = {.moves = tail->moves, .room = tail->room, .value = beat},
                              .found = true};
    struct best_first search = {.run = &part, .tight = true};
    bucket_queue_open(&search.open, &budget.memory);
    bool good = open_root(&search, state) && search_all(&search);
    bool ended = good && atomic_load(&budget.stop) < 0;
    bucket_queue_close(&search.open);
    closed_close(&search.closed);
    memory_unbook(&run->budget->memory, TAIL_MEMORY);
    *nodes = atomic_load(&budget.nodes);
    *tail = part.best;
    return part.best.value > beat ? TAIL_BETTER : ended ? TAIL_NONE : TAIL_LIMIT;
}

/* The seed chooses the game whose score is to be beaten. */
static unsigned ignores(const void *options) { return search_ignores_all(options) & ~(unsigned)SEARCH_IGNORES_SEED; }

const struct search_method search_best_first = {
    .name = "bestfirst",
    .summary = "best-first search: expands the state with the highest sum of score so far and bound; proves the "
               "highest score, but keeps all states in memory",
    .options = best_first_options_rows,
    .options_size = sizeof(struct best_first_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_SCORE | SEARCH_NEEDS_BOUND,
    .suits = score_has_end,
    .ignores = ignores,
    .run = best_first_run,
    .proves = search_proves_always,
};
