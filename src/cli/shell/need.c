#include "cli/shell/need.h"
#include "base/buffer.h"
#include "cli/shell/console.h"
#include "cli/shell/terminal.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    void (*tidy)(void *user);
    void *user;
} at_failure = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL};

void need_at_failure(void (*tidy)(void *user), void *user) {
    pthread_mutex_lock(&at_failure.lock);
    at_failure.tidy = tidy;
    at_failure.user = user;
    pthread_mutex_unlock(&at_failure.lock);
}

/* Another thread may be in the middle of a line. Threads that print a line in several pieces hold the stream's lock
 * meanwhile; locking it here waits until the line is complete. Nothing is freed, because the other threads are still
 * running. */
_Noreturn void need_failed(void) {
    static const char sentence[] = "soloist: out of memory\n";
    flockfile(stdout);
    fflush(stdout);
    pthread_mutex_lock(&at_failure.lock); /* never unlocked: a second thread that fails waits here for the exit */
    if (at_failure.tidy)
        at_failure.tidy(at_failure.user);
    terminal_give_back();
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) {
        /* A failed write cannot be reported any more. */
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

soloist_code need_code(soloist_code code) {
    if (code == SOLOIST_NO_MEMORY)
        need_failed();
    return code;
}

void need_no_failure(bool well) {
    if (!well && errno == ENOMEM)
        need_failed();
}

void need_whole(const struct buffer *buffer) {
    if (buffer->failed)
        need_failed();
}
