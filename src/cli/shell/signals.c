/* The stop token of the program. It is static, because a signal handler can reach only static data. */
#include "cli/shell/signals.h"

#include <signal.h>
#include <stddef.h>

static soloist_stop_token token;
static volatile int signalled;

/* The first signal of any kind cancels the token; after that, a signal has its default effect. Two threads may
 * handle signals at the same time: the atomic exchange decides which came first. */
static void cancel(int signal_number) {
    soloist_stop_token_cancel(&token);
    if (!__atomic_exchange_n(&signalled, 1, __ATOMIC_RELAXED))
        return;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void signals_open(void) {
    struct sigaction action = {.sa_handler = cancel, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before;
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN) /* nohup has it ignored */
        sigaction(SIGHUP, &action, NULL);
}

void signals_raise(void) { soloist_stop_token_cancel(&token); }

bool signals_stopped(void) { return stop_token_is_stopped(&token); }

soloist_stop_token *signals_token(void) { return &token; }
