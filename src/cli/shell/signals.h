/* Ctrl-C and `kill`: the first signal asks the run to stop and report its results; the second ends the program at
 * once. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/* From now on the first SIGINT or SIGTERM sets a flag; a second signal, of either kind, has its default effect. */
void signals_open(void);
/* Sets the flag, as a signal does. */
void signals_raise(void);
/* The flag, for soloist_limits.cancel. */
const volatile int *signals_cancel(void);

#endif
