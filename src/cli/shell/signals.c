/* The cancel flag. It is static, because a signal handler can reach only static data. */
#include "cli/shell/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile int cancelled, signalled;

/* The first signal of either kind sets the flag; after that, a signal has its default effect. Two threads may handle
 * signals at the same time: the atomic exchange decides which came first. A flag that is only ever set needs no memory
 * ordering, which the thread sanitizer cannot know. */
__attribute__((no_sanitize("thread"))) static void cancel(int signal_number) {
    cancelled = 1;
    if (!__atomic_exchange_n(&signalled, 1, __ATOMIC_RELAXED))
        return;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void signals_open(void) {
    struct sigaction action = {.sa_handler = cancel, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

__attribute__((no_sanitize("thread"))) void signals_raise(void) { cancelled = 1; }

const volatile int *signals_cancel(void) { return &cancelled; }
