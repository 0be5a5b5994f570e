#include "serve/jobs.h"
#include "base/buffer.h"
#include "base/budget.h"
#include "base/team.h"
#include "serve/guard.h"
#include "serve/scene.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum job_state { JOB_WAITING, JOB_RUNNING, JOB_ENDED };
static const char *const state_names[] = {"waiting", "running", "ended"};

struct job {
    struct jobs *jobs;
    struct job *next; /* the job that was added before this one */
    char id[JOB_ID_ROOM];
    struct work work;
    enum job_state state;
    soloist_stop_token *stop;
    bool cancelled, abandoned; /* abandoned: cancelled because nobody looked, or because it was paused for too long */
    uint64_t version;          /* counts the changes; from 1 */
    int watchers;
    double added_s, looked_s, reported_s;
    soloist_progress progress;
    char note[128];
    char *line; /* the best line so far; NULL: none */
    uint64_t lines;
    struct work_pace pace;
    uint64_t steps;  /* reports that a paused search may still make */
    uint64_t wishes; /* counts the changes of pace, steps and path */
    double wished_s; /* when the last of them came */
    soloist_move path[JOB_PATH_MOST];
    size_t path_count;
    uint64_t moments; /* how often the search has been seen */
    char *scene;      /* what it showed of itself, as a JSON object; NULL: nothing */
    char *result;     /* a JSON object; NULL: none (yet) */
    char error[256];
    bool kept;  /* its end is in the file of results */
    char *told; /* a job of an earlier server: all that is known, as a JSON object; otherwise NULL */
};

struct jobs {
    struct jobs_rules rules;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_cond_t wished; /* a search that is held may go on, or must end */
    struct job *newest;
    size_t active, ended;
    bool closing;
    struct team team;
};

static void tell(struct jobs *jobs, const struct job *job) {
    if (jobs->rules.changed)
        jobs->rules.changed(jobs->rules.user, job);
}

static void job_free(struct job *job) {
    work_free(&job->work);
    soloist_stop_token_free(job->stop);
    free(job->result);
    free(job->line);
    free(job->scene);
    free(job->told);
    free(job);
}

/* The functions from here to the next line of dashes need the lock. */

/* The link to the job of this name or, if the name is NULL, to the oldest job. NULL: there is none. */
static struct job **find_link(struct jobs *jobs, const char *id) {
    struct job **link = &jobs->newest;
    while (*link && (id ? strcmp((*link)->id, id) : (*link)->next != NULL))
        link = &(*link)->next;
    return *link ? link : NULL;
}

static struct job *find(struct jobs *jobs, const char *id) {
    struct job **link = find_link(jobs, id);
    return link ? *link : NULL;
}

static struct job *oldest_waiting(struct jobs *jobs) {
    struct job *oldest = NULL;
    for (struct job *job = jobs->newest; job; job = job->next)
        if (job->state == JOB_WAITING)
            oldest = job;
    return oldest;
}

static void cancel(struct job *job) {
    job->cancelled = true;
    job->version++;
    soloist_stop_token_cancel(job->stop);
    pthread_cond_broadcast(&job->jobs->wished);
}

/* The places of the jobs that wait behind this one have changed. */
static void move_queue_up(struct jobs *jobs, const struct job *gone) {
    for (struct job *job = jobs->newest; job != gone; job = job->next)
        job->version += job->state == JOB_WAITING;
}

static void end(struct jobs *jobs, struct job *job) {
    if (job->state == JOB_WAITING)
        move_queue_up(jobs, job);
    job->state = JOB_ENDED;
    job->looked_s = clock_seconds();
    job->version++;
    jobs->active--;
    jobs->ended++;
}

static int place_in_queue(const struct job *job) {
    int place = 1;
    for (const struct job *other = job->next; other; other = other->next)
        place += other->state == JOB_WAITING;
    return place;
}

