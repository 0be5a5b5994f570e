/* The canonical form of an instance: instances that are the same game have the same bytes. */
#ifndef ENGINE_CANONICAL_FORM_H
#define ENGINE_CANONICAL_FORM_H

#include "soloist.h"

struct canonical_form {
    char *bytes; /* owned; NULL: none */
    size_t length;
    uint64_t hash;
};

/* The canonical form by the domain; none if the domain defines none or the chunk cannot be read. walks: the player's
 * steps count too, so the player must stand on the same square. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code canonical_form_read(const soloist_domain *domain, const soloist_chunk *chunk, bool walks,
                                 struct canonical_form *form);
/* Uses the text itself as the form. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code canonical_form_of_text(const char *text, struct canonical_form *form);
void canonical_form_free(struct canonical_form *form);
/* False if either has no form. */
bool canonical_form_equal(const struct canonical_form *a, const struct canonical_form *b);
/* For sorting: negative, 0 or positive, so that equal forms become neighbours. Both must have a form. */
int canonical_form_order(const struct canonical_form *a, const struct canonical_form *b);

#endif
