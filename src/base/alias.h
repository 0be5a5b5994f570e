/* Former names of options and of their values. Stored results, folders of training runs and experiments may contain
 * former names, which must keep their meaning. */
#ifndef BASE_ALIAS_H
#define BASE_ALIAS_H

#include "soloist.h"

/* A former name. If `value` is NULL, `option` is the former name of the option `now`. If `value` is ALIAS_BITS, the
 * value of `option` is now a list of names joined by +, or "none"; formerly it was a number with one bit for each name
 * in `now`, which has the form "first|second|third". Otherwise `value` is the former name of the value `now` of
 * `option`. A list of aliases ends with a NULL option; it may be NULL if there are none. */
struct option_alias {
    const char *option, *value, *now;
};
#define ALIAS_BITS "#"

/* Prints "key=value,..." with every option under its current name or, if `now` is false, under its former name. If two
 * texts are equal after this, they mean the same. Unknown words stay unchanged; a NULL text counts as "". */
void alias_spell(const soloist_option *rows, const struct option_alias *aliases, const char *text, bool now,
                 const soloist_sink *sink);
/* The current name of an option. */
const char *alias_option_now(const struct option_alias *aliases, const char *option);

#endif
