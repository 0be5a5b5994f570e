/* The cancel flag: a signal handler can reach nothing but static data, so this is the program's one such variable. */
#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile int cancelled;

/* A flag that only goes up needs no order with anything else; the thread sanitizer cannot know that. */
__attribute__((no_sanitize("thread"))) static void cancel(int signal_number) {
    (void)signal_number;
    cancelled = 1;
}

void signals_open(void) {
    /* SA_RESETHAND: the handler serves once, the next signal kills. */
    struct sigaction action = {.sa_handler = cancel, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void signals_raise(void) { cancel(0); }

const volatile int *signals_cancel(void) { return &cancelled; }
