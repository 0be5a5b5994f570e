#include "base/cache_file.h"

#include "base/hash.h"
#include "base/replace.h"

#include <errno.h>
#include <string.h>

struct cache_header {
    char magic[8];
    uint64_t length, checksum;
};

static struct cache_header header_of(const char *magic, const void *bytes, size_t length) {
    struct cache_header header = {.length = length, .checksum = hash_bytes(bytes, length)};
    memcpy(header.magic, magic, sizeof header.magic);
    return header;
}

bool cache_file_read(const char *path, const char *magic, void *bytes, size_t length) {
    struct cache_header header, right;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    bool good = fread(&header, sizeof header, 1, file) == 1 && fread(bytes, 1, length, file) == length;
    good &= fgetc(file) == EOF;
    fclose(file);
    if (!good)
        return false;
    right = header_of(magic, bytes, length);
    return memcmp(&header, &right, sizeof right) == 0;
}

bool cache_file_write(const char *path, const char *magic, const void *bytes, size_t length) {
    struct cache_header header = header_of(magic, bytes, length);
    return cache_file_replace(path, &header, sizeof header, bytes, length);
}

bool cache_file_replace(const char *path, const void *header, size_t header_size, const void *bytes, size_t length) {
    struct replacement file;
    if (!replace_open(&file, path))
        return false;
    bool written = fwrite(header, header_size, 1, file.stream) == 1 && fwrite(bytes, 1, length, file.stream) == length;
    if (written)
        return replace_keep(&file);
    int why = errno;
    replace_drop(&file);
    errno = why;
    return false;
}
