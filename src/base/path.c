#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *path_in(const char *folder, const char *name) {
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s/%s", folder, name);
    return path;
}
