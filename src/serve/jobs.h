/* The jobs of the server: a queue, the threads that work on it, and what is known about every job. A job continues when
 * the page is closed or loaded again. If no client has looked at a job for a while, the job is cancelled, and later
 * deleted. Every function may be called by any thread. */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include "serve/kept.h"
#include "serve/work.h"

enum { JOB_ID_LENGTH = 16, JOB_ID_ROOM = JOB_ID_LENGTH + 1, JOB_PATH_MOST = 256 };

struct jobs;
struct job;

struct jobs_rules {
    const soloist *engine;
    /* Number of threads, each of which works on one job at a time; 0: jobs are done only by jobs_work. */
    int workers;
    size_t most;      /* maximum number of jobs that are waiting or running */
    size_t most_kept; /* maximum number of jobs that are remembered after they ended */
    /* A job at which no client has looked for this many seconds is cancelled. A paused search is also cancelled, even
     * if it is watched, if another job waits for a thread and no wish (jobs_pace) has come for this many seconds. */
    double idle_s;
    /* If another job waits for a thread, a paused search without watchers is cancelled when no client has looked at it
     * for this many seconds. The time must be long enough to load the page again. */
    double reload_s;
    double keep_s;     /* a job that has ended is deleted if no client has looked at it for this time */
    double interval_s; /* minimum time between two reports of progress to watchers */
    struct kept *kept; /* file that keeps the jobs that have ended, even when the server is started again; NULL: none */
    /* Called after something about the job changed, by the thread that changed it and while no lock is held. If job is
     * NULL, several jobs may have changed. The pointer may be NULL. */
    void (*changed)(void *user, const struct job *job);
    void *user;
};

/* NULL: no memory. */
struct jobs *jobs_open(const struct jobs_rules *rules);
/* Cancels all jobs and waits until they have ended. Jobs that are added later are refused. */
void jobs_stop(struct jobs *jobs);
/* Does jobs_stop and frees everything. Nobody may watch a job any more. */
void jobs_close(struct jobs *jobs);

enum jobs_verdict { JOBS_OK, JOBS_FULL, JOBS_NO_MEMORY, JOBS_UNKNOWN, JOBS_UNWATCHED };
/* Adds a job. Takes ownership of what *work owns, even if it fails. The new job's id is written to `id`. */
enum jobs_verdict jobs_add(struct jobs *jobs, struct work *work, char id[JOB_ID_ROOM]);
/* Cancels a job; a job that has ended stays as it is. False: there is no such job. */
bool jobs_cancel(struct jobs *jobs, const char *id);
/* A client's wish about a search that it watches. */
struct jobs_wish {
    struct work_pace pace;
    bool has_paused, has_every, has_delay; /* which members of `pace` are wished; the job keeps its others */
    uint64_t steps; /* number of further reports that the search may make although it is paused */
    bool has_path;  /* from now on the client wants to see the branches of the node that `path` leads to */
    soloist_move path[JOB_PATH_MOST];
    size_t path_count;
};
/* JOBS_UNKNOWN: there is no such job. JOBS_UNWATCHED: it was not added as one that is watched, so it has no pace. */
enum jobs_verdict jobs_pace(struct jobs *jobs, const char *id, const struct jobs_wish *wish);
/* Writes what is known about a job as a JSON object; the job then counts as looked at. False: there is no such job. */
bool jobs_describe(struct jobs *jobs, const char *id, const soloist_sink *sink);
/* Writes an array of all jobs, newest first, without their results. */
void jobs_list(struct jobs *jobs, const soloist_sink *sink);

/* Starts watching a job. A job that is watched is not deleted, and it is cancelled only if it is paused and its thread
 * is needed. NULL: there is no such job. */
struct job *jobs_watch(struct jobs *jobs, const char *id);
void jobs_unwatch(struct jobs *jobs, struct job *job);
/* If the job has changed since version *seen, writes it as jobs_describe does, sets *seen and returns true. Sets
 * *ended to true if the job has ended, otherwise to false. *seen is 0 at first. */
bool jobs_news(struct jobs *jobs, struct job *job, uint64_t *seen, bool *ended, const soloist_sink *sink);

/* Cancels and deletes jobs according to struct jobs_rules. now_s: the present value of clock_seconds(). To be called
 * about once a second. */
void jobs_sweep(struct jobs *jobs, double now_s);
/* Works on the job that has waited longest, in the calling thread. False: none is waiting. */
bool jobs_work(struct jobs *jobs);

#endif
