/* IDA* without a table: the plain search, which remembers no states except those on its stack, by one thread or by
 * several workers. The iteration itself is in depth_first.h. */
#include "search/ida_star/split.h"
#include "search/picture.h"
#include "search/special/registry.h"

/* Nodes between two checks of the budget. */
enum { slice = 1 << 12 };

/* The search by one thread. */
struct plain {
    struct search_run *run;
    struct depth_first walk;
    special_depth_first *go_on; /* the copy of the search that is compiled for the domain */
    /* The values of walk.generated and walk.expanded that were already reported to the budget. */
    uint64_t counted, expanded;
    struct picture_thresholds thresholds;
};

/* If the domain is guarded, every state is tested for a goal: a goal whose bound is wrongly above 0 would otherwise be
 * passed by, and the puzzle would be called impossible. */
static bool open_walk(struct depth_first *walk, const struct search_run *run) {
    bool opened = depth_first_open(walk, run->domain, run->instance, &run->budget->memory);
    walk->guard = run->guard;
    walk->ask_all |= run->guard != NULL;
    return opened;
}

/* Reports new nodes to the budget. The search subtracts the children that come after the goal, so the difference may be
 * negative and wrap around. If the last expansion went beyond the node limit, its surplus children are not counted. */
static void count_nodes(struct plain *plain) {
    uint64_t limit = plain->run->budget->limits.nodes, more = plain->walk.generated - plain->counted;
    uint64_t nodes = atomic_load_explicit(&plain->run->budget->nodes, memory_order_relaxed) + more;
    budget_count_nodes(plain->run->budget, limit && nodes > limit ? more - (nodes - limit) : more);
    plain->counted = plain->walk.generated;
    search_count_expanded(plain->run, plain->walk.expanded - plain->expanded);
    plain->expanded = plain->walk.expanded;
}

/* How many nodes may be generated before the budget is checked again; at least one, because the budget is not spent
 * yet. */
static uint64_t next_slice(const struct plain *plain) {
    uint64_t limit = plain->run->budget->limits.nodes;
    uint64_t used = atomic_load_explicit(&plain->run->budget->nodes, memory_order_relaxed);
    return !limit || limit - used > slice ? slice : limit - used;
}

/* Searches all states whose f is at most the threshold, or as far as the budget allows. */
static enum depth_first_end iterate(struct plain *plain, int32_t threshold) {
    struct depth_first *walk = &plain->walk;
    enum depth_first_end end = depth_first_begin(walk, threshold);
    count_nodes(plain);
    while (end == DEPTH_FIRST_LIMIT && !search_spent(plain->run)) {
        end = plain->go_on(walk, walk->generated + next_slice(plain));
        count_nodes(plain);
    }
    return end;
}

/* The stack holds the children that wait at every depth; the top one is looked at next. */
static void paint_stack(const struct depth_first *walk, const struct search_run *run, struct search_picture *picture) {
    size_t size = sizeof(struct depth_first_entry) + walk->state_size, count = walk->waiting_size / size;
    const struct depth_first_entry *entry = NULL;
    picture_kind(picture, SOLOIST_PICTURE_DIVES);
    for (size_t i = 0; i < count; i++) {
        entry = (const struct depth_first_entry *)(const void *)(walk->waiting + i * size);
        picture_count(picture, SOLOIST_AXIS_DEPTH, 0, entry->depth, 1);
    }
    if (!entry)
        return;
    picture_depth(picture, entry->depth);
    picture_line(picture, run, walk->path, entry->depth - 1);
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct plain *plain = subject;
    picture_thresholds(picture, &plain->thresholds, plain->run);
    paint_stack(&plain->walk, plain->run, picture);
}

static soloist_code search(struct plain *plain) {
    struct search_run *run = plain->run;
    struct depth_first *walk = &plain->walk;
    bool admissible = run->domain->bound->admissible(run->instance);
    run->domain->life->root(run->instance, walk->state);
    int32_t threshold = search_bound(run, run->domain->bound, walk->state);
    while (threshold != DEPTH_FIRST_NO_THRESHOLD && !search_spent(run)) {
        search_note(run, "threshold %d", (int)threshold);
        picture_note_threshold(&plain->thresholds, run, threshold);
        switch (iterate(plain, threshold)) {
        case DEPTH_FIRST_FOUND:
            search_record(run, walk->path, walk->path_length, walk->cost);
            run->optimal |= admissible;
            return SOLOIST_OK;
        case DEPTH_FIRST_NO_MEMORY: return search_full(run);
        case DEPTH_FIRST_REFUSED:
            search_add_cost(run, walk->cost, walk->bad_step, &threshold); /* fills in the error */
            return SOLOIST_UNSUPPORTED;
        case DEPTH_FIRST_LIMIT: return SOLOIST_OK;
        case DEPTH_FIRST_EXHAUSTED: threshold = walk->next_threshold; break;
        }
    }
    run->impossible = threshold == DEPTH_FIRST_NO_THRESHOLD; /* nothing was cut off: all states have been searched */
    return SOLOIST_OK;
}

