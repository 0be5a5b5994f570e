#include "search/nested/elites.h"

bool elites_open(struct elites *elites, struct memory *memory, int length) {
    *elites = (struct elites){.memory = memory, .length = length};
    bool good = true;
    for (int i = 0; i <= ELITES_MOST; i++) {
        struct elite *line = &elites->lines[i];
        line->moves = memory_take(memory, (size_t)length * sizeof *line->moves);
        line->codes = memory_take(memory, (size_t)length * sizeof *line->codes);
        good = good && line->moves && line->codes;
    }
    return good;
}

void elites_close(struct elites *elites) {
    for (int i = 0; i <= ELITES_MOST; i++) {
        struct elite *line = &elites->lines[i];
        memory_give(elites->memory, line->moves, (size_t)elites->length * sizeof *line->moves);
        memory_give(elites->memory, line->codes, (size_t)elites->length * sizeof *line->codes);
    }
}

static bool has_code(const struct elite *line, uint64_t code) {
    for (int i = 0; i < line->count; i++)
        if (line->codes[i] == code)
            return true;
    return false;
}

/* Whether most of the moves in the first third of `line` occur in `other`. */
static bool same_opening(const struct elite *line, const struct elite *other) {
    int opening = (line->count + 2) / 3, shared = 0;
    for (int i = 0; i < opening; i++)
        shared += has_code(other, line->codes[i]);
    return 2 * shared > opening;
}

static void swap(struct elites *elites, int a, int b) {
    struct elite kept = elites->lines[a];
    elites->lines[a] = elites->lines[b];
    elites->lines[b] = kept;
}

bool elites_add(struct elites *elites) {
    int at = elites->count;
    for (int i = 0; i < elites->count; i++)
        if (same_opening(&elites->lines[at], &elites->lines[i])) {
            if (elites->lines[at].score < elites->lines[i].score)
                return false;
            if (elites->lines[at].tries < elites->lines[i].tries)
                elites->lines[at].tries = elites->lines[i].tries;
            swap(elites, at, i);
            at = i;
            break;
        }
    if (at == elites->count && elites->count < ELITES_MOST)
        elites->count++;
    else if (at == elites->count) {
        if (elites->lines[at].score <= elites->lines[at - 1].score)
            return false;
        swap(elites, at, at - 1);
        at--;
    }
    for (; at && elites->lines[at].score > elites->lines[at - 1].score; at--)
        swap(elites, at, at - 1);
    return true;
}
