/* A place for files that need not outlive the process. */
#ifndef TESTS_FUZZ_MEMORY_H
#define TESTS_FUZZ_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A folder in memory where the system has one: files there are written and synchronised at no cost. */
static inline const char *memory_folder(void) { return access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm"; }

/* Writes a new file there, and its name into `path`. */
static inline void memory_write(char *path, size_t room, const void *data, size_t size) {
    snprintf(path, room, "%s/soloist-fuzz-XXXXXX", memory_folder());
    int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    close(file);
}

#endif
