#include "cli/sokoban/form.h"
#include "base/hash.h"
#include "cli/shell/need.h"

#include <stdlib.h>
#include <string.h>

struct form form_of_bytes(const void *bytes, size_t length) {
    struct form form = {need_bytes(length), length, hash_bytes(bytes, length)};
    memcpy(form.bytes, bytes, length);
    return form;
}

struct form form_of_level(const struct sokoban_level *level, bool walks) {
    unsigned char bytes[SOKOBAN_CANONICAL_ROOM];
    struct sokoban_view view;
    size_t length = (walks ? sokoban_canonical_moves : sokoban_canonical)(level, bytes, &view);
    return form_of_bytes(bytes, length);
}

bool form_equal(const struct form *a, const struct form *b) {
    return a->hash == b->hash && a->length == b->length && a->bytes && b->bytes &&
           !memcmp(a->bytes, b->bytes, a->length);
}

void form_free(struct form *form) {
    free(form->bytes);
    *form = (struct form){0};
}
