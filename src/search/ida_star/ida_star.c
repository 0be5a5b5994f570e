/* IDA* (Korf 1985; S2): depth-first searches below a rising cost threshold; each threshold is the least f that the
 * previous search cut off. The plain search without a table is in depth_first.h. The search with a transposition table
 * or a sorting of children is in ida_star_table.c. What only one game can do is in search/special. */
#include "search/picture.h"
#include "search/special/registry.h"

#define IDA_STAR_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    CHOICE(T, table, IDA_STAR_TABLE_AUTO, "auto|none|two-level|deep|new|old|big",                                      \
           "replacement scheme of the transposition table; none: no table; auto: two-level, or none if the domain "    \
           "expands a state in less time than a look-up in the table takes")                                           \
    INT(T, table_mb, 0, 0, 1 << 20, "megabytes of the table; 0: 64, or a quarter of the memory limit if that is less") \
    CHOICE(T, order, IDA_STAR_ORDER_AUTO, "auto|none|bound|inertia",                                                   \
           "order of children: none: as the domain lists them; bound: least bound first; inertia: first the moves "    \
           "of the piece that was moved last, then the others, each by least bound; auto: bound if there is a "        \
           "table, otherwise none")                                                                                    \
    INT(T, weight, 100, 100, 1000,                                                                                     \
        "weight of the bound in percent (astar's weight is a factor: its 1.5 is 150 here); above 100: solutions are "  \
        "found sooner but may not be optimal")                                                                         \
    INT(T, relevance, 0, 0, IDA_STAR_MOST_HISTORY,                                                                     \
        "relevance cuts, if the domain has them: a move that has little to do with the moves before it is cut off; "   \
        "the value says how many of the moves before it are examined; may lose the optimum; 0: no cuts")               \
    INT(T, switches, 2, 0, IDA_STAR_MOST_HISTORY,                                                                      \
        "with relevance: how many of the moves examined may each be far from the move just before it")                 \
    INT(T, influence, 0, 0, 254,                                                                                       \
        "with relevance: distance above which two moves count as far from each other; 0: chosen by the level's size")  \
    BOOL(T, dual, false,                                                                                               \
         "search from both ends of the solution (single-frontier search), if the domain can; the options table and "   \
         "order are then ignored")
SOLOIST_OPTIONS(ida_star_options, IDA_STAR_OPTIONS);

/* Nodes between two checks of the budget. */
enum { slice = 1 << 12 };

/* The plain search, which remembers no states except those on its stack. */
struct plain {
    struct search_run *run;
    struct depth_first walk;
    special_depth_first *go_on; /* the copy of the search that is compiled for the domain */
    /* The values of walk.generated and walk.expanded that were already reported to the budget. */
    uint64_t counted, expanded;
    struct picture_thresholds thresholds;
};

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
static void paint(const void *subject, struct search_picture *picture) {
    const struct plain *plain = subject;
    const struct depth_first *walk = &plain->walk;
    size_t size = sizeof(struct depth_first_entry) + walk->state_size, count = walk->waiting_size / size;
    const struct depth_first_entry *entry = NULL;
    picture_kind(picture, SOLOIST_PICTURE_DIVES);
    picture_thresholds(picture, &plain->thresholds, plain->run);
    for (size_t i = 0; i < count; i++) {
        entry = (const struct depth_first_entry *)(const void *)(walk->waiting + i * size);
        picture_count(picture, SOLOIST_AXIS_DEPTH, 0, entry->depth, 1);
    }
    if (!entry)
        return;
    picture_depth(picture, entry->depth);
    picture_line(picture, plain->run, walk->path, entry->depth - 1);
}

static soloist_code search(struct plain *plain) {
    struct search_run *run = plain->run;
    struct depth_first *walk = &plain->walk;
    bool admissible = run->domain->bound->admissible(run->instance);
    run->domain->life->root(run->instance, walk->state);
    int32_t threshold = run->domain->bound->value(run->instance, walk->state);
    while (threshold != DEPTH_FIRST_NO_THRESHOLD && !search_spent(run)) {
        search_note(run, "threshold %d", (int)threshold);
        picture_note_threshold(&plain->thresholds, run, threshold);
        switch (iterate(plain, threshold)) {
        case DEPTH_FIRST_FOUND:
            search_record(run, walk->path, walk->path_length, walk->cost);
            run->optimal |= admissible;
            return SOLOIST_OK;
        case DEPTH_FIRST_NO_MEMORY: return search_full(run);
        case DEPTH_FIRST_LIMIT: return SOLOIST_OK;
        case DEPTH_FIRST_EXHAUSTED: threshold = walk->next_threshold; break;
        }
    }
    run->impossible = threshold == DEPTH_FIRST_NO_THRESHOLD; /* nothing was cut off: all states have been searched */
    return SOLOIST_OK;
}

