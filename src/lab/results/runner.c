/* Workers do the runs; only the calling thread uses the store. All runs that end while a commit is being written are
 * stored by the next commit, so that short runs do not wait for the disk and a commit holds only complete runs. */
#include "lab/results/runner.h"
#include "base/arena.h"
#include "base/budget.h"
#include "base/hash.h"
#include "base/team.h"
#include "lab/results/replay.h"
#include "lab/results/save.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool {
    const struct runner *runner;
    struct memory memory;
    struct arena strings;
    bool full; /* memory ran out for a string */
    struct job *jobs;
    size_t job_count, next;
    struct runner_tally *tallies;
    size_t tally_count;
    uint64_t now;
    uint64_t starved;        /* runs to which memory was refused */
    soloist_stop_token stop; /* for all jobs */
    pthread_mutex_t lock;
    pthread_cond_t ended, freed;
    int free;             /* number of free cores; a run occupies one core per thread, or all if it has more threads */
    int training;         /* number of running trainings */
    struct outcome *done; /* outcomes to be stored, newest first */
    struct rows rows;     /* rows of running trainings, to be stored */
    char folder[4000];    /* folder of the trainings' checkpoints */
    int working;          /* number of workers that have not ended */
};

static bool stopped(const struct pool *pool) { return stop_token_is_stopped(&pool->stop); }

uint64_t runner_signature(const soloist_result *result) {
    uint64_t parts[] = {result->status,  result->optimal,  (uint64_t)(int64_t)result->verdict.value,
                        result->nodes,   result->expanded, result->iterations,
                        result->playouts};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        parts[i] = hash_mix(parts[i] + i); /* gives the same hash on every machine */
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum = hash_mix(sum ^ parts[i]);
    return result->solution ? hash_mix(sum ^ hash_bytes(result->solution, strlen(result->solution))) : sum;
}

/* ---- workers ---- */

static bool hand_row(void *user, const struct curve_row *row) {
    struct pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    bool well = rows_add(&pool->rows, row);
    pthread_mutex_unlock(&pool->lock);
    return well;
}

static struct job_school school_of(struct pool *pool) {
    return (struct job_school){pool->runner->engine, pool->folder, hand_row, pool};
}

/* If a training was cancelled, its result is not used, even if it had just reached its end; it is continued another
 * time. */
static void do_job(struct pool *pool, const struct job *job, struct outcome *outcome) {
    struct job_school school = school_of(pool);
    if (!job_is_training(job)) {
        job_solve(&school, job, outcome);
        return;
    }
    job_train(&school, job, outcome);
    if (stopped(pool))
        outcome->result.stopped = SOLOIST_STOP_CANCEL;
}

/* Passes an outcome to the calling thread. A run that was cut short is not stored, but done again another time. outcome
 * NULL: memory was refused before the run began. */
static void hand_over(struct pool *pool, struct outcome *outcome) {
    pthread_mutex_lock(&pool->lock);
    if (outcome && !outcome->starved && outcome->result.stopped != SOLOIST_STOP_CANCEL) {
        outcome->next = pool->done;
        pool->done = outcome;
    } else {
        pool->starved += !outcome || outcome->starved;
        if (outcome)
            outcome_free(outcome);
    }
    pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
}

static void end_work(struct pool *pool, int workers) {
    pthread_mutex_lock(&pool->lock);
    pool->working -= workers;
    pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
}

static int cores_of(const struct pool *pool, const struct job *job) {
    return job->limits.threads < pool->runner->jobs ? job->limits.threads : pool->runner->jobs;
}

static bool is_left(const struct pool *pool) { return pool->next < pool->job_count && !stopped(pool); }

/* Whether a run must wait for free cores, or for trainings whose network it may need. */
static bool must_wait(const struct pool *pool, const struct job *job) {
    return pool->free < cores_of(pool, job) || (pool->training && job_wants_trained(job));
}

static const struct job *next_job(struct pool *pool) {
    const struct job *job = NULL;
    pthread_mutex_lock(&pool->lock);
    while (is_left(pool) && must_wait(pool, &pool->jobs[pool->next]))
        pthread_cond_wait(&pool->freed, &pool->lock);
    if (is_left(pool)) {
        job = &pool->jobs[pool->next++];
        pool->free -= cores_of(pool, job);
        pool->training += job_is_training(job);
    }
    pthread_mutex_unlock(&pool->lock);
    return job;
}

