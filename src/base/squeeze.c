#include "base/squeeze.h"

enum { LONGEST = 256 }; /* zeros that one pair of bytes stands for */

static unsigned char difference(const unsigned char *bytes, size_t size, size_t at) {
    return at < size ? bytes[at] : (unsigned char)(bytes[at] ^ bytes[at - size]);
}

/* A zero is followed by the length of its run, less one; all other bytes stand for themselves. */
size_t squeeze(const void *bytes, size_t size, size_t length, void *out) {
    const unsigned char *from = bytes;
    unsigned char *to = out;
    size_t written = 0;
    for (size_t at = 0; at < length;) {
        size_t zeros = 0;
        while (at + zeros < length && zeros < LONGEST && !difference(from, size, at + zeros))
            zeros++;
        if (zeros) {
            to[written++] = 0;
            to[written++] = (unsigned char)(zeros - 1);
            at += zeros;
        } else {
            to[written++] = difference(from, size, at++);
        }
    }
    return written;
}

bool unsqueeze(const void *squeezed, size_t squeezed_length, size_t size, void *bytes, size_t length) {
    const unsigned char *from = squeezed;
    unsigned char *to = bytes;
    size_t at = 0;
    for (size_t i = 0; i < squeezed_length; i++) {
        size_t run = 1;
        unsigned char byte = from[i];
        if (!byte) {
            if (++i == squeezed_length)
                return false;
            run = (size_t)from[i] + 1;
        }
        if (run > length - at)
            return false;
        for (; run; run--, at++)
            to[at] = at < size ? byte : (unsigned char)(byte ^ to[at - size]);
    }
    return at == length;
}
