/* Former names of options and of their values. Results, folders of training runs and experiments outlive a name: text
 * under the old name still means the same. */
#ifndef BASE_ALIAS_H
#define BASE_ALIAS_H

#include "soloist.h"

/* An earlier spelling. value is NULL: the option now named `now` was named `option`. value is ALIAS_BITS: `option` now
 * takes names joined by +, or "none", and was a number with one bit for each name of `now`, "first|second|third".
 * Otherwise: the value of `option` that is now `now` was `value`. A list of them is ended by a NULL option; no list
 * (NULL): no earlier spellings. */
struct option_alias {
    const char *option, *value, *now;
};
#define ALIAS_BITS "#"

/* Prints "key=value,..." with every option under its current name or, if `now` is false, under its former name: two
 * texts with equal current spellings mean the same. What is not understood stays as it is; NULL is like "". */
void alias_spell(const soloist_option *rows, const struct option_alias *aliases, const char *text, bool now,
                 const soloist_sink *sink);
/* The current name of an option. */
const char *alias_option_now(const struct option_alias *aliases, const char *option);

#endif
