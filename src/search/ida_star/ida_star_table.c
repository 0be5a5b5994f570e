/* IDA* with a transposition table (S2): the table stores, as a state's score, the lower bound on the cost to a goal
 * that a search below the state proved. When the state is met again, the score may cut it off.
 *
 * Proof that scores are lower bounds, although a state that is on the path is not entered a second time. The value of a
 * frame is the least value that its children prove. A child that was cut off proves its bound or its score; a child
 * whose search has ended proves its value. If a child is already on the path, at cost g, we assume that its cost to a
 * goal is at least threshold - g + 1: if the iteration ends without a goal, no goal below that frame was within the
 * threshold. This is not circular reasoning. Suppose that an iteration has ended without a goal and that some of its
 * values or assumptions are too high. Among the states concerned, take the one nearest to a goal (by cost, then by
 * number of moves), and look at the next state on its best path. Either that state is a goal, and would have been
 * found; or it was cut off by a bound or by a score of an older iteration, and both are correct; or its own value is
 * too high, although it is nearer to the goal: a contradiction. So every stored score is a lower bound for its state,
 * whatever path led there. After an iteration that found a goal, no score is used.
 *
 * A state that this iteration has already searched at least as deep adds nothing to the next threshold: what was cut
 * off below it has already been taken into account. Therefore an iteration that cuts nothing off has seen all states.
 *
 * On a cycle without a goal, scores of older iterations would raise each other for ever. Two rules prevent this. First,
 * if every state that was cut off has been entered before, a sweep enters every state once, to see whether there are
 * any others. Second, if no child was cut off by its own bound, the next iteration ignores scores of older iterations;
 * this makes the search end on any finite graph, even if the table has lost entries that the sweep needs.
 *
 * With a weight on the bound, or with relevance cuts, the first solution may not be optimal and is never reported as
 * optimal. A child that a relevance cut removed counts as just above the threshold, so its parent's score does not cut
 * off anything in the next iteration. If a search with cuts ends without a goal, another search without cuts follows.
 */
#include "search/special/registry.h"

/* A sweep follows after patience_for_unseen iterations in a row that cut off no new state; older scores are ignored
 * after patience_for_bound iterations in a row in which no bound cut off a child. A single iteration of either kind is
 * common on the way to a goal: older scores cut everything off near the root, and the next threshold admits new states.
 */
enum { patience_for_unseen = 2, patience_for_bound = 4 };

enum ida_star_next {
    IDA_STAR_GO_ON,
    IDA_STAR_FOUND,
    IDA_STAR_ITERATED, /* the whole iteration is done */
    IDA_STAR_CLOSED,   /* there is no goal */
    IDA_STAR_STOPPED,  /* a limit was reached */
    IDA_STAR_FULL,
    IDA_STAR_REFUSED
};

struct ida_star {
    struct search_run *run;
    const struct ida_star_settings *settings;
    struct ida_star_path path;
    struct transposition table;
    struct relevance *relevance; /* NULL: no relevance cuts */
    bool admissible;
    uint32_t iteration;
    int32_t threshold, next_threshold; /* if next_threshold is SOLOIST_DEAD, nothing was cut off */
    /* Needed to end the search if there is no goal. */
    bool cut_by_bound; /* in this iteration some child was cut off by its own bound, not by a score from the table */
    bool cut_unseen;   /* in this iteration a state was cut off that no iteration is known to have entered */
    /* Number of iterations since the last one that set cut_by_bound; since the last one that set cut_unseen. */
    int since_bound, since_unseen;
    bool forgetful; /* this iteration does not use scores of older iterations */
    struct picture_thresholds thresholds;
};

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

/* The sum of both. It is SOLOIST_DEAD if `value` is, and less than SOLOIST_DEAD otherwise. */
static int32_t add(int32_t value, int32_t step) {
    if (value == SOLOIST_DEAD)
        return SOLOIST_DEAD;
    int64_t sum = (int64_t)value + step;
    return sum < SOLOIST_DEAD ? (int32_t)sum : SOLOIST_DEAD - 1;
}

static int32_t weighted(const struct ida_star *ida_star, int32_t bound) {
    int64_t value = (int64_t)bound * ida_star->settings->weight / 100;
    return bound == SOLOIST_DEAD ? bound : value < SOLOIST_DEAD ? (int32_t)value : SOLOIST_DEAD - 1;
}

