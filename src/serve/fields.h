/* Reads members of a JSON object that a client sent, and checks the range or length of every one. The first mistake is
 * kept in `error`; from then on every function returns `initial`, or NULL for a text. */
#ifndef SERVE_FIELDS_H
#define SERVE_FIELDS_H

#include "base/json.h"

struct fields {
    struct json_value object;
    soloist_error error; /* its text is "" as long as everything is right */
};

/* False, with an error, if the text is not one JSON object. */
bool fields_open(struct fields *fields, const char *text, size_t length);
bool fields_good(const struct fields *fields);
/* Whether the object has the member; null counts as missing. */
bool fields_has(const struct fields *fields, const char *name);
/* Returns the member's text, of at most `most` bytes; the caller frees it. NULL: the member is missing, or there is an
 * error. */
char *fields_text(struct fields *fields, const char *name, size_t most);
/* Does the same as fields_text, but a missing member is an error. */
char *fields_needed(struct fields *fields, const char *name, size_t most);
double fields_real(struct fields *fields, const char *name, double initial, double least, double most);
bool fields_bool(struct fields *fields, const char *name, bool initial);
uint64_t fields_count(struct fields *fields, const char *name, uint64_t initial, uint64_t most);
/* The index of the member's text in the list `names`, which ends with NULL; `initial` if the member is missing. */
int fields_choice(struct fields *fields, const char *name, const char *const *names, int initial);

#endif
