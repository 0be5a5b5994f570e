/* A run in stages, which all threads share. A rule says which moves play-outs leave out. The best rule depends on the
 * instance, and only a long run shows how good a rule is. A good line is often improved by searching again from a state
 * in its first third. Therefore:
 *   1. every plain rule gets a short run;
 *   2. the best plain rules, and the rules that refine them, get longer runs;
 *   3. the best of all these rules get still longer runs, twice;
 *   4. good lines are improved, again and again: by simulated annealing (anneal.c), or by a short run that keeps the
 *      first moves of a line and looks for a better continuation, with other numbers of moves and other rules. Now and
 *      then a new run begins at the root.
 * The best lines with different openings are kept in a pool. The end of each new best line is searched exactly. */
#include "search/nested/nested.h"

#include "search/nested/elites.h"
#include "search/score/tail.h"

#include <stdlib.h>
#include <string.h>

/* The number of play-outs that is assumed if there is no limit. */
enum { endless = 20000000 };

/* Share of the play-outs that the first stage gets. */
static const double plain_share = 0.03;
/* Probability of going on to the next line of the pool, or to the next rule, when one is drawn. */
static const double next_line = 0.4, next_rule = 0.6;
/* Probability that a run from the middle of a line has the line's own rule. */
static const double own_rule = 0.6;
/* Otherwise: probability that it has a rule that lists the same moves. */
static const double related_rule = 0.8;
/* New runs of the last stage have this many times as many play-outs as those that compare rules, because they compete
 * with lines that were improved. */
static const double fresh_factor = 4;
/* A run that improves a line keeps less than this share of its moves. */
static const double improve_keep = 0.1;

/* longest: most play-outs in a run that compares rules; with more, every rule gets several runs. After `patience` runs
 * from the middle of lines that found nothing better, such runs become longer, at most most_growth times as long. */
enum { most_jobs = 2 * NESTED_MOST_RULES, longest = 150000, patience = 12, most_growth = 4 };

enum stage { STAGE_NONE, STAGE_PLAIN, STAGE_REFINED, STAGE_LINES };

struct nested_stages {
    struct elites elites;
    enum stage stage;
    bool began;
    int64_t scores[NESTED_MOST_RULES]; /* best score of each rule's runs */
    int jobs[most_jobs];               /* the rules of the runs of this stage */
    int job, job_count;                /* the next of them, and their number */
    double size;                       /* play-outs per run from the root */
    int improved;                      /* how many of the best lines are improved by runs near them */
    int done;                          /* runs of this stage that have ended */
    int failures;                      /* runs from the middle of lines since one of them found a better line */
    uint64_t game, cuts;               /* runs begun; those that began after a line's first moves */
    int64_t finished;                  /* score of the best line whose end was searched exactly */
};

bool nested_has_stages(const struct nested *nested) {
    const struct nested_options *options = nested->options;
    return options->race && options->stages && options->search == NESTED_NRPA && !nested->goal &&
           !nested_is_spread(nested);
}

struct nested_stages *nested_stages_open(const struct nested *nested) {
    struct memory *memory = &nested->run->budget->memory;
    struct nested_stages *stages = memory_take(memory, sizeof *stages);
    if (!stages)
        return NULL;
    stages->finished = NESTED_NO_SCORE;
    stages->game = (uint64_t)nested->run->threads; /* the measuring runs have the numbers below */
    for (int i = 0; i < NESTED_MOST_RULES; i++)
        stages->scores[i] = NESTED_NO_SCORE;
    if (elites_open(&stages->elites, memory, nested->length))
        return stages;
    nested_stages_close(nested, stages);
    return NULL;
}

void nested_stages_close(const struct nested *nested, struct nested_stages *stages) {
    if (!stages)
        return;
    elites_close(&stages->elites);
    memory_give(&nested->run->budget->memory, stages, sizeof *stages);
}

/* ---- rules --------------------------------------------------------------------------------------------- */

