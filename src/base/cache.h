/* The folder for files that can be made again: $XDG_CACHE_HOME/soloist, otherwise $HOME/.cache/soloist. */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the folder's path, and creates the folder if necessary. False: the folder does not exist and cannot be
 * created. */
bool cache_folder(char *path, size_t room);

#endif
