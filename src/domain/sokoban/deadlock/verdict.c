#include "domain/sokoban/deadlock/verdict.h"

#include <stdlib.h>

#define MOST_BYTES ((size_t)1 << 18)
#define MOST_SLOTS 4096

struct verdicts *verdicts_make(size_t length) {
    size_t slots = MOST_SLOTS, each = (length + 1) * sizeof(uint64_t);
    while (slots * each > MOST_BYTES)
        slots /= 2;
    struct verdicts *verdicts = calloc(1, sizeof *verdicts + slots * each);
    if (verdicts) {
        verdicts->slots = slots;
        verdicts->length = length;
    }
    return verdicts;
}
