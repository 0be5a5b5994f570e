#include "lab/run/pool.h"
#include "base/budget.h"
#include "base/team.h"
#include "lab/run/far.h"

#include <pthread.h>
#include <stdlib.h>

struct pool {
    const struct pool_wish *wish;
    size_t next;             /* the next job */
    uint64_t now;            /* jobs done */
    uint64_t starved;        /* jobs to which memory was refused */
    soloist_stop_token stop; /* for all jobs */
    pthread_mutex_t lock;
    pthread_cond_t ended, freed;
    int free;     /* number of free cores; a run occupies one core per thread, or all if it has more threads */
    int training; /* number of running trainings */
    uint64_t own; /* runs that this rank has done itself, and seconds that its cores have worked on them */
    double own_s;
    struct job_outcome *done; /* outcomes to be stored, newest first */
    struct rows rows;         /* rows of running trainings, to be stored */
    struct trained *trained;  /* networks of trainings that runs use */
    bool alone;               /* another rank is lost: there are no helpers any more */
    int working;              /* number of workers that have not ended */
};

static bool stopped(const struct pool *pool) { return stop_token_is_stopped(&pool->stop); }

/* ---- workers ---- */

static bool hand_row(void *user, const struct curve_row *row) {
    struct pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    bool well = rows_add(&pool->rows, row);
    pthread_mutex_unlock(&pool->lock);
    return well;
}

static struct job_school school_of(struct pool *pool) {
    return (struct job_school){pool->wish->engine, pool->wish->folder, hand_row, pool, pool->trained};
}

/* If a training was cancelled, its result is not used, even if it had just reached its end; it is continued another
 * time. */
