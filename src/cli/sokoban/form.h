/* What equal instances have in common, as bytes. */
#ifndef CLI_FORM_H
#define CLI_FORM_H

#include "domain/sokoban/file/canonical.h"

struct form {
    unsigned char *bytes; /* owned; NULL: none */
    size_t length;
    uint64_t hash;
};

struct form form_of_bytes(const void *bytes, size_t length);
/* The same for all levels that are the same game; walks: the player's square counts too. */
struct form form_of_level(const struct sokoban_level *level, bool walks);
bool form_equal(const struct form *a, const struct form *b);
void form_free(struct form *form);

#endif
