#include "cli/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    if (!text || ferror(stream)) {
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

char *text_copy(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy)
        abort();
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *file_read(const char *path, size_t *length) {
    if (!strcmp(path, "-"))
        return read_stream(stdin, length);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    char *text = read_stream(stream, length);
    int why = errno;
    fclose(stream);
    errno = why;
    return text;
}

static void new_file_forget(struct new_file *file) {
    free(file->path);
    free(file->temporary);
    *file = (struct new_file){0};
}

bool new_file_open(struct new_file *file, const char *path) {
    *file = (struct new_file){0};
    if (!strcmp(path, "-")) {
        file->stream = stdout;
        return true;
    }
    size_t room = strlen(path) + 32;
    file->path = strdup(path);
    file->temporary = malloc(room);
    if (!file->path || !file->temporary)
        return new_file_forget(file), cli_complain("out of memory"), false;
    snprintf(file->temporary, room, "%s.%ld.part", path, (long)getpid());
    struct stat status;
    /* A device or a pipe is written as it is. */
    if (!stat(path, &status) && !S_ISREG(status.st_mode))
        strcpy(file->temporary, path);
    file->stream = fopen(file->temporary, "wb");
    if (file->stream)
        return true;
    cli_complain("%s: %s", file->temporary, strerror(errno));
    new_file_forget(file);
    return false;
}

bool new_file_keep(struct new_file *file) {
    if (!file->stream || file->stream == stdout) {
        file->stream = NULL;
        return true;
    }
    bool well = !fflush(file->stream) && !ferror(file->stream);
    well &= !fclose(file->stream);
    if (well && strcmp(file->temporary, file->path) != 0)
        well = !rename(file->temporary, file->path);
    if (!well)
        cli_complain("%s: %s", file->path, strerror(errno));
    new_file_forget(file);
    return well;
}

void new_file_drop(struct new_file *file) {
    if (file->stream && file->stream != stdout) {
        fclose(file->stream);
        if (strcmp(file->temporary, file->path) != 0)
            remove(file->temporary);
    }
    new_file_forget(file);
}
