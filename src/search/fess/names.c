/* Plans, features and advisors by the names that the domain gives them. Formerly a set was given as a number with one
 * bit per name, and a plan by its number; both are still accepted. */
#include "search/fess/fess.h"

#include "base/decimal.h"

#include <stdio.h>
#include <string.h>

static bool is_number(const char *text, double most, int64_t *number) {
    double value;
    if (!decimal_read(text, strlen(text), &value) || !(value >= 0 && value <= most) || value != (double)(int64_t)value)
        return false;
    *number = (int64_t)value;
    return true;
}

/* Reads a set of names: "all", "none", "first+third", or "all-first+third", which means all except these. False: a name
 * is unknown. */
static bool read_set(const struct search_run *run, const char *what, const char *text, const char *const *names,
                     int64_t all, int64_t *bits) {
    bool others = !strncmp(text, "all", 3) && (!text[3] || text[3] == '-');
    const char *at = others ? text + 3 + (text[3] == '-') : strcmp(text, "none") ? text : "";
    if (is_number(text, (double)all, bits))
        return true;
    *bits = 0;
    for (size_t size; *at; at += size + (at[size] == '+')) {
        char name[SOLOIST_NAME_ROOM];
        size = strcspn(at, "+");
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        int number = search_find_name(run, what, name, names);
        if (number < 0)
            return false;
        *bits |= INT64_C(1) << number;
    }
    if (others)
        *bits = all & ~*bits;
    return true;
}

bool fess_settle(const struct search_run *run, struct fess_settings *settings) {
    const struct fess_options *options = run->options;
    const soloist_features *features = run->domain->features;
    *settings = (struct fess_settings){0};
    int64_t first, formerly_by_plan;
    if (!is_number(options->first, 999, &first))
        first = search_find_name(run, "plan", options->first, features->plan_names);
    settings->first = (int)first;
    bool by_plan = !strcmp(options->cells, "plan");
    if (!by_plan && !read_set(run, "feature", options->cells, features->names, 127, &settings->cells))
        return false;
    if (!by_plan && !settings->cells && !is_number(options->cells, 0, &formerly_by_plan))
        return soloist_fail(run->error, 0, 0, "cells=%s: the feature space needs a dimension", options->cells);
    return first >= 0 && read_set(run, "feature", options->features, features->names, 127, &settings->features) &&
           read_set(run, "advisor", options->advisors, features->advisors, UINT32_MAX, &settings->advisors);
}
