/* The canonical form of an instance: a byte string that is the same for all instances that are equivalent, such as
 * mirror images of one level. */
#ifndef ENGINE_CANONICAL_FORM_H
#define ENGINE_CANONICAL_FORM_H

#include "soloist.h"

struct canonical_form {
    char *bytes; /* owned; NULL: there is no form */
    size_t length;
    uint64_t hash;
};

/* Asks the domain for the canonical form. There is no form if the domain does not define one or if the chunk cannot be
 * read. walks: the cost counts the player's steps, so two instances are equivalent only if the player starts on the
 * same square. Returns SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code canonical_form_read(const soloist_domain *domain, const soloist_chunk *chunk, bool walks,
                                 struct canonical_form *form);
/* The canonical form of the board without its pieces: instances that differ only in where the pieces start have the
 * same form. */
soloist_code canonical_form_room(const soloist_domain *domain, const soloist_chunk *chunk, struct canonical_form *form);
/* Uses the text itself as the form. SOLOIST_OK or SOLOIST_NO_MEMORY. */
soloist_code canonical_form_of_text(const char *text, struct canonical_form *form);
void canonical_form_free(struct canonical_form *form);
/* Whether two instances have the same form; false if one of them has none. */
bool canonical_form_equal(const struct canonical_form *a, const struct canonical_form *b);
/* Compares two forms for sorting, so that equal forms become neighbours. Returns a negative number, 0 or a positive
 * one. Both must exist. */
int canonical_form_order(const struct canonical_form *a, const struct canonical_form *b);

#endif
