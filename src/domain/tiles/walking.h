/* Walking distance (Ken Takahashi): everything about a tile is ignored except the line (row) that it is in and the line
 * that it belongs to. The board then becomes a matrix of counts that only vertical moves change, and one breadth-first
 * search gives the least number of moves to the goal's matrix. The same is done for columns. The sum for rows and
 * columns is admissible, because a move is either vertical or horizontal. */
#ifndef DOMAIN_TILES_WALKING_H
#define DOMAIN_TILES_WALKING_H

#include "base/table.h"

#define WALKING_MOST_LINES 5
#define WALKING_MOST_STATES 65535

struct walking {
    /* For rows: number of rows, and squares per row; for columns: number of columns, and squares per column. */
    int lines, squares;
    struct memory memory;
    /* The matrices found. Byte [a][b] of a matrix is the number of tiles that are in line a and belong to line b. The
     * first matrix is that of the goal. */
    struct table matrices;
    uint8_t *distance; /* [state]: moves to the goal; a state's number is its matrix's index in `matrices` minus one */
    /* [state][d][line]: the state after a move in which the blank goes to the previous line (d = 0) or to the next one
     * (d = 1) and the tile that it changes places with belongs to `line`. */
    uint16_t *next;
};

/* goal_line: the blank's line at the goal. NULL if there is no memory, or more than WALKING_MOST_STATES states. */
struct walking *walking_new(int lines, int squares, int goal_line);
void walking_free(struct walking *walking);
/* The state of a matrix, which must be reachable by moves. */
uint32_t walking_find(const struct walking *walking, const uint8_t *matrix);

/* The state after the blank has moved to the next line (after = 1) or to the previous one (0) and so moved a tile that
 * belongs to line `home`. */
static inline uint32_t walking_move(const struct walking *walking, uint32_t state, int after, int home) {
    return walking->next[((size_t)state * 2 + (size_t)after) * (size_t)walking->lines + (size_t)home];
}

#endif
