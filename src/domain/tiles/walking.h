/* Walking distance (Ken Takahashi): forget all of a tile but its line and the line it belongs to, and the board becomes
 * a matrix of counts that vertical moves change; the least number of them to the goal's matrix comes from one
 * breadth-first search. Rows and columns are counted apart and their sum is admissible: a move is of one kind only. */
#ifndef TILES_WALKING_H
#define TILES_WALKING_H

#include "base/table.h"

#define WALKING_MOST_LINES 5
#define WALKING_MOST_STATES 65535

struct walking {
    int lines, squares; /* rows of the board, and squares of a row; or columns and squares of a column */
    struct memory memory;
    struct table matrices; /* lines * lines bytes: [line][line it belongs to]; the goal's came first */
    uint8_t *distance;     /* [state]: index in matrices, less one */
    uint16_t *next;        /* [state][to the line before, after][line the tile belongs to] */
};

/* goal_line: where the blank ends. NULL without memory or if there are more than WALKING_MOST_STATES. */
struct walking *walking_new(int lines, int squares, int goal_line);
void walking_free(struct walking *walking);
/* The state of a matrix that moves can reach. */
uint32_t walking_find(const struct walking *walking, const uint8_t *matrix);

/* The state after the blank has gone one line on (`after`) or back, past a tile that belongs to line `home`. */
static inline uint32_t walking_move(const struct walking *walking, uint32_t state, int after, int home) {
    return walking->next[((size_t)state * 2 + (size_t)after) * (size_t)walking->lines + (size_t)home];
}

#endif
