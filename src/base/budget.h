/* What one run may spend, and what it has spent so far. A search calls budget_spent at every node or iteration; the
 * clock itself is read only about once per millisecond, at an interval that adapts to the speed of the search. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/memory.h"
#include "base/stop.h"

#include <pthread.h>

struct budget;

/* What the budgets of one solve share if the solve is watched. */
struct budget_watch {
    /* Called instead of callbacks->progress, by one thread at a time. Meanwhile the time does not count, and other
     * threads of the solve wait as soon as they check their budget or call budget_wait. */
    void (*see)(void *user, struct budget *budget, const soloist_progress *progress);
    void *user;
    _Atomic double every_s; /* seconds between two calls, or more if calls would take more than 1 % of the time */
    _Atomic uint64_t every; /* nodes and iterations between two calls, whatever the time; 0: only time decides */
    struct stop_hold hold;  /* the time spent in `see` */
    pthread_mutex_t lock;   /* is held during `see` */
};

/* What a search shows of itself: a function that describes `subject`, which is the search. */
struct search_picture;
struct budget_view {
    void (*paint)(const void *subject, struct search_picture *picture); /* NULL: nothing */
    const void *subject;
};

struct budget {
    soloist_limits limits;
    const soloist_callbacks *callbacks; /* may be NULL */
    struct memory memory;
    /* A token for work that does not count nodes; it is stopped together with the caller's token, or at the deadline of
     * the run. All threads read this token often, so it is not in the same cache line as the counters, which they
     * write. */
    char apart[64];
    soloist_stop_token token;
    char apart_too[64];
    double start_s;
    _Atomic uint64_t nodes, iterations, playouts, expanded, evaluations;
    _Atomic int stop;   /* -1: continue; otherwise a soloist_stop */
    uint64_t next_look; /* node + iteration count at which the clock is read again */
    uint64_t look_stride;
    double next_report_s, last_look_s;
    /* If only nodes are limited, a search whose iterations no longer add nodes would never end. It is therefore stopped
     * when `budget_patience` iterations in a row have added none; `idle` then says so. next_mark: node + iteration
     * count at which this is checked again; marked_nodes: number of nodes at the last check. */
    uint64_t next_mark, marked_nodes;
    bool idle;
    /* May be NULL. budget_look calls it as soon as `pause_at` nodes have been counted, or the thread has used
     * pause_at_s seconds (0: no such limit). The callback sets pause_at and pause_at_s for its next call, and may
     * change the limits. */
    void (*pause)(void *user);
    void *pause_user;
    uint64_t pause_at;
    double pause_at_s;
    struct budget_watch *watch; /* NULL: the solve is not watched */
    uint64_t see_at;            /* node + iteration count at which watch->see is called; 0: only time decides */
    double see_cpu_s;           /* CPU time of the thread before which time causes no call of watch->see */
    struct budget_view view;
    const char *member; /* the member of a mix that is at work; NULL: no mix */
    /* May be NULL. Changes what is reported, for a budget that is a part of a larger one. */
    void (*sum)(void *user, soloist_progress *progress);
    void *sum_user;
};

void budget_watch_open(struct budget_watch *watch);
void budget_watch_close(struct budget_watch *watch);
/* Lets `watch`, which may be NULL, watch the budget. To be called just after the budget was opened. */
void budget_attach(struct budget *budget, struct budget_watch *watch);
/* The slow part of budget_wait. */
void budget_wait_for_watch(struct budget_watch *watch);

/* For threads that do not check the budget themselves: waits while the solve is held by its watcher. */
static inline void budget_wait(const struct budget *budget) {
    if (__builtin_expect(budget->watch && atomic_load_explicit(&budget->watch->hold.since, memory_order_relaxed), 0))
        budget_wait_for_watch(budget->watch);
}

double clock_seconds(void);     /* monotonic */
double clock_cpu_seconds(void); /* CPU time of the calling thread, so that the time of other programs does not count */
void budget_open(struct budget *budget, const soloist_limits *limits, const soloist_callbacks *callbacks);
/* The same as budget_open, for a run that began at the time start_s of clock_seconds(): the time since then counts as
 * used. */
void budget_open_since(struct budget *budget, double start_s, const soloist_limits *limits,
                       const soloist_callbacks *callbacks);
double budget_elapsed(const struct budget *budget);
/* The slow part of budget_spent: reads the clock, checks the stop token and reports progress. */
bool budget_look(struct budget *budget, const soloist_progress *progress);
void budget_stop(struct budget *budget, soloist_stop why); /* the first reason given is kept */
/* The number of iterations without a new node after which a run is stopped; 0: never, because time or iterations are
 * limited, or nodes are not. */
uint64_t budget_patience(const soloist_limits *limits);

/* True if the run must end; budget->stop then says why. Only the thread that opened the budget may call it. */
static inline bool budget_spent(struct budget *budget, const soloist_progress *progress) {
    uint64_t nodes = atomic_load_explicit(&budget->nodes, memory_order_relaxed);
    uint64_t iterations = atomic_load_explicit(&budget->iterations, memory_order_relaxed);
    if (nodes + iterations < budget->next_look && atomic_load_explicit(&budget->stop, memory_order_relaxed) < 0)
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
