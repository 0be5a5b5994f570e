/* Depth-first branch and bound for the highest score (Land and Doig 1960). Apart from the path, it needs memory only
 * for its transposition table, whose size is an option. A child is cut off if its score so far plus its upper bound
 * cannot beat the best line. With threshold=falling the method is IDA* for a maximum, as Marocchi and Crippa 2017 ran
 * it on SameGame (T3): score so far plus bound must reach a threshold, which starts at the root's bound and falls to
 * the greatest value that the previous iteration cut off.
 *
 * The worth of a state is an upper bound on the score still to come. When all children of a state have been searched,
 * its worth is the maximum, over its children, of the score of the move plus an upper bound that the child proves. A
 * child that was cut off proves its bound; a child where play ends proves what the end of play adds; any other child
 * proves its own worth. The worth does not depend on the path to the state, so the transposition table may store it; it
 * is stored negated, as a cost. */
#include "search/score/score_to_beat.h"
#include "search/ida_star/ida_star_path.h"
#include "search/ida_star/transposition.h"

#include <stdio.h>

#define BRANCH_AND_BOUND_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                           \
    CHOICE(T, threshold, BRANCH_AND_BOUND_BEST, "best|falling",                                                        \
           "which nodes are pruned: best: those that cannot lead to a higher score than that of the best game so "     \
           "far; falling: those that cannot reach a threshold, which begins at the root's bound and is lowered after " \
           "each pass")                                                                                                \
    CHOICE(T, order, BRANCH_AND_BOUND_ORDER_PROMISE, "none|promise|step",                                              \
           "order of children: none: as the domain lists them; promise: greatest sum of the move's score and the "     \
           "child's bound first; step: greatest score of the move first")                                              \
    BOOL(T, tight, 0,                                                                                                  \
         "use the domain's tighter bound, if it has one: fewer nodes are searched, but each takes longer")             \
    BOOL(T, table, 1,                                                                                                  \
         "use a transposition table, which stores what was proved about a state, so that the state can be pruned "     \
         "when it occurs again")                                                                                       \
    INT(T, table_mb, 0, 0, 1 << 20,                                                                                    \
        "size of the transposition table in megabytes; 0: 256, or half of the memory limit if that is less")           \
    INT(T, games, 1000, 0, 1e9,                                                                                        \
        "number of play-outs at the beginning, whose best score is the first score to beat; no play-outs with "        \
        "threshold=falling")
enum branch_and_bound_threshold { BRANCH_AND_BOUND_BEST, BRANCH_AND_BOUND_FALLING };
enum branch_and_bound_order {
    BRANCH_AND_BOUND_ORDER_NONE,
    BRANCH_AND_BOUND_ORDER_PROMISE,
    BRANCH_AND_BOUND_ORDER_STEP
};
SOLOIST_OPTIONS(branch_and_bound_options, BRANCH_AND_BOUND_OPTIONS);

/* The worth of a state from which no line reaches an end. */
enum { worthless = -SOLOIST_DEAD };

enum branch_and_bound_next {
    BRANCH_AND_BOUND_GO_ON,
    BRANCH_AND_BOUND_DONE, /* all children of the root have been searched */
    BRANCH_AND_BOUND_STOPPED,
    BRANCH_AND_BOUND_FULL
};

struct branch_and_bound {
    struct search_run *run;
    const struct branch_and_bound_options *options;
    /* Here a frame's cost is its score so far, and its value is the greatest value that its children have proved. */
    struct ida_star_path path;
    struct transposition table;
    soloist_move *moves; /* scratch space for a line */
    uint32_t iteration;
    int64_t threshold;                    /* the threshold with threshold=falling; otherwise INT64_MIN */
    struct search_line prefix;            /* the line with the highest score so far, whether or not play ends there */
    struct picture_thresholds thresholds; /* with threshold=falling */
};

static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t add(int32_t worth, int32_t step) { return worth == worthless ? worthless : search_sum(worth, step); }

/* Whether a line of this value, or with this upper bound, need not be searched. */
static bool is_cut(const struct branch_and_bound *search, int64_t value) {
    return value < search->threshold || (search->run->found && value <= search->run->best.value);
}

