/* How a search is run: each thread makes its own runs, and all threads share the best line and obey the same limits.
 * Only the run's own thread checks the clock and reports new best lines. */
#include "search/nested/nested.h"

#include "base/real.h"
#include "base/team.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { at_once = 32 };

/* ---- when to stop ------------------------------------------------------------------------------------ */

/* Makes a line of another rank the team's best, unless this rank has found a better one meanwhile. */
void nested_adopt(void *user, const struct together_line *line) {
    struct nested *nested = user;
    struct nested_team *team = nested->team;
    pthread_mutex_lock(&team->lock);
    if ((!atomic_load(&team->has_best) || line->score > atomic_load(&team->best_score)) &&
        search_line_reserve(&team->best, line->count, &nested->run->budget->memory)) {
        if (line->count)
            memcpy(team->best.moves, line->moves, line->count * sizeof *line->moves);
        team->best.count = line->count;
        team->best.value = line->value;
        atomic_store(&team->best_score, line->score);
        atomic_store(&team->has_best, true);
        atomic_store(&team->has_news, true);
    }
    pthread_mutex_unlock(&team->lock);
}

static void hand_on(struct nested *nested) {
    struct nested_team *team = nested->team;
    struct together_line line;
    while (together_hear(&team->together, &line))
        nested_adopt(nested, &line);
    if (!atomic_load_explicit(&team->has_news, memory_order_relaxed))
        return;
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->has_news, false);
    search_record(nested->run, team->best.moves, team->best.count, team->best.value);
    together_tell(&team->together, &team->best, atomic_load(&team->best_score));
    pthread_mutex_unlock(&team->lock);
    if (nested->run->optimal)
        atomic_store(&team->done, true);
}

static bool is_done(const struct nested *nested) {
    struct nested_team *team = nested->team;
    if (team->together.over && nested_is_spread(nested))
        return true;
    if (nested->goal && !nested->options->improve && atomic_load_explicit(&team->has_best, memory_order_relaxed))
        return true;
    return atomic_load_explicit(&team->done, memory_order_relaxed) ||
           atomic_load_explicit(&nested->run->budget->stop, memory_order_relaxed) >= 0;
}

static void tell(struct nested_worker *worker) {
    struct budget *budget = worker->nested->run->budget;
    atomic_fetch_add_explicit(&budget->iterations, worker->playouts, memory_order_relaxed);
    atomic_fetch_add_explicit(&budget->playouts, worker->playouts, memory_order_relaxed);
    budget_count_nodes(budget, worker->nodes);
    worker->playouts = worker->nodes = 0;
}

/* Several threads claim many play-outs at once, so that they seldom write to the same memory. */
static bool claim(struct nested_worker *worker) {
    struct nested_team *team = worker->nested->team;
    uint64_t wanted = worker->nested->run->threads > 1 ? at_once : 1;
    if (team->limit) {
        uint64_t before = atomic_fetch_add_explicit(&team->begun, wanted, memory_order_relaxed);
        uint64_t left = before >= team->limit ? 0 : team->limit - before;
        wanted = left < wanted ? left : wanted;
    }
    worker->tickets = wanted;
    return wanted > 0;
}

/* A thread gets at most an equal part of what is left, so that no thread has to stop while another has plenty. */
static uint64_t grant(struct nested_team *team, uint64_t limit, uint64_t threads, uint64_t wanted) {
    uint64_t before = atomic_load_explicit(&team->granted, memory_order_relaxed), count;
    do {
        uint64_t left = before < limit ? limit - before : 0, part = left > threads ? left / threads : left > 0;
        count = wanted < part ? wanted : part;
    } while (!atomic_compare_exchange_weak(&team->granted, &before, before + count));
    return count;
}