static void give_back(struct pool *pool, const struct job *job) {
    pthread_mutex_lock(&pool->lock);
    pool->free += cores_of(pool, job);
    pool->training -= job_is_training(job);
    pthread_cond_broadcast(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
}

static void work(void *user, int worker) {
    struct pool *pool = user;
    const struct job *job;
    (void)worker;
    while ((job = next_job(pool))) {
        struct outcome *outcome = calloc(1, sizeof *outcome);
        if (outcome)
            do_job(pool, job, outcome);
        give_back(pool, job);
        hand_over(pool, outcome);
    }
    end_work(pool, 1);
}

/* ---- reading the store ---- */

static const char *keep(struct pool *pool, struct query *row, int column) {
    const char *text = query_text(row, column);
    size_t length = strlen(text);
    char *copy = arena_take(&pool->strings, length + 1);
    pool->full |= !copy;
    return copy ? memcpy(copy, text, length) : "";
}

static bool no_memory(soloist_error *error) { return soloist_fail(error, 0, 0, "out of memory"); }

static bool add_tally(struct pool *pool, struct query *rows) {
    struct runner_tally *larger = realloc(pool->tallies, (pool->tally_count + 1) * sizeof *larger);
    if (!larger)
        return false;
    pool->tallies = larger;
    larger[pool->tally_count++] =
        (struct runner_tally){keep(pool, rows, 0),          (uint64_t)query_int(rows, 1), (uint64_t)query_int(rows, 2),
                              (uint64_t)query_int(rows, 3), query_real(rows, 4),          query_real(rows, 5)};
    return !pool->full;
}

static bool read_tallies(struct pool *pool, soloist_error *error) {
    struct query rows;
    query_open(&rows, pool->runner->store,
               "WITH wanted AS (SELECT run, min(label) AS label FROM plan WHERE experiment = ?1"
               " GROUP BY run) SELECT label, count(*), count(status), total(status = 'solved'), total(time_s),"
               " total(iif(status = 'solved', value, 0)) FROM wanted JOIN run ON run.id = wanted.run"
               " GROUP BY label ORDER BY min(run.id)",
               error);
    query_bind(&rows, "i", pool->runner->experiment);
    bool well = true;
    while (well && query_next(&rows))
        well = add_tally(pool, &rows) || no_memory(error);
    return query_close(&rows) && well;
}

#define JOB_COLUMNS                                                                                                    \
    "run.id, domain, options, instance.name, instance.text, method, seed, iterations_limit, nodes_limit, time_limit,"  \
    " memory_limit, threads, network"

static struct job read_job(struct pool *pool, struct query *row, soloist_stop_token *stop) {
    return (struct job){.id = query_int(row, 0),
                        .domain = keep(pool, row, 1),
                        .options = keep(pool, row, 2),
                        .name = keep(pool, row, 3),
                        .text = keep(pool, row, 4),
                        .method = keep(pool, row, 5),
                        .network = keep(pool, row, 12),
                        .limits = {.seed = (uint64_t)query_int(row, 6),
                                   .iterations = (uint64_t)query_int(row, 7),
                                   .nodes = (uint64_t)query_int(row, 8),
                                   .time_s = query_real(row, 9),
                                   .memory = (size_t)query_int(row, 10),
                                   .threads = (int)query_int(row, 11),
                                   .stop = stop}};
}

static size_t find_tally(const struct pool *pool, const char *label) {
    for (size_t i = 0; i < pool->tally_count; i++)
        if (!strcmp(pool->tallies[i].label, label))
            return i;
    return 0;
}

/* Trainings come before searches, which may need their networks. All instances and methods are run with the first seed
 * before the next seed begins, so that early results can be compared. Runs with many threads come first, because later
 * they would have to wait until enough cores are free at the same time. */
static bool read_jobs(struct pool *pool, soloist_error *error) {
    struct query rows;
    query_open(&rows, pool->runner->store,
               "SELECT " JOB_COLUMNS ", min(label) FROM plan JOIN run ON run.id = plan.run JOIN instance ON"
               " instance.id = run.instance WHERE experiment = ?1 AND status IS NULL GROUP BY run.id"
               " ORDER BY method GLOB 'train*' DESC, seed, threads DESC, number, run.id",
               error);
    query_bind(&rows, "i", pool->runner->experiment);
    bool well = true;
    while (well && query_next(&rows)) {
        if ((pool->job_count & (pool->job_count - 1)) == 0) {
            struct job *larger = realloc(pool->jobs, (pool->job_count ? pool->job_count * 2 : 1) * sizeof *larger);
            well = larger || no_memory(error);
            pool->jobs = larger ? larger : pool->jobs;
        }
        if (!well)
            break;
        pool->jobs[pool->job_count] = read_job(pool, &rows, &pool->stop);
        pool->jobs[pool->job_count++].tally = find_tally(pool, query_text(&rows, 13));
        well = !pool->full || no_memory(error);
    }
    return query_close(&rows) && well;
}

/* ---- storing ---- */

struct writer {
    struct query run;
    struct curve_writer curve;
};

static bool save_rows(struct writer *writer, const struct curve_row *row) {
    bool well = true;
    for (; well && row; row = row->next)
        well = curve_save(&writer->curve, row);
    return well;
}

static bool commit(const struct store *store, struct writer *writer, const struct curve_row *rows,
                   const struct outcome *list, soloist_error *error) {
    bool well = store_begin(store, error) && save_rows(writer, rows);
    for (; well && list; list = list->next)
        well = save_rows(writer, list->rows.first) && save_outcome(&writer->run, list);
    well = well && store_commit(store, error);
    if (!well)
        store_rollback(store);
    return well;
}

/* Counts the outcomes, if they were committed, and frees them. */
static void count(struct pool *pool, struct outcome *list, bool committed) {
    while (list) {
        struct outcome *next = list->next;
        struct runner_tally *tally = &pool->tallies[list->job->tally];
        bool solved = list->result.status == SOLOIST_SOLVED;
        if (committed) {
            tally->done++;
            tally->solved += solved;
            tally->time_s += list->result.time_s;
            tally->value += solved ? list->result.verdict.value : 0;
            pool->now++;
        }
        if (committed && list->trained) {
            struct job_school school = school_of(pool);
            job_tidy(&school, list->job);
        }
        outcome_free(list);
        list = next;
    }
}

/* ---- the calling thread ---- */

static void report(const struct pool *pool, int working, double start_s) {
    struct runner_progress progress = {pool->tallies, pool->tally_count, .now = pool->now, .working = working};
    double known_s = 0, left_s = 0;
    uint64_t known = 0;
    if (!pool->runner->progress)
        return;
    for (size_t i = 0; i < pool->tally_count; i++) {
        progress.planned += pool->tallies[i].planned;
        progress.done += pool->tallies[i].done;
        known_s += pool->tallies[i].time_s;
    }
    known = progress.done;
    for (size_t i = 0; i < pool->tally_count; i++) {
        const struct runner_tally *tally = &pool->tallies[i];
        double mean_s = tally->done ? tally->time_s / (double)tally->done : known ? known_s / (double)known : 0;
        left_s += mean_s * (double)(tally->planned - tally->done);
    }
    progress.elapsed_s = clock_seconds() - start_s;
    progress.left_s = known ? left_s / pool->runner->jobs : -1;
    pool->runner->progress(pool->runner->user, &progress);
}

/* Waits at most a tenth of a second for outcomes and rows that are to be stored, and removes them from the lists. */
static struct outcome *take_done(struct pool *pool, struct curve_row **rows, int *working) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&pool->lock);
    if (!pool->done && pool->working)
        pthread_cond_timedwait(&pool->ended, &pool->lock, &until);
    struct outcome *list = pool->done;
    pool->done = NULL;
    *rows = pool->rows.first;
    rows_open(&pool->rows);
    *working = pool->working;
    pthread_mutex_unlock(&pool->lock);
    return list;
}