/* Records what one child of the top frame proves: a line from the top through this child adds at most `worth`. */
static void prove(struct branch_and_bound *search, int32_t worth) {
    struct ida_star_frame *top = ida_star_top(&search->path);
    top->value = most(top->value, worth);
}

static int64_t rank_of(int order, const soloist_child *child) {
    return order == BRANCH_AND_BOUND_ORDER_STEP ? child->step : (int64_t)child->step + child->bound;
}

/* A stable insertion sort, because children are few. */
static void sort(int order, soloist_child *children, int count) {
    for (int i = 1; order != BRANCH_AND_BOUND_ORDER_NONE && i < count; i++) {
        soloist_child child = children[i];
        int at = i;
        for (; at > 0 && rank_of(order, &children[at - 1]) < rank_of(order, &child); at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
}

/* ---- lines ---- */

/* Lists the moves to the next frame; there are at most shape.most_steps. */
static size_t list_moves(const struct branch_and_bound *search, soloist_move *moves) {
    for (uint32_t depth = 1; depth <= search->path.depth; depth++)
        moves[depth - 1] = ida_star_frame(&search->path, depth)->move;
    return search->path.depth;
}

static void note_prefix(struct branch_and_bound *search, int32_t score) {
    struct search_line *prefix = &search->prefix;
    if (score <= prefix->value)
        return;
    prefix->count = list_moves(search, prefix->moves);
    prefix->value = score;
}

/* Plays the best prefix to an end, always by the most promising child, so that a search that a limit stopped still
 * gives a line that can be replayed. */
static void finish_prefix(struct branch_and_bound *search) {
    struct search_run *run = search->run;
    struct search_line *prefix = &search->prefix;
    const soloist_core *core = run->domain->core;
    void *state = ida_star_state(&search->path, ida_star_frame(&search->path, 0));
    soloist_child *children = search->path.children;
    int32_t score = 0, last = 0;
    run->domain->life->root(run->instance, state);
    for (size_t i = 0; i < prefix->count; i++)
        score = search_sum(score, core->apply(run->instance, state, prefix->moves[i], NULL));
    while (!core->ended(run->instance, state, &last)) {
        int count = search_expand(run, core, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
        if (!count)
            return;
        sort(BRANCH_AND_BOUND_ORDER_PROMISE, children, count);
        score = search_sum(score, core->apply(run->instance, state, children[0].move, NULL));
        prefix->moves[prefix->count++] = children[0].move;
    }
    search_record(run, prefix->moves, prefix->count, search_sum(score, last));
}

/* Reports the score that an unfinished search has reached, as the table of Marocchi and Crippa 2017 does. */
static void tell_prefix(const struct branch_and_bound *search) {
    const soloist_callbacks *callbacks = search->run->budget->callbacks;
    char text[64];
    snprintf(text, sizeof text, "best prefix %d after %zu moves", (int)search->prefix.value, search->prefix.count);
    if (callbacks && callbacks->log)
        callbacks->log(callbacks->user, text);
}

/* ---- the search ---- */

/* Lists the children of the next frame, and puts the frame on the path. */
static enum branch_and_bound_next enter(struct branch_and_bound *search, uint32_t first) {
    struct search_run *run = search->run;
    struct ida_star_path *path = &search->path;
    if (search_spent(run))
        return BRANCH_AND_BOUND_STOPPED;
    if (!ida_star_path_reserve(path, first))
        return BRANCH_AND_BOUND_FULL;
    struct ida_star_frame *frame = ida_star_frame(path, path->depth);
    soloist_child *children = path->children + first;
    search_count_expanded(run, 1);
    int count = search_expand(run, run->domain->core, ida_star_state(path, frame), frame->move,
                              SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND, children);
    sort(search->options->order, children, count);
    for (int i = 0; i < count; i++)
        transposition_prefetch(&search->table, children[i].key);
    frame->next = first;
    frame->end = first + (uint32_t)count;
    frame->value = worthless;
    frame->nodes_before = atomic_load_explicit(&run->budget->nodes, memory_order_relaxed);
    ida_star_path_push(path);
    return BRANCH_AND_BOUND_GO_ON;
}

/* Lowers the next frame's bound to the worth that the table has for its state or, if it has none, to the tight bound.
 * With threshold=falling, the next threshold is the greatest value that was cut off; therefore the tight bound must
 * then be exact. */
static void lower_bound(struct branch_and_bound *search, struct ida_star_frame *frame) {
    const struct search_run *run = search->run;
    struct transposition_fact known;
    bool exactly = search->options->threshold == BRANCH_AND_BOUND_FALLING || !run->found;
    if (transposition_find(&search->table, frame->key, ida_star_packed(frame), &known))
        frame->bound = least(frame->bound, -known.score);
    else if (search->options->tight)
        frame->bound = score_tighten(run, ida_star_state(&search->path, frame), frame->bound,
                                     exactly ? INT32_MIN : (int64_t)run->best.value - frame->cost);
}

/* Looks at a child of the top frame. The child is entered, unless play ends there or the child is cut off by its bound
 * or by the lowered bound. */
static enum branch_and_bound_next look_at(struct branch_and_bound *search, const soloist_child *child) {
    struct search_run *run = search->run;
    struct ida_star_path *path = &search->path;
    int32_t score = search_sum(ida_star_top(path)->cost, child->step), last = 0;
    if (!search_fits(run, score))
        return BRANCH_AND_BOUND_GO_ON;
    if (is_cut(search, (int64_t)score + child->bound)) {
        prove(search, search_sum(child->step, child->bound));
        return BRANCH_AND_BOUND_GO_ON;
    }
    uint32_t first = ida_star_top(path)->end;
    struct ida_star_frame *frame = ida_star_path_make(path, child->move, child->key);
    frame->cost = score;
    frame->step = child->step;
    frame->bound = child->bound;
    note_prefix(search, score);
    if (run->domain->core->ended(run->instance, ida_star_state(path, frame), &last)) {
        search_record(run, search->moves, list_moves(search, search->moves), search_sum(score, last));
        prove(search, search_sum(child->step, last));
        return BRANCH_AND_BOUND_GO_ON;
    }
    lower_bound(search, frame);
    if (frame->bound == worthless || is_cut(search, (int64_t)score + frame->bound)) {
        prove(search, add(frame->bound, child->step));
        return BRANCH_AND_BOUND_GO_ON;
    }
    return enter(search, first);
}

/* Called when every child of the top frame has been looked at: stores what this proved, and pops the frame. */
static enum branch_and_bound_next leave(struct branch_and_bound *search) {
    struct ida_star_path *path = &search->path;
    struct ida_star_frame *top = ida_star_top(path);
    uint64_t nodes = atomic_load_explicit(&search->run->budget->nodes, memory_order_relaxed) - top->nodes_before;
    int32_t worth = least(top->value, top->bound), step = top->step;
    struct transposition_fact fact = {
        .score = -worth, .iteration = search->iteration, .size = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX};
    /* The table keeps deeper entries; here "depth" stands for the cost of repeating the search. */
    fact.depth = (int32_t)(fact.size >> 1);
    transposition_put(&search->table, top->key, ida_star_packed(top), &fact);
    ida_star_path_pop(path);
    if (!path->depth) {
        top->value = worth;
        return BRANCH_AND_BOUND_DONE;
    }
    prove(search, add(worth, step));
    return BRANCH_AND_BOUND_GO_ON;
}

/* One complete search from the root; afterwards the value of frame 0 is the root's worth. */
static enum branch_and_bound_next walk(struct branch_and_bound *search, int32_t bound) {
    const struct search_run *run = search->run;
    struct ida_star_path *path = &search->path;
    ida_star_path_clear(path);
    struct ida_star_frame *root = ida_star_frame(path, 0);
    void *state = ida_star_state(path, root);
    *root = (struct ida_star_frame){.move = SOLOIST_NO_MOVE, .bound = bound};
    run->domain->life->root(run->instance, state);
    search_pack(run, state, ida_star_packed(root));
    root->key = run->domain->core->key(run->instance, state);
    search->iteration++;
    enum branch_and_bound_next next = enter(search, 0);
    while (next == BRANCH_AND_BOUND_GO_ON) {
        struct ida_star_frame *top = ida_star_top(path);
        if (top->next == top->end)
            next = leave(search);
        else if (search_count_nodes(search->run, 1))
            next = look_at(search, &path->children[top->next++]);
        else
            next = BRANCH_AND_BOUND_STOPPED;
    }
    return next;
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct branch_and_bound *search = subject;
    picture_thresholds(picture, &search->thresholds, search->run);
    ida_star_path_paint(&search->path, picture);
}

/* A complete search proves that no line is better than the root's worth. The best line is optimal if it reaches that
 * worth, or if every line that could beat it was searched. */
static enum branch_and_bound_next search_all(struct branch_and_bound *search) {
    struct search_run *run = search->run;
    struct ida_star_frame *root = ida_star_frame(&search->path, 0);
    void *state = ida_star_state(&search->path, root);
    run->domain->life->root(run->instance, state);
    int32_t worth = search_bound(run, run->domain->bound, state);
    bool falling = search->options->threshold == BRANCH_AND_BOUND_FALLING;
    enum branch_and_bound_next next;
    do {
        search->threshold = falling ? worth : INT64_MIN;
        if (falling)
            search_note(run, "threshold %d", (int)worth);
        if (falling)
            picture_note_threshold(&search->thresholds, run, worth);
        next = walk(search, worth);
        worth = ida_star_frame(&search->path, 0)->value;
    } while (next == BRANCH_AND_BOUND_DONE && falling && worth != worthless &&
             !(run->found && run->best.value >= worth));
    if (next == BRANCH_AND_BOUND_DONE)
        run->optimal = run->found && run->domain->bound->admissible(run->instance);
    return next;
}

/* ---- the run ---- */

static size_t table_bytes(const struct search_run *run, const struct branch_and_bound_options *options) {
    size_t usual = (size_t)256 << 20, limit = run->budget->limits.memory;
    if (!options->table)
        return 0;
    if (options->table_mb)
        return (size_t)options->table_mb << 20;
    return limit && limit / 2 < usual ? limit / 2 : usual;
}

static bool open_all(struct branch_and_bound *search, size_t line_size) {
    struct search_run *run = search->run;
    search->moves = memory_take(&run->budget->memory, line_size);
    search->prefix.moves = memory_take(&run->budget->memory, line_size);
    bool path = ida_star_path_open(&search->path, run);
    bool table = transposition_open(&search->table, &run->budget->memory, TRANSPOSITION_TWO_LEVEL,
                                    table_bytes(run, search->options), search_packed_size(run));
    return path && table && search->moves && search->prefix.moves;
}

static void close_all(struct branch_and_bound *search, size_t line_size) {
    struct memory *memory = &search->run->budget->memory;
    transposition_close(&search->table);
    ida_star_path_close(&search->path);
    memory_give(memory, search->prefix.moves, line_size);
    memory_give(memory, search->moves, line_size);
}

static soloist_code branch_and_bound_run(struct search_run *run) {
    struct branch_and_bound search = {.run = run, .options = run->options};
    size_t line_size = (size_t)run->shape.most_steps * sizeof(soloist_move);
    if (search.options->threshold == BRANCH_AND_BOUND_BEST)
        score_play_first(run, search.options->games);
    enum branch_and_bound_next next = BRANCH_AND_BOUND_FULL;
    if (open_all(&search, line_size)) {
        search_show(run, paint, &search);
        next = search_all(&search);
        search_hide(run);
        if (next != BRANCH_AND_BOUND_DONE) {
            tell_prefix(&search);
            finish_prefix(&search);
        }
    }
    close_all(&search, line_size);
    if (next == BRANCH_AND_BOUND_FULL)
        return search_full(run);
    if (next == BRANCH_AND_BOUND_STOPPED)
        budget_stop(run->budget, SOLOIST_STOP_NODES); /* has no effect if another reason was given before */
    return SOLOIST_OK;
}

/* The seed chooses the game whose score is to be beaten. */
static unsigned ignores(const void *options) { return search_ignores_all(options) & ~(unsigned)SEARCH_IGNORES_SEED; }

const struct search_method search_branch_and_bound = {
    .name = "bnb",
    .summary = "depth-first branch and bound: proves the highest score; needs little memory apart from its "
               "transposition table",
    .options = branch_and_bound_options_rows,
    .options_size = sizeof(struct branch_and_bound_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_SCORE | SEARCH_NEEDS_BOUND,
    .suits = score_has_end,
    .ignores = ignores,
    .run = branch_and_bound_run,
    .proves = search_proves_always,
};