static void write_progress(const struct job *job, struct json_writer *json) {
    const soloist_progress *progress = &job->progress;
    json_object(json, "progress");
    json_real(json, "time_s", progress->time_s);
    json_uint(json, "nodes", progress->nodes);
    json_uint(json, "iterations", progress->iterations);
    json_uint(json, "expanded", progress->expanded);
    json_uint(json, "memory", progress->memory);
    if (progress->has_best)
        json_int(json, "best", progress->best);
    else
        json_null(json, "best");
    json_text(json, "note", *job->note ? job->note : NULL);
    json_text(json, "line", job->line);
    json_end(json, '}');
}

static void write_scene(const struct job *job, struct json_writer *json) {
    json_bool(json, "paused", job->pace.paused);
    json_uint(json, "moment", job->moments);
    if (job->scene)
        json_raw(json, "scene", job->scene);
    else
        json_null(json, "scene");
}

/* Writes all members but the result. What cannot be copied for lack of memory is left out. */
static void write_told(const struct job *job, struct json_writer *json) {
    struct json_value object, name, value;
    char word[32];
    json_parse(job->told, strlen(job->told), &object, NULL);
    json_object(json, NULL);
    for (const char *step = NULL; json_next(object, &step, &name, &value);) {
        json_get_text(name, word, sizeof word);
        char *text = strcmp(word, "result") ? strndup(value.start, (size_t)(value.end - value.start)) : NULL;
        if (text)
            json_raw(json, word, text);
        free(text);
    }
    json_end(json, '}');
}

static void write_job(const struct job *job, bool whole, struct json_writer *json) {
    if (job->told && whole)
        return json_raw(json, NULL, job->told);
    if (job->told)
        return write_told(job, json);
    json_object(json, NULL);
    json_text(json, "id", job->id);
    json_text(json, "kind", work_kind_name(job->work.kind));
    json_text(json, "tag", job->work.tag);
    json_text(json, "domain", job->work.domain);
    json_text(json, "method", job->work.method);
    json_real(json, "time", job->work.limits.time_s);
    json_text(json, "state", state_names[job->state]);
    if (job->state == JOB_WAITING)
        json_int(json, "place", place_in_queue(job));
    json_bool(json, "cancelled", job->cancelled);
    json_bool(json, "abandoned", job->abandoned);
    bool ended = job->state == JOB_ENDED; /* before that, the result may be there but not yet kept */
    /* A job that was cancelled while it waited has nothing to keep. */
    if (job->jobs->rules.kept && ended && (job->result || *job->error))
        json_bool(json, "kept", job->kept);
    write_progress(job, json);
    if (whole && job->pace.watched)
        write_scene(job, json);
    json_text(json, "error", ended && *job->error ? job->error : NULL);
    if (whole && ended && job->result)
        json_raw(json, "result", job->result);
    else if (whole)
        json_null(json, "result");
    json_end(json, '}');
}

static void describe(struct job *job, const soloist_sink *sink) {
    struct json_writer json;
    job->looked_s = clock_seconds();
    json_open(&json, sink);
    write_job(job, true, &json);
}

/* Removes the job that `link` points to. */
static void forget(struct jobs *jobs, struct job **link) {
    struct job *job = *link;
    *link = job->next;
    jobs->ended--;
    job_free(job);
}

/* The link to the ended job without watchers that was looked at longest ago; NULL: there is none. */
static struct job **stalest(struct jobs *jobs) {
    struct job **found = NULL;
    for (struct job **link = &jobs->newest; *link; link = &(*link)->next)
        if ((*link)->state == JOB_ENDED && !(*link)->watchers && (!found || (*link)->looked_s < (*found)->looked_s))
            found = link;
    return found;
}

/* ---- the work ---- */

/* The caller holds the lock. A line that cannot be kept for lack of memory is left out. */
static void keep_line(struct job *job, const soloist_sight *sight) {
    if (!sight->line || sight->lines == job->lines)
        return;
    free(job->line);
    job->line = strdup(sight->line);
    job->lines = sight->lines;
}

