/* A selection is kept as text and never converted, because it is short and is evaluated only once per instance. */
#include "base/ranges.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>

static bool read_number(const char **at, int *number) {
    int value = 0;
    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); ++*at) {
        if (value > (INT_MAX - 9) / 10)
            return false;
        value = value * 10 + (**at - '0');
    }
    *number = value;
    return true;
}

/* Reads "5", "5-9" or "20-" and steps over the comma. */
static bool read_range(const char **at, int *first, int *last) {
    if (!read_number(at, first) || *first < 1)
        return false;
    *last = *first;
    if (**at == '-') {
        ++*at;
        *last = INT_MAX;
        if (**at && **at != ',' && (!read_number(at, last) || *last < *first))
            return false;
    }
    if (**at == ',')
        return *++*at != 0;
    return **at == 0;
}

bool ranges_valid(const char *text) {
    int first, last;
    if (!*text)
        return false;
    while (*text)
        if (!read_range(&text, &first, &last))
            return false;
    return true;
}

bool ranges_hold(const char *text, int number) {
    int first, last;
    if (!text)
        return true;
    while (*text && read_range(&text, &first, &last))
        if (number >= first && number <= last)
            return true;
    return false;
}

int ranges_beyond(const char *text, int most) {
    int first, last;
    while (text && *text && read_range(&text, &first, &last))
        if (first > most)
            return first;
    return 0;
}
