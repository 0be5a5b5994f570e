/* Loaded before a program by LD_PRELOAD, lets each call of write and pwrite write only the first half, as a disk or a
 * pipe may do at any time. The calls inside the C library (stdio) are not affected; stdio completes them itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

static size_t half(size_t size) { return size > 1 ? size / 2 : size; }

ssize_t write(int file, const void *bytes, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real)
        real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    return real(file, bytes, half(size));
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real)
        real = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    return real(file, bytes, half(size), at);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }
