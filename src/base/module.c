#include "base/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_ROOM = 3072, PATH_ROOM = 4096 };

/* The program's folder without a final slash; "" if it is unknown. */
static void program_folder(char out[FOLDER_ROOM]) {
    ssize_t length = readlink("/proc/self/exe", out, FOLDER_ROOM - 1);
    out[length > 0 ? length : 0] = 0;
    char *slash = strrchr(out, '/');
    *(slash ? slash : out) = 0;
}

/* The name is part of a path, so that only plain words are allowed. */
static bool is_plain(const char *name) {
    return *name && strlen(name) < 32 && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789")];
}

/* Finds the module's file number `place` (from 0); false: there are no more places. */
static bool file_at(const char *name, size_t place, char path[PATH_ROOM]) {
    static const char *const places[] = {"/", "/../lib/", "/../"};
    char folder[FOLDER_ROOM];
    program_folder(folder);
    if (place >= sizeof places / sizeof *places || !*folder || !is_plain(name))
        return false;
    snprintf(path, PATH_ROOM, "%s%slibsoloist_%s.so", folder, places[place], name);
    return true;
}

void *module_symbol(const char *name, const char *symbol) {
    char path[PATH_ROOM];
    for (size_t place = 0; file_at(name, place, path); place++) {
        void *file = access(path, R_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (file)
            return dlsym(file, symbol);
    }
    return NULL;
}

const char *module_complaint(const char *name) {
    char path[PATH_ROOM];
    for (size_t place = 0; file_at(name, place, path); place++)
        if (!access(path, R_OK) && !dlopen(path, RTLD_NOW | RTLD_LOCAL))
            return dlerror();
    return "";
}

bool module_has_library(const char *file) {
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    return library && !dlclose(library);
}
