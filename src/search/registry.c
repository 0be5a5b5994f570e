/* The list of methods, and how "NAME:key=value,..." becomes a method with its options. */
#include "search/search.h"

#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct search_method *const search_methods[] = {
    &search_auto, &search_a_star, &search_ida_star, &search_mm,      &search_nbs,    &search_bae,
    &search_dbbs, &search_bfs,    &search_greedy,   &search_minimax, &search_random, NULL,
};

static const struct search_method *find_method(const char *name, size_t length) {
    for (size_t i = 0; search_methods[i]; i++)
        if (strlen(search_methods[i]->name) == length && !memcmp(search_methods[i]->name, name, length))
            return search_methods[i];
    return NULL;
}

soloist_code search_choose(const char *text, struct search_choice *choice, soloist_error *error) {
    size_t length = strcspn(text, ":");
    *choice = (struct search_choice){find_method(text, length), NULL};
    if (!choice->method) {
        soloist_fail(error, 0, 0, "unknown method '%.*s'", (int)(length < 64 ? length : 64), text);
        return SOLOIST_MISUSE;
    }
    const struct search_method *method = choice->method;
    choice->options = calloc(1, method->options_size ? method->options_size : 1);
    if (!choice->options) {
        soloist_fail(error, 0, 0, "no memory for the options of %s", method->name);
        return SOLOIST_NO_MEMORY;
    }
    soloist_options_reset(method->options, choice->options);
    soloist_code code =
        soloist_options_parse(method->options, choice->options, text[length] == ':' ? text + length + 1 : NULL, error);
    if (code != SOLOIST_OK)
        search_choice_free(choice);
    return code;
}

void search_choice_free(struct search_choice *choice) {
    free(choice->options);
    choice->options = NULL;
}

void search_choice_text(const struct search_choice *choice, char *out, size_t room) {
    char changed[128];
    options_changed(choice->method->options, choice->options, changed, sizeof changed);
    snprintf(out, room, "%s%s%s", choice->method->name, *changed ? ":" : "", changed);
}

bool soloist_method_at(size_t index, const char **name, const char **summary, const soloist_option **options) {
    for (size_t i = 0; i <= index; i++)
        if (!search_methods[i])
            return false;
    const struct search_method *method = search_methods[index];
    if (name)
        *name = method->name;
    if (summary)
        *summary = method->summary;
    if (options)
        *options = method->options;
    return true;
}
