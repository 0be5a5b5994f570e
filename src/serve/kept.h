/* The file in which a server keeps the jobs that have ended: one JSON object per line, only ever appended. A line is on
 * the disk before anybody can learn that the job has ended, so that a server which was killed and is started again
 * with the same file still knows what it has said. */
#ifndef SERVE_KEPT_H
#define SERVE_KEPT_H

#include "soloist.h"

struct kept;

/* Opens the file, or makes it, for this process alone. What a killed server wrote of its last line is cut off. NULL
 * with an error: it cannot be opened, another server uses it, or it holds something else. */
struct kept *kept_open(const char *path, soloist_error *error);
void kept_close(struct kept *kept);
/* Calls `found` for the last lines that were there when the file was opened, at most `most` of them, oldest first. A
 * line is given without its end. To be called once, before any other thread uses the file. */
void kept_each(struct kept *kept, size_t most, void (*found)(void *user, const char *line, size_t length), void *user);
/* Appends a line, given with its end. May be called by any thread. False: it is not written, and the file is as before.
 */
bool kept_add(struct kept *kept, const char *line, size_t length);

#endif
