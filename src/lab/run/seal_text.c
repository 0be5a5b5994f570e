#include "lab/run/seal_text.h"
#include "base/hash.h"

#include <string.h>

enum { TEXT = 3 }; /* SQLite's number for the type text, which the first stores mixed in */

uint64_t seal_text(const void *bytes, size_t length) { return hash_mix(hash_bytes(bytes, length) + TEXT); }

uint64_t seal_of_texts(const char *a, const char *b, const char *c) {
    const char *const texts[] = {a, b, c};
    uint64_t sum = 3;
    for (int i = 0; i < 3; i++)
        sum = hash_mix(sum ^ seal_text(texts[i], strlen(texts[i])));
    return sum;
}
