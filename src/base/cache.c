#include "base/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool make_folder(const char *path) { return mkdir(path, 0777) == 0 || errno == EEXIST; }

bool cache_folder(char *path, size_t room) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = base && *base == '/' ? snprintf(path, room, "%s", base)
                 : home && *home      ? snprintf(path, room, "%s/.cache", home)
                                      : -1;
    if (length < 0 || (size_t)length + sizeof "/soloist" > room || !make_folder(path))
        return false;
    snprintf(path + length, room - (size_t)length, "/soloist");
    return make_folder(path);
}
