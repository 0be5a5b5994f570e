/* Whole files in memory, and files that appear only when they are complete. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "cli/cli.h"

/* Reads a file, or standard input for "-". The text is the caller's to free and ends with a zero beyond its length.
 * NULL with errno set. */
char *file_read(const char *path, size_t *length);

/* Does a path end like this, and is more than that? */
bool path_ends_in(const char *path, const char *end);
/* A part of a text, as a text of its own; freed by the caller. */
char *text_copy(const char *text, size_t length);

/* A file that is being written beside its final name. */
struct new_file {
    FILE *stream; /* NULL: not open */
    char *path, *temporary;
};

/* Complains and returns false if it cannot be made. "-" is standard output. */
bool new_file_open(struct new_file *file, const char *path);
/* Puts the file in its place. Complains and returns false if anything could not be written. */
bool new_file_keep(struct new_file *file);
/* Takes the temporary file away and leaves what was there before. */
void new_file_drop(struct new_file *file);

#endif
