/* Workers solve; the calling thread alone speaks with the store. Whatever ended while one commit was being written goes
 * into the next together, so that short runs do not wait for the disk and a commit holds only whole runs. */
#include "lab/results/runner.h"
#include "base/arena.h"
#include "base/budget.h"
#include "base/hash.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a run's row says. */
struct job {
    int64_t id;
    const char *domain, *options, *name, *text, *method;
    soloist_limits limits;
    size_t tally;
};

struct outcome {
    struct outcome *next;
    const struct job *job;
    soloist_result result;
    soloist_error error;
    double cpu_s;
};

struct pool {
    const struct runner *runner;
    struct memory memory;
    struct arena strings;
    struct job *jobs;
    size_t job_count, next;
    struct runner_tally *tallies;
    size_t tally_count;
    uint64_t now;
    volatile int stop;
    pthread_mutex_t lock;
    pthread_cond_t ended, freed;
    int free;             /* cores: a run takes as many as it has threads, or all */
    struct outcome *done; /* newest first */
    int working;          /* workers that have not ended */
};

uint64_t runner_signature(const soloist_result *result) {
    uint64_t parts[] = {result->status,  result->optimal,  (uint64_t)(int64_t)result->verdict.value,
                        result->nodes,   result->expanded, result->iterations,
                        result->playouts};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        parts[i] = hash_mix(parts[i] + i); /* the same bytes on every machine */
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum = hash_mix(sum ^ parts[i]);
    return result->solution ? hash_mix(sum ^ hash_bytes(result->solution, strlen(result->solution))) : sum;
}

/* ---- one run ---- */

static void settle(soloist_code code, struct outcome *outcome) {
    if (code == SOLOIST_OK || (code == SOLOIST_NO_MEMORY && !outcome->result.solution)) {
        if (code != SOLOIST_OK)
            outcome->result.stopped = SOLOIST_STOP_MEMORY;
        outcome->error = (soloist_error){0};
    } else if (code != SOLOIST_INTERNAL) {
        outcome->result.status = SOLOIST_INVALID;
    }
}

static void solve(const soloist *engine, const struct job *job, struct outcome *outcome) {
    const soloist_domain *domain = soloist_find_domain(engine, job->domain);
    soloist_chunk chunk = {.text = job->text, .length = strlen(job->text), .line = 1};
    soloist_puzzle puzzle;
    snprintf(chunk.name, sizeof chunk.name, "%s", job->name);
    outcome->job = job;
    outcome->result = (soloist_result){.status = SOLOIST_INVALID, .verdict.pushes = -1};
    if (!domain)
        soloist_fail(&outcome->error, 0, 0, "no domain %.60s here: it needs a plugin", job->domain);
    else if (soloist_puzzle_read(domain, job->options, &chunk, &puzzle, &outcome->error) == SOLOIST_OK) {
        double start_s = clock_cpu_seconds();
        settle(soloist_solve(engine, &puzzle, job->method, &job->limits, NULL, &outcome->result, &outcome->error),
               outcome);
        outcome->cpu_s = clock_cpu_seconds() - start_s;
        soloist_puzzle_free(&puzzle);
    }
}

/* ---- workers ---- */

static void hand_over(struct pool *pool, struct outcome *outcome) {
    pthread_mutex_lock(&pool->lock);
    if (outcome && outcome->result.stopped == SOLOIST_STOP_CANCEL) {
        soloist_result_free(&outcome->result);
        free(outcome);
    } else if (outcome) {
        outcome->next = pool->done;
        pool->done = outcome;
    } else {
        pool->working--;
    }
    pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
}

/* The flag only goes up, and needs no order with anything else. */
__attribute__((no_sanitize("thread"))) static void stop(struct pool *pool) { pool->stop = 1; }
__attribute__((no_sanitize("thread"))) static bool stopped(const struct pool *pool) { return pool->stop; }

static int cores_of(const struct pool *pool, const struct job *job) {
    return job->limits.threads < pool->runner->jobs ? job->limits.threads : pool->runner->jobs;
}

static bool is_left(const struct pool *pool) { return pool->next < pool->job_count && !stopped(pool); }

