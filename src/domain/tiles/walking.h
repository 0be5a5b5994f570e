/* Walking distance (Ken Takahashi): ignore everything about a tile except its line and the line it belongs to. The
 * board then becomes a matrix of counts that only vertical moves change, and one breadth-first search gives the least
 * number of moves to the goal's matrix. Rows and columns are counted separately, and the sum is admissible, because a
 * move is either vertical or horizontal. */
#ifndef TILES_WALKING_H
#define TILES_WALKING_H

#include "base/table.h"

#define WALKING_MOST_LINES 5
#define WALKING_MOST_STATES 65535

struct walking {
    int lines, squares; /* rows of the board, and squares per row; or columns and squares per column */
    struct memory memory;
    struct table matrices; /* lines * lines bytes: [line][line it belongs to]; the goal's is the first */
    uint8_t *distance;     /* [state]: index in matrices, minus one */
    uint16_t *next;        /* [state][to the line before, after][line that the tile belongs to] */
};

/* goal_line: the blank's line at the goal. NULL without memory or if there are more than WALKING_MOST_STATES states. */
struct walking *walking_new(int lines, int squares, int goal_line);
void walking_free(struct walking *walking);
/* The state of a matrix; it must be reachable by moves. */
uint32_t walking_find(const struct walking *walking, const uint8_t *matrix);

/* The state after the blank has moved one line on (`after`) or back, past a tile that belongs to line `home`. */
static inline uint32_t walking_move(const struct walking *walking, uint32_t state, int after, int home) {
    return walking->next[((size_t)state * 2 + (size_t)after) * (size_t)walking->lines + (size_t)home];
}

#endif