/* The caller holds the lock. */
static void keep_progress(struct job *job, const soloist_sight *sight) {
    const soloist_progress *progress = sight->progress;
    job->reported_s = clock_seconds();
    job->progress = *progress;
    job->progress.note = NULL;
    snprintf(job->note, sizeof job->note, "%s", progress->note ? progress->note : "");
    keep_line(job, sight);
    job->version++;
}

static char *draw(const soloist_sight *sight, const soloist_move *path, size_t count) {
    struct json_writer json;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    scene_write(&json, NULL, sight, soloist_look(sight, path, count));
    return buffer_take(&text);
}

/* Shows what the search shows of itself, for the path that is wanted now. The caller holds the lock, which is released
 * meanwhile. Returns the number of the wish that was fulfilled. */
static uint64_t show(struct job *job, const soloist_sight *sight) {
    struct jobs *jobs = job->jobs;
    soloist_move path[JOB_PATH_MOST];
    size_t count = job->path_count;
    uint64_t wish = job->wishes;
    memcpy(path, job->path, count * sizeof *path);
    pthread_mutex_unlock(&jobs->lock);
    char *scene = draw(sight, path, count);
    pthread_mutex_lock(&jobs->lock);
    free(job->scene);
    job->scene = scene;
    job->version++;
    pthread_mutex_unlock(&jobs->lock);
    tell(jobs, job);
    pthread_mutex_lock(&jobs->lock);
    return wish;
}

/* Waits until the client changes its mind, the job must end or the time until_s of clock_seconds() has come, unless the
 * search is paused. The caller holds the lock. */
static void wait_for_wish(struct job *job, uint64_t wish, double until_s) {
    struct jobs *jobs = job->jobs;
    while (job->wishes == wish && !job->cancelled && !jobs->closing) {
        double left = until_s - clock_seconds();
        struct timespec when;
        if (job->pace.paused && !job->steps) {
            pthread_cond_wait(&jobs->wished, &jobs->lock);
            continue;
        }
        if (left <= 0)
            break;
        clock_gettime(CLOCK_REALTIME, &when);
        int64_t at = (int64_t)when.tv_nsec + (int64_t)(1e9 * left);
        when.tv_sec += (time_t)(at / 1000000000);
        when.tv_nsec = (long)(at % 1000000000);
        pthread_cond_timedwait(&jobs->wished, &jobs->lock, &when);
    }
}

/* Whether the search must not go on yet. */
static bool is_held(const struct job *job, double until_s) {
    return !job->cancelled && !job->jobs->closing && ((job->pace.paused && !job->steps) || clock_seconds() < until_s);
}

/* Shows the search and holds it as the pace demands. The caller holds the lock. */
static void hold(struct job *job, const soloist_sight *sight) {
    bool timed = job->pace.every || job->pace.delay_s > 0;
    double gap = job->pace.delay_s > WORK_EVERY_S ? job->pace.delay_s : WORK_EVERY_S;
    double until = timed && !job->pace.paused ? clock_seconds() + gap : 0;
    job->moments++;
    do
        wait_for_wish(job, show(job, sight), until);
    while (is_held(job, until));
    if (job->pace.paused && job->steps)
        job->steps--;
}

static uint64_t report(void *user, const soloist_sight *sight) {
    struct job *job = user;
    struct jobs *jobs = job->jobs;
    pthread_mutex_lock(&jobs->lock);
    bool watched = job->pace.watched;
    bool due = watched || clock_seconds() - job->reported_s >= jobs->rules.interval_s;
    if (due)
        keep_progress(job, sight);
    if (watched)
        hold(job, sight);
    uint64_t every = job->pace.every ? job->pace.every : job->pace.paused;
    pthread_mutex_unlock(&jobs->lock);
    if (due && !watched)
        tell(jobs, job);
    return watched ? every : 0;
}

