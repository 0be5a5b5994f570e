#include "cli/input/levels.h"
#include "cli/shell/need.h"
#include "base/suggest.h"

#include <stdio.h>

struct level_sets levels_open(void) {
    struct level_sets sets;
    need_code(level_sets_open(&sets));
    return sets;
}

char *levels_read(const char *name, enum level_sets_part part, size_t *length) {
    struct level_sets sets = levels_open();
    char *text;
    need_code(level_sets_read(&sets, name, part, &text, length));
    level_sets_close(&sets);
    return text;
}

bool levels_find(const char *below, char *out, size_t room) {
    struct level_sets sets = levels_open();
    bool found = level_sets_find(&sets, below, out, room);
    level_sets_close(&sets);
    return found;
}

void levels_each(void (*found)(void *user, const char *name, const char *folder), void *user) {
    struct level_sets sets = levels_open();
    need_code(level_sets_each(&sets, found, user));
    level_sets_close(&sets);
}

struct nearest_name {
    struct suggestion suggestion;
    char *out;
    size_t room;
};

static void offer_name(void *user, const char *name, const char *folder) {
    (void)folder;
    struct nearest_name *nearest = user;
    int before = nearest->suggestion.distance;
    const char *best = nearest->suggestion.best;
    suggest_offer(&nearest->suggestion, name);
    if (nearest->suggestion.distance < before || (nearest->suggestion.best && !best)) {
        snprintf(nearest->out, nearest->room, "%s", name);
        nearest->suggestion.best = nearest->out;
    }
}

const char *levels_nearest(const char *name, char *out, size_t room) {
    struct nearest_name nearest = {suggest_open(name), out, room};
    levels_each(offer_name, &nearest);
    for (size_t i = 0; level_sets_known_name(i); i++)
        offer_name(&nearest, level_sets_known_name(i), NULL);
    return nearest.suggestion.best;
}
