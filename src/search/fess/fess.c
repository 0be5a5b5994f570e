/* The method makes one attempt per plan. An attempt first finds its plan by searching another game (for Sokoban, the
 * packing game), and then searches the puzzle itself. */
#include "search/fess/fess.h"

#include <stdlib.h>
#include <string.h>

/* What an attempt may spend: its share of what is left of the run's limits. */
struct share {
    double end_s;       /* when to stop, in seconds of budget_elapsed; 0: no limit */
    uint64_t end_nodes; /* node count at which to stop; 0: no limit */
};

/* `percent` percent of what is left of the run's limits, divided among `attempts` attempts and rounded down to whole
 * percents, unless that is none. If nodes are limited, a share is at least one node, because 0 means no limit. */
static struct share take_share(const struct search_run *run, int percent, int attempts) {
    const soloist_limits *limits = &run->budget->limits;
    const uint64_t million = 1000000;
    struct share share = {0, 0};
    double now = budget_elapsed(run->budget);
    uint64_t nodes = atomic_load(&run->budget->nodes), left = limits->nodes > nodes ? limits->nodes - nodes : 0;
    int whole = percent / attempts * 10000, millionths = whole ? whole : percent * 10000 / attempts;
    if (limits->time_s > now)
        share.end_s = now + (limits->time_s - now) * millionths / (double)million;
    if (left)
        share.end_nodes =
            nodes + left / million * (uint64_t)millionths + left % million * (uint64_t)millionths / million;
    if (left && !share.end_nodes)
        share.end_nodes = 1;
    return share;
}

static bool share_is_spent(const struct fess *fess) {
    const struct budget *budget = fess->run->budget;
    return (fess->most_expanded && fess->expanded >= fess->most_expanded) ||
           (fess->end_nodes && atomic_load(&fess->run->budget->nodes) >= fess->end_nodes) ||
           (fess->end_s > 0 && budget_elapsed(budget) >= fess->end_s);
}

static enum fess_next search(struct fess *fess, struct share share) {
    fess->end_s = share.end_s;
    fess->end_nodes = share.end_nodes;
    search_show(fess->run, fess_paint, fess);
    enum fess_next next = fess_begin(fess);
    while (next == FESS_GO_ON && !search_spent(fess->run) && !share_is_spent(fess))
        next = fess_step(fess);
    search_hide(fess->run);
    return next;
}

/* Searches the plan's game. The line to the best state found becomes the plan. */
static enum fess_next make_plan(struct search_run *run, void *guide, struct share share) {
    const soloist_features *features = run->domain->features;
    struct fess fess;
    bool opened = fess_open(&fess, run, features->plan, guide);
    fess.most_expanded = (uint64_t)fess.options->plan_states;
    enum fess_next next = opened ? search(&fess, share) : FESS_FULL;
    if (opened && fess.best != POOL_NONE) {
        size_t count;
        uint32_t root;
        soloist_move *moves = fess_line(&fess, fess.best, &count, &root);
        memcpy(fess.state, table_string(&fess.states, fess.best), fess.state_size);
        if (moves)
            features->adopt(run->instance, guide, fess.state, moves, count);
        memory_give(&run->budget->memory, moves, count * sizeof *moves);
    }
    fess_close(&fess);
    return next;
}

/* Adds the plain moves of one larger move to the line, and plays them. False: memory is full. */
static bool add_plain(struct search_run *run, void *guide, void *state, soloist_move move, struct search_line *line) {
    const soloist_features *features = run->domain->features;
    int count = features->plain(run->instance, guide, state, move, NULL);
    if (!search_line_reserve(line, 2 * (line->count + (size_t)count), &run->budget->memory))
        return false;
    features->plain(run->instance, guide, state, move, line->moves + line->count);
    for (int i = 0; i < count; i++)
        line->value =
            search_sum(line->value, run->domain->core->apply(run->instance, state, line->moves[line->count++], NULL));
    return true;
}

static void record(struct fess *fess) {
    struct search_run *run = fess->run;
    struct search_line line = {0};
    size_t count;
    uint32_t root;
    soloist_move *moves = fess_line(fess, fess->goal, &count, &root);
    bool good = moves;
    if (good)
        memcpy(fess->state, table_string(&fess->states, root), fess->state_size);
    for (size_t i = 0; i < count && good; i++)
        good = add_plain(run, fess->guide, fess->state, moves[i], &line);
    if (!good)
        search_full(run);
    else
        search_record(run, line.moves, line.count, line.value);
    memory_give(&run->budget->memory, moves, count * sizeof *moves);
    free(line.moves);
}