/* The job's result as a JSON object, or NULL with an error. */
static char *run(struct job *job, soloist_error *error) {
    struct work_listener listener = {report, job};
    struct json_writer json;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    json_object(&json, NULL);
    bool good = work_run(&job->work, job->jobs->rules.engine, job->stop, &listener, &json, error);
    json_end(&json, '}');
    char *result = good ? buffer_take(&text) : NULL;
    if (good && !result)
        soloist_fail(error, 0, 0, "out of memory");
    buffer_close(&text);
    return result;
}

/* Writes the job into the file of results as it will be after its end. The caller holds the lock, which is released
 * meanwhile; others then see a running job without a result. */
static void keep(struct jobs *jobs, struct job *job) {
    struct json_writer json;
    struct buffer text;
    if (!jobs->rules.kept)
        return;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    job->state = JOB_ENDED;
    job->kept = true;
    json_open(&json, &sink);
    write_job(job, true, &json);
    soloist_put(&sink, "\n");
    job->state = JOB_RUNNING;
    job->kept = false;
    pthread_mutex_unlock(&jobs->lock);
    bool kept = !text.failed && kept_add(jobs->rules.kept, text.text, text.length);
    buffer_close(&text);
    pthread_mutex_lock(&jobs->lock);
    job->kept = kept;
}