static int count_rules(const struct nested *nested) {
    int all = nested->rules + nested->refinements;
    return all < NESTED_MOST_RULES ? all : NESTED_MOST_RULES;
}

static int plain_of(const struct nested *nested, int rule) {
    return rule < nested->rules ? rule : nested->walk->refines(nested->run->instance, rule);
}

/* Lists the rules below `most` that have had a run, the best first; among equal ones, the lower number first. */
static int rank_rules(const struct nested_stages *stages, int most, int *rules) {
    int count = 0;
    for (int i = 0; i < most; i++) {
        if (stages->scores[i] == NESTED_NO_SCORE)
            continue;
        int at = count++;
        for (; at && stages->scores[i] > stages->scores[rules[at - 1]]; at--)
            rules[at] = rules[at - 1];
        rules[at] = i;
    }
    return count;
}

/* ---- plans --------------------------------------------------------------------------------------------- */

/* The number of play-outs that all threads together may make under the limits, as far as it can be foreseen. */
static double foresee(const struct nested_worker *worker) {
    const struct search_run *run = worker->nested->run;
    const struct nested_team *team = worker->nested->team;
    if (team->limit)
        return (double)team->limit;
    double playouts = (double)atomic_load(&run->budget->playouts), nodes = (double)atomic_load(&run->budget->nodes);
    if (run->budget->limits.nodes && nodes > 0)
        return (double)run->budget->limits.nodes / nodes * playouts;
    if (!(run->budget->limits.time_s > 0))
        return endless;
    double own = budget_elapsed(run->budget) - worker->start_s, left = run->budget->limits.time_s - worker->start_s;
    return own > 0 ? (double)worker->done / own * left * run->threads : endless;
}

static int least(int a, int64_t b) { return a < b ? a : (int)b; }

/* Lists the rule that the options ask for, or all plain rules; rule 0, which leaves out nothing, comes last. */
static void list_plain(const struct nested *nested, struct nested_stages *stages) {
    if (nested->options->rule >= 0)
        stages->jobs[stages->job_count++] = (int)nested->options->rule;
    else
        for (int i = 0; i < nested->rules; i++)
            stages->jobs[stages->job_count++] = (i + 1) % nested->rules;
}

/* Lists the best plain rules and those that refine them, as many as can have runs of useful length. */
static void list_refined(const struct nested *nested, struct nested_stages *stages, double playouts) {
    const struct nested_options *options = nested->options;
    int most = (int)(playouts / (double)options->refined_least < most_jobs ? playouts / (double)options->refined_least
                                                                           : most_jobs);
    int plain[NESTED_MOST_RULES], ranked = rank_rules(stages, count_rules(nested), plain);
    int mains = least(ranked, most / 8 > 2 ? most / 8 : 2);
    for (int i = 0; i < mains; i++)
        stages->jobs[stages->job_count++] = plain[i];
    for (int i = 0; i < mains && options->rule < 0; i++)
        for (int rule = nested->rules; rule < count_rules(nested); rule++)
            if (plain_of(nested, rule) == plain[i] && stages->job_count < most)
                stages->jobs[stages->job_count++] = rule;
    int count = stages->job_count;
    while (stages->job_count + count <= most_jobs && playouts / stages->job_count > longest)
        for (int i = 0; i < count; i++)
            stages->jobs[stages->job_count++] = stages->jobs[i];
}

static bool can_anneal(const struct nested *nested) {
    return nested->options->anneal > 0 && nested->walk && nested->walk->parts;
}

/* The greatest power of two such that improving this many lines by successive halving takes no more than these
 * play-outs. */
static int count_improved(double size, double playouts) {
    int count = 1;
    while (count < ELITES_MOST / 2 && 2.5 * 2 * count * size <= playouts)
        count *= 2;
    return count;
}

