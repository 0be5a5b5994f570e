#include "cli/shell/files.h"
#include "cli/shell/need.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *read_stream(FILE *stream, size_t *length) {
    size_t room = 1 << 16, used = 0;
    char *text = malloc(room);
    while (text) {
        used += fread(text + used, 1, room - used - 1, stream);
        if (used + 1 < room)
            break;
        char *larger = realloc(text, room *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    if (!text)
        need_failed();
    if (ferror(stream)) {
        free(text);
        return NULL;
    }
    text[used] = 0;
    *length = used;
    return text;
}

bool path_ends_in(const char *path, const char *end) {
    size_t length = strlen(path), more = strlen(end);
    return length > more && !strcmp(path + length - more, end);
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder of a path, and the name in it. */
static const char *split(const char *path, struct stat *folder) {
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool found = name && !stat(name, folder);
    free(name);
    return found ? slash ? slash + 1 : path : NULL;
}

bool path_is_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (!a || !b)
        return false;
    bool first = !stat(a, &x), second = !stat(b, &y);
    if (first || second)
        return first && second && is_same(&x, &y);
    const char *name = split(a, &x), *other = split(b, &y);
    return name && other && !strcmp(name, other) && is_same(&x, &y);
}

char *file_read(const char *path, size_t *length) {
    if (!strcmp(path, "-"))
        return read_stream(stdin, length);
    FILE *stream = fopen(path, "rb");
    if (!stream && errno == ENOMEM)
        need_failed();
    if (!stream)
        return NULL;
    char *text = read_stream(stream, length);
    int why = errno;
    fclose(stream);
    errno = why;
    return text;
}

/* Called when memory has run out: keeps what was already reported as written. */
static void save(void *user) {
    struct new_file *file = user;
    flockfile(file->stream);
    if (file->flushed)
        replace_keep(&file->replacement);
    else
        replace_drop(&file->replacement);
}

void file_complain_unwritable(const char *path, int why) {
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) : 0;
    char name[4096];
    struct stat about;
    snprintf(name, sizeof name, "%.*s", folder, path);
    if (why == ENOENT && folder && stat(name, &about))
        cli_complain("%s cannot be written: there is no folder %.*s", path, folder, path);
    else if (why == ENOTDIR && folder)
        cli_complain("%s cannot be written: %.*s is not a folder", path, folder, path);
    else if (why == EACCES || why == EPERM || why == EROFS)
        cli_complain("%s cannot be written: you may not write there", path);
    else if (why == EISDIR)
        cli_complain("%s cannot be written: it is a folder", path);
    else
        cli_complain("%s cannot be written: %s", path, strerror(why));
}

bool new_file_open(struct new_file *file, const char *path, bool lasting) {
    *file = (struct new_file){0};
    if (!strcmp(path, "-")) {
        file->stream = stdout;
        return true;
    }
    if (!*path)
        return cli_complain("the name of the file to write is empty"), false;
    file->name = need_text(path, strlen(path));
    if (!(lasting ? replace_open_named : replace_open)(&file->replacement, path)) {
        file_complain_unwritable(path, errno);
        free(file->name);
        *file = (struct new_file){0};
        return false;
    }
    file->stream = file->replacement.stream;
    if (lasting)
        need_at_failure(save, file);
    return true;
}

bool new_file_flush(struct new_file *file) {
    if (file->stream == stdout)
        return cli_flush();
    if (!fflush(file->stream) && !ferror(file->stream))
        return file->flushed = true;
    cli_complain("%s: %s", file->name, strerror(errno));
    return false;
}

bool new_file_keep(struct new_file *file) {
    need_at_failure(NULL, NULL);
    bool kept = !file->name || replace_keep(&file->replacement);
    if (!kept)
        cli_complain("%s: %s", file->name, strerror(errno));
    free(file->name);
    *file = (struct new_file){0};
    return kept;
}

void new_file_drop(struct new_file *file) {
    need_at_failure(NULL, NULL);
    if (file->name)
        replace_drop(&file->replacement);
    free(file->name);
    *file = (struct new_file){0};
}