static bool collect(struct pool *pool, struct writer *writer, soloist_error *error) {
    const struct runner *runner = pool->runner;
    double start_s = clock_seconds();
    bool well = true;
    int working = 1;
    struct outcome *list = NULL;
    struct curve_row *rows;
    while (working || list) {
        list = take_done(pool, &rows, &working);
        if (stop_token_is_stopped(runner->stop))
            soloist_stop_token_cancel(&pool->stop);
        if (list || rows) {
            well = well && commit(runner->store, writer, rows, list, error);
            count(pool, list, well);
            rows_free(rows);
        }
        if (!well)
            soloist_stop_token_cancel(&pool->stop);
        report(pool, working, start_s);
    }
    return well;
}

static bool run_workers(struct pool *pool, struct writer *writer, soloist_error *error) {
    int wanted = pool->runner->jobs;
    struct team team;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->ended, NULL);
    pthread_cond_init(&pool->freed, NULL);
    pool->working = pool->free = wanted;
    int started = team_start_beside(&team, wanted, work, pool);
    end_work(pool, wanted - started);
    bool well = collect(pool, writer, error) &&
                (started || soloist_fail(error, 0, 0, "no thread could be started; nothing was run"));
    team_join(&team);
    pthread_cond_destroy(&pool->freed);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    return well;
}