/* Records what one child of the top frame proves: a path from the top through this child to a goal costs at least
 * `value`. */
static void prove(struct ida_star *ida_star, int32_t value) {
    struct ida_star_frame *top = ida_star_top(&ida_star->path);
    top->value = least(top->value, value);
}

/* A child of the top frame is cut off, because cost + bound is above the threshold. */
static void cut_off(struct ida_star *ida_star, int32_t cost, int32_t step, int32_t bound) {
    ida_star->next_threshold = least(ida_star->next_threshold, add(bound, cost));
    prove(ida_star, add(bound, step));
}

/* Multiplies the bounds of the children by the weight. */
static void weigh(const struct ida_star *ida_star, soloist_child *children, int count) {
    for (int i = 0; i < count; i++)
        children[i].bound = weighted(ida_star, children[i].bound);
}

/* Lists the children of the next frame, and puts the frame on the path. */
static enum ida_star_next enter(struct ida_star *ida_star, uint32_t first) {
    struct search_run *run = ida_star->run;
    struct ida_star_path *path = &ida_star->path;
    if (search_spent(run))
        return IDA_STAR_STOPPED;
    if (!ida_star_path_reserve(path, first))
        return IDA_STAR_FULL;
    struct ida_star_frame *frame = ida_star_frame(path, path->depth);
    soloist_child *children = path->children + first;
    int count = run->domain->core->expand(run->instance, ida_star_state(path, frame), SOLOIST_NO_MOVE,
                                          SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND, children);
    search_count_expanded(run, 1);
    int listed = count;
    if (ida_star->relevance)
        count = ida_star->settings->special->relevant(ida_star->relevance, path, frame->move, children, count);
    if (ida_star->settings->weight != 100)
        weigh(ida_star, children, count);
    ida_star_sort(run, ida_star->settings, frame->move, children, count);
    for (int i = 0; i < count; i++)
        transposition_prefetch(&ida_star->table, children[i].key);
    frame->next = first;
    frame->end = first + (uint32_t)count;
    frame->value = count == listed ? SOLOIST_DEAD : add(ida_star->threshold - frame->cost, 1);
    frame->nodes_before = atomic_load_explicit(&run->budget->nodes, memory_order_relaxed);
    ida_star_path_push(path);
    return IDA_STAR_GO_ON;
}

static bool record(struct ida_star *ida_star, int32_t cost) {
    struct ida_star_path *path = &ida_star->path;
    size_t size = path->depth * sizeof(soloist_move);
    soloist_move *moves = memory_take(path->memory, size);
    if (!moves)
        return false;
    for (uint32_t depth = 1; depth <= path->depth; depth++)
        moves[depth - 1] = ida_star_frame(path, depth)->move;
    search_record(ida_star->run, moves, path->depth, cost);
    ida_star->run->optimal |= ida_star->admissible;
    memory_give(path->memory, moves, size);
    return true;
}

/* Whether the path or the table makes a search of the next frame's state unnecessary; if not, the table may still raise
 * its bound. */
static bool is_known(struct ida_star *ida_star, struct ida_star_frame *frame) {
    struct ida_star_path *path = &ida_star->path;
    const struct ida_star_frame *same = ida_star_path_find(path, frame);
    if (same) {
        prove(ida_star, add(add(ida_star->threshold - same->cost, 1), frame->step));
        return true;
    }
    const struct transposition_fact *known = transposition_find(&ida_star->table, frame->key, ida_star_packed(frame));
    if (!known)
        return false;
    if (known->iteration == ida_star->iteration && known->depth >= ida_star->threshold - frame->cost) {
        prove(ida_star, add(known->score, frame->step));
        return true;
    }
    if (ida_star->forgetful)
        return false;
    frame->bound = most(frame->bound, known->score);
    if (add(frame->bound, frame->cost) <= ida_star->threshold)
        return false;
    cut_off(ida_star, frame->cost, frame->step, frame->bound);
    return true;
}

/* Whether a child of the top frame is known to have been entered in this run. */
static bool was_seen(struct ida_star *ida_star, const soloist_child *child) {
    struct ida_star_frame *frame = ida_star_path_make(&ida_star->path, child->move, child->key);
    return ida_star_path_find(&ida_star->path, frame) ||
           transposition_find(&ida_star->table, frame->key, ida_star_packed(frame));
}