/* The caller holds the lock, which is released meanwhile. */
static void work_on(struct jobs *jobs, struct job *job) {
    soloist_error error = {0};
    move_queue_up(jobs, job);
    job->state = JOB_RUNNING;
    job->version++;
    pthread_mutex_unlock(&jobs->lock);
    tell(jobs, NULL);
    char *result = run(job, &error);
    pthread_mutex_lock(&jobs->lock);
    job->result = result;
    if (!result)
        snprintf(job->error, sizeof job->error, "%s", error.text);
    keep(jobs, job);
    job->watchers++; /* so that it is not forgotten before the others are told */
    end(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
    tell(jobs, job);
    pthread_mutex_lock(&jobs->lock);
    job->watchers--;
}

bool jobs_work(struct jobs *jobs) {
    pthread_mutex_lock(&jobs->lock);
    struct job *job = oldest_waiting(jobs);
    if (job)
        work_on(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
    return job;
}

static void worker(void *user, int number) {
    struct jobs *jobs = user;
    (void)number;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->closing) {
        struct job *job = oldest_waiting(jobs);
        if (job)
            work_on(jobs, job);
        else
            pthread_cond_wait(&jobs->wake, &jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
}

/* ---- from outside ---- */

/* A job of an earlier server, from the file of results. Of two lines about the same job the later counts. False: the
 * line is no job, or there is no memory for it. */
static bool restore(void *user, const char *line, size_t length) {
    struct jobs *jobs = user;
    struct json_value value;
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return false;
    if (!json_parse(line, length, &value, NULL) ||
        json_get_text(json_member(value, "id"), job->id, sizeof job->id) != JOB_ID_LENGTH ||
        !(job->told = strndup(line, length)) || !(job->stop = soloist_stop_token_new())) {
        job_free(job);
        return false;
    }
    struct job **same = find_link(jobs, job->id);
    if (same)
        forget(jobs, same);
    if (jobs->ended && jobs->ended >= jobs->rules.most_kept)
        forget(jobs, find_link(jobs, NULL));
    job->jobs = jobs;
    job->state = JOB_ENDED;
    job->kept = true;
    job->version = 1;
    job->added_s = job->looked_s = clock_seconds();
    job->next = jobs->newest;
    jobs->newest = job;
    jobs->ended++;
    return true;
}

struct jobs *jobs_open(const struct jobs_rules *rules) {
    struct jobs *jobs = calloc(1, sizeof *jobs);
    if (!jobs)
        return NULL;
    jobs->rules = *rules;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->wake, NULL);
    pthread_cond_init(&jobs->wished, NULL);
    if (rules->kept)
        kept_each(rules->kept, restore, jobs);
    if (rules->workers && !team_start_beside(&jobs->team, rules->workers, worker, jobs)) {
        jobs_close(jobs);
        return NULL;
    }
    return jobs;
}

/* A job that is not running yet ends at once. */
static void stop(struct jobs *jobs, struct job *job) {
    cancel(job);
    if (job->state == JOB_WAITING)
        end(jobs, job);
}

void jobs_stop(struct jobs *jobs) {
    pthread_mutex_lock(&jobs->lock);
    bool stopped = jobs->closing;
    jobs->closing = true;
    for (struct job *job = jobs->newest; job; job = job->next)
        if (job->state != JOB_ENDED)
            stop(jobs, job);
    pthread_cond_broadcast(&jobs->wake);
    pthread_mutex_unlock(&jobs->lock);
    if (!stopped)
        team_join(&jobs->team);
    tell(jobs, NULL);
}

void jobs_close(struct jobs *jobs) {
    if (!jobs)
        return;
    jobs_stop(jobs);
    for (struct job *job = jobs->newest, *next; job; job = next) {
        next = job->next;
        job_free(job);
    }
    pthread_cond_destroy(&jobs->wished);
    pthread_cond_destroy(&jobs->wake);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

static struct job *make(struct jobs *jobs, struct work *work) {
    struct job *job = calloc(1, sizeof *job);
    soloist_stop_token *stop = job ? soloist_stop_token_new() : NULL;
    if (!stop || !guard_random(job->id, JOB_ID_LENGTH)) {
        soloist_stop_token_free(stop);
        free(job);
        work_free(work);
        return NULL;
    }
    job->jobs = jobs;
    job->work = *work;
    job->pace = work->pace;
    job->stop = stop;
    job->version = 1;
    job->added_s = job->looked_s = job->wished_s = clock_seconds();
    *work = (struct work){0};
    return job;
}

enum jobs_verdict jobs_add(struct jobs *jobs, struct work *work, char id[JOB_ID_ROOM]) {
    struct job *job = make(jobs, work);
    if (!job)
        return JOBS_NO_MEMORY;
    pthread_mutex_lock(&jobs->lock);
    bool full = jobs->active >= jobs->rules.most || jobs->closing;
    if (!full) {
        memcpy(id, job->id, JOB_ID_ROOM);
        job->next = jobs->newest;
        jobs->newest = job;
        jobs->active++;
        pthread_cond_signal(&jobs->wake);
    }
    pthread_mutex_unlock(&jobs->lock);
    if (full)
        job_free(job);
    return full ? JOBS_FULL : JOBS_OK;
}

bool jobs_cancel(struct jobs *jobs, const char *id) {
    pthread_mutex_lock(&jobs->lock);
    struct job *job = find(jobs, id);
    bool changed = job && job->state != JOB_ENDED;
    if (changed)
        stop(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
    if (changed)
        tell(jobs, NULL);
    return job;
}

enum jobs_verdict jobs_pace(struct jobs *jobs, const char *id, const struct jobs_wish *wish) {
    pthread_mutex_lock(&jobs->lock);
    struct job *job = find(jobs, id);
    enum jobs_verdict verdict = !job ? JOBS_UNKNOWN : job->pace.watched ? JOBS_OK : JOBS_UNWATCHED;
    if (verdict == JOBS_OK) {
        job->looked_s = job->wished_s = clock_seconds();
        if (wish->has_paused)
            job->pace.paused = wish->pace.paused;
        if (wish->has_every)
            job->pace.every = wish->pace.every;
        if (wish->has_delay)
            job->pace.delay_s = wish->pace.delay_s;
        job->steps = job->pace.paused ? job->steps + wish->steps : 0;
        if (wish->has_path) {
            memcpy(job->path, wish->path, wish->path_count * sizeof *wish->path);
            job->path_count = wish->path_count;
        }
        job->wishes++;
        pthread_cond_broadcast(&jobs->wished);
    }
    pthread_mutex_unlock(&jobs->lock);
    return verdict;
}

bool jobs_describe(struct jobs *jobs, const char *id, const soloist_sink *sink) {
    pthread_mutex_lock(&jobs->lock);
    struct job *job = find(jobs, id);
    if (job)
        describe(job, sink);
    pthread_mutex_unlock(&jobs->lock);
    return job;
}

void jobs_list(struct jobs *jobs, const soloist_sink *sink) {
    struct json_writer json;
    json_open(&json, sink);
    json_array(&json, NULL);
    pthread_mutex_lock(&jobs->lock);
    for (const struct job *job = jobs->newest; job; job = job->next)
        write_job(job, false, &json);
    pthread_mutex_unlock(&jobs->lock);
    json_end(&json, ']');
}

struct job *jobs_watch(struct jobs *jobs, const char *id) {
    pthread_mutex_lock(&jobs->lock);
    struct job *job = find(jobs, id);
    if (job)
        job->watchers++;
    pthread_mutex_unlock(&jobs->lock);
    return job;
}

void jobs_unwatch(struct jobs *jobs, struct job *job) {
    pthread_mutex_lock(&jobs->lock);
    job->watchers--;
    job->looked_s = clock_seconds();
    pthread_mutex_unlock(&jobs->lock);
}

bool jobs_news(struct jobs *jobs, struct job *job, uint64_t *seen, bool *ended, const soloist_sink *sink) {
    pthread_mutex_lock(&jobs->lock);
    bool changed = job->version != *seen;
    if (changed)
        describe(job, sink);
    *seen = job->version;
    *ended = job->state == JOB_ENDED;
    pthread_mutex_unlock(&jobs->lock);
    return changed;
}

static void abandon(struct jobs *jobs, struct job *job) {
    job->abandoned = true;
    stop(jobs, job);
}

/* Whether nobody has touched a paused search for so long that it may be stopped for another job. */
static bool is_left_alone(const struct job *job, double now_s) {
    const struct jobs_rules *rules = &job->jobs->rules;
    bool held = job->state == JOB_RUNNING && job->pace.watched && job->pace.paused && !job->steps && !job->cancelled;
    bool unseen = !job->watchers && now_s - job->looked_s > rules->reload_s;
    return held && (unseen || now_s - job->wished_s > rules->idle_s);
}

/* A paused search keeps its thread. If other jobs wait for one, those that were left alone give theirs up. Returns
 * whether one did. */
static bool release_threads(struct jobs *jobs, double now_s) {
    int needed = 0;
    bool released = false;
    for (const struct job *job = jobs->newest; job; job = job->next)
        needed += (job->state == JOB_WAITING) - (job->state == JOB_RUNNING && job->cancelled);
    for (struct job *job = jobs->newest; job && needed > 0; job = job->next)
        if (is_left_alone(job, now_s)) {
            abandon(jobs, job);
            released = true;
            needed--;
        }
    return released;
}

void jobs_sweep(struct jobs *jobs, double now_s) {
    const struct jobs_rules *rules = &jobs->rules;
    bool changed = false;
    pthread_mutex_lock(&jobs->lock);
    for (struct job **link = &jobs->newest; *link;) {
        struct job *job = *link;
        double idle = job->watchers ? 0 : now_s - job->looked_s;
        if (job->state != JOB_ENDED && !job->cancelled && idle > rules->idle_s) {
            abandon(jobs, job);
            changed = true;
        }
        if (job->state == JOB_ENDED && idle > rules->keep_s)
            forget(jobs, link);
        else
            link = &job->next;
    }
    changed |= release_threads(jobs, now_s);
    for (struct job **link; jobs->ended > rules->most_kept && (link = stalest(jobs));)
        forget(jobs, link);
    pthread_mutex_unlock(&jobs->lock);
    if (changed)
        tell(jobs, NULL);
}
