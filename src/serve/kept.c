#include "serve/kept.h"

#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct kept {
    int file;
    off_t size;
    char *text; /* what was there at first, whole lines only, until kept_each has been called */
    size_t length;
    size_t unread; /* damaged lines */
    pthread_mutex_t lock;
};

static bool read_all(struct kept *kept) {
    struct stat status;
    if (fstat(kept->file, &status) || !(kept->text = malloc((size_t)status.st_size + 1)))
        return false;
    while (kept->length < (size_t)status.st_size) {
        ssize_t got =
            pread(kept->file, kept->text + kept->length, (size_t)status.st_size - kept->length, (off_t)kept->length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break;
        kept->length += (size_t)got;
    }
    return true;
}

/* Whether the text is nothing, or begins as a line of ours does. */
static bool is_ours(const struct kept *kept) {
    static const char start[] = "{\"id\":\"";
    size_t length = kept->length < sizeof start - 1 ? kept->length : sizeof start - 1;
    return !length || !kept->text[0] || !memcmp(kept->text, start, length); /* zero bytes: see kept_each */
}

static bool cut_torn_line(struct kept *kept) {
    size_t whole = kept->length;
    while (whole && kept->text[whole - 1] != '\n')
        whole--;
    bool well = whole == kept->length || !ftruncate(kept->file, (off_t)whole);
    kept->length = whole;
    kept->size = (off_t)whole;
    return well;
}

struct kept *kept_open(const char *path, soloist_error *error) {
    struct kept *kept = calloc(1, sizeof *kept);
    if (!kept)
        return soloist_fail(error, 0, 0, "out of memory"), NULL;
    pthread_mutex_init(&kept->lock, NULL);
    kept->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (kept->file < 0)
        soloist_fail(error, 0, 0, "%.120s: %s", path, strerror(errno));
    else if (flock(kept->file, LOCK_EX | LOCK_NB))
        soloist_fail(error, 0, 0, "%.120s: another server uses this file", path);
    else if (!read_all(kept))
        soloist_fail(error, 0, 0, "%.120s: %s", path, strerror(errno));
    else if (!is_ours(kept))
        soloist_fail(error, 0, 0, "%.120s: this file holds something else than results of jobs", path);
    else if (!cut_torn_line(kept))
        soloist_fail(error, 0, 0, "%.120s: %s", path, strerror(errno));
    else {
        if (!kept->length)
            replace_sync_folder(path); /* the name of a new file */
        return kept;
    }
    kept_close(kept);
    return NULL;
}

void kept_close(struct kept *kept) {
    if (!kept)
        return;
    if (kept->file >= 0)
        close(kept->file);
    pthread_mutex_destroy(&kept->lock);
    free(kept->text);
    free(kept);
}

void kept_each(struct kept *kept, bool (*found)(void *user, const char *line, size_t length), void *user) {
    const char *end = kept->text + kept->length;
    for (const char *start = kept->text, *stop; start < end; start = stop + 1) {
        stop = memchr(start, '\n', (size_t)(end - start));
        /* A line with zero bytes is what a power cut left of one that had not reached the disk. */
        if (memchr(start, 0, (size_t)(stop - start)) || !found(user, start, (size_t)(stop - start)))
            kept->unread++;
    }
    free(kept->text);
    kept->text = NULL;
    kept->length = 0;
}

size_t kept_unread(const struct kept *kept) { return kept->unread; }

static bool write_all(int file, const char *text, size_t length) {
    while (length) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return !fsync(file);
}

bool kept_add(struct kept *kept, const char *line, size_t length) {
    pthread_mutex_lock(&kept->lock);
    bool well = write_all(kept->file, line, length);
    if (well)
        kept->size += (off_t)length;
    else if (ftruncate(kept->file, kept->size)) /* then a torn line stays: the next server cuts it off */
        well = false;
    pthread_mutex_unlock(&kept->lock);
    return well;
}
