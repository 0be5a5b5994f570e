/* A stop token: asked by everything that may take long, so that it ends soon after the deadline or a cancel. The type is
 * opaque to programs; soloist.h has the functions. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "soloist.h"

#include <stdatomic.h>

struct soloist_stop_token {
    _Atomic int cancelled;
    _Atomic int64_t deadline;   /* in nanoseconds of the monotonic clock; 0: none */
    soloist_stop_token *parent; /* if that one is stopped, so is this one; may be NULL */
    /* soloist_stopped has returned true: whoever asked may have done less than the whole work, so that what came of it
     * proves nothing. */
    _Atomic int seen;
};

void stop_token_open(soloist_stop_token *token, soloist_stop_token *parent);
/* As soloist_stopped, but leaves no trace: for those who do their whole work nevertheless, or report that they did
 * not. */
bool stop_token_is_stopped(const soloist_stop_token *token);
bool stop_token_was_seen(const soloist_stop_token *token);

#endif
