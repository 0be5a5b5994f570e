/* Former names of options and of their values. Stored results, folders of training runs and experiments may contain
 * former names, which must keep their meaning. */
#ifndef BASE_ALIAS_H
#define BASE_ALIAS_H

#include "soloist.h"

/* A former name. If `value` is NULL, `option` is the former name of the option `now`. If `value` is ALIAS_BITS, the
 * value of `option` was formerly a number with one bit per name; it is now a list of these names joined by +, or
 * "none". `now` then lists the names in the form "first|second|third". Otherwise `value` is the former name of the
 * value `now` of `option`. A list of aliases ends with an entry whose `option` is NULL. If there are no aliases, the
 * list may be NULL. */
struct option_alias {
    const char *option, *value, *now;
};
#define ALIAS_BITS "#"

/* Prints `text`, a list of options "key=value,...", with the current names of all options and values or, if `now` is
 * false, with their former names. If the printed forms of two texts are equal, the texts mean the same. Unknown words
 * stay unchanged; a NULL text counts as "". */
void alias_spell(const soloist_option *rows, const struct option_alias *aliases, const char *text, bool now,
                 const soloist_sink *sink);
/* The current name of an option. */
const char *alias_option_now(const struct option_alias *aliases, const char *option);

#endif