static bool run_jobs(struct pool *pool, soloist_error *error) {
    const struct store *store = pool->runner->store;
    struct writer writer = {0};
    bool well = save_open(&writer.run, store, error) && curve_writer_open(&writer.curve, store, error) &&
                run_workers(pool, &writer, error);
    curve_writer_close(&writer.curve);
    query_close(&writer.run);
    if (well && pool->starved)
        well = soloist_fail(error, 0, 0,
                            "out of memory: %llu runs were cut short and are not stored; the same command tries them "
                            "again",
                            (unsigned long long)pool->starved);
    return well;
}

static void pool_open(struct pool *pool, const struct runner *runner) {
    *pool = (struct pool){.runner = runner};
    memory_open(&pool->memory, 0);
    arena_open(&pool->strings, &pool->memory);
    rows_open(&pool->rows);
    snprintf(pool->folder, sizeof pool->folder, "%.3800s.run", runner->store->path);
}

static void pool_close(struct pool *pool) {
    free(pool->jobs);
    free(pool->tallies);
    arena_close(&pool->strings);
}

bool runner_run(const struct runner *runner, struct runner_count *count, soloist_error *error) {
    struct pool pool;
    int64_t refused;
    pool_open(&pool, runner);
    bool well = replay_stored(runner->store, runner->engine, "SELECT run FROM plan WHERE experiment = ?1",
                              runner->experiment, &refused, error) &&
                read_tallies(&pool, error) && read_jobs(&pool, error);
    if (well && pool.job_count)
        well = run_jobs(&pool, error);
    else if (well)
        report(&pool, 0, clock_seconds());
    *count = (struct runner_count){pool.job_count - pool.now, (uint64_t)refused};
    pool_close(&pool);
    return well;
}

/* Repeats the run of the current row. */
static bool repeat(struct pool *pool, struct query *row, soloist_stop_token *stop, soloist_result *result, bool *same,
                   soloist_error *error) {
    struct job job = read_job(pool, row, stop);
    struct job_school school = school_of(pool);
    struct outcome outcome = {0};
    char signature[20];
    if (pool->full)
        return no_memory(error);
    if (job_is_training(&job))
        return soloist_fail(error, 0, 0, "run %lld is a training: only searches can be repeated", (long long)job.id);
    job_solve(&school, &job, &outcome);
    rows_free(outcome.rows.first);
    if (outcome.starved)
        return soloist_result_free(&outcome.result), no_memory(error);
    snprintf(signature, sizeof signature, "%016llx", (unsigned long long)runner_signature(&outcome.result));
    *same = !strcmp(signature, query_text(row, 13));
    *result = outcome.result;
    return true;
}

bool runner_repeat(const struct store *store, const soloist *engine, int64_t run, soloist_stop_token *stop,
                   soloist_result *result, bool *same, soloist_error *error) {
    struct runner runner = {.store = store, .engine = engine};
    struct pool pool;
    struct query row;
    query_open(&row, store,
               "SELECT " JOB_COLUMNS ", signature FROM run JOIN instance ON instance.id = run.instance WHERE run.id ="
               " ?1 AND status IS NOT NULL",
               error);
    query_bind(&row, "i", run);
    pool_open(&pool, &runner);
    bool well = query_next(&row) ? repeat(&pool, &row, stop, result, same, error)
                                 : row.failed || soloist_fail(error, 0, 0, "%.150s: no finished run %lld", store->path,
                                                              (long long)run);
    pool_close(&pool);
    return query_close(&row) && well;
}
