/* Loaded before a program by LD_PRELOAD, makes its clock run too fast: to the program, the machine is as many times
 * slower. A test that fails so depends on the machine's speed.
 *
 *     SOLOIST_FAST_CLOCK=K   K seconds pass in one
 *
 * Only soloist and the test programs (test_...) are affected: not the shell or ctest, which wait for them. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

static int64_t factor = 1, begun;

static int64_t real_time(clockid_t clock) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * (int64_t)SECOND + now.tv_nsec;
}

static struct timespec as_timespec(int64_t time) {
    return (struct timespec){.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
}

__attribute__((constructor)) static void begin(void) {
    const char *name = program_invocation_short_name, *number = getenv("SOLOIST_FAST_CLOCK");
    begun = real_time(CLOCK_MONOTONIC);
    if (number && atoi(number) > 1 && (!strncmp(name, "soloist", 7) || !strncmp(name, "test_", 5)))
        factor = atoi(number);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int64_t time = real_time(clock);
    if (clock == CLOCK_MONOTONIC)
        time = begun + (time - begun) * factor;
    else if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
        time *= factor;
    *now = as_timespec(time);
    return 0;
}

/* All conditions of the program use the monotonic clock. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    int64_t time = until->tv_sec * (int64_t)SECOND + until->tv_nsec;
    struct timespec real = as_timespec(begun + (time - begun) / factor);
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &real);
}
