/* Finds and prints option rows; the functions that reset and parse options are in soloist.h. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "soloist.h"

/* The size of the field that a row of this kind sets; 0: there is no such kind. */
size_t options_field_size(soloist_option_kind kind);
/* The number of choices in a row's list "first|second|third". */
int options_choice_count(const char *choices);
/* Writes the value of one option as text, e.g. "0.5", "true", "matching-pushes". Returns the length needed, like
 * snprintf. */
int options_value(const soloist_option *row, const void *options, char *out, size_t room);
/* Writes "key=value,key=value" for the fields that differ from their initial values. */
int options_changed(const soloist_option *rows, const void *options, char *out, size_t room);
/* The same as a text that the caller frees; NULL: no memory. */
char *options_changed_text(const soloist_option *rows, const void *options);
/* As options_changed, for the fields that differ from those of `usual` or, if `usual` is NULL, from their initial
 * values. */
int options_differing(const soloist_option *rows, const void *options, const void *usual, char *out, size_t room);
/* Prints one line per row: name, help, range or choices, and the value that it has in `usual` (NULL: its initial
 * value). */
void options_help(const soloist_option *rows, const void *usual, const soloist_sink *sink);
/* The row with this name (of `length` bytes), or NULL. */
const soloist_option *options_find(const soloist_option *rows, const char *name, size_t length);

#endif
