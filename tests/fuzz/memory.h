/* A place for files that need not outlive the process. */
#ifndef TESTS_FUZZ_MEMORY_H
#define TESTS_FUZZ_MEMORY_H

#include <unistd.h>

/* A folder in memory where the system has one: files there are written and synchronised at no cost. */
static inline const char *memory_folder(void) { return access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm"; }

#endif
