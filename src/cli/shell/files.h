/* Whole files in memory, and files that appear only when they are complete. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "base/replace.h"
#include "cli/shell/console.h"

/* Reads a file, or standard input for "-". The text is the caller's to free and ends with a zero beyond its length.
 * NULL with errno set. */
char *file_read(const char *path, size_t *length);

/* Does a path end like this, and is more than that? */
bool path_ends_in(const char *path, const char *end);

/* A file that takes its place when it is complete: base/replace.h with complaints, and "-" for standard output. */
struct new_file {
    FILE *stream; /* NULL: not open */
    struct replacement replacement;
    char *name;   /* as the user gave it */
    bool flushed; /* there is something in it that was reported as written */
};

/* Complains and returns false if it cannot be made. lasting: what was flushed is in a file beside it even after a
 * kill, and in its place if memory runs out; there can be one such file at a time. Whoever writes to it in several
 * pieces holds the stream's lock meanwhile. */
bool new_file_open(struct new_file *file, const char *path, bool lasting);
/* Hands on what was written so far. Complains and returns false if that failed: drop the file then. */
bool new_file_flush(struct new_file *file);
/* Puts the file in its place. Complains and returns false if anything could not be written. */
bool new_file_keep(struct new_file *file);
/* Forgets what was written and leaves what was there before. */
void new_file_drop(struct new_file *file);

#endif
