/* The folder for files that can be made again: $XDG_CACHE_HOME/soloist, else $HOME/.cache/soloist. */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes its path, making the folder if need be. False: there is no such folder and none can be made. */
bool cache_folder(char *path, size_t room);

#endif