static void plan_stage(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    struct nested_stages *stages = nested->team->stages;
    const struct nested_options *options = nested->options;
    double total = foresee(worker), share = 0;
    stages->job = stages->job_count = stages->done = 0;
    switch (++stages->stage) {
    case STAGE_PLAIN:
        share = plain_share;
        list_plain(nested, stages);
        break;
    case STAGE_REFINED:
        share = options->refined_share;
        list_refined(nested, stages, share * total);
        break;
    default: return;
    }
    stages->size = share * total / (stages->job_count ? stages->job_count : 1);
    stages->improved = count_improved(can_anneal(nested) ? (double)options->anneal_playouts : stages->size,
                                      options->improve_share * total);
}

/* ---- lines --------------------------------------------------------------------------------------------- */

/* Sets worker->state to the state after the first moves of worker->elite; returns what these moves gained. */
static int32_t state_after(struct nested_worker *worker, int count) {
    const struct search_run *run = worker->nested->run;
    int32_t value = 0;
    run->domain->life->root(run->instance, worker->state);
    for (int i = 0; i < count; i++)
        value = search_sum(value, run->domain->core->apply(run->instance, worker->state, worker->elite[i], NULL));
    return value;
}

/* Searches the end of the line in worker->elite exactly, from later and then from earlier states, as long as the effort
 * is small. */
static void finish_elite(struct nested_worker *worker, int32_t value, struct search_line *tail) {
    struct search_run *run = worker->nested->run;
    uint64_t left = nested_claim_nodes(worker, (uint64_t)worker->nested->options->tail);
    enum tail_end end = TAIL_NONE;
    for (int length = 8; end != TAIL_LIMIT && left && length < 2 * worker->elite_count; length = length * 5 / 4) {
        int start = worker->elite_count > length ? worker->elite_count - length : 0;
        uint64_t nodes = left;
        int32_t before = state_after(worker, start);
        end = tail_search(run, worker->state, value - before, &nodes, tail);
        nested_count_nodes(worker, nodes);
        left -= nodes < left ? nodes : left;
        if (end != TAIL_BETTER || start + (int)tail->count > worker->nested->length)
            continue;
        memcpy(worker->elite + start, tail->moves, tail->count * sizeof *tail->moves);
        worker->elite_count = start + (int)tail->count;
        value = before + tail->value;
    }
    nested_return_nodes(worker);
}

/* Adds the line in worker->line, a replay of a whole line, to the pool. The caller holds the lock. */
static void put_line(struct nested_worker *worker, int rule, int tries) {
    struct elites *elites = &worker->nested->team->stages->elites;
    const struct nested_line *line = &worker->line;
    struct elite *slot = elites_scratch(elites);
    slot->score = line->score;
    slot->rule = rule;
    slot->tries = tries;
    slot->count = line->count;
    for (int i = 0; i < line->count; i++) {
        slot->moves[i] = line->steps[i].move;
        slot->codes[i] = line->codes[line->steps[i].played].code;
    }
    elites_add(elites);
}

/* Keeps the best line of a run. The caller holds the lock, which is released meanwhile. */
static void keep_line(struct nested_worker *worker, int rule, int tries, const struct nested_line *line) {
    struct nested_team *team = worker->nested->team;
    struct nested_stages *stages = team->stages;
    struct search_line tail = {0};
    if (!line->ended)
        return;
    bool best = stages->stage >= STAGE_REFINED && line->score > stages->finished &&
                tail_is_possible(worker->nested->run) && worker->nested->options->tail;
    if (best)
        stages->finished = line->score;
    int32_t value = line->value;
    pthread_mutex_unlock(&team->lock);
    worker->elite_count = nested_whole(worker, line, worker->elite);
    if (best && !worker->stopped)
        finish_elite(worker, value, &tail);
    free(tail.moves);
    bool good = nested_replay_elite(worker) && worker->line.ended;
    if (good && worker->line.score > atomic_load(&team->best_score))
        nested_offer(worker);
    pthread_mutex_lock(&team->lock);
    if (good)
        put_line(worker, rule, tries);
    if (good && best && worker->line.score > stages->finished)
        stages->finished = worker->line.score;
}

