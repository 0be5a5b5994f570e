/* Numbers and names in a form for people. */
#ifndef CLI_SHELL_FORMAT_H
#define CLI_SHELL_FORMAT_H

#include "cli/shell/console.h"

enum { FORMAT_ROOM = 48 };

/* Each function writes a text like the examples on its line into `out` (FORMAT_ROOM bytes) and returns `out`. */
char *format_count(uint64_t count, char *out);   /* 123456, 12.3 M, 4.56 G */
char *format_seconds(double seconds, char *out); /* 0.012 s, 3.4 s, 125 s */
char *format_size(size_t bytes, char *out);      /* 512 B, 10 KB, 14 MB, 2.5 GB */

/* Measures the UTF-8 character at the start of a text of `count` bytes: returns its length in bytes (1 for a byte that
 * is not UTF-8) and sets *columns to the number of columns that it occupies on a terminal. */
size_t format_character(const char *text, size_t count, int *columns);
/* Number of columns that a terminal needs for a UTF-8 text. */
int format_width(const char *text);
/* Prints a name in exactly `width` columns, cut if it is too long; control bytes become '?'. */
void format_name(FILE *stream, const char *name, int width);

/* Writes a file's name on one line: a control byte, such as a line end, is written as \\x0a. */
void format_path(const soloist_sink *sink, const char *path);

/* The escape sequence of a colour, or "" if colours are off. */
enum colour { COLOUR_NONE, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_RED, COLOUR_CYAN, COLOUR_DIM, COLOUR_BOLD };
const char *colour_code(bool on, enum colour colour);

/* A verdict's counts, according to the domain's aim: "33 pushes  97 moves", "score 2919", "22 moves". */
char *format_verdict(const soloist_domain *domain, const soloist_verdict *verdict, char *out);

/* Why a search ended that has no result. */
const char *format_stop(soloist_stop stop);

#endif
