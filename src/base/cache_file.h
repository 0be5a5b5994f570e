/* Keeps a block of bytes in a file; the bytes can be computed again if the file is lost. The file has a header with
 * length and checksum; it is written under a temporary name and then renamed. A file that is damaged, or has another
 * length or byte order, is treated as absent. */
#ifndef BASE_CACHE_FILE_H
#define BASE_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* magic: eight characters that name the content and its version. */
bool cache_file_read(const char *path, const char *magic, void *bytes, size_t length);
bool cache_file_write(const char *path, const char *magic, const void *bytes, size_t length);
/* Writes a file in the same way, but with the caller's own header. */
bool cache_file_replace(const char *path, const void *header, size_t header_size, const void *bytes, size_t length);

#endif
