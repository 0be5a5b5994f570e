/* The canonical form of an instance: the same bytes for all that are the same game. */
#ifndef ENGINE_CANONICAL_FORM_H
#define ENGINE_CANONICAL_FORM_H

#include "soloist.h"

struct canonical_form {
    char *bytes; /* owned; NULL: none */
    size_t length;
    uint64_t hash;
};

/* The form that the domain knows; none if it knows none, or the chunk cannot be read. walks: the steps of the player
 * count too, so that he has to stand on the same square. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code canonical_form_read(const soloist_domain *domain, const soloist_chunk *chunk, bool walks,
                                 struct canonical_form *form);
/* The text itself as a form. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code canonical_form_of_text(const char *text, struct canonical_form *form);
void canonical_form_free(struct canonical_form *form);
/* False where either has none. */
bool canonical_form_equal(const struct canonical_form *a, const struct canonical_form *b);
/* For sorting: negative, 0 or positive; equal forms come side by side. Both must be there. */
int canonical_form_order(const struct canonical_form *a, const struct canonical_form *b);

#endif
