/* Ctrl-C, `kill` and a closed terminal: the first signal asks the run to stop and report its results; the second ends
 * the program at once. */
#ifndef CLI_SHELL_SIGNALS_H
#define CLI_SHELL_SIGNALS_H

#include "base/stop.h"

/* From now on the first SIGINT, SIGTERM or SIGHUP cancels the token; a second signal, of any kind, has its default
 * effect. A program that was started with SIGHUP ignored goes on ignoring it. */
void signals_open(void);
/* Cancels the token, as a signal does. */
void signals_raise(void);
bool signals_stopped(void);
/* The token, for soloist_limits.stop. */
soloist_stop_token *signals_token(void);

#endif