/* Searches the puzzle itself, guided by the plan. FESS_DONE: a solution was found, or there is none. */
static enum fess_next follow_plan(struct search_run *run, void *guide, struct share share, uint64_t most_expanded) {
    struct fess fess;
    bool opened = fess_open(&fess, run, run->domain->features, guide);
    fess.most_expanded = most_expanded;
    enum fess_next next = opened ? search(&fess, share) : FESS_FULL;
    if (next == FESS_DONE && fess.goal != POOL_NONE)
        record(&fess);
    else if (next == FESS_DONE)
        run->impossible =
            !run->domain->bound || !run->domain->bound->lossless || run->domain->bound->lossless(run->instance);
    fess_close(&fess);
    return next;
}

/* attempts_left: how many attempts, including this one, share what is left. most_expanded: limit on the states to
 * expand; 0: no limit. */
static enum fess_next attempt(struct search_run *run, void *guide, int number, int attempts_left,
                              uint64_t most_expanded) {
    const struct fess_options *options = run->options;
    const soloist_features *features = run->domain->features;
    struct share share = {0, 0}; /* the last attempt gets everything that is left */
    if (attempts_left > 1)
        share = take_share(run, 100, attempts_left);
    features->open(run->instance, guide, number);
    if (features->plan && options->plan_share) {
        struct share part = take_share(run, (int)options->plan_share, attempts_left);
        if (make_plan(run, guide, part) == FESS_FULL)
            return FESS_FULL;
    }
    return search_spent(run) ? FESS_GO_ON : follow_plan(run, guide, share, most_expanded);
}

/* The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...: with restarts of these lengths, the expected time exceeds that of the
 * best possible lengths by at most a logarithmic factor (Luby and others 1993). */
static uint64_t luby(uint64_t i) {
    uint64_t size = 1;
    while (size < i + 1)
        size = 2 * size + 1;
    for (; size != i + 1; size /= 2)
        i %= size / 2;
    return (size + 1) / 2;
}

/* Tries one plan of each kind, then another one of each kind, and so on, until one leads to the goal. Running out of
 * memory ends only the attempt, unless it happened early. */
static enum fess_next restart(struct search_run *run, void *guide, int first, int plans) {
    const struct fess_options *options = run->options;
    enum fess_next next = FESS_GO_ON;
    for (int i = 0; next != FESS_DONE && !search_spent(run); i++) {
        int round = i / plans, number = first + i % plans + round * run->domain->features->plans;
        uint64_t before = atomic_load(&run->budget->expanded);
        next = attempt(run, guide, number, 1, luby((uint64_t)round) * (uint64_t)options->restart);
        if (next == FESS_FULL && atomic_load(&run->budget->expanded) < before + (uint64_t)options->restart)
            break;
    }
    return next;
}

/* Tries each plan once with its share of the limits. Running out of memory ends only the attempt; the next one may
 * succeed. */
static enum fess_next try_once(struct search_run *run, void *guide, int first, int plans) {
    enum fess_next next = FESS_GO_ON;
    for (int i = 0; i < plans && next != FESS_DONE && !search_spent(run); i++)
        next = attempt(run, guide, first + i, plans - i, 0);
    return next;
}

static soloist_code fess_run(struct search_run *run) {
    const struct fess_options *options = run->options;
    const soloist_features *features = run->domain->features;
    struct memory *memory = &run->budget->memory;
    size_t size = features->guide_size(run->instance);
    void *guide = memory_take(memory, size);
    int plans = (int)(options->plans ? options->plans : features->plans);
    struct fess_settings settings;
    fess_settle(run, &settings);
    if (!guide)
        return search_full(run);
    enum fess_next next =
        options->restart ? restart(run, guide, settings.first, plans) : try_once(run, guide, settings.first, plans);
    features->close(run->instance, guide);
    memory_give(memory, guide, size);
    return next == FESS_FULL ? search_full(run) : SOLOIST_OK;
}

static bool fess_suits(const struct search_run *run) {
    struct fess_settings settings;
    return fess_settle(run, &settings);
}

const struct search_method search_fess = {
    .name = "fess",
    .summary = "feature-space search: states with equal features form a cell, and the cells are visited in turn; uses "
               "the domain's macro moves, advisors and plans",
    .options = fess_options_rows,
    .options_size = sizeof(struct fess_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_FEATURES,
    .suits = fess_suits,
    .ignores = search_ignores_all,
    .run = fess_run,
};
