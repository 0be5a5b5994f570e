/* Loaded before a program by LD_PRELOAD, makes one of its allocations fail, as if memory had run out for a moment, or
 * all from one on, as if it had run out for good.
 *
 *     SOLOIST_FAIL_ALLOC=N      the Nth allocation fails, once
 *     SOLOIST_FAIL_ALLOC=N+     the Nth allocation fails, and all after it
 *     SOLOIST_COUNT_ALLOC=FILE  when the program ends, FILE says how many there were
 *
 * Counted are malloc, calloc, realloc, the aligned ones and mmap of fresh memory, by all threads, from when this file
 * is set up: what the loader allocates before is not the program's to answer for. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ullong taken;
static unsigned long long failing; /* 0: none */
static bool for_good;
static int report = -1;
static atomic_bool counting;

/* The programs that this one starts are left alone. */
__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("SOLOIST_FAIL_ALLOC"), *file = getenv("SOLOIST_COUNT_ALLOC");
    char *rest = NULL;
    failing = number ? strtoull(number, &rest, 10) : 0;
    for_good = rest && *rest == '+';
    report = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    unsetenv("LD_PRELOAD");
    counting = true;
}

__attribute__((destructor)) static void end(void) {
    char text[32];
    counting = false;
    int length = snprintf(text, sizeof text, "%llu\n", (unsigned long long)taken);
    if (report >= 0 && write(report, text, (size_t)length) != length)
        _exit(2);
}

static bool fails(void) {
    if (!counting)
        return false;
    unsigned long long now = ++taken;
    if (!failing || (for_good ? now < failing : now != failing))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }

void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }

void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **to, size_t alignment, size_t size) {
    void *block = fails() ? NULL : __libc_memalign(alignment, size);
    if (!block)
        return ENOMEM;
    *to = block;
    return 0;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    if ((flags & MAP_ANONYMOUS) && fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
