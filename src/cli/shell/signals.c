/* The cancel flag: a signal handler can reach nothing but static data, so this is the program's one such place. */
#include "cli/shell/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile int cancelled, signalled;

/* The first signal of either kind raises the flag, the second takes its usual effect once the handler returns. Two may
 * be handled at the same time by two threads: the exchange says which came first. A flag that only goes up needs no
 * order with anything else; the thread sanitizer cannot know that. */
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
