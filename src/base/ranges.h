/* Selections like 1,5-9,20- over numbers from 1. */
#ifndef BASE_RANGES_H
#define BASE_RANGES_H

#include <stdbool.h>

/* True if the text is a selection at all. */
bool ranges_valid(const char *text);
/* True if the selection holds the number; NULL holds every number. */
bool ranges_hold(const char *text, int number);

#endif
