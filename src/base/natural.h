/* The order in which people sort names that contain numbers: "2 threads" before "16 threads". */
#ifndef BASE_NATURAL_H
#define BASE_NATURAL_H

#include <stddef.h>

/* Less than 0, 0 or greater than 0, as for memcmp. Numbers within the texts, such as 16 or 0.25, are compared by value,
 * everything else byte by byte. The result is 0 only if the texts are identical. */
int natural_compare(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
