#include "fault/wrap_alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **to, size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t most);
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);

static _Atomic uint64_t counted, failing; /* failing 0: none */
static atomic_bool for_good;

static bool fails(void) {
    uint64_t now = atomic_fetch_add(&counted, 1) + 1, number = atomic_load(&failing);
    if (!number || (atomic_load(&for_good) ? now < number : now != number))
        return false;
    errno = ENOMEM;
    return true;
}

void wrap_alloc_begin(uint64_t number, bool all_later) {
    atomic_store(&for_good, all_later);
    atomic_store(&counted, 0);
    atomic_store(&failing, number);
}

uint64_t wrap_alloc_end(void) {
    atomic_store(&failing, 0);
    return atomic_load(&counted);
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void **to, size_t alignment, size_t size) {
    return fails() ? ENOMEM : __real_posix_memalign(to, alignment, size);
}
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }
char *__wrap_strndup(const char *text, size_t most) { return fails() ? NULL : __real_strndup(text, most); }
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return (flags & MAP_ANONYMOUS) && fails() ? MAP_FAILED : __real_mmap(at, size, protection, flags, file, offset);
}
