#include "net/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The program's folder without a final slash; "" if it is unknown. */
static void program_folder(char *out, size_t room) {
    ssize_t length = readlink("/proc/self/exe", out, room - 1);
    out[length > 0 ? length : 0] = 0;
    char *slash = strrchr(out, '/');
    *(slash ? slash : out) = 0;
}

static void *load(const char *name) {
    static const char *const places[] = {"/", "/../lib/", "/../"};
    char folder[3072], path[4096];
    program_folder(folder, sizeof folder);
    for (size_t i = 0; *folder && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%slibsoloist_%s.so", folder, places[i], name);
        void *file = access(path, R_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (file)
            return file;
    }
    return NULL;
}

const struct net_back_end *net_module_open(const char *name, soloist_error *error) {
    const struct net_back_end *(*table)(const char *version) = NULL;
    bool plain = *name && strlen(name) < 32 && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789")];
    void *file = plain ? load(name) : NULL;
    if (!file)
        return soloist_fail(error, 0, 0, "this build has no back end %s", name), NULL;
    *(void **)(void *)&table = dlsym(file, NET_MODULE_SYMBOL);
    const struct net_back_end *found = table ? table(SOLOIST_VERSION) : NULL;
    if (!found)
        soloist_fail(error, 0, 0, "the back end %s was built for another version", name);
    return found;
}