/* The plain rule that leaves out most but allows all moves of the line in worker->elite. False: memory is full. */
static bool find_rule(struct nested_worker *worker, int *rule) {
    for (*rule = worker->nested->rules - 1; *rule > 0; --*rule) {
        worker->rule = *rule;
        nested_start(worker, NULL, 0);
        if (!nested_replay(worker, worker->elite, worker->elite_count))
            return false;
        if (worker->line.ended && worker->line.count == worker->elite_count)
            break;
    }
    return true;
}

/* Takes a line of an earlier run into the pool. The caller holds the lock, which is released meanwhile. */
static void take_known(struct nested_worker *worker, const struct search_line *line) {
    struct nested_team *team = worker->nested->team;
    int rule = 0;
    if (!line->count || line->count > (size_t)worker->nested->length)
        return;
    pthread_mutex_unlock(&team->lock);
    worker->elite_count = (int)line->count;
    memcpy(worker->elite, line->moves, line->count * sizeof *line->moves);
    bool good = find_rule(worker, &rule) && nested_replay_elite(worker) && worker->line.ended;
    if (good)
        nested_offer(worker);
    pthread_mutex_lock(&team->lock);
    if (good)
        put_line(worker, rule, 0);
}

/* The first thread takes the lines of an earlier run. */
static void begin_stages(struct nested_worker *worker) {
    struct nested_team *team = worker->nested->team;
    const struct search_pool *known = worker->nested->run->pool;
    if (team->stages->began)
        return;
    team->stages->began = true;
    for (int i = 0; known && i < known->count && !worker->full; i++)
        take_known(worker, &known->lines[i]);
}

