/* Selections of positive whole numbers, such as "1,5-9,20-" (1, 5 to 9, and all from 20 on). */
#ifndef BASE_RANGES_H
#define BASE_RANGES_H

#include <stdbool.h>

/* True if the text is a valid selection. */
bool ranges_valid(const char *text);
/* True if the selection contains the number; NULL stands for all numbers. */
bool ranges_hold(const char *text, int number);
/* Finds the first part of the selection that begins with a number above `most`, and returns that number; 0: there is no
 * such part. The text may be NULL. */
int ranges_beyond(const char *text, int most);

#endif
