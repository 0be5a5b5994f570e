/* How every file is replaced: the new content is written to another file and flushed to the disk; then that file takes
 * the place of the old one in one step. A reader finds either the old file or the new one, never a part. Mode and owner
 * are kept (the owner as far as this process may set it), and a symbolic link remains a link: the file it points to is
 * replaced. Anything that is not a regular file (a device, a pipe) is written to directly. */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

struct replacement {
    FILE *stream;    /* write the new content here; NULL: not open */
    char *path;      /* the file to be replaced, all links followed */
    char *temporary; /* path of the new content; NULL: it has no name yet, so nothing remains after a kill */
    bool in_place;   /* not a regular file */
};

/* Begins to replace the file `path`: opens the stream. Returns false with errno set if nothing can be written there. */
bool replace_open(struct replacement *replacement, const char *path);
/* The same for content that grows for hours. The file with the new content has a name from the beginning,
 * PATH.PROCESS-N.part, so that it is not lost if the process is killed. */
bool replace_open_named(struct replacement *replacement, const char *path);
/* Replaces the old content by the new one and closes the stream. Returns false with errno set if any byte could not be
 * written; then the old content stays and the new one is removed. */
bool replace_keep(struct replacement *replacement);
/* Flushes the folder of the file `path` to the disk, if the file system allows that. Without this, a power cut may lose
 * the name of a new file, although its content was written to the disk. */
void replace_sync_folder(const char *path);
/* Discards the new content; the old content stays. */
void replace_drop(struct replacement *replacement);

#endif
