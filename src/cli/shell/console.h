/* Error messages on standard error, output on standard output, and the exit status. Where a comment in src/cli says
 * that a function complains, the function prints an error message. */
#ifndef CLI_SHELL_CONSOLE_H
#define CLI_SHELL_CONSOLE_H

#include "soloist.h"

#include <stdio.h>

/* The exit status of every command. */
enum cli_exit { CLI_OK = 0, CLI_SOME = 1, CLI_BAD = 2 };

/* Prints "soloist: ..." on standard error. Always returns CLI_BAD, so that a command can `return cli_complain(...)`. */
int cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "file:line:column: ..." on standard error; a line or a column of 0 is left out. */
void cli_complain_at(const char *file, const soloist_error *error);

enum { CLI_PLACE_ROOM = 48 };
/* Where in a solution an error is, such as "at 3: ". Returns "" if the place is not known, or if the error's text
 * itself begins with the number of the move. */
const char *cli_place(const soloist_error *error, char out[CLI_PLACE_ROOM]);

/* Where in a file an error is, such as "line 2, column 7: "; what is not known is left out. */
const char *cli_line_place(const soloist_error *error, char out[CLI_PLACE_ROOM]);

/* Flushes standard output. Returns false if this or any earlier output could not be written; prints the error message
 * only once. */
bool cli_flush(void);

/* Prints text for programs, such as a line of JSON: it is not broken at the width of the screen (see
 * screen.h). */
void console_whole(const char *text, size_t length);
/* Between console_keep_lines(true) and console_keep_lines(false), no output is broken at the width of the screen. */
void console_keep_lines(bool whole);

/* A sink that writes to a stdio stream. */
soloist_sink cli_sink(FILE *stream);

#endif
