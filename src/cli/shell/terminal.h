/* Finds out what the streams can show, and switches the terminal to raw mode for the animated player. */
#ifndef CLI_SHELL_TERMINAL_H
#define CLI_SHELL_TERMINAL_H

#include "cli/cli.h"

/* Detects terminals, colours (NO_COLOR and TERM=dumb turn them off) and UTF-8. */
void terminal_look(struct cli *cli);
/* Columns and rows of standard output; 80 x 24 if unknown. */
void terminal_size(int *columns, int *rows);

/* Switches the terminal to raw mode: no echo, keys one by one, the alternate screen, no cursor. False if that fails.
 * From then on the terminal is restored whenever the program ends, even if a signal ends it. catching=true: SIGINT,
 * SIGTERM and SIGHUP do not end the program at once; instead terminal_key returns -1, so that the caller can save what
 * the user has done. */
bool terminal_take(bool catching);
void terminal_give_back(void);
/* The signal that has asked the program to end; 0 if there was none, or if terminal_take was not told to catch signals.
 * Any thread may call it. */
int terminal_signal(void);
/* Ends the program by the signal that terminal_signal returns; if that is 0, does nothing. */
void terminal_end_by_signal(void);

enum terminal_key { KEY_NONE, KEY_UP = 256, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_HOME, KEY_END_OF, KEY_REDRAW };
/* Waits up to `seconds` for a key and returns it (an ASCII code or one of the above); KEY_NONE if none is pressed;
 * KEY_REDRAW if the screen may have changed, because it was resized or the program was stopped and continued; -1 at the
 * end of input. */
int terminal_key(double seconds);

#endif
