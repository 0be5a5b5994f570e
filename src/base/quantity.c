#include "base/quantity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number that may end in one of the letters of `units`, each worth `step` times the letter to its left; false
 * if the text is not such a number. */
static bool read_scaled(const char *text, const char *units, double step, double *value) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || errno || !isfinite(*value) || *value < 0)
        return false;
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (*end && (!unit || *end == '_'))
        return false;
    for (const char *at = units; unit && at <= unit; at += 2)
        *value *= step;
    return !*end || !end[1] || (end[1] == 'B' && !end[2]) || (end[1] == 'i' && end[2] == 'B' && !end[3]);
}

bool quantity_real(const char *text, double *value) { return read_scaled(text, "", 1, value); }

/* Whole numbers are first read as integers: a 64-bit seed does not fit a double. */
bool quantity_count(const char *text, uint64_t *value) {
    char *end;
    double scaled;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*text == '-' || end == text || errno)
        return false;
    if (!*end)
        return true;
    if (!read_scaled(text, "k_M_G_", 1000, &scaled) || scaled != floor(scaled) || scaled >= 0x1p63)
        return false;
    *value = (uint64_t)scaled;
    return true;
}

bool quantity_seconds(const char *text, double *value) {
    return read_scaled(text, "s_", 1, value) || read_scaled(text, "m_h_", 60, value);
}

bool quantity_size(const char *text, size_t *value) {
    double bytes;
    char upper[32];
    size_t length = strlen(text);
    if (length >= sizeof upper)
        return false;
    memcpy(upper, text, length + 1);
    for (char *at = upper; *at; at++)
        *at = *at == 'k' ? 'K' : *at == 'm' ? 'M' : *at == 'g' ? 'G' : *at == 't' ? 'T' : *at;
    if (!read_scaled(upper, "K_M_G_T_", 1024, &bytes) || bytes >= 0x1p63)
        return false;
    *value = (size_t)bytes;
    return true;
}
