/* Walking distance as a bound: the upper half of a state's summary holds the numbers of two states, one in the table
 * for rows and one in the table for columns. */
#include "domain/tiles/tiles_core.h"
#include "domain/tiles/walking.h"

enum { ROWS, COLUMNS };

bool tiles_walking_open(soloist_instance *instance, int line, soloist_error *error) {
    int width = instance->width, height = instance->height, blank = instance->place[TILES_TO_GOAL][0];
    instance->walking[ROWS] = walking_new(height, width, blank / width);
    /* On a square board the blank's goal is on the diagonal, so rows and columns share one table. */
    instance->walking[COLUMNS] = width == height ? instance->walking[ROWS] : walking_new(width, height, blank % width);
    if (instance->walking[ROWS] && instance->walking[COLUMNS])
        return true;
    tiles_walking_close(instance);
    return soloist_fail(error, line, 1, "bound=walking-distance does not support boards as large as %dx%d", width,
                        height);
}

void tiles_walking_close(soloist_instance *instance) {
    if (instance->walking[COLUMNS] != instance->walking[ROWS])
        walking_free(instance->walking[COLUMNS]);
    walking_free(instance->walking[ROWS]);
    instance->walking[ROWS] = instance->walking[COLUMNS] = NULL;
}

void tiles_walking_set(const soloist_instance *instance, const uint8_t *board, struct tiles_state *state) {
    uint8_t rows[TILES_MOST_SQUARES] = {0}, columns[TILES_MOST_SQUARES] = {0};
    int width = instance->width, height = instance->height;
    for (int square = 0; square < instance->squares; square++) {
        int home = instance->place[TILES_TO_GOAL][board[square]];
        if (!board[square])
            continue;
        rows[square / width * height + home / width]++;
        columns[square % width * width + home % width]++;
    }
    state->summary = (uint32_t)state->summary | (uint64_t)walking_find(instance->walking[ROWS], rows) << 32 |
                     (uint64_t)walking_find(instance->walking[COLUMNS], columns) << 48;
}

uint64_t tiles_walking_move(const soloist_instance *instance, const struct tiles_state *state, soloist_move move) {
    unsigned blank = tiles_blank(state);
    int offset = tiles_offset(instance->offsets, move), width = instance->width;
    unsigned tile = instance->bits == 4 ? tiles_beside(state->board, blank, offset, 4)
                                        : tiles_beside(state->board, blank, offset, 8);
    int home = instance->place[TILES_TO_GOAL][tile];
    uint64_t rows = state->summary >> 32 & 0xffff, columns = state->summary >> 48;
    if (move == TILES_UP || move == TILES_DOWN)
        rows = walking_move(instance->walking[ROWS], (uint32_t)rows, move == TILES_DOWN, home / width);
    else
        columns = walking_move(instance->walking[COLUMNS], (uint32_t)columns, move == TILES_RIGHT, home % width);
    return rows << 32 | columns << 48;
}

int32_t tiles_walking_bound(const soloist_instance *instance, uint64_t upper) {
    return instance->walking[ROWS]->distance[upper >> 32 & 0xffff] + instance->walking[COLUMNS]->distance[upper >> 48];
}
