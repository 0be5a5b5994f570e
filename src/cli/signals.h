/* Ctrl-C: the first asks the run to stop and tell what it has, the second kills. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/* From now on SIGINT and SIGTERM set a flag; a second one of the same kind takes its usual effect. */
void signals_open(void);
/* Sets the flag, as a signal does. */
void signals_raise(void);
/* The flag, for soloist_limits.cancel. */
const volatile int *signals_cancel(void);

#endif
