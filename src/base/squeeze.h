/* Compresses a sequence of records of equal size in which neighbours resemble each other: each record is replaced by
 * its difference from the record before it, and each run of zeros by two bytes. */
#ifndef BASE_SQUEEZE_H
#define BASE_SQUEEZE_H

#include <stdbool.h>
#include <stddef.h>

/* Maximum number of bytes that squeezing `length` bytes can give. */
static inline size_t squeeze_room(size_t length) { return length + length / 2 + 2; }
/* Squeezes `length` bytes, records of `size` bytes one after the other, into `out`, which has squeeze_room(length)
 * bytes. Returns the number of bytes written. */
size_t squeeze(const void *bytes, size_t size, size_t length, void *out);
/* The opposite: writes exactly `length` bytes. False: the squeezed bytes do not expand to exactly `length` bytes. */
bool unsqueeze(const void *squeezed, size_t squeezed_length, size_t size, void *bytes, size_t length);

#endif
