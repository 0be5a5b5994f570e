/* Level sets by name: our own sets are in the data folders, sets of other authors come from installed packages. */
#ifndef ENGINE_LEVEL_SETS_H
#define ENGINE_LEVEL_SETS_H

#include "soloist.h"

enum { LEVEL_SETS_FOLDERS = 32 };
enum level_sets_part { LEVEL_SETS_BOARDS, LEVEL_SETS_SOLUTIONS };

/* The folders to search, in this order. */
struct level_sets {
    char *folders[LEVEL_SETS_FOLDERS]; /* owned */
    size_t count;
};

/* Lists the folders in which level sets are looked for: the folders named by the environment variables SOLOIST_LEVELS
 * and SOLOIST_DATA, the folders of the installation or the checkout to which the running program belongs, and the
 * folders of the packages. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code level_sets_open(struct level_sets *sets);
void level_sets_close(struct level_sets *sets);

/* The set's text, which the caller frees; *text is NULL if no folder holds the set. With LEVEL_SETS_SOLUTIONS, the text
 * holds the set's solutions instead of its boards, one solution per line, if the package has them. Returns SOLOIST_OK
 * or SOLOIST_NO_MEMORY. */
soloist_code level_sets_read(const struct level_sets *sets, const char *name, enum level_sets_part part, char **text,
                             size_t *length);
/* Looks for a file in the folders and writes the path of the first one found. below: the file's path relative to a
 * folder. False: no folder has the file. */
bool level_sets_find(const struct level_sets *sets, const char *below, char *out, size_t room);
/* Calls `found` for every installed set, with the name of the set and its folder. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code level_sets_each(const struct level_sets *sets,
                             void (*found)(void *user, const char *name, const char *folder), void *user);

/* Whether some known package contains the set; the package need not be installed. */
bool level_sets_known(const char *name);
/* The name of known set number `index`, counted from 0; NULL past the last. */
const char *level_sets_known_name(size_t index);

#endif
