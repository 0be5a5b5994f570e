/* Finds the ends of characters in bytes that may or may not be UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

static inline bool utf8_is_tail(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

/* Length of the well-formed character at text[0 .. length - 1], 0 if there is none (Unicode, table 3-7: no overlong
 * forms, no surrogates, nothing above U+10FFFF). */
static inline size_t utf8_size(const char *text, size_t length) {
    unsigned char a = length ? (unsigned char)text[0] : 0xff, b = length > 1 ? (unsigned char)text[1] : 0;
    if (a < 0x80)
        return 1;
    if (a < 0xc2 || a > 0xf4 || length < 2 || !utf8_is_tail(text[1]))
        return 0;
    if (a < 0xe0)
        return 2;
    if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) || (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f))
        return 0;
    size_t size = a < 0xf0 ? 3 : 4;
    for (size_t i = 2; i < size; i++)
        if (i >= length || !utf8_is_tail(text[i]))
            return 0;
    return size;
}

/* Length of the text without an incomplete character at its end. */
static inline size_t utf8_whole(const char *text, size_t length) {
    size_t tail = 0;
    while (tail < length && tail < 3 && utf8_is_tail(text[length - 1 - tail]))
        tail++;
    if (tail == length)
        return length;
    unsigned char lead = (unsigned char)text[length - 1 - tail];
    size_t wants = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    return tail < wants ? length - 1 - tail : length;
}

#endif