uint64_t nested_claim_nodes(struct nested_worker *worker, uint64_t wanted) {
    const struct search_run *run = worker->nested->run;
    uint64_t limit = run->budget->limits.nodes, left = worker->granted;
    if (!limit)
        return wanted;
    if (run->threads == 1) {
        uint64_t used = atomic_load_explicit(&run->budget->nodes, memory_order_relaxed) + worker->nodes;
        left = used < limit ? limit - used : 0;
    } else if (left < wanted) {
        left = worker->granted += grant(worker->nested->team, limit, (uint64_t)run->threads, wanted - left);
    }
    return left < wanted ? left : wanted;
}

void nested_return_nodes(struct nested_worker *worker) {
    atomic_fetch_sub(&worker->nested->team->granted, worker->granted);
    worker->granted = 0;
}

void nested_count_nodes(struct nested_worker *worker, uint64_t count) {
    worker->nodes += count;
    worker->granted -= count < worker->granted ? count : worker->granted;
}

bool nested_may_begin(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    if (worker->stopped)
        return false;
    if (worker->main)
        hand_on(nested);
    else
        budget_wait(nested->run->budget);
    if (is_done(nested) || (worker->main && search_spent(nested->run)) || (!worker->tickets && !claim(worker)) ||
        !nested_claim_nodes(worker, 1)) {
        worker->stopped = true;
        return false;
    }
    worker->tickets--;
    return true;
}

void nested_offer(struct nested_worker *worker) {
    struct nested_team *team = worker->nested->team;
    const struct nested_line *line = &worker->line;
    pthread_mutex_lock(&team->lock);
    if (!atomic_load(&team->has_best) || line->score > atomic_load(&team->best_score)) {
        size_t before = (size_t)worker->prefix_count, count = before + (size_t)line->count;
        if (search_line_reserve(&team->best, count, &worker->nested->run->budget->memory)) {
            if (before)
                memcpy(team->best.moves, worker->prefix, before * sizeof *team->best.moves);
            for (int i = 0; i < line->count; i++)
                team->best.moves[before + (size_t)i] = line->steps[i].move;
            team->best.count = count;
            team->best.value = line->value;
            atomic_store(&team->best_score, line->score);
            atomic_store(&team->has_best, true);
            atomic_store(&team->has_news, true);
        } else {
            worker->full = worker->stopped = true;
        }
    }
    pthread_mutex_unlock(&team->lock);
}

void nested_report(struct nested_worker *worker) {
    if (worker->playouts >= (worker->nested->run->threads > 1 ? at_once : 1))
        tell(worker);
}

void nested_note(struct nested_worker *worker) {
    struct nested_team *team = worker->nested->team;
    const struct nested_line *line = &worker->line;
    worker->playouts++;
    worker->done++;
    nested_count_nodes(worker, (uint64_t)line->count);
    if (!worker->prefix_count && !worker->start_count) /* there is no move at the root, so nothing more can be found */
        atomic_store(&team->done, true);
    if (line->ended && (!atomic_load_explicit(&team->has_best, memory_order_relaxed) ||
                        line->score > atomic_load_explicit(&team->best_score, memory_order_relaxed)))
        nested_offer(worker);
    nested_report(worker);
}

void nested_fail(struct nested_worker *worker, const soloist_error *error) {
    struct nested_team *team = worker->nested->team;
    pthread_mutex_lock(&team->lock);
    team->failed = true;
    team->error = *error;
    pthread_mutex_unlock(&team->lock);
    atomic_store(&team->done, true);
    worker->stopped = true;
}

/* ---- runs -------------------------------------------------------------------------------------------- */

/* Each run has its own stream of random numbers. */
void nested_begin(struct nested_worker *worker, uint64_t game, int rule) {
    soloist_rng_seed(&worker->rng, worker->nested->run->seed, game);
    worker->rule = rule;
    nested_start(worker, NULL, 0);
}

/* The rule of run number `game`: the one that the options name, or all rules in turn; rule 0, which leaves out nothing,
 * comes last. */
static int rule_of(const struct nested *nested, uint64_t game) {
    int64_t rule = nested->options->rule;
    if (rule >= 0)
        return (int)rule;
    return (int)((game + 1) % (uint64_t)nested->rules);
}

