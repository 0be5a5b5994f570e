#include "base/cache_file.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    char temporary[4096];
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid()) >= sizeof temporary)
        return false;
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return false;
    bool written = fwrite(header, header_size, 1, file) == 1 && fwrite(bytes, 1, length, file) == length;
    written &= fflush(file) == 0 && fsync(fileno(file)) == 0;
    written &= fclose(file) == 0;
    if (written && rename(temporary, path) == 0)
        return true;
    unlink(temporary);
    return false;
}
