/* The file in which a server keeps the jobs that have ended: one JSON object per line. Lines are only ever appended. A
 * line is on the disk before anybody can learn that the job has ended, so that a server which was killed and is started
 * again with the same file still knows all results that it has reported. */
#ifndef SERVE_KEPT_H
#define SERVE_KEPT_H

#include "soloist.h"

struct kept;

/* Opens the file, or creates it, and locks it against other processes. If a killed server left its last line
 * incomplete, this line is removed. Returns NULL with an error if the file cannot be opened, if another server uses it,
 * or if its content is not a list of jobs. */
struct kept *kept_open(const char *path, soloist_error *error);
void kept_close(struct kept *kept);
/* Calls `found` for the lines that were there when the file was opened, oldest first. Lines are passed without their
 * line ends; `found` returns whether it could use the line. To be called once, before any other thread uses the
 * file. */
void kept_each(struct kept *kept, bool (*found)(void *user, const char *line, size_t length), void *user);
/* The number of lines that kept_each passed over or that `found` could not use. */
size_t kept_unread(const struct kept *kept);
/* Appends a line, which must include its line end. May be called by any thread. False: the line could not be written,
 * and the file is unchanged. */
bool kept_add(struct kept *kept, const char *line, size_t length);

#endif