/* ---- by several workers ---- */

/* A worker's walk. */
struct part {
    struct split_worker *worker;
    struct depth_first walk;
    special_depth_first *go_on;
    struct picture_thresholds thresholds; /* of the worker that leads */
    struct piece piece;                   /* for cutting the tree */
};

/* The copy of the search that is compiled for the domain. */
static special_depth_first *choose_copy(const struct search_run *run) {
    const struct special_ida_star *special = special_ida_star(run->domain);
    special_depth_first *own = special && special->depth_first ? special->depth_first(run->instance) : NULL;
    return own ? own : depth_first_generic;
}

static void close_part(void *user) {
    struct part *part = user;
    struct memory *memory = part->walk.memory;
    piece_close(&part->piece, memory);
    depth_first_close(&part->walk);
    memory_give(memory, part, sizeof *part);
}

static void *open_part(void *user, struct split_worker *worker) {
    struct search_run *run = split_worker_run(worker);
    struct part *part = memory_take(&run->budget->memory, sizeof *part);
    (void)user;
    if (!part)
        return NULL;
    part->worker = worker;
    part->go_on = choose_copy(run);
    bool opened = open_walk(&part->walk, run);
    part->walk.shared = true;
    if (!opened)
        close_part(part);
    return opened ? part : NULL;
}

static bool give(void *user, struct piece *piece) { return depth_first_give(&((struct part *)user)->walk, piece); }

static enum depth_first_end begin(struct part *part, const struct split_round *round, const uint32_t *piece) {
    struct depth_first *walk = &part->walk;
    if (!piece)
        return depth_first_begin(walk, round->threshold);
    walk->next_threshold = DEPTH_FIRST_NO_THRESHOLD;
    return depth_first_take(walk, round->threshold, piece) ? DEPTH_FIRST_LIMIT : DEPTH_FIRST_NO_MEMORY;
}

/* Reports what was searched and how it ended. */
static enum split_end end_piece(struct part *part, enum depth_first_end end, struct split_summary *summary) {
    struct depth_first *walk = &part->walk;
    split_count(part->worker, walk->generated, walk->expanded);
    if (walk->next_threshold < summary->next_threshold)
        summary->next_threshold = walk->next_threshold;
    switch (end) {
    case DEPTH_FIRST_FOUND: split_found(part->worker, walk->path, walk->path_length, walk->cost); return SPLIT_FOUND;
    case DEPTH_FIRST_EXHAUSTED: return SPLIT_DONE;
    case DEPTH_FIRST_NO_MEMORY: return SPLIT_FULL;
    case DEPTH_FIRST_REFUSED:
        search_add_cost(split_worker_run(part->worker), walk->cost, walk->bad_step,
                        &walk->cost); /* fills in the error */
        return SPLIT_REFUSED;
    case DEPTH_FIRST_LIMIT: break;
    }
    return SPLIT_STOPPED;
}

static enum split_end search_piece(void *user, const struct split_round *round, const uint32_t *piece,
                                   struct split_summary *summary) {
    struct part *part = user;
    struct depth_first *walk = &part->walk;
    walk->generated = walk->expanded = 0;
    enum depth_first_end end = begin(part, round, piece);
    for (uint64_t more = split_grant(part->worker); end == DEPTH_FIRST_LIMIT && more;) {
        end = part->go_on(walk, walk->generated + more);
        if (end == DEPTH_FIRST_LIMIT) {
            more = split_look(part->worker, walk->generated, walk->expanded);
            walk->generated = walk->expanded = 0;
        }
    }
    return end_piece(part, end, summary);
}

/* Pieces of one level of the tree, one after the other; each is preceded by its number of words. */
struct level {
    struct piece words;
    uint32_t count;
};