/* Looks at a child of the top frame. The child is entered, unless its f is above the threshold, or it is a goal, or its
 * state is known. */
static enum ida_star_next look_at(struct ida_star *ida_star, soloist_child child) {
    struct search_run *run = ida_star->run;
    struct ida_star_path *path = &ida_star->path;
    int32_t cost, last;
    if (!search_add_cost(run, ida_star_top(path)->cost, child.step, &cost))
        return IDA_STAR_REFUSED;
    if (add(child.bound, cost) > ida_star->threshold) {
        ida_star->cut_by_bound = true;
        ida_star->cut_unseen = ida_star->cut_unseen || !was_seen(ida_star, &child);
        cut_off(ida_star, cost, child.step, child.bound);
        return IDA_STAR_GO_ON;
    }
    struct ida_star_frame *frame = ida_star_path_make(path, child.move, child.key);
    frame->cost = cost;
    frame->step = child.step;
    frame->bound = child.bound;
    if ((child.bound == 0 || !ida_star->admissible) &&
        run->domain->core->ended(run->instance, ida_star_state(path, frame), &last))
        return record(ida_star, cost) ? IDA_STAR_FOUND : IDA_STAR_FULL;
    return is_known(ida_star, frame) ? IDA_STAR_GO_ON : enter(ida_star, ida_star_top(path)->end);
}

/* Called when every child of the top frame has been looked at: stores what this proved, and pops the frame. */
static enum ida_star_next leave(struct ida_star *ida_star) {
    struct ida_star_path *path = &ida_star->path;
    struct ida_star_frame *top = ida_star_top(path);
    uint64_t nodes = atomic_load_explicit(&ida_star->run->budget->nodes, memory_order_relaxed) - top->nodes_before;
    int32_t value = most(top->value, top->bound), step = top->step;
    struct transposition_fact fact = {.score = value,
                                      .depth = ida_star->threshold - top->cost,
                                      .iteration = ida_star->iteration,
                                      .size = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX};
    transposition_put(&ida_star->table, top->key, ida_star_packed(top), &fact);
    ida_star_path_pop(path);
    if (!path->depth)
        return IDA_STAR_ITERATED;
    prove(ida_star, add(value, step));
    return IDA_STAR_GO_ON;
}

static enum ida_star_next enter_root(struct ida_star *ida_star, int32_t bound) {
    const struct search_run *run = ida_star->run;
    struct ida_star_path *path = &ida_star->path;
    ida_star_path_clear(path);
    struct ida_star_frame *frame = ida_star_frame(path, 0);
    void *state = ida_star_state(path, frame);
    *frame = (struct ida_star_frame){.move = SOLOIST_NO_MOVE, .bound = bound};
    run->domain->life->root(run->instance, state);
    search_pack(run, state, ida_star_packed(frame));
    frame->key = run->domain->core->key(run->instance, state);
    return enter(ida_star, 0);
}

/* Looks at a child of the top frame in a sweep. If the table does not hold its state, the state may be new, and the
 * sweep has failed. */
static enum ida_star_next sweep_child(struct ida_star *ida_star, const soloist_child *child) {
    struct ida_star_path *path = &ida_star->path;
    struct ida_star_frame *frame = ida_star_path_make(path, child->move, child->key);
    if (ida_star_path_find(path, frame))
        return IDA_STAR_GO_ON;
    switch (transposition_mark(&ida_star->table, frame->key, ida_star_packed(frame), ida_star->iteration)) {
    case TRANSPOSITION_ABSENT: return IDA_STAR_ITERATED;
    case TRANSPOSITION_MARKED: return enter(ida_star, ida_star_top(path)->end);
    case TRANSPOSITION_MARKED_BEFORE: break;
    }
    return IDA_STAR_GO_ON;
}

/* Enters every state once, whatever its cost, as long as each is known to have been entered before. Returns
 * IDA_STAR_CLOSED if there are no other states, and therefore no goal. */
static enum ida_star_next sweep(struct ida_star *ida_star) {
    struct ida_star_path *path = &ida_star->path;
    ida_star->iteration++;
    ida_star->since_unseen = 0;
    enum ida_star_next next = enter_root(ida_star, 0);
    while (next == IDA_STAR_GO_ON) {
        struct ida_star_frame *top = ida_star_top(path);
        if (top->next != top->end) {
            next = search_count_nodes(ida_star->run, 1) ? sweep_child(ida_star, &path->children[top->next++])
                                                        : IDA_STAR_STOPPED;
            continue;
        }
        ida_star_path_pop(path);
        next = path->depth ? IDA_STAR_GO_ON : IDA_STAR_CLOSED;
    }
    return next;
}