static soloist_code walk_plainly(struct search_run *run) {
    const struct special_ida_star *special = special_ida_star(run->domain);
    special_depth_first *own = special && special->depth_first ? special->depth_first(run->instance) : NULL;
    struct plain plain = {.run = run, .go_on = own ? own : depth_first_generic};
    bool opened = depth_first_open(&plain.walk, run->domain, run->instance, &run->budget->memory);
    search_show(run, paint, &plain);
    soloist_code code = opened ? search(&plain) : search_full(run);
    search_hide(run);
    depth_first_close(&plain.walk);
    return code;
}

/* The size of the table. The default is fixed, because node counts depend on it and must be the same on every machine
 * that has the memory. */
static size_t table_bytes(const struct search_run *run, const struct ida_star_options *options) {
    size_t usual = (size_t)64 << 20, limit = run->budget->limits.memory;
    if (options->table_mb)
        return (size_t)options->table_mb << 20;
    return limit && limit / 4 < usual ? limit / 4 : usual;
}

static struct ida_star_settings settle(const struct search_run *run, const struct ida_star_options *options) {
    struct ida_star_settings settings = {.order = options->order,
                                         .table_bytes = table_bytes(run, options),
                                         .weight = (int)options->weight,
                                         .history = (int)options->relevance,
                                         .switches = (int)options->switches,
                                         .influence = (int)options->influence,
                                         .special = special_ida_star(run->domain)};
    int table = options->table;
    if (table == IDA_STAR_TABLE_AUTO)
        table = run->domain->hints && run->domain->hints->fast_expand ? IDA_STAR_TABLE_NONE : IDA_STAR_TABLE_FIRST;
    settings.has_table = table != IDA_STAR_TABLE_NONE;
    if (settings.has_table)
        settings.scheme = (enum transposition_scheme)(table - IDA_STAR_TABLE_FIRST);
    if (settings.order == IDA_STAR_ORDER_AUTO)
        settings.order = settings.has_table ? IDA_STAR_ORDER_BOUND : IDA_STAR_ORDER_NONE;
    return settings;
}

static bool ida_star_suits(const struct search_run *run) {
    const struct ida_star_options *options = run->options;
    const struct special_ida_star *special = special_ida_star(run->domain);
    const char *name = run->domain->name;
    if (options->dual)
        return (special && special->dual && special->dual_fits(run->instance)) ||
               soloist_fail(run->error, 0, 0, "dual: %s has no search from both ends under these options", name);
    if (options->order == IDA_STAR_ORDER_INERTIA && !(special && special->moved_from))
        return soloist_fail(run->error, 0, 0, "order=inertia: %s does not tell what a move moves", name);
    if (options->relevance && !(special && special->relevant))
        return soloist_fail(run->error, 0, 0, "relevance: %s has no relevance cuts", name);
    return true;
}

static soloist_code ida_star_run(struct search_run *run) {
    if (((const struct ida_star_options *)run->options)->dual)
        return special_ida_star(run->domain)->dual(run);
    struct ida_star_settings settings = settle(run, run->options);
    bool plain = !settings.has_table && settings.order == IDA_STAR_ORDER_NONE && settings.weight == 100;
    return plain && !settings.history ? walk_plainly(run) : ida_star_walk(run, &settings);
}

static bool ida_star_proves(const void *options) {
    const struct ida_star_options *given = options;
    return given->weight == 100 && !given->relevance;
}

const struct search_method search_ida_star = {
    .name = "idastar",
    .summary = "iterative deepening A*: optimal under an admissible bound; apart from its table it needs little memory",
    .options = ida_star_options_rows,
    .options_size = sizeof(struct ida_star_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_BOUND,
    .suits = ida_star_suits,
    .ignores = search_ignores_all,
    .run = ida_star_run,
    .proves = ida_star_proves,
};
