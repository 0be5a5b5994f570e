/* The level sets that this program finds (engine/level_sets.h). */
#ifndef CLI_INPUT_LEVELS_H
#define CLI_INPUT_LEVELS_H

#include "engine/level_sets.h"

/* The folders that this program searches; the caller closes them. */
struct level_sets levels_open(void);
/* The set's text, which the caller frees; NULL if no folder has it. */
char *levels_read(const char *name, enum level_sets_part part, size_t *length);
/* Finds the path of the file `below` in the first data folder that has it. False: no folder has it. */
bool levels_find(const char *below, char *out, size_t room);
/* Calls `found` for every installed set, with the folder that it is in. */
void levels_each(void (*found)(void *user, const char *name, const char *folder), void *user);
/* The name of the installed or known set that is most similar to `name`, written to `out` (`room` bytes); NULL: none is
 * similar. */
const char *levels_nearest(const char *name, char *out, size_t room);

#endif