static void play_game(struct nested_worker *worker) {
    const struct nested_options *options = worker->nested->options;
    int level = (int)options->level;
    uint64_t before = worker->done;
    switch (options->search) {
    case NESTED_NMCS: nested_nmcs(worker, level); break;
    case NESTED_NMCTS: nested_nmcts(worker, level); break;
    default:
        nested_nrpa(worker, level, options->n);
        if (options->refine > 0)
            nested_refine(worker, level, (uint64_t)((double)(worker->done - before) * options->refine));
    }
}

static void play_games(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    uint64_t threads = (uint64_t)nested->run->threads, games = (uint64_t)nested->options->games;
    for (uint64_t game = (uint64_t)worker->number; !worker->stopped && (!games || game < games); game += threads) {
        nested_begin(worker, game, rule_of(nested, game));
        play_game(worker);
    }
}

/* ---- threads ------------------------------------------------------------------------------------------ */

/* The run's own thread, which alone checks the limits, stays until all `count` threads have ended their work. */
static void watch_others(struct nested *nested, int count) {
    const struct timespec moment = {.tv_nsec = 1000000};
    while (atomic_load(&nested->team->ended) < count) {
        hand_on(nested);
        if (!is_done(nested))
            budget_look(nested->run->budget, &nested->run->progress);
        nanosleep(&moment, NULL);
    }
}

/* Does the work of one worker; the first works on the run's own thread. */
static void work(void *workers, int number) {
    struct nested_worker *worker = (struct nested_worker *)workers + number;
    const struct nested_options *options = worker->nested->options;
    if (nested_is_spread(worker->nested) && worker->nested->run->peers->rank) {
        nested_assist(worker);
    } else if (nested_has_stages(worker->nested)) {
        nested_stages(worker);
    } else if (options->race && options->search == NESTED_NRPA) {
        nested_measure(worker);
        nested_race(worker);
    } else {
        play_games(worker);
    }
    tell(worker);
    if (!number && worker->full)
        atomic_store(&worker->nested->team->done, true);
    atomic_fetch_add(&worker->nested->team->ended, 1);
}

/* ---- what a run shows --------------------------------------------------------------------------------- */

static soloist_level describe(const struct nested *nested, int level, int64_t done, int64_t of, int64_t score) {
    const int64_t finished = (int64_t)1 << 39; /* scores of solved lines are above this; see nested_walk_score */
    soloist_level shown = {.level = level, .done = (uint64_t)done, .of = (uint64_t)of};
    shown.has_best = of && score != NESTED_NO_SCORE && (!nested->goal || score > finished);
    if (shown.has_best)
        shown.best = nested->goal ? (double)(((int64_t)1 << 40) - score) : (double)score;
    return shown;
}

/* Draws a run for somebody who watches it. subject: the worker on the run's own thread. */
static void paint(const void *subject, struct search_picture *picture) {
    const struct nested_worker *worker = subject;
    const struct nested *nested = worker->nested;
    picture_kind(picture, SOLOIST_PICTURE_LEVELS);
    for (int level = (int)nested->options->level; level > 0; level--) {
        if (nested->options->search == NESTED_NRPA) {
            const struct nested_level *own = &worker->levels[level];
            picture_level(picture, describe(nested, level, own->done, own->of, own->best.score));
        } else {
            const struct nested_game *own = &worker->games[level];
            picture_level(picture, describe(nested, level, own->done, own->of, own->score));
        }
    }
    picture_depth(picture, worker->prefix_count + worker->line.count);
}

/* ---- opening and closing ----------------------------------------------------------------------------- */

static bool run_workers(struct nested *nested, struct nested_worker *workers, int count) {
    int opened = 0;
    bool good = true;
    for (; good && opened < count; opened++)
        good = nested_worker_open(&workers[opened], nested, opened);
    search_show(nested->run, paint, workers);
    if (good) {
        struct team team;
        int size = team_start(&team, count, work, workers);
        work(workers, 0);
        watch_others(nested, size);
        team_join(&team);
    }
    search_hide(nested->run);
    hand_on(nested);
    for (int i = 0; i < opened; i++) {
        good = good && !workers[i].full;
        nested_worker_close(&workers[i]);
    }
    return good;
}

