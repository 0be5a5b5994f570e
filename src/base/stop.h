/* A stop token. All work that may take long checks it from time to time, so that the work ends soon after the token is
 * cancelled or its deadline has passed. The type is opaque to programs; soloist.h has the functions. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "soloist.h"

#include <stdatomic.h>

/* How long the work has been held (paused), in nanoseconds. This time does not count towards deadlines. */
struct stop_hold {
    _Atomic int64_t held;  /* sum of the holds that are over */
    _Atomic int64_t since; /* when the present hold began; 0: the work is not held */
};

struct soloist_stop_token {
    _Atomic int cancelled;
    _Atomic int64_t deadline;   /* in nanoseconds of the monotonic clock; 0: none */
    soloist_stop_token *parent; /* if the parent is stopped, this token is stopped too; may be NULL */
    /* May be NULL. When the token is found to be stopped for the first time, *why is set to the reason (a
     * soloist_stop), unless *why already holds a reason. */
    _Atomic int *why;
    /* Set when work has noticed the stop: soloist_stopped was called for this token or a child of it, and found this
     * token or a parent of it stopped. This work may be incomplete, so its result proves nothing. */
    _Atomic int seen;
    const struct stop_hold *hold; /* its held time is subtracted from the clock; NULL: nothing is subtracted */
};

/* The held time in seconds, which must be subtracted from the clock. `hold` may be NULL. */
double stop_hold_seconds(const struct stop_hold *hold);
void stop_hold_begin(struct stop_hold *hold);
void stop_hold_end(struct stop_hold *hold);

void stop_token_open(soloist_stop_token *token, soloist_stop_token *parent);
/* Sets the deadline. at_s: the value of clock_seconds() at the deadline; 0: there is no deadline. */
void stop_token_deadline_at(soloist_stop_token *token, double at_s);
/* The same as soloist_stopped, but does not set `seen`: for work that is completed nevertheless, or that reports that
 * it is incomplete. */
bool stop_token_is_stopped(const soloist_stop_token *token);
static inline bool stop_token_was_seen(const soloist_stop_token *token) {
    return atomic_load_explicit(&token->seen, memory_order_relaxed);
}

#endif
