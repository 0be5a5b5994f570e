/* The budget of a run: limits on counts hold exactly; the clock is read about once per millisecond. */
#include "base/budget.h"

#include <time.h>

/* Approximate intervals at which the clock is read and progress is reported. */
static const double look_every_s = 0.002, report_every_s = 0.2;
/* The most nodes between two readings of the clock. A search that suddenly becomes a thousand times slower must not
 * overrun its time limit; and at a hundred million nodes per second, reading the clock every 40 microseconds costs next
 * to nothing. */
static const uint64_t longest_stride = 4096;

static double read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_seconds(void) { return read_clock(CLOCK_MONOTONIC); }
double clock_cpu_seconds(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

void budget_open(struct budget *budget, const soloist_limits *limits, const soloist_callbacks *callbacks) {
    budget_open_since(budget, clock_seconds(), limits, callbacks);
}

void budget_open_since(struct budget *budget, double start_s, const soloist_limits *limits,
                       const soloist_callbacks *callbacks) {
    budget->limits = *limits;
    budget->callbacks = callbacks;
    memory_open(&budget->memory, limits->memory);
    stop_token_open(&budget->token, limits->stop);
    budget->start_s = budget->last_look_s = start_s;
    stop_token_deadline_at(&budget->token, limits->time_s > 0 ? budget->start_s + limits->time_s : 0);
    budget->next_report_s = budget->start_s + report_every_s;
    atomic_init(&budget->nodes, 0);
    atomic_init(&budget->iterations, 0);
    atomic_init(&budget->playouts, 0);
    atomic_init(&budget->expanded, 0);
    atomic_init(&budget->evaluations, 0);
    atomic_init(&budget->stop, -1);
    budget->token.why = &budget->stop; /* so that the next check of the budget notices that the token is stopped */
    budget->next_look = 0;
    budget->next_mark = budget_patience(limits);
    budget->marked_nodes = UINT64_MAX;
    budget->idle = false;
    budget->look_stride = budget->call_stride = budget->calls_left = 1;
    budget->pause = NULL;
    budget->pause_user = NULL;
    budget->pause_at = UINT64_MAX;
    budget->pause_at_s = 0;
    budget->watch = NULL;
    budget->best_reported = false;
    budget->see_at = 0;
    budget->see_cpu_s = 0;
    budget->view = (struct budget_view){0};
    budget->member = NULL;
    budget->sum = NULL;
}

double budget_elapsed(const struct budget *budget) {
    return clock_seconds() - budget->start_s - stop_hold_seconds(budget->token.hold);
}

void budget_watch_open(struct budget_watch *watch) {
    *watch = (struct budget_watch){.every_s = report_every_s};
    pthread_mutex_init(&watch->lock, NULL);
}

void budget_watch_close(struct budget_watch *watch) { pthread_mutex_destroy(&watch->lock); }

void budget_attach(struct budget *budget, struct budget_watch *watch) {
    budget->watch = watch;
    budget->token.hold = watch ? &watch->hold : NULL;
    budget->see_at = watch ? atomic_load(&watch->every) : 0;
    if (watch)
        budget->next_report_s = budget->start_s + atomic_load(&watch->every_s);
}

void budget_wait_for_watch(struct budget_watch *watch) {
    pthread_mutex_lock(&watch->lock);
    pthread_mutex_unlock(&watch->lock);
}

void budget_stop(struct budget *budget, soloist_stop why) {
    int none = -1;
    atomic_compare_exchange_strong(&budget->stop, &none, (int)why);
}

/* Adapts the strides (nodes, and calls of budget_spent, between two readings of the clock) to the speed of the search,
 * so that the clock is read about every look_every_s seconds. A stride grows at most by doubling, but may shrink by any
 * factor. Calls are counted too, because an expansion may take long and yield few nodes. */
static void adapt_stride(struct budget *budget, double now) {
    double gap = now - budget->last_look_s, calls = (double)(budget->call_stride - budget->calls_left);
    budget->last_look_s = now;
    if (calls * look_every_s >= gap * 2 * (double)budget->call_stride)
        budget->call_stride *= budget->call_stride < longest_stride ? 2 : 1;
    else
        budget->call_stride = 1 + (uint64_t)(calls * look_every_s / gap);
    budget->calls_left = budget->call_stride;
    if (gap < look_every_s / 2 && budget->look_stride < longest_stride)
        budget->look_stride *= 2;
    else if (gap > look_every_s)
        budget->look_stride = 1 + (uint64_t)((double)budget->look_stride * (look_every_s / gap) / 2);
}

static soloist_progress describe(const struct budget *budget, const soloist_progress *progress) {
    soloist_progress told = progress ? *progress : (soloist_progress){0};
    told.time_s = budget_elapsed(budget);
    told.nodes = atomic_load(&budget->nodes);
    told.iterations = atomic_load(&budget->iterations);
    told.expanded = atomic_load(&budget->expanded);
    told.memory = memory_used(&budget->memory);
    if (budget->sum)
        budget->sum(budget->sum_user, &told);
    return told;
}

/* The first solution is reported at once. */
static void report(struct budget *budget, const soloist_progress *progress, double now) {
    bool found = progress && progress->has_best && !budget->best_reported;
    if ((now < budget->next_report_s && !found) || !budget->callbacks || !budget->callbacks->progress)
        return;
    budget->best_reported |= found;
    soloist_progress told = describe(budget, progress);
    budget->callbacks->progress(budget->callbacks->user, &told);
    budget->next_report_s = now + report_every_s;
}

/* Whether the watcher must be called. The share of a search's time that it takes is measured in the thread's own time,
 * because the watcher may hold the search for as long as it wants, and other programs may hold the thread. */
static bool is_due(struct budget *budget, double now, uint64_t count) {
    uint64_t every = atomic_load(&budget->watch->every);
    if (every && !budget->see_at) /* another part of the solve was asked to go step by step */
        budget->see_at = count + every;
    if (budget->see_at && count >= budget->see_at)
        return true;
    return now >= budget->next_report_s && clock_cpu_seconds() >= budget->see_cpu_s;
}

static void see(struct budget *budget, const soloist_progress *progress, uint64_t count) {
    static const double least_ratio = 150; /* well below 1 % */
    struct budget_watch *watch = budget->watch;
    pthread_mutex_lock(&watch->lock);
    soloist_progress told = describe(budget, progress);
    double before = clock_cpu_seconds();
    stop_hold_begin(&watch->hold);
    watch->see(watch->user, budget, &told);
    stop_hold_end(&watch->hold);
    double after = clock_cpu_seconds(), gap = atomic_load(&watch->every_s);
    uint64_t every = atomic_load(&watch->every);
    pthread_mutex_unlock(&watch->lock);
    budget->last_look_s = clock_seconds();
    budget->next_report_s = budget->last_look_s + gap;
    budget->see_cpu_s = after + least_ratio * (after - before);
    budget->see_at = every ? count + every : 0;
}

/* Limits on counts hold exactly: the stride is cut so that the next check comes no later than the limit. */
static uint64_t stride_within(uint64_t stride, uint64_t limit, uint64_t count) {
    return limit && limit - count < stride ? limit - count : stride;
}

/* At the node limit the run is not paused but ended: states may have been left out, which a higher limit later would
 * not bring back. */
static bool is_time_to_pause(const struct budget *budget) {
    uint64_t nodes = atomic_load(&budget->nodes), limit = budget->limits.nodes;
    if (limit && nodes >= limit)
        return false;
    return nodes >= budget->pause_at || (budget->pause_at_s > 0 && clock_cpu_seconds() >= budget->pause_at_s);
}

uint64_t budget_patience(const soloist_limits *limits) {
    const uint64_t least = 100000, most = 1000000000;
    bool only_nodes = limits->nodes && !limits->iterations && !(limits->time_s > 0);
    return only_nodes ? least + (limits->nodes < most ? limits->nodes : most) : 0;
}

/* Whether the iterations since the last check added no node. The checks come at fixed counts, so that a run stops at
 * the same iteration on every machine. */
static bool is_idle(struct budget *budget, uint64_t nodes, uint64_t iterations) {
    uint64_t patience = budget_patience(&budget->limits);
    if (!patience || nodes + iterations < budget->next_mark)
        return false;
    bool idle = nodes == budget->marked_nodes;
    budget->marked_nodes = nodes;
    budget->next_mark = nodes + iterations + patience;
    return idle;
}

void budget_check_counts(struct budget *budget) {
    const soloist_limits *limits = &budget->limits;
    if (limits->nodes && atomic_load(&budget->nodes) >= limits->nodes)
        budget_stop(budget, SOLOIST_STOP_NODES);
    if (limits->iterations && atomic_load(&budget->iterations) >= limits->iterations)
        budget_stop(budget, SOLOIST_STOP_ITERATIONS);
}

bool budget_look(struct budget *budget, const soloist_progress *progress) {
    const soloist_limits *limits = &budget->limits;
    if (budget->pause && atomic_load(&budget->stop) < 0 && is_time_to_pause(budget))
        budget->pause(budget->pause_user);
    uint64_t nodes = atomic_load(&budget->nodes), iterations = atomic_load(&budget->iterations);
    budget_wait(budget);
    double now = clock_seconds();
    if (stop_token_is_stopped(limits->stop))
        budget_stop(budget, SOLOIST_STOP_CANCEL);
    budget_check_counts(budget);
    if (limits->time_s > 0 && now - budget->start_s - stop_hold_seconds(budget->token.hold) >= limits->time_s)
        budget_stop(budget, SOLOIST_STOP_TIME);
    if (atomic_load(&budget->stop) < 0 && is_idle(budget, nodes, iterations)) {
        budget->idle = true;
        budget_stop(budget, SOLOIST_STOP_EXHAUSTED);
    }
    if (atomic_load(&budget->stop) >= 0)
        return true;

    adapt_stride(budget, now);
    if (budget->watch && is_due(budget, now, nodes + iterations))
        see(budget, progress, nodes + iterations);
    else if (!budget->watch)
        report(budget, progress, now);
    uint64_t stride = stride_within(budget->look_stride, limits->nodes, nodes);
    stride = stride_within(stride, limits->iterations, iterations);
    stride = stride_within(stride, budget->pause_at, nodes);
    if (budget->see_at)
        stride = stride_within(stride, budget->see_at, nodes + iterations);
    if (budget_patience(limits))
        stride = stride_within(stride, budget->next_mark, nodes + iterations);
    budget->next_look = nodes + iterations + stride;
    return false;
}
