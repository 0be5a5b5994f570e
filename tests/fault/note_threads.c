/* Preloaded into a test program: when a test starts its first thread, adds the line "PROGRAM TEST" to the file
 * SOLOIST_THREADS_LOG, or "PROGRAM *" if the thread is started outside a test. The build with the thread sanitizer then
 * runs exactly these tests (fault/only_threads.c), and no list of them is kept by hand. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct CMUnitTest *next_test, *running;
static const struct CMUnitTest *_Atomic noted;
static const struct CMUnitTest outside = {.name = "*"};

static void note(const char *test) {
    const char *path = getenv("SOLOIST_THREADS_LOG");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    char line[256];
    int length = snprintf(line, sizeof line, "%s %s\n", program_invocation_short_name, test);
    struct rlimit limit, none;
    if (file < 0 || getrlimit(RLIMIT_FSIZE, &limit))
        return;
    none = (struct rlimit){limit.rlim_max, limit.rlim_max}; /* a test may have limited the size of files */
    if (length >= (int)sizeof line || setrlimit(RLIMIT_FSIZE, &none) || write(file, line, (size_t)length) < 0 ||
        setrlimit(RLIMIT_FSIZE, &limit))
        abort();
    close(file);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    const struct CMUnitTest *now = running ? running : &outside;
    if (atomic_exchange(&noted, now) != now)
        note(now->name);
    return real(thread, attributes, start, argument);
}

/* Every test of the copied list is this function. The tests run in the order of the list. */
static void run_next(void **state) {
    running = next_test++;
    running->test_func(state);
    running = NULL;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up,
                            CMFixtureFunction tear_down) {
    int (*real)(const char *, const struct CMUnitTest *, size_t, CMFixtureFunction, CMFixtureFunction);
    *(void **)&real = dlsym(RTLD_NEXT, "_cmocka_run_group_tests");
    struct CMUnitTest *copies = calloc(count, sizeof *copies);
    if (!copies)
        abort();
    for (size_t i = 0; i < count; i++) {
        copies[i] = tests[i];
        copies[i].test_func = run_next;
    }
    next_test = tests;
    int failed = real(name, copies, count, set_up, tear_down);
    free(copies);
    return failed;
}