static void do_job(struct pool *pool, const struct job *job, struct job_outcome *outcome) {
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
static void hand_over(struct pool *pool, struct job_outcome *outcome) {
    pthread_mutex_lock(&pool->lock);
    if (outcome && !outcome->starved && outcome->result.stopped != SOLOIST_STOP_CANCEL) {
        outcome->next = pool->done;
        pool->done = outcome;
    } else {
        pool->starved += !outcome || outcome->starved;
        if (outcome)
            job_outcome_free(outcome);
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
    return job->limits.threads < pool->wish->jobs ? job->limits.threads : pool->wish->jobs;
}

static bool is_left(const struct pool *pool) { return pool->next < pool->wish->job_count && !stopped(pool); }

/* Whether a run must wait for trainings whose network it may need. */
static bool waits_for_training(const struct pool *pool, const struct job *job) {
    return pool->training && job_wants_trained(job);
}

/* Whether a run must wait for free cores or for trainings. */
static bool must_wait(const struct pool *pool, const struct job *job) {
    return pool->free < cores_of(pool, job) || waits_for_training(pool, job);
}

/* The caller holds the lock. */
static const struct job *take_job(struct pool *pool) {
    const struct job *job = &pool->wish->job_list[pool->next++];
    pool->training += job_is_training(job);
    return job;
}

static const struct job *next_job(struct pool *pool) {
    const struct job *job = NULL;
    pthread_mutex_lock(&pool->lock);
    while (is_left(pool) && must_wait(pool, &pool->wish->job_list[pool->next]))
        pthread_cond_wait(&pool->freed, &pool->lock);
    if (is_left(pool)) {
        job = take_job(pool);
        pool->free -= cores_of(pool, job);
    }
    pthread_mutex_unlock(&pool->lock);
    return job;
}

/* cores: how many of this rank's cores the run has used, for so many seconds. */
static void give_back(struct pool *pool, const struct job *job, int cores, double seconds) {
    pthread_mutex_lock(&pool->lock);
    pool->free += cores;
    pool->own += cores > 0;
    pool->own_s += cores * seconds;
    pool->training -= job_is_training(job);
    pthread_cond_broadcast(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
}

static void work(void *user, int worker) {
    struct pool *pool = user;
    const struct job *job;
    (void)worker;
    while ((job = next_job(pool))) {
        struct job_outcome *outcome = calloc(1, sizeof *outcome);
        double start_s = clock_seconds();
        if (outcome)
            do_job(pool, job, outcome);
        give_back(pool, job, cores_of(pool, job), clock_seconds() - start_s);
        hand_over(pool, outcome);
    }
    end_work(pool, 1);
}

/* ---- other ranks ---- */

/* Number of runs on other ranks. */
static size_t far_runs(const struct pool *pool) {
    return pool->wish->dispatch && !pool->alone ? pool->wish->dispatch->out : 0;
}

/* The next run for another rank, which *rank names; NULL: there is none now. */
static const struct job *next_far_job(struct pool *pool, int *rank) {
    const struct job *job = NULL;
    pthread_mutex_lock(&pool->lock);
    if (is_left(pool)) {
        size_t left = pool->wish->job_count - pool->next;
        job = &pool->wish->job_list[pool->next];
        *rank = waits_for_training(pool, job) ? 0 : dispatch_room(pool->wish->dispatch, job->limits.threads, left);
        job = *rank ? take_job(pool) : NULL;
    }
    pthread_mutex_unlock(&pool->lock);
    return job;
}

/* Gives runs to the ranks that have free cores. */
static bool give_far(struct pool *pool, soloist_error *error) {
    const struct pool_wish *wish = pool->wish;
    const struct job *job;
    int rank;
    bool well = true;
    while (well && (job = next_far_job(pool, &rank))) {
        struct buffer piece;
        buffer_open(&piece);
        parcel_put_text(&piece, wish->folder);
        far_put_job(&piece, job);
        well =
            dispatch_give(wish->dispatch, rank, (uint64_t)(job - wish->job_list), job->limits.threads, &piece, error);
        buffer_close(&piece);
    }
    return well;
}

/* Takes what other ranks have sent. */
static bool take_far(struct pool *pool, soloist_error *error) {
    struct dispatch_news news;
    for (;;) {
        if (!dispatch_next(pool->wish->dispatch, &news, error))
            return false;
        if (news.kind == DISPATCH_NOTHING)
            return true;
        const struct job *job = &pool->wish->job_list[news.number];
        struct curve_row row;
        if (news.kind == DISPATCH_NOTE) {
            if (!far_take_row(&news.parcel, &row) || !hand_row(pool, &row))
                return soloist_fail(error, 0, 0, "out of memory: a row of a training is lost");
            continue;
        }
        give_back(pool, job, 0, 0);
        if (news.kind == DISPATCH_ANSWER)
            hand_over(pool, far_take_outcome(&news.parcel, job));
    }
}

/* Works with the other ranks, if there are any. After a stop they end what they do. */
static bool serve_far(struct pool *pool, soloist_error *error) {
    if (!pool->wish->dispatch || pool->alone)
        return true;
    if (stopped(pool))
        dispatch_stop(pool->wish->dispatch);
    bool well = take_far(pool, error) && give_far(pool, error);
    pool->alone = !well;
    return well;
}

/* ---- the calling thread ---- */

/* Counts the outcomes, if they were committed, and frees them. */
static void count(struct pool *pool, struct job_outcome *list, bool committed) {
    while (list) {
        struct job_outcome *next = list->next;
        struct pool_tally *tally = &pool->wish->tallies[list->job->tally];
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
        job_outcome_free(list);
        list = next;
    }
}

static void report(const struct pool *pool, int working, double start_s) {
    struct pool_progress progress = {pool->wish->tallies, pool->wish->tally_count, .now = pool->now,
                                     .working = working + (int)far_runs(pool)};
    double known_s = 0, left_s = 0;
    uint64_t known = 0;
    if (!pool->wish->progress)
        return;
    for (size_t i = 0; i < pool->wish->tally_count; i++) {
        progress.planned += pool->wish->tallies[i].planned;
        progress.done += pool->wish->tallies[i].done;
        known_s += pool->wish->tallies[i].time_s;
    }
    known = progress.done;
    for (size_t i = 0; i < pool->wish->tally_count; i++) {
        const struct pool_tally *tally = &pool->wish->tallies[i];
        double mean_s = tally->done ? tally->time_s / (double)tally->done : known ? known_s / (double)known : 0;
        left_s += mean_s * (double)(tally->planned - tally->done);
    }
    progress.elapsed_s = clock_seconds() - start_s;
    int cores = pool->wish->jobs + (pool->wish->dispatch ? pool->wish->dispatch->cores : 0);
    progress.left_s = known ? left_s / cores : -1;
    pool->wish->progress(pool->wish->user, &progress);
}

/* Waits at most a tenth of a second for outcomes and rows that are to be stored, and removes them from the lists. While
 * other ranks work, their messages are looked for much sooner. */
static struct job_outcome *take_done(struct pool *pool, struct curve_row **rows, int *working) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += far_runs(pool) ? DISPATCH_PAUSE_NS : 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&pool->lock);
    if (!pool->done && (pool->working || far_runs(pool)))
        pthread_cond_timedwait(&pool->ended, &pool->lock, &until);
    struct job_outcome *list = pool->done;
    pool->done = NULL;
    *rows = pool->rows.first;
    rows_open(&pool->rows);
    *working = pool->working;
    pthread_mutex_unlock(&pool->lock);
    return list;
}

static bool collect(struct pool *pool, soloist_error *error) {
    const struct pool_wish *wish = pool->wish;
    double start_s = clock_seconds();
    bool well = true;
    int working = 1;
    struct job_outcome *list = NULL;
    struct curve_row *rows;
    while (working || list || far_runs(pool)) {
        well = serve_far(pool, well ? error : NULL) && well;
        list = take_done(pool, &rows, &working);
        if (stop_token_is_stopped(wish->stop))
            soloist_stop_token_cancel(&pool->stop);
        if (list || rows) {
            well = well && wish->commit(wish->book, rows, list, error);
            count(pool, list, well);
            rows_free(rows);
        }
        if (!well)
            soloist_stop_token_cancel(&pool->stop);
        report(pool, working, start_s);
    }
    return well;
}

static bool run_workers(struct pool *pool, soloist_error *error) {
    int wanted = pool->wish->jobs;
    struct team team;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->ended, NULL);
    pthread_cond_init(&pool->freed, NULL);
    pool->trained = trained_open();
    pool->working = pool->free = wanted;
    int started = team_start_beside(&team, wanted, work, pool);
    end_work(pool, wanted - started);
    bool well =
        collect(pool, error) && (started || soloist_fail(error, 0, 0, "no thread could be started; nothing was run"));
    team_join(&team);
    if (pool->wish->dispatch)
        dispatch_count_own(pool->wish->dispatch, pool->own, pool->own_s);
    trained_close(pool->trained);
    pthread_cond_destroy(&pool->freed);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    return well;
}

bool pool_run(const struct pool_wish *wish, uint64_t *done, soloist_error *error) {
    struct pool pool = {.wish = wish};
    bool well = true;
    rows_open(&pool.rows);
    for (size_t i = 0; i < wish->job_count; i++)
        wish->job_list[i].limits.stop = &pool.stop;
    if (wish->job_count)
        well = run_workers(&pool, error);
    else
        report(&pool, 0, clock_seconds());
    *done = pool.now;
    if (well && pool.starved)
        well = soloist_fail(error, 0, 0,
                            "out of memory: %llu runs were cut short and are not stored; the same command tries them "
                            "again",
                            (unsigned long long)pool.starved);
    return well;
}
