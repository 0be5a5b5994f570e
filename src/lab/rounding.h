/* Numbers for readers: no digit is written that the interval of the number does not support. */
#ifndef LAB_ROUNDING_H
#define LAB_ROUNDING_H

#include <stdbool.h>
#include <stddef.h>

enum { ROUNDING_ROOM = 64 };

/* Writes a number without an interval: whole numbers with all digits, other numbers with one decimal if their
 * absolute value is at least 1000, otherwise with four significant digits. */
void rounding_plain(double value, char out[ROUNDING_ROOM]);
/* Writes a number, rounded to the decimal place of the second significant digit of its interval's half width. If the
 * half width is 0 or unknown (NaN), the number is written as by rounding_plain. sign: write + before a positive
 * number. */
void rounding_value(double value, double half, bool sign, char out[ROUNDING_ROOM]);
/* The number of decimals with which a number is written: 2 for "1.50", 3 for "1e-3". */
int rounding_decimals(const char *number);
/* Writes the difference between a number with this half width and a published one, rounded as by rounding_value, but
 * with at most one decimal more than the published number, unless it would then be 0. */
void rounding_difference(double value, double half, const char *published, char out[ROUNDING_ROOM]);
/* Writes "750 ± 210" (ascii: +- instead of the sign), both numbers rounded as by rounding_value. */
void rounding_interval(double value, double half, bool ascii, char out[2 * ROUNDING_ROOM]);

#endif
