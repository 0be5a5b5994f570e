/* Ctrl-C and `kill`: the first signal asks the run to stop and report its results; the second ends the program at
 * once. */
#ifndef CLI_SHELL_SIGNALS_H
#define CLI_SHELL_SIGNALS_H

#include "base/stop.h"

/* From now on the first SIGINT or SIGTERM cancels the token; a second signal, of either kind, has its default effect.
 */
void signals_open(void);
/* Cancels the token, as a signal does. */
void signals_raise(void);
bool signals_stopped(void);
/* The token, for soloist_limits.stop. */
soloist_stop_token *signals_token(void);

#endif
