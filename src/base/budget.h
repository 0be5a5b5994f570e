/* The limits of one run (time, nodes, iterations, memory), and what the run has used so far. A search calls
 * budget_spent at every node or iteration; the clock itself is read only about once per millisecond, at an interval
 * that adapts to the speed of the search. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/memory.h"
#include "base/stop.h"

#include <pthread.h>

struct budget;

/* A watcher of a solve: a callback and its settings, which all budgets of the solve share. */
struct budget_watch {
    /* Called instead of callbacks->progress, by one thread at a time. The time spent in this call does not count
     * towards the time limit. Other threads of the solve wait for the end of the call as soon as they check their
     * budget or call budget_wait. */
    void (*see)(void *user, struct budget *budget, const soloist_progress *progress);
    void *user;
    _Atomic double every_s; /* seconds between two calls; more if the calls would otherwise take over 1 % of the time */
    _Atomic uint64_t every; /* if not 0: `see` is also called whenever nodes + iterations have grown by this number */
    struct stop_hold hold;  /* the time spent in `see` */
    pthread_mutex_t lock;   /* is held during `see` */
};

/* How a running search is shown to a watcher: `paint` describes the search `subject`. */
struct search_picture;
struct budget_view {
    void (*paint)(const void *subject, struct search_picture *picture); /* NULL: nothing is shown */
    const void *subject;
};

struct budget {
    soloist_limits limits;
    const soloist_callbacks *callbacks; /* may be NULL */
    struct memory memory;
    /* A stop token for work that does not count nodes. It is stopped together with the caller's token, or at the
     * deadline of the run. All threads read this token often, so it is not in the same cache line as the counters,
     * which they write. */
    char apart[64];
    soloist_stop_token token;
    char apart_too[64];
    double start_s;
    _Atomic uint64_t nodes, iterations, playouts, expanded, evaluations;
    _Atomic int stop;   /* -1: continue; otherwise a soloist_stop */
    uint64_t next_look; /* node + iteration count at which the clock is read again */
    uint64_t look_stride;
    uint64_t calls_left, call_stride; /* calls of budget_spent until the clock is read even if few nodes were counted */
    double next_report_s, last_look_s;
    bool best_reported; /* a report has told of a solution */
    /* If only nodes are limited, a search whose iterations no longer add nodes would never end. Such a search is
     * therefore stopped, and `idle` is set, when the last budget_patience(&limits) iterations have added no node.
     * next_mark: node + iteration count at which this is checked next; marked_nodes: number of nodes at the last
     * check. */
    uint64_t next_mark, marked_nodes;
    bool idle;
    /* A callback, or NULL. budget_look calls it as soon as `pause_at` nodes have been counted, or the thread has used
     * `pause_at_s` seconds of CPU time (0: CPU time causes no call). The callback sets pause_at and pause_at_s for its
     * next call, and may change the limits. */
    void (*pause)(void *user);
    void *pause_user;
    uint64_t pause_at;
    double pause_at_s;
    struct budget_watch *watch; /* NULL: the solve is not watched */
    uint64_t see_at;            /* node + iteration count at which watch->see is called; 0: no count causes a call */
    double see_cpu_s;           /* timed calls of watch->see wait until the thread's CPU time has reached this value */
    struct budget_view view;
    const char *member; /* the method that a mix is running now; NULL: the search is not a mix */
    /* May be NULL. For the budget of one member of a mix: replaces the counts in a report by the sums over all
     * members. */
    void (*sum)(void *user, soloist_progress *progress);
    void *sum_user;
};

void budget_watch_open(struct budget_watch *watch);
void budget_watch_close(struct budget_watch *watch);
/* Attaches the watcher `watch`, which may be NULL, to the budget. Call this just after opening the budget. */
void budget_attach(struct budget *budget, struct budget_watch *watch);
/* The slow part of budget_wait. */
void budget_wait_for_watch(struct budget_watch *watch);

/* For threads that do not check the budget themselves: waits while the watcher's callback is running. */
static inline void budget_wait(const struct budget *budget) {
    if (__builtin_expect(budget->watch && atomic_load_explicit(&budget->watch->hold.since, memory_order_relaxed), 0))
        budget_wait_for_watch(budget->watch);
}

double clock_seconds(void);     /* monotonic */
double clock_cpu_seconds(void); /* CPU time of the calling thread, so that the time of other programs does not count */
void budget_open(struct budget *budget, const soloist_limits *limits, const soloist_callbacks *callbacks);
/* The same as budget_open, for a run that has already begun. start_s: the value of clock_seconds() when the run began;
 * the time since then counts as used. */
void budget_open_since(struct budget *budget, double start_s, const soloist_limits *limits,
                       const soloist_callbacks *callbacks);
double budget_elapsed(const struct budget *budget);
/* The slow part of budget_spent: reads the clock, checks the stop token and reports progress. */
bool budget_look(struct budget *budget, const soloist_progress *progress);
void budget_stop(struct budget *budget, soloist_stop why); /* a later reason does not replace an earlier one */
/* Stops the run if its nodes or iterations have reached their limit. */
void budget_check_counts(struct budget *budget);
/* The number of iterations without a new node after which a run is stopped. If the run has a limit on time or
 * iterations, or no limit on nodes, the number is 0, and the run is never stopped for this reason. */
uint64_t budget_patience(const soloist_limits *limits);

/* True if the run must end; budget->stop then says why. Only the thread that opened the budget may call this
 * function. */
static inline bool budget_spent(struct budget *budget, const soloist_progress *progress) {
    uint64_t nodes = atomic_load_explicit(&budget->nodes, memory_order_relaxed);
    uint64_t iterations = atomic_load_explicit(&budget->iterations, memory_order_relaxed);
    if (nodes + iterations < budget->next_look && --budget->calls_left &&
        atomic_load_explicit(&budget->stop, memory_order_relaxed) < 0)
        return false;
    return budget_look(budget, progress);
}

static inline void budget_count_nodes(struct budget *budget, uint64_t n) {
    atomic_fetch_add_explicit(&budget->nodes, n, memory_order_relaxed);
}

/* The same as budget_count_nodes, for runs in which only one thread counts nodes. It avoids the locked addition, which
 * slows a fast search noticeably. */
static inline void budget_count_nodes_alone(struct budget *budget, uint64_t n) {
    uint64_t nodes = atomic_load_explicit(&budget->nodes, memory_order_relaxed);
    atomic_store_explicit(&budget->nodes, nodes + n, memory_order_relaxed);
}

#endif
