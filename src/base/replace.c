/* On Linux a file can be written without a name (O_TMPFILE) and named when it is complete. Elsewhere it gets a
 * temporary name in the same folder, which remains only if the process is killed. */
#define _GNU_SOURCE
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40, MOST_NAMES = 10000, LONGEST_NAME = 200 };

static void forget(struct replacement *r) {
    int why = errno;
    free(r->path);
    free(r->temporary);
    *r = (struct replacement){0};
    errno = why;
}

/* The length of a path's folder, including its last slash. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The target of one link, relative to the link's own folder; the caller frees it. */
static char *link_target(const char *path, size_t length) {
    size_t folder = folder_length(path);
    char *target = malloc(folder + length + 1);
    if (!target)
        return NULL;
    ssize_t size = readlink(path, target + folder, length);
    if (size < 0 || (size_t)size != length)
        return errno = size < 0 ? errno : EAGAIN, free(target), NULL;
    target[folder + length] = 0;
    if (target[folder] == '/')
        memmove(target, target + folder, length + 1);
    else
        memcpy(target, path, folder);
    return target;
}

/* The path after following all links; the caller frees it. The file need not exist. */
static char *follow(const char *path) {
    char *now = strdup(path);
    struct stat status;
    for (int i = 0; now && !lstat(now, &status) && S_ISLNK(status.st_mode); i++) {
        char *next = i < MOST_LINKS ? link_target(now, (size_t)status.st_size) : (errno = ELOOP, NULL);
        free(now);
        now = next;
    }
    return now;
}

static char *folder_of(const char *path) {
    size_t length = folder_length(path);
    return length ? strndup(path, length) : strdup(".");
}

/* Finds a free name in the path's folder and creates it by `take`, which fails with EEXIST if the name is in use. */
static char *take_name(const char *path, int (*take)(const char *name, int file), int file, int *result) {
    size_t folder = folder_length(path), length = strlen(path), room = length + 64;
    char *name = malloc(room);
    *result = -1;
    /* The new name is the file's own name with a suffix, if that is short enough for every file system. */
    bool own = length - folder <= LONGEST_NAME;
    for (int i = 0; name && i < MOST_NAMES; i++) {
        snprintf(name, room, "%.*s%s.%ld-%d.part", (int)(own ? length : folder), path, own ? "" : "soloist",
                 (long)getpid(), i);
        *result = take(name, file);
        if (*result >= 0 || errno != EEXIST)
            break;
    }
    if (*result >= 0)
        return name;
    int why = errno;
    free(name);
    errno = why;
    return NULL;
}

static int take_new(const char *name, int file) {
    (void)file;
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int take_link(const char *name, int file) {
    char from[64];
    snprintf(from, sizeof from, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static int open_nameless(const char *path) {
    char *folder = access("/proc/self/fd", X_OK) ? NULL : folder_of(path);
    int file = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
    return file;
}

/* Copies mode and owner of the file that is replaced. The owner comes first, because changing it may clear bits of the
 * mode. */
static bool take_after(int file, const struct stat *old) {
    struct stat now;
    if (fstat(file, &now))
        return false;
    if ((old->st_uid != now.st_uid || old->st_gid != now.st_gid) && fchown(file, old->st_uid, old->st_gid) &&
        fchown(file, (uid_t)-1, old->st_gid)) {
        /* This process may change neither the owner nor the group: the file keeps those of the process. */
    }
    return !fchmod(file, old->st_mode & 07777);
}

static int open_beside(struct replacement *r, const struct stat *old, bool named) {
    int file = named ? -1 : open_nameless(r->path);
    if (file < 0)
        r->temporary = take_name(r->path, take_new, -1, &file);
    if (file >= 0 && old && !take_after(file, old)) {
        int why = errno;
        close(file);
        if (r->temporary)
            unlink(r->temporary);
        errno = why;
        return -1;
    }
    return file;
}

static bool open_as(struct replacement *r, const char *path, bool named) {
    struct stat old;
    *r = (struct replacement){.path = follow(path)};
    if (!r->path)
        return false;
    bool there = !stat(r->path, &old);
    if (!there && errno != ENOENT)
        return forget(r), false;
    r->in_place = there && !S_ISREG(old.st_mode);
    int file = r->in_place ? open(r->path, O_WRONLY | O_CLOEXEC) : open_beside(r, there ? &old : NULL, named);
    if (file >= 0 && (r->stream = fdopen(file, "wb")))
        return true;
    if (file >= 0) {
        close(file);
        if (r->temporary)
            unlink(r->temporary);
    }
    return forget(r), false;
}

bool replace_open(struct replacement *r, const char *path) { return open_as(r, path, false); }

bool replace_open_named(struct replacement *r, const char *path) { return open_as(r, path, true); }

void replace_sync_folder(const char *path) {
    char *folder = folder_of(path);
    int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

/* Writes all bytes to the disk; false with errno set. */
static bool write_out(struct replacement *r) {
    bool failed_before = ferror(r->stream);
    if (fflush(r->stream))
        return false;
    /* The errno of the write that failed is lost; writing one more byte fails for the same reason and sets it again. */
    if (failed_before)
        return errno = write(fileno(r->stream), "", 1) < 0 ? errno : EIO, false;
    return r->in_place || !fsync(fileno(r->stream));
}

static bool put_in_place(struct replacement *r) {
    int result;
    if (!r->temporary && !(r->temporary = take_name(r->path, take_link, fileno(r->stream), &result)))
        return false;
    return !rename(r->temporary, r->path);
}

bool replace_keep(struct replacement *r) {
    bool kept = write_out(r) && (r->in_place || put_in_place(r));
    int why = errno;
    if (fclose(r->stream) && kept && r->in_place) {
        kept = false;
        why = errno;
    }
    if (kept && !r->in_place)
        replace_sync_folder(r->path);
    else if (!kept && r->temporary)
        unlink(r->temporary);
    errno = why;
    forget(r);
    return kept;
}

void replace_drop(struct replacement *r) {
    if (r->stream)
        fclose(r->stream);
    if (r->temporary)
        unlink(r->temporary);
    forget(r);
}
