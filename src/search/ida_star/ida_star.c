/* IDA* (Korf 1985; S2): depth-first searches below a rising cost threshold; each threshold is the least f that the
 * previous search cut off. The plain search without a table is in ida_star_plain.c. The search with a transposition
 * table or with sorted children is in ida_star_table.c. Code that only one game uses is in search/special. */
#include "search/ida_star/split.h"
#include "search/special/registry.h"

#define IDA_STAR_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    CHOICE(T, table, IDA_STAR_TABLE_AUTO, "auto|none|two-level|deep|new|old|big",                                      \
           "replacement scheme of the transposition table; none: no table; auto: two-level, or none if the domain "    \
           "expands a state in less time than a look-up in the table takes")                                           \
    INT(T, table_mb, 0, 0, 1 << 20,                                                                                    \
        "size of the transposition table in megabytes; 0: 64, or a quarter of the memory limit if that is less")       \
    CHOICE(T, order, IDA_STAR_ORDER_AUTO, "auto|none|bound|inertia",                                                   \
           "order of children: none: as the domain lists them; bound: least bound first; inertia: first the moves of " \
           "the piece that was moved last, then all other moves, in both groups least bound first; auto: bound if "    \
           "there is a table, otherwise none")                                                                         \
    INT(T, weight, 100, 100, 1000,                                                                                     \
        "weight of the bound in percent: 150 has the effect of weight=1.5 in the method astar; above 100: solutions "  \
        "are found sooner but may not be optimal")                                                                     \
    INT(T, relevance, 0, 0, IDA_STAR_MOST_HISTORY,                                                                     \
        "relevance cuts, if the domain has them: moves that have little to do with the preceding moves are left out, " \
        "so the optimal solution may be missed; the value is the number of preceding moves that are examined; 0: no "  \
        "cuts")                                                                                                        \
    INT(T, switches, 2, 0, IDA_STAR_MOST_HISTORY,                                                                      \
        "with relevance > 0: maximum number of examined moves that are far from the move just before them")            \
    INT(T, influence, 0, 0, 254,                                                                                       \
        "with relevance > 0: distance above which two moves count as far from each other; 0: chosen according to the " \
        "size of the level")                                                                                           \
    BOOL(T, dual, false,                                                                                               \
         "search from both ends of the solution (single-frontier search), if the domain supports it; the options "     \
         "`table` and `order` are then ignored")                                                                       \
    INT(T, slice, 0, 0, 1 << 20,                                                                                       \
        "with several threads: number of nodes that a thread generates before it checks whether another thread needs " \
        "work; 0: 64, or 2048 if the domain expands states quickly")
SOLOIST_OPTIONS(ida_star_options, IDA_STAR_OPTIONS);

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

uint64_t ida_star_slice(const struct search_run *run) {
    const struct ida_star_options *options = run->options;
    return options->slice ? (uint64_t)options->slice : split_usual_slice(run);
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
    return plain && !settings.history ? ida_star_walk_plainly(run) : ida_star_walk(run, &settings);
}

static bool ida_star_proves(const void *options) {
    const struct ida_star_options *given = options;
    return given->weight == 100 && !given->relevance;
}

static unsigned ida_star_ignores(const void *options) {
    return search_ignores_all(options) & ~(unsigned)SEARCH_IGNORES_THREADS;
}

const struct search_method search_ida_star = {
    .name = "idastar",
    .summary = "iterative-deepening A*: needs little memory apart from its transposition table; its solutions are "
               "optimal if the bound is admissible",
    .options = ida_star_options_rows,
    .options_size = sizeof(struct ida_star_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_BOUND,
    .suits = ida_star_suits,
    .ignores = ida_star_ignores,
    .run = ida_star_run,
    .proves = ida_star_proves,
    .ranks = true,
};
