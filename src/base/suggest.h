/* Finds the known word that is most similar to a mistyped one. */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include "soloist.h"

struct suggestion {
    const char *word; /* the word that was typed */
    const char *best; /* the most similar word offered so far, NULL while none is similar enough */
    int distance;
};

struct suggestion suggest_open(const char *word);
void suggest_offer(struct suggestion *suggestion, const char *candidate);
/* Adds "did you mean NAME?" to an error "unknown option 'X'" of soloist_options_parse, if a row has a similar name. */
void suggest_option(const soloist_option *rows, soloist_error *error);
/* Whether "key=value,..." (or NULL) is valid for these rows, whose struct has `size` bytes. False with an error, to
 * which suggest_option was applied. */
bool suggest_check_options(const soloist_option *rows, size_t size, const char *text, soloist_error *error);

#endif
