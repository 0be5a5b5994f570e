/* How every file is replaced: the new content grows beside the old one, reaches the disk, and takes its place in one
 * step. A reader finds the old file or the new one, never a part. Mode and owner stay as they were (the owner as far as
 * the system lets this process choose it), and a symbolic link stays a link: the file it points to is replaced. What is
 * no regular file (a device, a pipe) is written as it is. */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

struct replacement {
    FILE *stream;    /* where the new content goes; NULL: not open */
    char *path;      /* what is replaced, past all links */
    char *temporary; /* NULL: the new content has no name yet, and nothing stays behind if the process is killed */
    bool in_place;   /* no regular file */
};

/* Returns false with errno set if the content could not be written there. */
bool replace_open(struct replacement *replacement, const char *path);
/* For content that grows for hours: it has a name from the beginning, PATH.PROCESS-N.part, so that a kill does not lose
 * it. */
bool replace_open_named(struct replacement *replacement, const char *path);
/* Puts the new content in its place and closes. Returns false with errno set if any byte could not be written; then the
 * old content stays, and nothing else does. */
bool replace_keep(struct replacement *replacement);
/* Forgets the new content; the old one stays. */
void replace_drop(struct replacement *replacement);

#endif