static const struct job *next_job(struct pool *pool) {
    const struct job *job = NULL;
    pthread_mutex_lock(&pool->lock);
    while (is_left(pool) && pool->free < cores_of(pool, &pool->jobs[pool->next]))
        pthread_cond_wait(&pool->freed, &pool->lock);
    if (is_left(pool)) {
        job = &pool->jobs[pool->next++];
        pool->free -= cores_of(pool, job);
    }
    pthread_mutex_unlock(&pool->lock);
    return job;
}

static void give_back(struct pool *pool, const struct job *job) {
    pthread_mutex_lock(&pool->lock);
    pool->free += cores_of(pool, job);
    pthread_cond_broadcast(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
}

static void *work(void *argument) {
    struct pool *pool = argument;
    const struct job *job;
    while ((job = next_job(pool))) {
        struct outcome *outcome = calloc(1, sizeof *outcome);
        if (!outcome) {
            give_back(pool, job);
            break;
        }
        solve(pool->runner->engine, job, outcome);
        give_back(pool, job);
        hand_over(pool, outcome);
    }
    hand_over(pool, NULL);
    return NULL;
}

/* ---- what the store holds ---- */

static const char *keep(struct pool *pool, sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    size_t length = text ? strlen(text) : 0;
    char *copy = arena_take(&pool->strings, length + 1);
    if (copy && text)
        memcpy(copy, text, length);
    return copy ? copy : "";
}

static bool read_tallies(struct pool *pool, soloist_error *error) {
    sqlite3_stmt *rows =
        store_prepare(pool->runner->store,
                      "WITH wanted AS (SELECT run, min(label) AS label FROM plan WHERE experiment = ?1"
                      " GROUP BY run) SELECT label, count(*), count(status), total(status = 'solved'), total(time_s),"
                      " total(iif(status = 'solved', value, 0)) FROM wanted JOIN run ON run.id = wanted.run"
                      " GROUP BY label ORDER BY min(run.id)",
                      error);
    if (!rows)
        return false;
    store_bind(rows, "i", pool->runner->experiment);
    bool well = true;
    while (well && sqlite3_step(rows) == SQLITE_ROW) {
        struct runner_tally *larger = realloc(pool->tallies, (pool->tally_count + 1) * sizeof *larger);
        if (!larger) {
            well = soloist_fail(error, 0, 0, "out of memory");
            break;
        }
        pool->tallies = larger;
        larger[pool->tally_count++] = (struct runner_tally){keep(pool, rows, 0),
                                                            (uint64_t)sqlite3_column_int64(rows, 1),
                                                            (uint64_t)sqlite3_column_int64(rows, 2),
                                                            (uint64_t)sqlite3_column_int64(rows, 3),
                                                            sqlite3_column_double(rows, 4),
                                                            sqlite3_column_double(rows, 5)};
    }
    sqlite3_finalize(rows);
    return well;
}

#define JOB_COLUMNS                                                                                                    \
    "run.id, domain, options, instance.name, instance.text, method, seed, iterations_limit, nodes_limit, time_limit,"  \
    " memory_limit, threads"

static struct job read_job(struct pool *pool, sqlite3_stmt *row, const volatile int *cancel) {
    return (struct job){.id = sqlite3_column_int64(row, 0),
                        .domain = keep(pool, row, 1),
                        .options = keep(pool, row, 2),
                        .name = keep(pool, row, 3),
                        .text = keep(pool, row, 4),
                        .method = keep(pool, row, 5),
                        .limits = {.seed = (uint64_t)sqlite3_column_int64(row, 6),
                                   .iterations = (uint64_t)sqlite3_column_int64(row, 7),
                                   .nodes = (uint64_t)sqlite3_column_int64(row, 8),
                                   .time_s = sqlite3_column_double(row, 9),
                                   .memory = (size_t)sqlite3_column_int64(row, 10),
                                   .threads = sqlite3_column_int(row, 11),
                                   .cancel = cancel}};
}

static size_t find_tally(const struct pool *pool, const char *label) {
    for (size_t i = 0; i < pool->tally_count; i++)
        if (!strcmp(pool->tallies[i].label, label))
            return i;
    return 0;
}

/* One seed of every instance by every method comes before the next seed: what is there early compares well. Runs of
 * many threads come first, lest they wait for cores one by one. */
static bool read_jobs(struct pool *pool, soloist_error *error) {
    sqlite3_stmt *rows =
        store_prepare(pool->runner->store,
                      "SELECT " JOB_COLUMNS ", min(label) FROM plan JOIN run ON run.id = plan.run JOIN instance ON"
                      " instance.id = run.instance WHERE experiment = ?1 AND status IS NULL GROUP BY run.id"
                      " ORDER BY seed, threads DESC, number, run.id",
                      error);
    if (!rows)
        return false;
    store_bind(rows, "i", pool->runner->experiment);
    bool well = true;
    while (well && sqlite3_step(rows) == SQLITE_ROW) {
        if ((pool->job_count & (pool->job_count - 1)) == 0) {
            struct job *larger = realloc(pool->jobs, (pool->job_count ? pool->job_count * 2 : 1) * sizeof *larger);
            well = larger != NULL;
            pool->jobs = larger ? larger : pool->jobs;
        }
        if (!well)
            break;
        pool->jobs[pool->job_count] = read_job(pool, rows, &pool->stop);
        pool->jobs[pool->job_count++].tally = find_tally(pool, (const char *)sqlite3_column_text(rows, 12));
    }
    sqlite3_finalize(rows);
    return well || soloist_fail(error, 0, 0, "out of memory");
}

/* ---- storing ---- */

static void bind_if(sqlite3_stmt *statement, int at, bool known, int64_t value) {
    if (known)
        sqlite3_bind_int64(statement, at, value);
    else
        sqlite3_bind_null(statement, at);
}

static const char update[] =
    "UPDATE run SET status = ?2, stopped = ?3, value = ?4, moves = ?5, pushes = ?6, optimal = ?7, solution = ?8,"
    " time_s = ?9, cpu_s = ?10, nodes = ?11, expanded = ?12, iterations = ?13, playouts = ?14, peak_bytes = ?15,"
    " ran = ?16, error = ?17, version = ?18, signature = ?19, eliminated = ?20, skipped = ?21,"
    " finished = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE id = ?1 AND status IS NULL";

static void bind_counts(sqlite3_stmt *statement, const struct outcome *outcome) {
    const soloist_result *result = &outcome->result;
    bool found = result->solution != NULL;
    bind_if(statement, 4, found, result->verdict.value);
    bind_if(statement, 5, found, result->verdict.moves);
    bind_if(statement, 6, found && result->verdict.pushes >= 0, result->verdict.pushes);
    bind_if(statement, 7, true, result->optimal);
    sqlite3_bind_double(statement, 9, result->time_s);
    if (outcome->job->limits.threads == 1)
        sqlite3_bind_double(statement, 10, outcome->cpu_s);
    bind_if(statement, 11, true, (int64_t)result->nodes);
    bind_if(statement, 12, result->has_expanded, (int64_t)result->expanded);
    bind_if(statement, 13, result->has_iterations, (int64_t)result->iterations);
    bind_if(statement, 14, result->has_playouts, (int64_t)result->playouts);
    bind_if(statement, 15, true, (int64_t)result->peak_bytes);
    bind_if(statement, 20, result->has_tree, (int64_t)result->eliminated);
    bind_if(statement, 21, result->has_tree, (int64_t)result->skipped);
}

static bool save(const struct store *store, sqlite3_stmt *statement, const struct outcome *outcome,
                 soloist_error *error) {
    const soloist_result *result = &outcome->result;
    char signature[20], why[320];
    snprintf(signature, sizeof signature, "%016llx", (unsigned long long)runner_signature(result));
    snprintf(why, sizeof why, "line %d, column %d: %s", outcome->error.line, outcome->error.column,
             outcome->error.text);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    store_bind(statement, "itt", outcome->job->id, soloist_status_name(result->status),
               result->status == SOLOIST_INVALID ? NULL : soloist_stop_name(result->stopped));
    bind_counts(statement, outcome);
    sqlite3_bind_text(statement, 8, result->solution, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 16, result->method, -1, SQLITE_STATIC);
    if (*outcome->error.text)
        sqlite3_bind_text(statement, 17, outcome->error.line ? why : outcome->error.text, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 18, SOLOIST_VERSION, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 19, signature, -1, SQLITE_TRANSIENT);
    return sqlite3_step(statement) == SQLITE_DONE || store_fail(store, error);
}

static bool commit(const struct store *store, sqlite3_stmt *statement, const struct outcome *list,
                   soloist_error *error) {
    bool well = store_execute(store, "BEGIN IMMEDIATE", error);
    for (; well && list; list = list->next)
        well = save(store, statement, list, error);
    sqlite3_reset(statement);
    well = well && store_execute(store, "COMMIT", error);
    if (!well)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return well;
}

/* Counts what was committed and frees it. */
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
        soloist_result_free(&list->result);
        free(list);
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

/* Waits for something to store, a tenth of a second at most, and takes it. */
static struct outcome *take_done(struct pool *pool, int *working) {
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
    *working = pool->working;
    pthread_mutex_unlock(&pool->lock);
    return list;
}

static bool collect(struct pool *pool, sqlite3_stmt *statement, soloist_error *error) {
    const struct runner *runner = pool->runner;
    double start_s = clock_seconds();
    bool well = true;
    int working = 1;
    struct outcome *list = NULL;
    while (working || list) {
        list = take_done(pool, &working);
        if (runner->cancel && *runner->cancel)
            stop(pool);
        if (list) {
            well = well && commit(runner->store, statement, list, error);
            count(pool, list, well);
        }
        if (!well)
            stop(pool);
        report(pool, working, start_s);
    }
    return well;
}

static bool run_jobs(struct pool *pool, soloist_error *error) {
    int wanted = pool->runner->jobs, started = 0;
    sqlite3_stmt *statement = store_prepare(pool->runner->store, update, error);
    pthread_t *threads = calloc((size_t)wanted, sizeof *threads);
    if (!statement || !threads) {
        sqlite3_finalize(statement);
        free(threads);
        return false;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->ended, NULL);
    pthread_cond_init(&pool->freed, NULL);
    pool->working = pool->free = wanted;
    while (started < wanted && !pthread_create(&threads[started], NULL, work, pool))
        started++;
    for (int missing = started; missing < wanted; missing++)
        hand_over(pool, NULL);
    bool well = collect(pool, statement, error);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    sqlite3_finalize(statement);
    pthread_cond_destroy(&pool->freed);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    free(threads);
    return well;
}

static void pool_open(struct pool *pool, const struct runner *runner) {
    *pool = (struct pool){.runner = runner};
    memory_open(&pool->memory, 0);
    arena_open(&pool->strings, &pool->memory);
}

static void pool_close(struct pool *pool) {
    free(pool->jobs);
    free(pool->tallies);
    arena_close(&pool->strings);
}

bool runner_run(const struct runner *runner, uint64_t *left, soloist_error *error) {
    struct pool pool;
    pool_open(&pool, runner);
    bool well = read_tallies(&pool, error) && read_jobs(&pool, error);
    if (well && pool.job_count)
        well = run_jobs(&pool, error);
    else if (well)
        report(&pool, 0, clock_seconds());
    *left = pool.job_count - pool.now;
    pool_close(&pool);
    return well;
}

bool runner_repeat(const struct store *store, const soloist *engine, int64_t run, const volatile int *cancel,
                   soloist_result *result, bool *same, soloist_error *error) {
    struct runner runner = {.store = store, .engine = engine};
    struct pool pool;
    struct outcome outcome = {0};
    char signature[20];
    sqlite3_stmt *row = store_prepare(store,
                                      "SELECT " JOB_COLUMNS ", signature FROM run JOIN instance ON instance.id ="
                                      " run.instance WHERE run.id = ?1 AND status IS NOT NULL",
                                      error);
    if (!row)
        return false;
    store_bind(row, "i", run);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    if (found) {
        pool_open(&pool, &runner);
        struct job job = read_job(&pool, row, cancel);
        solve(engine, &job, &outcome);
        snprintf(signature, sizeof signature, "%016llx", (unsigned long long)runner_signature(&outcome.result));
        *same = !strcmp(signature, (const char *)sqlite3_column_text(row, 12));
        *result = outcome.result;
        pool_close(&pool);
    } else {
        soloist_fail(error, 0, 0, "%.150s: no finished run %lld", store->path, (long long)run);
    }
    sqlite3_finalize(row);
    return found;
}
