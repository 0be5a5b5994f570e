#include "lab/rounding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rounding_plain(double value, char out[ROUNDING_ROOM]) {
    bool whole = value == floor(value) && fabs(value) < 1e15;
    snprintf(out, ROUNDING_ROOM, whole ? "%.0f" : fabs(value) >= 1e3 && fabs(value) < 1e15 ? "%.1f" : "%.4g", value);
}

/* The power of ten at which a number with this half width is rounded: its second significant digit. */
static int place_of(double half) {
    int place = (int)floor(log10(half)) - 1;
    return half / pow(10, place) >= 99.5 ? place + 1 : place; /* 0.0996 is written as 0.10 */
}

/* Writes the value rounded at 10^place. */
static void put(double value, int place, bool sign, char out[ROUNDING_ROOM]) {
    double unit = pow(10, place > 0 ? place : 0), rounded = place > 0 ? round(value / unit) * unit : value;
    int decimals = place < 0 ? -place : 0;
    if (fabs(rounded) >= 1e15 || decimals > 12)
        snprintf(out, ROUNDING_ROOM, sign ? "%+.4g" : "%.4g", value);
    else if (snprintf(out, ROUNDING_ROOM, sign ? "%+.*f" : "%.*f", decimals, rounded), strtod(out, NULL) == 0)
        snprintf(out, ROUNDING_ROOM, "%.*f", decimals, 0.0); /* no -0.0 */
}

void rounding_value(double value, double half, bool sign, char out[ROUNDING_ROOM]) {
    char plain[ROUNDING_ROOM];
    if (half > 0 && isfinite(half)) {
        put(value, place_of(half), sign, out);
        return;
    }
    rounding_plain(value, plain);
    snprintf(out, ROUNDING_ROOM, "%s%.60s", sign && value > 0 ? "+" : "", plain);
}

int rounding_decimals(const char *number) {
    static const char digits[] = "0123456789";
    const char *point = strchr(number, '.'), *exponent = strpbrk(number, "eE");
    int decimals = point ? (int)strspn(point + 1, digits) : 0;
    decimals -= exponent ? (int)strtol(exponent + 1, NULL, 10) : 0;
    return decimals > 0 ? decimals : 0;
}

void rounding_difference(double value, double half, const char *published, char out[ROUNDING_ROOM]) {
    static const double noise = 1e-9; /* a smaller share of the published number comes from the arithmetic */
    int most = rounding_decimals(published) + 1;
    rounding_value(value, half, true, out);
    /* One that would be rounded to 0, although more digits of it are known, keeps its first digit. */
    if (strtod(out, NULL) != 0 && fabs(value) < pow(10, -most) / 2 &&
        fabs(value) > noise * fabs(strtod(published, NULL)))
        most = (int)-floor(log10(fabs(value)));
    if (rounding_decimals(out) > most)
        put(value, -most, true, out);
}

void rounding_interval(double value, double half, bool ascii, char out[2 * ROUNDING_ROOM]) {
    char middle[ROUNDING_ROOM], width[ROUNDING_ROOM];
    rounding_value(value, half, false, middle);
    rounding_value(half, half, false, width);
    snprintf(out, 2 * ROUNDING_ROOM, "%.60s %s %.60s", middle, ascii ? "+-" : "±", width);
}
