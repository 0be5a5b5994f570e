/* Makes the table of walking distances by breadth-first search from the goal's matrix. */
#include "domain/tiles/walking.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static size_t matrix_size(const struct walking *w) { return (size_t)w->lines * (size_t)w->lines; }

/* The blank's line, which has one tile fewer than the others. */
static int blank_line(const struct walking *w, const uint8_t *matrix) {
    for (int line = 0; line < w->lines; line++) {
        int sum = 0;
        for (int home = 0; home < w->lines; home++)
            sum += matrix[line * w->lines + home];
        if (sum < w->squares)
            return line;
    }
    return 0;
}

/* Finds or adds a matrix; POOL_NONE: there are too many matrices, or there is no memory. */
static uint32_t put(struct walking *w, const uint8_t *matrix, int distance) {
    bool added;
    uint32_t index = table_put(&w->matrices, hash_bytes(matrix, matrix_size(w)), matrix, &added);
    if (index > WALKING_MOST_STATES)
        return POOL_NONE;
    if (added && index != POOL_NONE)
        w->distance[index - 1] = (uint8_t)distance;
    return index;
}

static bool expand(struct walking *w, uint32_t index) {
    uint8_t matrix[WALKING_MOST_LINES * WALKING_MOST_LINES];
    memcpy(matrix, table_string(&w->matrices, index), matrix_size(w));
    int blank = blank_line(w, matrix), distance = w->distance[index - 1] + 1;
    for (int after = 0; after < 2; after++) {
        int line = after ? blank + 1 : blank - 1;
        for (int home = 0; line >= 0 && line < w->lines && home < w->lines; home++) {
            uint8_t *from = &matrix[line * w->lines + home], *to = &matrix[blank * w->lines + home];
            if (!*from)
                continue;
            --*from, ++*to;
            uint32_t next = put(w, matrix, distance);
            ++*from, --*to;
            if (next == POOL_NONE)
                return false;
            w->next[((index - 1) * 2 + (uint32_t)after) * (uint32_t)w->lines + (uint32_t)home] = (uint16_t)(next - 1);
        }
    }
    return true;
}

static bool build(struct walking *w, int goal_line) {
    uint8_t matrix[WALKING_MOST_LINES * WALKING_MOST_LINES] = {0};
    for (int line = 0; line < w->lines; line++)
        matrix[line * w->lines + line] = (uint8_t)(w->squares - (line == goal_line));
    bool good = put(w, matrix, 0) != POOL_NONE;
    for (uint32_t index = 1; good && index <= table_count(&w->matrices); index++)
        good = expand(w, index);
    return good;
}

struct walking *walking_new(int lines, int squares, int goal_line) {
    struct walking *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->lines = lines, w->squares = squares;
    memory_open(&w->memory, 0);
    bool opened = table_open(&w->matrices, &w->memory, matrix_size(w), 0);
    w->distance = calloc(WALKING_MOST_STATES, 1);
    w->next = calloc((size_t)WALKING_MOST_STATES * 2 * (size_t)lines, sizeof *w->next);
    if (opened && w->distance && w->next && build(w, goal_line))
        return w;
    walking_free(w);
    return NULL;
}

void walking_free(struct walking *w) {
    if (!w)
        return;
    table_close(&w->matrices);
    free(w->distance);
    free(w->next);
    free(w);
}

uint32_t walking_find(const struct walking *w, const uint8_t *matrix) {
    uint32_t index = table_find(&w->matrices, hash_bytes(matrix, matrix_size(w)), matrix);
    return index == POOL_NONE ? 0 : index - 1;
}
