/* What one run may spend, and what it has spent. A search asks budget_spent at every node or iteration: the clock is
 * read only every so often, adapted so that it is looked at about every millisecond. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/memory.h"
#include "soloist.h"

struct budget {
    soloist_limits limits;
    const soloist_callbacks *callbacks; /* may be NULL */
    struct memory memory;
    double start_s;
    _Atomic uint64_t nodes, iterations, playouts, expanded;
    _Atomic int stop;   /* -1: go on; else a soloist_stop */
    uint64_t next_look; /* node + iteration count at which the clock is read again */
    uint64_t look_stride;
    double next_report_s, last_look_s;
    /* NULL, or called by a look once so many nodes are counted, or the thread has used so many seconds if that is not
     * 0; it sets both anew, and may change the limits. */
    void (*pause)(void *user);
    void *pause_user;
    uint64_t pause_at;
    double pause_at_s;
};

double clock_seconds(void);     /* monotonic */
double clock_cpu_seconds(void); /* of the calling thread: what other programs take does not count */
void budget_open(struct budget *budget, const soloist_limits *limits, const soloist_callbacks *callbacks);
double budget_elapsed(const struct budget *budget);
/* The slow half of budget_spent: clock, cancel flag, progress callback. */
bool budget_look(struct budget *budget, const soloist_progress *progress);
void budget_stop(struct budget *budget, soloist_stop why); /* the first reason stays */

/* True when the run must end; budget->stop says why. One thread only (the one that opened the budget). */
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

/* The same while no other thread counts: without the locked addition, which a fast search would feel. */
static inline void budget_count_nodes_alone(struct budget *budget, uint64_t n) {
    uint64_t nodes = atomic_load_explicit(&budget->nodes, memory_order_relaxed);
    atomic_store_explicit(&budget->nodes, nodes + n, memory_order_relaxed);
}

#endif
