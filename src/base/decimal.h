/* Real numbers as decimal text, the same in every locale. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

#define DECIMAL_ROOM 32      /* maximum number of bytes that decimal_write needs, including the final zero */
#define DECIMAL_LONGEST 1023 /* longer numbers are refused */

/* The length of the JSON number (such as -1.5e+3) that the text begins with; 0 if it begins with none. */
size_t decimal_scan(const char *text, size_t length);
/* Reads a number that must take up the whole text. It also accepts +1, 007, .5 and 5., which JSON does not allow. False
 * if the text is not a number, or if it is beyond the range of a double. */
bool decimal_read(const char *text, size_t length, double *value);
/* Writes the value with 15, 16 or 17 digits: the fewest that give the same value when read back. Returns the length. */
int decimal_write(double value, char out[DECIMAL_ROOM]);

#endif
