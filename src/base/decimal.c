/* Reads and writes decimal text by strtod and snprintf. The dot is replaced by the locale's decimal point before strtod
 * and restored after snprintf, because a host program may have set a locale that writes 0,5. */
#include "base/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t digits(const char *text, size_t length, size_t from) {
    size_t i = from;
    while (i < length && text[i] >= '0' && text[i] <= '9')
        i++;
    return i - from;
}

size_t decimal_scan(const char *text, size_t length) {
    size_t i = length && text[0] == '-', n = digits(text, length, i);
    if (!n)
        return 0;
    i += text[i] == '0' ? 1 : n;
    if (i < length && text[i] == '.') {
        if (!(n = digits(text, length, i + 1)))
            return 0;
        i += 1 + n;
    }
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i += 1 + (i + 1 < length && (text[i + 1] == '+' || text[i + 1] == '-'));
        if (!(n = digits(text, length, i)))
            return 0;
        i += n;
    }
    return i;
}

static bool is_decimal(const char *text, size_t length) {
    size_t i = length && (text[0] == '-' || text[0] == '+'), whole = digits(text, length, i), part = 0;
    i += whole;
    if (i < length && text[i] == '.') {
        part = digits(text, length, i + 1);
        i += 1 + part;
    }
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i += 1 + (i + 1 < length && (text[i + 1] == '+' || text[i + 1] == '-'));
        size_t power = digits(text, length, i);
        i += power ? power : 1;
    }
    return whole + part && i == length;
}

bool decimal_read(const char *text, size_t length, double *value) {
    char copy[DECIMAL_LONGEST + 16];
    if (length > DECIMAL_LONGEST || !is_decimal(text, length))
        return false;
    const char *point = localeconv()->decimal_point, *dot = memchr(text, '.', length);
    size_t whole = dot ? (size_t)(dot - text) : length;
    snprintf(copy, sizeof copy, "%.*s%.8s%.*s", (int)whole, text, dot ? point : "", dot ? (int)(length - whole - 1) : 0,
             dot ? dot + 1 : "");
    *value = strtod(copy, NULL);
    return isfinite(*value);
}

/* Replaces the locale's decimal point by a dot. */
static int put_dot(char *text) {
    const char *point = localeconv()->decimal_point;
    char *at = strstr(text, point);
    size_t size = strlen(point);
    if (at && size) {
        *at = '.';
        memmove(at + 1, at + size, strlen(at + size) + 1);
    }
    return (int)strlen(text);
}

int decimal_write(double value, char out[DECIMAL_ROOM]) {
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(out, DECIMAL_ROOM, "%.*g", precision, value);
        if (strtod(out, NULL) == value)
            break;
    }
    return put_dot(out);
}
