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
 *
 * Several workers can share an iteration (split.h). A child that was given away counts like one that is on the path: if
 * the iteration ends without a goal, no goal below it was within the threshold. The proof does not depend on which
 * worker examines a child, or when, so threads share one table. Processes have a table each. */
#include "search/ida_star/split.h"
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
    IDA_STAR_REFUSED, /* the search cannot work on the instance */
    IDA_STAR_FAILED   /* a worker is lost */
};

struct ida_star {
    struct search_run *run;
    const struct ida_star_settings *settings;
    struct ida_star_path path;
    struct transposition *table;
    struct relevance *relevance; /* NULL: no relevance cuts */
    /* For several workers. */
    struct split_worker *worker; /* NULL: one thread searches alone */
    uint32_t base;               /* number of frames that lead to the piece, whose children are not all searched here */
    bool sweeps;                 /* a sweep is not shared */
    uint64_t nodes, next_look;   /* nodes generated; when to call split_look */
    uint64_t expanded;           /* states expanded since then */
    uint64_t counted;            /* the value of `nodes` at the last call of split_look */
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

/* ---- counting ---- */

/* Reports to the other workers. False: the search must stop. */
static bool look_around(struct ida_star *ida_star) {
    uint64_t more = split_look(ida_star->worker, ida_star->nodes - ida_star->counted, ida_star->expanded);
    ida_star->counted = ida_star->nodes;
    ida_star->next_look = ida_star->nodes + more;
    ida_star->expanded = 0;
    return more;
}

/* Counts the next child. False: the search must stop. */
static bool count_node(struct ida_star *ida_star) {
    if (!ida_star->worker)
        return search_count_nodes(ida_star->run, 1);
    if (ida_star->nodes == ida_star->next_look && !look_around(ida_star))
        return false;
    ida_star->nodes++;
    return true;
}

static uint64_t nodes_so_far(const struct ida_star *ida_star) {
    return ida_star->worker ? ida_star->nodes
                            : atomic_load_explicit(&ida_star->run->budget->nodes, memory_order_relaxed);
}

static void count_expanded(struct ida_star *ida_star) {
    if (ida_star->worker)
        ida_star->expanded++;
    else
        search_count_expanded(ida_star->run, 1);
}

/* ---- the search ---- */

/* Lists the children of the next frame, and puts the frame on the path. */
static enum ida_star_next enter(struct ida_star *ida_star, uint32_t first) {
    struct search_run *run = ida_star->run;
    struct ida_star_path *path = &ida_star->path;
    if (!ida_star->worker && search_spent(run))
        return IDA_STAR_STOPPED;
    if (!ida_star_path_reserve(path, first))
        return IDA_STAR_FULL;
    struct ida_star_frame *frame = ida_star_frame(path, path->depth);
    soloist_child *children = path->children + first;
    int count = search_expand(run, run->domain->core, ida_star_state(path, frame), SOLOIST_NO_MOVE,
                              SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND, children);
    count_expanded(ida_star);
    int listed = count;
    if (ida_star->relevance)
        count = ida_star->settings->special->relevant(ida_star->relevance, path, frame->move, children, count);
    if (ida_star->settings->weight != 100)
        weigh(ida_star, children, count);
    ida_star_sort(run, ida_star->settings, frame->move, children, count);
    for (int i = 0; i < count; i++)
        transposition_prefetch(ida_star->table, children[i].key);
    frame->next = first;
    frame->end = first + (uint32_t)count;
    frame->value = count == listed ? SOLOIST_DEAD : add(ida_star->threshold - frame->cost, 1);
    frame->nodes_before = nodes_so_far(ida_star);
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
    if (ida_star->worker)
        split_found(ida_star->worker, moves, path->depth, cost);
    else
        search_record(ida_star->run, moves, path->depth, cost);
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
    struct transposition_fact known;
    if (!transposition_find(ida_star->table, frame->key, ida_star_packed(frame), &known))
        return false;
    if (known.iteration == ida_star->iteration && known.depth >= ida_star->threshold - frame->cost) {
        prove(ida_star, add(known.score, frame->step));
        return true;
    }
    if (ida_star->forgetful)
        return false;
    frame->bound = most(frame->bound, known.score);
    if (add(frame->bound, frame->cost) <= ida_star->threshold)
        return false;
    cut_off(ida_star, frame->cost, frame->step, frame->bound);
    return true;
}

/* Whether a child of the top frame is known to have been entered in this run. */
static bool was_seen(struct ida_star *ida_star, const soloist_child *child) {
    struct ida_star_frame *frame = ida_star_path_make(&ida_star->path, child->move, child->key);
    struct transposition_fact fact;
    return ida_star_path_find(&ida_star->path, frame) ||
           transposition_find(ida_star->table, frame->key, ida_star_packed(frame), &fact);
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
    if ((child.bound == 0 || !ida_star->admissible || run->guard) &&
        run->domain->core->ended(run->instance, ida_star_state(path, frame), &last))
        return record(ida_star, cost) ? IDA_STAR_FOUND : IDA_STAR_FULL;
    return is_known(ida_star, frame) ? IDA_STAR_GO_ON : enter(ida_star, ida_star_top(path)->end);
}

/* Called when every child of the top frame has been looked at: stores what this proved, and pops the frame. */
static enum ida_star_next leave(struct ida_star *ida_star) {
    struct ida_star_path *path = &ida_star->path;
    struct ida_star_frame *top = ida_star_top(path);
    if (path->depth == ida_star->base)
        return IDA_STAR_ITERATED;
    uint64_t nodes = nodes_so_far(ida_star) - top->nodes_before;
    int32_t value = most(top->value, top->bound), step = top->step;
    struct transposition_fact fact = {.score = value,
                                      .depth = ida_star->threshold - top->cost,
                                      .iteration = ida_star->iteration,
                                      .size = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX};
    transposition_put(ida_star->table, top->key, ida_star_packed(top), &fact);
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
    switch (transposition_mark(ida_star->table, frame->key, ida_star_packed(frame), ida_star->iteration)) {
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
    ida_star->sweeps = true;
    enum ida_star_next next = enter_root(ida_star, 0);
    while (next == IDA_STAR_GO_ON) {
        struct ida_star_frame *top = ida_star_top(path);
        if (top->next != top->end) {
            next = count_node(ida_star) ? sweep_child(ida_star, &path->children[top->next++]) : IDA_STAR_STOPPED;
            continue;
        }
        ida_star_path_pop(path);
        next = path->depth ? IDA_STAR_GO_ON : IDA_STAR_CLOSED;
    }
    ida_star->sweeps = false;
    return next;
}

/* Searches until all frames above the base are done. */
static enum ida_star_next go_on(struct ida_star *ida_star, enum ida_star_next next) {
    struct ida_star_path *path = &ida_star->path;
    while (next == IDA_STAR_GO_ON) {
        struct ida_star_frame *top = ida_star_top(path);
        if (top->next == top->end)
            next = leave(ida_star);
        else if (count_node(ida_star))
            next = look_at(ida_star, path->children[top->next++]);
        else
            next = IDA_STAR_STOPPED;
    }
    return next;
}

/* ---- pieces: the number of moves that lead to the parent of all children, the number of children; these moves; then
 * move, step, bound and key of each child ---- */

enum { piece_head = 2, piece_child = 5, cut_by_bound = 1, cut_unseen = 2 };

/* Whether a child of a frame will be looked at below its bound, so that it is worth giving away. */
static bool is_open(const struct ida_star *ida_star, const struct ida_star_frame *frame, const soloist_child *child) {
    return add(child->bound, add(frame->cost, child->step)) <= ida_star->threshold;
}

/* The frame nearest to the root that has children to spare, and how many open children it has. The top frame keeps one
 * of its children. NULL: there is none. */
static struct ida_star_frame *find_spare(struct ida_star *ida_star, uint32_t *depth, uint32_t *count) {
    struct ida_star_path *path = &ida_star->path;
    for (*depth = ida_star->base ? ida_star->base - 1 : 0; *depth < path->depth; ++*depth) {
        struct ida_star_frame *frame = ida_star_frame(path, *depth);
        *count = 0;
        for (uint32_t i = frame->next; i < frame->end; i++)
            *count += is_open(ida_star, frame, &path->children[i]);
        if (*count > (*depth + 1 == path->depth))
            return frame;
    }
    return NULL;
}

static void write_child(uint32_t *to, const soloist_child *child) {
    to[0] = child->move, to[1] = (uint32_t)child->step, to[2] = (uint32_t)child->bound;
    to[3] = (uint32_t)child->key, to[4] = (uint32_t)(child->key >> 32);
}

static soloist_child read_child(const uint32_t *from) {
    return (soloist_child){
        .move = from[0], .step = (int32_t)from[1], .bound = (int32_t)from[2], .key = from[3] | (uint64_t)from[4] << 32};
}

/* Removes every second open child from a frame, and writes it. What these children prove is not known here; see the top
 * of this file. */
static void remove_children(struct ida_star *ida_star, struct ida_star_frame *frame, uint32_t *to) {
    soloist_child *children = ida_star->path.children;
    uint32_t kept = frame->next, seen = 0;
    for (uint32_t i = frame->next; i < frame->end; i++) {
        if (is_open(ida_star, frame, &children[i]) && seen++ % 2 == 0) {
            write_child(to, &children[i]);
            to += piece_child;
        } else
            children[kept++] = children[i];
    }
    frame->end = kept;
    frame->value = least(frame->value, add(ida_star->threshold - frame->cost, 1));
}

static bool give(void *user, struct piece *piece) {
    struct ida_star *ida_star = user;
    uint32_t depth, count;
    struct ida_star_frame *frame = ida_star->sweeps ? NULL : find_spare(ida_star, &depth, &count);
    uint64_t half = frame ? (count + 1) / 2 : 0;
    if (!half || !piece_begin(piece, &ida_star->run->budget->memory, piece_head + depth + half * piece_child))
        return false;
    piece->words[0] = depth;
    piece->words[1] = (uint32_t)half;
    for (uint32_t i = 0; i < depth; i++)
        piece->words[piece_head + i] = ida_star_frame(&ida_star->path, i + 1)->move;
    remove_children(ida_star, frame, piece->words + piece_head + depth);
    return true;
}

/* Puts the root, or the state after one more move of those that lead to a piece, on the path. */
static bool add_frame(struct ida_star *ida_star, const uint32_t *move) {
    const struct search_run *run = ida_star->run;
    struct ida_star_path *path = &ida_star->path;
    if (!ida_star_path_reserve(path, 0))
        return false;
    struct ida_star_frame *frame = ida_star_frame(path, path->depth);
    void *state = ida_star_state(path, frame);
    *frame = (struct ida_star_frame){.move = move ? *move : SOLOIST_NO_MOVE};
    if (move) {
        memcpy(state, ida_star_state(path, ida_star_top(path)), run->shape.state_size);
        frame->step = run->domain->core->apply(run->instance, state, *move, NULL);
        frame->cost = ida_star_top(path)->cost + frame->step;
    } else
        run->domain->life->root(run->instance, state);
    search_pack(run, state, ida_star_packed(frame));
    frame->key = run->domain->core->key(run->instance, state);
    ida_star_path_push(path);
    return true;
}

static enum ida_star_next enter_piece(struct ida_star *ida_star, const uint32_t *piece) {
    struct ida_star_path *path = &ida_star->path;
    uint32_t moves = piece[0], count = piece[1];
    const uint32_t *from = piece + piece_head + moves;
    ida_star_path_clear(path);
    bool added = add_frame(ida_star, NULL);
    for (uint32_t i = 0; added && i < moves; i++)
        added = add_frame(ida_star, &piece[piece_head + i]);
    if (!added)
        return IDA_STAR_FULL;
    for (uint32_t i = 0; i < count; i++, from += piece_child)
        path->children[i] = read_child(from);
    ida_star_top(path)->end = count;
    ida_star->base = path->depth;
    return IDA_STAR_GO_ON;
}

/* Searches a piece of the tree, or the whole tree. */
static enum split_end search_piece(void *user, const struct split_round *round, const uint32_t *piece,
                                   struct split_summary *summary) {
    struct ida_star *ida_star = user;
    ida_star->threshold = round->threshold;
    ida_star->next_threshold = SOLOIST_DEAD;
    ida_star->iteration = round->number;
    ida_star->forgetful = round->flags;
    ida_star->cut_by_bound = ida_star->cut_unseen = false;
    ida_star->base = 0;
    ida_star->next_look = ida_star->nodes + split_grant(ida_star->worker);
    enum ida_star_next next = IDA_STAR_STOPPED;
    if (ida_star->next_look > ida_star->nodes)
        next = go_on(ida_star, piece ? enter_piece(ida_star, piece) : enter_root(ida_star, ida_star->threshold));
    split_count(ida_star->worker, ida_star->nodes - ida_star->counted, ida_star->expanded);
    ida_star->counted = ida_star->nodes;
    ida_star->expanded = 0;
    ida_star->base = 0;
    summary->next_threshold = least(summary->next_threshold, ida_star->next_threshold);
    summary->flags |= (ida_star->cut_by_bound ? cut_by_bound : 0u) | (ida_star->cut_unseen ? cut_unseen : 0u);
    switch (next) {
    case IDA_STAR_ITERATED: return SPLIT_DONE;
    case IDA_STAR_FOUND: return SPLIT_FOUND;
    case IDA_STAR_FULL: return SPLIT_FULL;
    case IDA_STAR_REFUSED: return SPLIT_REFUSED;
    default: return SPLIT_STOPPED;
    }
}

/* ---- iterations ---- */

static enum ida_star_next iterate_together(struct ida_star *ida_star) {
    struct split_round round = {ida_star->threshold, ida_star->iteration, ida_star->forgetful};
    struct split_summary summary;
    enum split_end end = split_iterate(ida_star->worker, &round, &summary);
    ida_star->next_threshold = summary.next_threshold;
    ida_star->cut_by_bound = summary.flags & cut_by_bound;
    ida_star->cut_unseen = summary.flags & cut_unseen;
    switch (end) {
    case SPLIT_DONE: return IDA_STAR_ITERATED;
    case SPLIT_FOUND: return IDA_STAR_FOUND;
    case SPLIT_FULL: return IDA_STAR_FULL;
    case SPLIT_REFUSED: return IDA_STAR_REFUSED;
    case SPLIT_STOPPED: break;
    }
    return IDA_STAR_STOPPED;
}

static enum ida_star_next iterate(struct ida_star *ida_star) {
    ida_star->forgetful = ida_star->since_bound >= patience_for_bound;
    ida_star->cut_by_bound = ida_star->cut_unseen = false;
    enum ida_star_next next =
        ida_star->worker ? iterate_together(ida_star) : go_on(ida_star, enter_root(ida_star, ida_star->threshold));
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
    ida_star->next_threshold = weighted(ida_star, search_bound(run, run->domain->bound, root));
    while (ida_star->next_threshold != SOLOIST_DEAD) {
        ida_star->threshold = ida_star->next_threshold;
        ida_star->next_threshold = SOLOIST_DEAD;
        ida_star->iteration++;
        search_note(run, "threshold %d", (int)ida_star->threshold);
        picture_note_threshold(&ida_star->thresholds, run, ida_star->threshold);
        enum ida_star_next next = iterate(ida_star);
        if (next == IDA_STAR_ITERATED && ida_star->since_unseen >= patience_for_unseen)
            next = sweep(ida_star);
        run->optimal |= next == IDA_STAR_FOUND && ida_star->admissible;
        if (next != IDA_STAR_ITERATED)
            return next;
    }
    return IDA_STAR_CLOSED;
}

/* What all walks of one search share. */
struct common {
    struct search_run *run;
    const struct ida_star_settings *settings;
    struct transposition table;
    struct relevance *relevance;
    bool cuts;
};

/* False: memory is full; the caller must close it in this case too. */
static bool open_common(struct common *common, bool shared) {
    const struct ida_star_settings *settings = common->settings;
    struct memory *memory = &common->run->budget->memory;
    size_t bytes = settings->has_table ? settings->table_bytes : 0, packed = search_packed_size(common->run);
    if (common->cuts)
        common->relevance = settings->special->relevance_open(common->run, settings);
    bool opened = shared ? transposition_open_shared(&common->table, memory, settings->scheme, bytes, packed)
                         : transposition_open(&common->table, memory, settings->scheme, bytes, packed);
    return opened && (!common->cuts || common->relevance);
}

static void close_common(struct common *common) {
    transposition_close(&common->table);
    if (common->cuts)
        common->settings->special->relevance_close(common->relevance);
}

static bool open_walk(struct ida_star *ida_star, struct common *common, struct search_run *run) {
    const struct ida_star_settings *settings = common->settings;
    bool admissible = run->domain->bound->admissible(run->instance) && settings->weight == 100 && !common->cuts;
    *ida_star = (struct ida_star){.run = run,
                                  .settings = settings,
                                  .table = &common->table,
                                  .relevance = common->relevance,
                                  .admissible = admissible};
    return ida_star_path_open(&ida_star->path, run);
}

static void close_part(void *user) {
    struct ida_star *ida_star = user;
    struct memory *memory = &ida_star->run->budget->memory;
    ida_star_path_close(&ida_star->path);
    memory_give(memory, ida_star, sizeof *ida_star);
}

static void *open_part(void *user, struct split_worker *worker) {
    struct search_run *run = split_worker_run(worker);
    struct ida_star *ida_star = memory_take(&run->budget->memory, sizeof *ida_star);
    if (!ida_star)
        return NULL;
    bool opened = open_walk(ida_star, user, run);
    ida_star->worker = worker;
    if (!opened)
        close_part(ida_star);
    return opened ? ida_star : NULL;
}

static soloist_code lead(void *user) {
    struct ida_star *ida_star = user;
    search_show(ida_star->run, paint, ida_star);
    ida_star->run->impossible = search(ida_star) == IDA_STAR_CLOSED;
    search_hide(ida_star->run);
    return SOLOIST_OK;
}

static const struct split_kind parts = {open_part, close_part, lead, search_piece, give, NULL};

static enum ida_star_next search_together(struct common *common) {
    const struct search_run *run = common->run;
    soloist_code code = split_run(common->run, &parts, common, ida_star_slice(run));
    if (code != SOLOIST_OK)
        return code == SOLOIST_UNSUPPORTED ? IDA_STAR_REFUSED : IDA_STAR_FAILED;
    return run->impossible ? IDA_STAR_CLOSED : run->found ? IDA_STAR_FOUND : IDA_STAR_STOPPED;
}

static enum ida_star_next search_alone(struct common *common) {
    struct ida_star ida_star;
    bool opened = open_walk(&ida_star, common, common->run);
    search_show(common->run, paint, &ida_star);
    enum ida_star_next next = opened ? search(&ida_star) : IDA_STAR_FULL;
    search_hide(common->run);
    ida_star_path_close(&ida_star.path);
    return next;
}

/* One complete search from the first threshold on, with relevance cuts or without. */
static enum ida_star_next search_afresh(struct search_run *run, const struct ida_star_settings *settings, bool cuts) {
    struct common common = {.run = run, .settings = settings, .cuts = cuts};
    bool together = split_is_wanted(run);
    enum ida_star_next next = IDA_STAR_FULL;
    if (open_common(&common, together && !run->peers))
        next = together ? search_together(&common) : search_alone(&common);
    else if (together)
        split_run_without_memory(run);
    close_common(&common);
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
    return next == IDA_STAR_REFUSED ? SOLOIST_UNSUPPORTED : next == IDA_STAR_FAILED ? SOLOIST_INTERNAL : SOLOIST_OK;
}