void nested_stages_leave(const struct nested *nested) {
    const struct elites *elites = &nested->team->stages->elites;
    struct search_pool *pool = nested->run->pool;
    for (int i = 0; pool && i < elites->count && i < SEARCH_POOL_MOST; i++) {
        const struct elite *line = &elites->lines[i];
        if (!search_line_reserve(&pool->lines[i], (size_t)line->count, &nested->run->budget->memory))
            return;
        memcpy(pool->lines[i].moves, line->moves, (size_t)line->count * sizeof *line->moves);
        pool->lines[i].count = (size_t)line->count;
        pool->count = i + 1 > pool->count ? i + 1 : pool->count;
    }
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* The number of calls per level for a run of this many play-outs, at most the number that the options name. */
static int64_t calls_for(const struct nested_options *options, double playouts) {
    int64_t calls = nested_calls_for(options, (int)options->level, playouts);
    return calls < options->n ? calls : options->n;
}

/* A run from the root. Here and below the caller holds the lock, which is released meanwhile. */
static void run_rule(struct nested_worker *worker, int rule, double size) {
    struct nested_team *team = worker->nested->team;
    const struct nested_options *options = worker->nested->options;
    struct nested_level *top = &worker->levels[options->level];
    uint64_t game = team->stages->game++;
    pthread_mutex_unlock(&team->lock);
    nested_begin(worker, game, rule);
    nested_nrpa(worker, (int)options->level, calls_for(options, size));
    pthread_mutex_lock(&team->lock);
    team->stages->done++;
    if (top->best.score > team->stages->scores[rule])
        team->stages->scores[rule] = top->best.score;
    keep_line(worker, rule, 0, &top->best);
}

/* A rule for a run from the middle of a line: the line's own, one that lists the same moves, or any other. */
static int draw_rule(struct nested_worker *worker, int own) {
    struct nested *nested = worker->nested;
    if (nested->options->rule >= 0 || soloist_rng_unit(&worker->rng) < own_rule)
        return own;
    int rules[NESTED_MOST_RULES], count = rank_rules(nested->team->stages, count_rules(nested), rules), kept = 0;
    bool related = soloist_rng_unit(&worker->rng) < related_rule;
    for (int i = 0; i < count; i++)
        if (!related || plain_of(nested, rules[i]) == plain_of(nested, own))
            rules[kept++] = rules[i];
    return kept ? rules[soloist_rng_below(&worker->rng, (uint32_t)kept)] : own;
}

/* Begins a run from worker->start with the rest of worker->elite as its best line, if the rule allows its moves. False:
 * memory is full. */
static bool begin_with_elite(struct nested_worker *worker, struct nested_level *top) {
    int rest = worker->elite_count - worker->prefix_count;
    if (!nested_replay(worker, worker->elite + worker->prefix_count, rest))
        return false;
    if (worker->line.ended && worker->line.count == rest)
        nested_line_swap(&top->best, &worker->line);
    return true;
}

/* A run from the middle of a line. */
struct cut {
    int line; /* its number */
    int kept; /* number of moves that are kept */
    int rule;
    bool seeded; /* the rest of the line is the run's first best line */
    double size;
};

static void run_from_cut(struct nested_worker *worker, const struct cut *cut) {
    struct nested_team *team = worker->nested->team;
    struct nested_stages *stages = team->stages;
    const struct nested_options *options = worker->nested->options;
    const struct elite *line = &stages->elites.lines[cut->line];
    int level = (int)options->level, own = line->rule, tries = line->tries;
    int64_t before = line->score;
    struct nested_level *top = &worker->levels[level];
    worker->elite_count = line->count;
    memcpy(worker->elite, line->moves, (size_t)line->count * sizeof *line->moves);
    pthread_mutex_unlock(&team->lock);
    worker->rule = cut->rule;
    nested_start(worker, worker->elite, cut->kept);
    nested_policy_clear(&top->policy);
    nested_line_clear(&top->best);
    if (!nested_policy_reserve(&top->policy, 1) || (cut->seeded && !begin_with_elite(worker, top)))
        worker->full = worker->stopped = true;
    nested_run_level(worker, level, calls_for(options, cut->size));
    pthread_mutex_lock(&team->lock);
    stages->failures = top->best.score > before ? 0 : stages->failures + 1;
    if (top->best.score > stages->scores[own])
        stages->scores[own] = top->best.score;
    keep_line(worker, own, tries, &top->best);
}

/* The number of trials of the next annealing run. If the limits leave too few for two runs, one run takes all of them,
 * because a run that is broken off before it has cooled down finds little. */
static double trials_of(const struct nested_worker *worker) {
    double size = (double)worker->nested->options->anneal_playouts, left = nested_playouts_left(worker);
    return left > 0 && left < 1.5 * size ? left : size;
}

/* Anneals a line of the pool. */
static void run_anneal(struct nested_worker *worker, int at) {
    struct nested_team *team = worker->nested->team;
    struct nested_stages *stages = team->stages;
    const struct nested_options *options = worker->nested->options;
    const struct elite *line = &stages->elites.lines[at];
    int own = line->rule, tries = line->tries;
    int64_t before = line->score;
    struct nested_level *top = &worker->levels[options->level];
    worker->elite_count = line->count;
    memcpy(worker->elite, line->moves, (size_t)line->count * sizeof *line->moves);
    pthread_mutex_unlock(&team->lock);
    nested_anneal(worker, trials_of(worker), options->anneal_from, options->anneal_to);
    if (nested_replay_elite(worker))
        nested_line_swap(&top->best, &worker->line);
    else
        nested_line_clear(&top->best);
    pthread_mutex_lock(&team->lock);
    stages->failures = top->best.score > before ? 0 : stages->failures + 1;
    if (top->best.score > stages->scores[own])
        stages->scores[own] = top->best.score;
    keep_line(worker, own, tries, &top->best);
}

/* The line that is to be improved next, by successive halving: of the `most` best lines, each gets a run; the better
 * half of them get a second, and so on. -1: there is none. */
static int line_to_improve(const struct nested_stages *stages, int most) {
    for (int i = 0; i < stages->elites.count; i++)
        if (stages->elites.lines[i].tries < 30 && most >> stages->elites.lines[i].tries > i)
            return i;
    return -1;
}

static void improve(struct nested_worker *worker, int at) {
    struct nested_stages *stages = worker->nested->team->stages;
    struct elite *line = &stages->elites.lines[at];
    int doubled = line->tries > 1 ? line->tries - 1 : 0;
    struct cut cut = {.line = at, .rule = line->rule, .seeded = true, .size = stages->size * (1 << least(doubled, 4))};
    cut.kept = (int)(improve_keep * soloist_rng_unit(&worker->rng) * line->count);
    line->tries++;
    if (can_anneal(worker->nested))
        run_anneal(worker, at);
    else
        run_from_cut(worker, &cut);
}

static void draw_cut(struct nested_worker *worker) {
    struct nested_stages *stages = worker->nested->team->stages;
    const struct nested_options *options = worker->nested->options;
    struct cut cut = {.size = (double)options->cut_playouts};
    while (cut.line + 1 < stages->elites.count && soloist_rng_unit(&worker->rng) < next_line)
        cut.line++;
    const struct elite *line = &stages->elites.lines[cut.line];
    if (can_anneal(worker->nested) && soloist_rng_unit(&worker->rng) < options->anneal) {
        run_anneal(worker, cut.line);
        return;
    }
    cut.kept = (int)(options->cut_keep * soloist_rng_unit(&worker->rng) * line->count);
    cut.rule = draw_rule(worker, line->rule);
    cut.seeded = soloist_rng_unit(&worker->rng) < options->cut_seed;
    cut.size = stages->size < cut.size ? stages->size : cut.size;
    cut.size *= 1 + least(stages->failures / patience, most_growth - 1);
    run_from_cut(worker, &cut);
}

/* A new run with one of the best rules, more likely with a better one. */
static void run_again(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    struct nested_stages *stages = nested->team->stages;
    int rules[NESTED_MOST_RULES], count = rank_rules(stages, count_rules(nested), rules), at = 0;
    while (at + 1 < count && soloist_rng_unit(&worker->rng) < next_rule)
        at++;
    run_rule(worker, count ? rules[at] : 0, fresh_factor * stages->size);
}

static void run_next(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    struct nested_stages *stages = nested->team->stages;
    while (stages->stage < STAGE_LINES && stages->done >= stages->job_count)
        plan_stage(worker);
    if (stages->stage < STAGE_LINES) {
        /* A thread that would have to wait for the others repeats a run with other random numbers. */
        run_rule(worker, stages->jobs[stages->job++ % stages->job_count], stages->size);
        return;
    }
    int line = line_to_improve(stages, stages->improved);
    soloist_rng_seed(&worker->rng, nested->run->seed, stages->game++);
    if (line >= 0)
        improve(worker, line);
    else if (!stages->elites.count || ++stages->cuts % (uint64_t)nested->options->cut_fresh == 0)
        run_again(worker);
    else
        draw_cut(worker);
}

static bool may_go_on(const struct nested_worker *worker) {
    int64_t games = worker->nested->options->games;
    return !worker->stopped &&
           (!games || worker->nested->team->stages->game < (uint64_t)(games + worker->nested->run->threads));
}

void nested_stages(struct nested_worker *worker) {
    struct nested_team *team = worker->nested->team;
    pthread_mutex_lock(&team->lock);
    begin_stages(worker);
    pthread_mutex_unlock(&team->lock);
    nested_measure(worker);
    if (foresee(worker) < (double)worker->nested->options->stages_least) {
        nested_race(worker);
        return;
    }
    pthread_mutex_lock(&team->lock);
    while (may_go_on(worker))
        run_next(worker);
    pthread_mutex_unlock(&team->lock);
}
