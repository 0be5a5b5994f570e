/* The second phase of the generator: the game played backwards from its solved position by a random depth-first search
 * (Ge 2018, algorithm 3.1), which keeps the position with the highest score. */
#ifndef DOMAIN_SOKOBAN_GENERATE_REVERSE_PLAY_H
#define DOMAIN_SOKOBAN_GENERATE_REVERSE_PLAY_H

#include "domain/sokoban/file/level.h"

/* A position that was found. boxes[i] is the cell of box i. */
struct reverse_position {
    uint32_t parent;
    uint16_t player;
    uint16_t depth;     /* steps from the solved position */
    uint16_t box_swaps; /* how often reverse play changed to another box */
    uint16_t last_box;  /* number of the box pulled last */
    uint8_t direction;  /* direction of the step that led here: up, right, down, left */
    uint8_t pulled;
    uint16_t on_goals;     /* boxes on goals */
    uint32_t displacement; /* sum over the boxes of the Manhattan distance to their starting cells */
    uint16_t boxes[];
};

#define REVERSE_TILES 58 /* a small room has fewer tiles than this */

struct reverse_play {
    const struct sokoban_level *room; /* the room: only its walls and INSIDE cells are used */
    int boxes;
    int64_t most_positions, most_depth;
    bool allow_box_on_goal;
    soloist_stop_token *stop; /* may be NULL; set it after reverse_play_open */

    unsigned char *positions; /* in the order in which they were found */
    size_t position_size;
    uint32_t found;
    uint32_t *stack; /* the frontier: positions not expanded yet */
    /* Hash table with open addressing; 0 is a free slot. If the room has few tiles (`small`), a slot holds the whole
     * position: the player's tile in the lowest bits, and above them one bit per tile, set if it has a box. Otherwise
     * the upper half of a slot is the upper half of the key, and the lower half is 1 + the position's index. */
    uint64_t *slots;
    uint32_t slot_mask;
    int slot_bits;
    bool small;
    uint8_t *tile; /* for a small room: the tile number of each cell */
    uint16_t cell_of[REVERSE_TILES];
    uint8_t next[REVERSE_TILES][4]; /* the neighbours of a tile, in the order of directions */
    uint64_t *keys;                 /* Zobrist keys: for a box on each cell, then for the player on each cell */
    uint16_t *on_cell;              /* [cell]: 1 + the number of the box on it in the current position; 0: no box */
    uint16_t *goals;                /* the cell on which each box started, which is its goal */

    uint32_t best; /* index of the best position */
    int64_t best_score;
};

/* Allocates memory for the given limits; false if there is none. The level may change between runs, but not its size.
 */
bool reverse_play_open(struct reverse_play *play, const struct sokoban_level *room, int boxes, int64_t most_positions,
                       int64_t most_depth, bool allow_box_on_goal);
void reverse_play_close(struct reverse_play *play);
/* Bytes that opening would allocate. */
size_t reverse_play_bytes(int cells, int boxes, int64_t most_positions);

/* Plays backwards from the position with boxes on goals[0 .. boxes-1] and the player on `player`. Returns the best
 * score; 0: no position has a score above 0. When `stop` is stopped, returns the best score so far. */
int64_t reverse_play_run(struct reverse_play *play, const uint16_t *goals, int player, soloist_rng *rng);

const struct reverse_position *reverse_play_position(const struct reverse_play *play, uint32_t index);
/* The moves from the best position to the solved one, in LURD: position->depth letters and a zero byte. */
void reverse_play_solution(const struct reverse_play *play, char *out);

#endif
