/* Real numbers as decimal text, the same in every locale. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

#define DECIMAL_ROOM 32      /* bytes that decimal_write needs at most, the final zero included */
#define DECIMAL_LONGEST 1023 /* longer numbers are refused */

/* The length of the JSON number that starts the text (-1.5e+3), 0 if none does. */
size_t decimal_scan(const char *text, size_t length);
/* Reads a number that fills the text; +1, 007, .5 and 5. are allowed beyond JSON. False if it does not, or if it is
 * beyond the range of a double. */
bool decimal_read(const char *text, size_t length, double *value);
/* Writes the shortest of 15, 16 or 17 digits that reads back as the same value. Returns the length. */
int decimal_write(double value, char out[DECIMAL_ROOM]);

#endif
