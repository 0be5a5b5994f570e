#include "base/stop.h"

#include "base/budget.h"

#include <stdlib.h>

void stop_token_open(soloist_stop_token *token, soloist_stop_token *parent) {
    atomic_init(&token->cancelled, 0);
    atomic_init(&token->deadline, 0);
    atomic_init(&token->seen, 0);
    token->parent = parent;
    token->why = NULL;
    token->hold = NULL;
}

static int64_t nanoseconds(void) { return (int64_t)(1e9 * clock_seconds()); }

void stop_hold_begin(struct stop_hold *hold) { atomic_store(&hold->since, nanoseconds()); }

/* Other threads may read between the two stores; they then subtract too much for a moment, which ends nothing. */
void stop_hold_end(struct stop_hold *hold) {
    atomic_fetch_add(&hold->held, nanoseconds() - atomic_load(&hold->since));
    atomic_store(&hold->since, 0);
}

double stop_hold_seconds(const struct stop_hold *hold) {
    if (!hold)
        return 0;
    int64_t since = atomic_load(&hold->since), held = atomic_load(&hold->held);
    return 1e-9 * (double)(held + (since ? nanoseconds() - since : 0));
}

soloist_stop_token *soloist_stop_token_new(void) {
    soloist_stop_token *token = malloc(sizeof *token);
    if (token)
        stop_token_open(token, NULL);
    return token;
}

void soloist_stop_token_free(soloist_stop_token *token) { free(token); }

/* May be called by a signal handler: it only stores to a lock-free atomic. */
void soloist_stop_token_cancel(soloist_stop_token *token) {
    if (token)
        atomic_store_explicit(&token->cancelled, 1, memory_order_relaxed);
}

void stop_token_deadline_at(soloist_stop_token *token, double at_s) {
    static const double most_s = 9e9; /* the most seconds whose nanoseconds fit into 63 bits */
    atomic_store_explicit(&token->deadline, at_s < most_s ? (int64_t)(1e9 * at_s) : INT64_MAX, memory_order_relaxed);
}

void soloist_stop_token_deadline(soloist_stop_token *token, double seconds) {
    if (token)
        stop_token_deadline_at(token, seconds > 0 ? clock_seconds() + seconds : 0);
}

/* The reason why a token itself is stopped, regardless of its parents; -1: it is not stopped. */
static int reason_of(const soloist_stop_token *token) {
    int64_t deadline = atomic_load_explicit(&token->deadline, memory_order_relaxed);
    if (atomic_load_explicit(&token->cancelled, memory_order_relaxed))
        return SOLOIST_STOP_CANCEL;
    if (!deadline)
        return -1;
    return 1e9 * (clock_seconds() - stop_hold_seconds(token->hold)) >= (double)deadline ? SOLOIST_STOP_TIME : -1;
}

/* Of the token and its parents, the first that is stopped by itself, and the reason; NULL: none of them is stopped. */
static const soloist_stop_token *find_stopped(const soloist_stop_token *token, int *reason) {
    for (; token; token = token->parent)
        if ((*reason = reason_of(token)) >= 0)
            return token;
    return NULL;
}

bool stop_token_is_stopped(const soloist_stop_token *token) {
    int reason;
    return find_stopped(token, &reason);
}

/* Marks the token and its parents as seen, up to the first one that is stopped by itself. Parents above that one are
 * not stopped: the deadline of a part does not end the whole. A token without `why` is not that of a run, but a
 * program's: if its deadline passes, the program has cancelled the run, which did not reach its own time limit. */
bool soloist_stopped(soloist_stop_token *token) {
    int reason;
    const soloist_stop_token *stopped = find_stopped(token, &reason);
    if (stopped && !stopped->why)
        reason = SOLOIST_STOP_CANCEL;
    for (bool more = stopped; more; token = token->parent) {
        int none = -1;
        more = token != stopped;
        atomic_store_explicit(&token->seen, 1, memory_order_relaxed);
        if (token->why)
            atomic_compare_exchange_strong(token->why, &none, reason);
    }
    return stopped;
}
