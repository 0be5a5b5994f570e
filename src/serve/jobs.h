/* The jobs of the server: a queue, the threads that work on it, and what is known about every job. A job goes on when a
 * page is closed or loaded again, ends when nobody has looked at it for a while, and is forgotten some time after that.
 * Every function may be called by any thread. */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include "serve/kept.h"
#include "serve/work.h"

enum { JOB_ID_LENGTH = 16, JOB_ID_ROOM = JOB_ID_LENGTH + 1, JOB_PATH_MOST = 256 };

struct jobs;
struct job;

struct jobs_rules {
    const soloist *engine;
    int workers;       /* threads; each works on one job at a time. 0: only jobs_work works on them */
    size_t most;       /* maximum number of jobs that are waiting or running */
    size_t most_kept;  /* maximum number of jobs that are remembered after they ended */
    double idle_s;     /* a job at which nobody has looked for so long is cancelled; so is a search that has been paused
                          for so long, watched or not, if another job waits for its thread */
    double reload_s;   /* the same for a paused search that no page shows: enough time to load the page again */
    double keep_s;     /* a job that ended is forgotten if nobody has looked at it for so long */
    double interval_s; /* progress is reported to watchers at most this often */
    struct kept *kept; /* where jobs that end are kept, and are found again; NULL: nowhere */
    /* Called after something about the job changed, by the thread that changed it and without locks. May be NULL. */
    void (*changed)(void *user, const struct job *job);
    void *user;
};

/* NULL: no memory. */
struct jobs *jobs_open(const struct jobs_rules *rules);
/* Cancels what is running and frees everything. Nobody may watch a job any more. */
void jobs_close(struct jobs *jobs);

enum jobs_verdict { JOBS_OK, JOBS_FULL, JOBS_NO_MEMORY };
/* Adds a job. Takes over what *work owns, also on failure. id: where the job's name is written. */
enum jobs_verdict jobs_add(struct jobs *jobs, struct work *work, char id[JOB_ID_ROOM]);
/* False: there is no such job. One that has ended stays as it is. */
bool jobs_cancel(struct jobs *jobs, const char *id);
/* How a search that is watched goes on. */
struct jobs_wish {
    struct work_pace pace;
    uint64_t steps; /* reports that it may make although it is paused */
    bool has_path;  /* the path is the one whose branches are wanted from now on */
    soloist_move path[JOB_PATH_MOST];
    size_t path_count;
};
/* False: there is no such job. */
bool jobs_pace(struct jobs *jobs, const char *id, const struct jobs_wish *wish);
/* Writes what is known about a job as a JSON object, which counts as a look. False: there is no such job. */
bool jobs_describe(struct jobs *jobs, const char *id, const soloist_sink *sink);
/* Writes an array of all jobs, newest first, without their results. */
void jobs_list(struct jobs *jobs, const soloist_sink *sink);

/* A job that is watched is not forgotten, and it is cancelled only if it is paused and its thread is needed. NULL: there is no such job. */
struct job *jobs_watch(struct jobs *jobs, const char *id);
void jobs_unwatch(struct jobs *jobs, struct job *job);
/* If the job has changed since version *seen, writes it as jobs_describe does, sets *seen and returns true. *ended: the
 * job will not change any more. *seen is 0 at first. */
bool jobs_news(struct jobs *jobs, struct job *job, uint64_t *seen, bool *ended, const soloist_sink *sink);

/* Cancels and forgets what is too old at the time now_s of clock_seconds(). To be called about once a second. */
void jobs_sweep(struct jobs *jobs, double now_s);
/* Works on the job that has waited longest, in the calling thread. False: none is waiting. */
bool jobs_work(struct jobs *jobs);

#endif
