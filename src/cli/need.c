#include "cli/need.h"
#include "base/buffer.h"
#include "cli/cli.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Another thread may be in the middle of a line: whoever prints a line in several pieces holds the stream's lock
 * meanwhile, and so it is waited for here. Nothing is freed: the other threads are still at work. */
_Noreturn void need_failed(void) {
    static const char sentence[] = "soloist: out of memory\n";
    flockfile(stdout);
    fflush(stdout);
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) {
        /* There is nobody left to tell. */
    }
    _exit(CLI_BAD);
}

void *need(void *pointer) {
    if (!pointer)
        need_failed();
    return pointer;
}

void *need_bytes(size_t size) { return need(malloc(size ? size : 1)); }

void *need_zeroed(size_t count, size_t size) { return need(calloc(count ? count : 1, size)); }

void *need_resized(void *old, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        need_failed();
    return need(realloc(old, count && size ? count * size : 1));
}

char *need_text(const char *text, size_t length) {
    char *copy = need_bytes(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void need_whole(const struct buffer *buffer) {
    if (buffer->failed)
        need_failed();
}
