/* Level sets by name: our own in the data folders, other authors' from the packages that bring them. */
#ifndef CLI_LEVELS_H
#define CLI_LEVELS_H

#include "cli/cli.h"

enum levels_part { LEVELS_BOARDS, LEVELS_SOLUTIONS };

/* The set's text, the caller's to free, or NULL if no folder holds it. LEVELS_SOLUTIONS: one solution a line, where the
 * package brings them. */
char *levels_read(const char *name, enum levels_part part, size_t *length);
/* The path of a file below one of the data folders. */
bool levels_find(const char *below, char *out, size_t room);
/* True for a set that some package brings, installed or not. */
bool levels_known(const char *name);
/* Calls back for every set that is installed, with the folder it is in. */
void levels_each(void (*found)(void *user, const char *name, const char *folder), void *user);
/* The nearest name of an installed or known set, or NULL. The result is written into room bytes. */
const char *levels_nearest(const char *name, char *out, size_t room);

#endif
