/* Lines that fit the screen. On a terminal, standard output and standard error pass through a filter that breaks every
 * line between words before it reaches the last column, and indents what follows to the column in which the text began.
 * A command therefore prints with printf and need not know the width of the terminal; a command that shows a table or a
 * progress line calls screen_width and leaves out what matters least. Files and pipes receive the bytes unchanged. */
#ifndef CLI_SHELL_SCREEN_H
#define CLI_SHELL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The width of a stream that is not a terminal: lines may have any length. */
enum { SCREEN_ANY = 1 << 20 };

/* Call it before screen_open if mpirun or another launcher has started the program. The program's output then passes
 * through the launcher, so what matters is whether the launcher's streams are terminals, not the program's own
 * streams. */
void screen_launched(void);
/* Whether the stream (stdout or stderr) ends in a terminal. */
bool screen_is_terminal(FILE *stream);
/* Installs the filter on standard output and on standard error, on each only if it is a terminal. Call it once, after
 * setlocale. */
void screen_open(void);
/* The number of columns that a line on this stream (stdout or stderr) may have at present; it changes when the window
 * is resized. If a terminal does not report its size, the number is $COLUMNS or, if that is not set or not valid,
 * 80. */
int screen_width(FILE *stream);
/* The number of columns that are left for a name on a line of standard output whose other text needs `beside` columns;
 * never less than 8 nor more than `most`. */
int screen_name_width(int most, int beside);
/* raw=true: standard output no longer passes through the filter, so its lines are not wrapped (for JSON and other lines
 * that programs read, and for the frames of a film or game); raw=false: it passes through the filter again. The caller
 * flushes the stream first. Safe in a signal handler. */
void screen_raw(bool raw);

/* Prints paragraphs of running text. On a terminal they are wrapped to the width of the screen or to a width that is
 * easy to read, whichever is less; a blank line ends a paragraph, and an indented line is printed unchanged. Files and
 * pipes receive the text unchanged. */
void screen_prose(FILE *stream, const char *text);

/* One line put together from pieces, the most important first; a piece that does not fit any more is left out. */
struct screen_line {
    char text[512];
    size_t length;
    int width, most; /* number of columns used, and its maximum */
};
void screen_line_open(struct screen_line *line, int most);
/* Adds a piece; returns whether it fitted. Control bytes become '?'. */
bool screen_line_add(struct screen_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Shows the line on standard error, which must be a terminal, in place of the line on which the cursor is. */
void screen_line_show(const struct screen_line *line);

#endif
