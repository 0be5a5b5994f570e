/* Preloaded into a test: adds the program's name to the file SOLOIST_THREADS_LOG when it starts its first thread. The
 * thread sanitizer's build then runs every program that has threads, and no list of them is kept by hand. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void note_program(void) {
    const char *path = getenv("SOLOIST_THREADS_LOG");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    char line[256];
    size_t length = strnlen(program_invocation_short_name, sizeof line - 1);
    if (file < 0)
        return;
    memcpy(line, program_invocation_short_name, length);
    line[length] = '\n';
    if (write(file, line, length + 1) < 0)
        abort();
    close(file);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static atomic_flag noted = ATOMIC_FLAG_INIT;
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (!atomic_flag_test_and_set(&noted))
        note_program();
    return real(thread, attributes, start, argument);
}
