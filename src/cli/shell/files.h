/* Reads whole files into memory, and writes files that appear only when they are complete. */
#ifndef CLI_SHELL_FILES_H
#define CLI_SHELL_FILES_H

#include "base/replace.h"
#include "cli/shell/console.h"

/* Reads a file, or standard input for "-". The caller frees the text, which is followed by a zero byte that *length
 * does not count. Returns NULL with errno set on failure. */
char *file_read(const char *path, size_t *length);

/* Says why a file cannot be created, in words for people who do not know the names of system errors; why: an errno. */
void file_complain_unwritable(const char *path, int why);

/* Whether the path ends in `end` and is longer than `end`. */
bool path_ends_in(const char *path, const char *end);

/* Whether both paths lead to the same file, which need not exist yet. Either may be NULL. */
bool path_is_same_file(const char *a, const char *b);

/* A file that appears under its name only when it is complete (base/replace.h). The functions print error messages, and
 * accept "-" for standard output. */
struct new_file {
    FILE *stream; /* NULL: not open */
    struct replacement replacement;
    char *name;   /* as the user gave it */
    bool flushed; /* a part of the content was flushed, and reported to the user as written */
};

/* Complains and returns false if the file cannot be created. lasting: flushed text is never lost. If the process is
 * killed, the flushed text is in a file next to the named file. If memory runs out, the flushed text replaces the old
 * content of the named file. Only one lasting file may be open at a time. A caller that writes a line in several pieces
 * must hold the stream's lock meanwhile. */
bool new_file_open(struct new_file *file, const char *path, bool lasting);
/* Flushes what was written so far. Complains and returns false if that failed: the caller must then drop the file. */
bool new_file_flush(struct new_file *file);
/* Gives the file its name. Complains and returns false if anything could not be written. */
bool new_file_keep(struct new_file *file);
/* Discards what was written and leaves the earlier file in place. */
void new_file_drop(struct new_file *file);

#endif
