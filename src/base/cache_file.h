/* A block of bytes that can be made again, kept in a file: a header with its length and checksum, written under a
 * temporary name and renamed. What is damaged, or of another length or byte order, reads as absent. */
#ifndef BASE_CACHE_FILE_H
#define BASE_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* magic: eight characters that name the content and its version. */
bool cache_file_read(const char *path, const char *magic, void *bytes, size_t length);
bool cache_file_write(const char *path, const char *magic, const void *bytes, size_t length);
/* The writing half, for files with a header of their own. */
bool cache_file_replace(const char *path, const void *header, size_t header_size, const void *bytes, size_t length);

#endif
