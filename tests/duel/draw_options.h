/* Draws a method's options at random from the rows that describe them. */
#ifndef TESTS_DUEL_DRAW_OPTIONS_H
#define TESTS_DUEL_DRAW_OPTIONS_H

#include "soloist.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { method_room = 256 };

/* One of the names of a list such as "a|b|c". */
static inline void draw_name(soloist_rng *rng, const char *names, char *out, size_t room) {
    int count = 1;
    for (const char *at = names; (at = strchr(at, '|')); at++)
        count++;
    for (int skip = (int)soloist_rng_below(rng, (uint32_t)count); skip; skip--)
        names = strchr(names, '|') + 1;
    snprintf(out, room, "%.*s", (int)strcspn(names, "|"), names);
}

/* A number near the least one allowed, where mistakes are likely and runs are short, or of any size. */
static inline double draw_number(soloist_rng *rng, const soloist_option *option, bool any_size) {
    double span = option->most - option->least, step = soloist_rng_below(rng, 12), share = soloist_rng_below(rng, 1001);
    if (option->kind == SOLOIST_OPTION_REAL)
        step = step * step / 8;
    if (any_size)
        step = exp(share / 1000 * log1p(span)) - 1;
    return option->least + (step < span ? step : span);
}

static inline void draw_value(soloist_rng *rng, const soloist_option *option, bool any_size, char *out, size_t room) {
    switch (option->kind) {
    case SOLOIST_OPTION_BOOL: snprintf(out, room, soloist_rng_below(rng, 2) ? "true" : "false"); break;
    case SOLOIST_OPTION_INT: snprintf(out, room, "%.0f", floor(draw_number(rng, option, any_size))); break;
    case SOLOIST_OPTION_REAL: snprintf(out, room, "%.3g", draw_number(rng, option, any_size)); break;
    default: draw_name(rng, option->choices, out, room);
    }
}

/* The method's name, every second time with up to three options. */
static inline void draw_method(soloist_rng *rng, const char *name, const soloist_option *options, bool any_size,
                               char *out) {
    int count = 0, at = snprintf(out, method_room, "%s", name);
    while (options && options[count].kind != SOLOIST_OPTION_END)
        count++;
    int wanted = count && soloist_rng_below(rng, 2) ? 1 + (int)soloist_rng_below(rng, 3) : 0;
    for (int i = 0; i < wanted; i++) {
        char value[SOLOIST_NAME_ROOM];
        const soloist_option *option = &options[soloist_rng_below(rng, (uint32_t)count)];
        draw_value(rng, option, any_size, value, sizeof value);
        if (!strstr(out, option->name))
            at += snprintf(out + at, (size_t)(method_room - at), "%c%s=%s", strchr(out, ':') ? ',' : ':', option->name,
                           value);
    }
}

#endif