/* Moves all entries of the stack to the end of a level. */
static bool add_entries(struct part *part, struct level *level) {
    struct memory *memory = part->walk.memory;
    while (part->walk.waiting_size) {
        uint32_t used = level->words.count;
        if (!depth_first_pop(&part->walk, &part->piece) ||
            !piece_begin(&level->words, memory, (uint64_t)used + 1 + part->piece.count))
            return false;
        level->words.words[used] = part->piece.count;
        memcpy(level->words.words + used + 1, part->piece.words, part->piece.count * sizeof(uint32_t));
        level->count++;
    }
    return true;
}

/* Expands every piece of a level once. */
static enum depth_first_end add_level(struct part *part, const struct split_round *round, const struct level *from,
                                      struct level *to) {
    struct depth_first *walk = &part->walk;
    for (uint32_t at = 0; at < from->words.count; at += from->words.words[at] + 1) {
        if (!depth_first_take(walk, round->threshold, from->words.words + at + 1))
            return DEPTH_FIRST_NO_MEMORY;
        enum depth_first_end end = part->go_on(walk, walk->generated + 1);
        if (end == DEPTH_FIRST_FOUND || end == DEPTH_FIRST_NO_MEMORY || end == DEPTH_FIRST_REFUSED)
            return end;
        if (!add_entries(part, to))
            return DEPTH_FIRST_NO_MEMORY;
    }
    return DEPTH_FIRST_LIMIT;
}

static enum depth_first_end hand_over(struct part *part, const struct split_round *round, const struct level *level) {
    for (uint32_t at = 0; at < level->words.count; at += level->words.words[at] + 1) {
        struct piece piece = {.words = level->words.words + at + 1, .count = level->words.words[at]};
        if (!split_add(part->worker, round, &piece))
            return DEPTH_FIRST_NO_MEMORY;
    }
    return DEPTH_FIRST_EXHAUSTED;
}

/* Expands the tree level by level, until a level has enough states. */
static enum split_end scatter(void *user, const struct split_round *round, uint32_t wanted,
                              struct split_summary *summary) {
    struct part *part = user;
    struct depth_first *walk = &part->walk;
    struct level levels[2] = {0};
    struct level *now = &levels[0], *next = &levels[1];
    walk->generated = walk->expanded = 0;
    enum depth_first_end end = depth_first_begin(walk, round->threshold);
    if (end == DEPTH_FIRST_LIMIT && !add_entries(part, now))
        end = DEPTH_FIRST_NO_MEMORY;
    while (end == DEPTH_FIRST_LIMIT && now->count && now->count < wanted) {
        next->words.count = next->count = 0;
        end = add_level(part, round, now, next);
        struct level *swapped = now;
        now = next, next = swapped;
    }
    if (end == DEPTH_FIRST_LIMIT)
        end = hand_over(part, round, now);
    piece_close(&levels[0].words, walk->memory);
    piece_close(&levels[1].words, walk->memory);
    return end_piece(part, end, summary);
}

/* What the leading worker does now. */
static void paint_part(const void *subject, struct search_picture *picture) {
    const struct part *part = subject;
    const struct search_run *run = split_worker_run(part->worker);
    picture_thresholds(picture, &part->thresholds, run);
    paint_stack(&part->walk, run, picture);
}

static soloist_code lead(void *user) {
    struct part *part = user;
    struct search_run *run = split_worker_run(part->worker);
    struct split_summary summary;
    struct split_round round = {0};
    enum split_end end = SPLIT_DONE;
    run->domain->life->root(run->instance, part->walk.state);
    summary.next_threshold = search_bound(run, run->domain->bound, part->walk.state);
    search_show(run, paint_part, part);
    while (end == SPLIT_DONE && summary.next_threshold != SPLIT_NO_THRESHOLD) {
        round.threshold = summary.next_threshold;
        round.number++;
        search_note(run, "threshold %d", (int)round.threshold);
        picture_note_threshold(&part->thresholds, run, round.threshold);
        end = split_iterate(part->worker, &round, &summary);
    }
    search_hide(run);
    run->optimal |= end == SPLIT_FOUND && run->domain->bound->admissible(run->instance);
    run->impossible = end == SPLIT_DONE;
    return SOLOIST_OK;
}

static const struct split_kind parts = {open_part, close_part, lead, search_piece, give, scatter};

soloist_code ida_star_walk_plainly(struct search_run *run) {
    if (split_is_wanted(run))
        return split_run(run, &parts, NULL, ida_star_slice(run));
    struct plain plain = {.run = run, .go_on = choose_copy(run)};
    bool opened = open_walk(&plain.walk, run);
    search_show(run, paint, &plain);
    soloist_code code = opened ? search(&plain) : search_full(run);
    search_hide(run);
    depth_first_close(&plain.walk);
    return code;
}