/* The domain's own walks, if the options allow them; NULL: walks are made from the core. */
static const soloist_walk *walk_of(const struct search_run *run) {
    const struct nested_options *options = run->options;
    return options->codes == NESTED_CODES_AUTO ? run->domain->walk : NULL;
}

static int count_rules(const struct search_run *run) {
    const soloist_walk *walk = walk_of(run);
    return walk ? walk->rules(run->instance) : 1;
}

static int count_refinements(const struct search_run *run) {
    const soloist_walk *walk = walk_of(run);
    return walk && walk->refinements && walk->refines ? walk->refinements(run->instance) : 0;
}

bool nested_suits(const struct search_run *run) {
    const struct nested_options *options = run->options;
    int plain = count_rules(run), rules = plain + count_refinements(run);
    if (plain < 1)
        return soloist_fail(run->error, 0, 0, "%s: the walk of %s has no rule", run->method, run->domain->name);
    if (options->spread && options->spread >= options->level)
        return soloist_fail(run->error, 0, 0, "%s: spread must be less than level", run->method);
    return options->rule < rules ||
           soloist_fail(run->error, 0, 0, "%s: the domain has no such rule; its last rule is %d", run->method,
                        rules - 1);
}

soloist_code nested_settle(struct search_run *run, struct nested_team *team, struct nested *nested) {
    const struct nested_options *options = run->options;
    *nested = (struct nested){.run = run, .team = team, .options = options};
    nested->goal = run->domain->aim == SOLOIST_LEAST_COST;
    nested->walk = walk_of(run);
    nested->length = (int)(options->length ? options->length : run->shape.most_steps ? run->shape.most_steps : 200);
    nested->rules = count_rules(run);
    nested->refinements = count_refinements(run);
    for (int i = 0; i < NESTED_MOST_PRIOR; i++)
        nested->prior_factor[i] = (float)real_exp(options->bias * i);
    if (options->network_bias > 0 && options->search == NESTED_NRPA && !search_check_network(run, true, false))
        return SOLOIST_UNSUPPORTED;
    return SOLOIST_OK;
}

soloist_code nested_run(struct search_run *run) {
    struct memory *memory = &run->budget->memory;
    int threads = run->threads;
    struct nested_team team = {.limit = run->budget->limits.iterations, .granted = atomic_load(&run->budget->nodes)};
    struct nested nested;
    soloist_code code = nested_settle(run, &team, &nested);
    if (code != SOLOIST_OK)
        return code;
    threads = nested_is_spread(&nested) ? 1 : threads; /* only the run's own thread can send messages */
    if (!together_open(&team.together, run))
        return search_full(run);
    struct nested_worker *workers = memory_take(memory, (size_t)threads * sizeof *workers);
    if (team.limit)
        team.limit -= atomic_load(&run->budget->iterations);
    team.stages = nested_has_stages(&nested) ? nested_stages_open(&nested) : NULL;
    pthread_mutex_init(&team.lock, NULL);
    run->has_iterations = run->has_playouts = true;
    if (!workers || (nested_has_stages(&nested) && !team.stages) || !run_workers(&nested, workers, threads))
        search_full(run);
    together_close(&team.together, nested_adopt, &nested);
    hand_on(&nested);
    /* Other threads may have counted their last play-outs after this thread looked at the limits for the last time. */
    if (nested.options->improve)
        budget_check_counts(run->budget);
    free(team.best.moves);
    if (team.stages)
        nested_stages_leave(&nested);
    nested_stages_close(&nested, team.stages);
    pthread_mutex_destroy(&team.lock);
    memory_give(memory, workers, (size_t)threads * sizeof *workers);
    if (team.failed)
        *run->error = team.error;
    return team.failed ? SOLOIST_INTERNAL : SOLOIST_OK;
}