static enum ida_star_next iterate(struct ida_star *ida_star) {
    struct ida_star_path *path = &ida_star->path;
    ida_star->forgetful = ida_star->since_bound >= patience_for_bound;
    ida_star->cut_by_bound = ida_star->cut_unseen = false;
    enum ida_star_next next = enter_root(ida_star, ida_star->threshold);
    while (next == IDA_STAR_GO_ON) {
        struct ida_star_frame *top = ida_star_top(path);
        if (top->next == top->end)
            next = leave(ida_star);
        else if (search_count_nodes(ida_star->run, 1))
            next = look_at(ida_star, path->children[top->next++]);
        else
            next = IDA_STAR_STOPPED;
    }
    ida_star->since_bound = ida_star->cut_by_bound ? 0 : ida_star->since_bound + 1;
    ida_star->since_unseen = ida_star->cut_unseen ? 0 : ida_star->since_unseen + 1;
    return next;
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct ida_star *ida_star = subject;
    picture_thresholds(picture, &ida_star->thresholds, ida_star->run);
    ida_star_path_paint(&ida_star->path, picture);
}

/* Makes iterations until one finds a goal or cuts nothing off. */
static enum ida_star_next search(struct ida_star *ida_star) {
    struct search_run *run = ida_star->run;
    struct ida_star_frame *frame = ida_star_frame(&ida_star->path, 0);
    void *root = ida_star_state(&ida_star->path, frame);
    run->domain->life->root(run->instance, root);
    ida_star->next_threshold = weighted(ida_star, run->domain->bound->value(run->instance, root));
    while (ida_star->next_threshold != SOLOIST_DEAD) {
        ida_star->threshold = ida_star->next_threshold;
        ida_star->next_threshold = SOLOIST_DEAD;
        ida_star->iteration++;
        search_note(run, "threshold %d", (int)ida_star->threshold);
        picture_note_threshold(&ida_star->thresholds, run, ida_star->threshold);
        enum ida_star_next next = iterate(ida_star);
        if (next == IDA_STAR_ITERATED && ida_star->since_unseen >= patience_for_unseen)
            next = sweep(ida_star);
        if (next != IDA_STAR_ITERATED)
            return next;
    }
    return IDA_STAR_CLOSED;
}

/* One complete search from the first threshold on, with relevance cuts or without. */
static enum ida_star_next search_afresh(struct search_run *run, const struct ida_star_settings *settings, bool cuts) {
    struct ida_star ida_star = {.run = run, .settings = settings};
    struct memory *memory = &run->budget->memory;
    ida_star.admissible = run->domain->bound->admissible(run->instance) && settings->weight == 100 && !cuts;
    if (cuts)
        ida_star.relevance = settings->special->relevance_open(run, settings);
    bool opened = ida_star_path_open(&ida_star.path, run) && (!cuts || ida_star.relevance);
    opened = transposition_open(&ida_star.table, memory, settings->scheme,
                                settings->has_table ? settings->table_bytes : 0, search_packed_size(run)) &&
             opened;
    search_show(run, paint, &ida_star);
    enum ida_star_next next = opened ? search(&ida_star) : IDA_STAR_FULL;
    search_hide(run);
    transposition_close(&ida_star.table);
    ida_star_path_close(&ida_star.path);
    if (cuts)
        settings->special->relevance_close(ida_star.relevance);
    return next;
}

soloist_code ida_star_walk(struct search_run *run, const struct ida_star_settings *settings) {
    enum ida_star_next next = search_afresh(run, settings, settings->history > 0);
    if (next == IDA_STAR_CLOSED && settings->history)
        next = search_afresh(run, settings, false);
    run->impossible = next == IDA_STAR_CLOSED;
    if (next == IDA_STAR_FULL)
        return search_full(run);
    if (next == IDA_STAR_STOPPED)
        budget_stop(run->budget, SOLOIST_STOP_NODES); /* has no effect if another reason was given before */
    return next == IDA_STAR_REFUSED ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}
