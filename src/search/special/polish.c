#include "search/special/polish.h"

#include <string.h>

static const struct {
    const char *name;
    enum polish_count count;
} names[] = {
    /* The first POLISH_COUNTS rows are in the order of enum polish_count; other names for the same counts follow. */
    {"pushes", POLISH_COUNT_PUSHES},       {"moves", POLISH_COUNT_MOVES},
    {"box-lines", POLISH_COUNT_BOX_LINES}, {"box-changes", POLISH_COUNT_BOX_CHANGES},
    {"sessions", POLISH_COUNT_SESSIONS},   {"lines", POLISH_COUNT_BOX_LINES},
    {"changes", POLISH_COUNT_BOX_CHANGES}, {"pushing-sessions", POLISH_COUNT_SESSIONS},
};

/* The count whose name the text begins with, and the name's length; POLISH_COUNTS: there is none. */
static enum polish_count read_name(const char *text, size_t *length) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *length = strlen(names[i].name);
        if (!strncmp(text, names[i].name, *length) && strchr(",-", text[*length])) /* also at the end of the text */
            return names[i].count;
    }
    return POLISH_COUNTS;
}

bool polish_aim_read(const char *text, struct polish_aim *aim, soloist_error *error) {
    size_t length;
    *aim = (struct polish_aim){0};
    for (const char *at = text;; at += length + 1) {
        enum polish_count count = read_name(at, &length);
        if (count == POLISH_COUNTS)
            return soloist_fail(error, 0, (int)(at - text) + 1,
                                "%.60s: expected pushes, moves, box-lines, box-changes or sessions, joined by -", text);
        if (memchr(aim->order, (int)count, aim->count))
            return soloist_fail(error, 0, (int)(at - text) + 1, "%.60s: %s is named twice", text, names[count].name);
        aim->order[aim->count++] = (uint8_t)count;
        if (!at[length])
            return true;
    }
}

char *polish_aim_name(struct polish_aim aim, char *out) {
    *out = 0;
    for (int i = 0; i < aim.count; i++) {
        strcat(out, i ? "-" : "");
        strcat(out, names[aim.order[i]].name);
    }
    return out;
}
