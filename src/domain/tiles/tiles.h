/* The sliding-tile puzzle on boards from 2x2 to 5x5: the 8-, 15- and 24-puzzle and the oblong boards between.
 * Declarations that the files of this folder share: the instance with its tables, and the state. */
#ifndef DOMAIN_TILES_TILES_H
#define DOMAIN_TILES_TILES_H

#include "soloist_extra.h"

#define TILES_LEAST_SIDE 2
#define TILES_MOST_SIDE 5
#define TILES_MOST_SQUARES 25
/* On boards with at most this many squares, a square needs 4 bits and the board one word. */
#define TILES_NARROW_SQUARES 16

/* Directions of the blank, in Korf's operator order; a move is one of them, and 3 - move is its inverse. */
enum { TILES_UP, TILES_LEFT, TILES_RIGHT, TILES_DOWN, TILES_DIRECTIONS };

/* The two ends of the game: forward search aims at the goal, backward search at the root. */
enum { TILES_TO_GOAL, TILES_TO_ROOT, TILES_ENDS };

enum {
    TILES_MANHATTAN,
    TILES_LINEAR_CONFLICT,
    TILES_NO_BOUND,
    TILES_555,
    TILES_663,
    TILES_78,
    TILES_6666,
    TILES_444444,
    TILES_55554,
    TILES_WALKING,
    TILES_AUTO
};

#define TILES_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                      \
    CHOICE(T, goal, 0, "blank-first|blank-last", "goal board: blank-first: 0 1 2 ...; blank-last: 1 2 ... 0")          \
    CHOICE(                                                                                                            \
        T, bound, TILES_AUTO, "manhattan|linear-conflict|none|555|663|78|6666|444444|55554|walking-distance|auto",     \
        "lower bound on the moves to go; a number such as 555: pattern databases, here for three groups of 5 tiles, "  \
        "built once and kept on disk; auto: 444444 on 5x5, otherwise manhattan")
SOLOIST_OPTIONS(tiles_options, TILES_OPTIONS);

struct soloist_instance {
    int width, height, squares;
    int bits; /* bits per square in a state's board: 4 (the board is one word) or 8 (four words) */
    int bound;
    int patterns;                      /* number of pattern databases that the bound uses */
    struct walking *walking[2];        /* tables for rows and for columns, which may be the same; NULL: not used */
    const struct tiles_tables *tables; /* NULL until attached: the bound is then the Manhattan distance */
    bool odd;                          /* the permutation is odd: no solution */
    bool is_session;                   /* this is a session, which borrows its tables from the instance */
    bool is_part;                      /* made by tiles_between: root and goal are two states of another instance */
    /* One byte per direction: difference between the blank's next square and its present one. */
    uint32_t offsets;
    uint8_t start[TILES_MOST_SQUARES];             /* the tile on each square at the root */
    uint8_t place[TILES_ENDS][TILES_MOST_SQUARES]; /* square of each tile at the goal and at the root */
    /* [plain, mirrored][tile]: the tile's goal square in the databases' coordinates. */
    uint8_t home[2][TILES_MOST_SQUARES];
    uint8_t frame[2][32]; /* [plain, mirrored][square]: the square in the databases' coordinates */
    uint8_t open[32];     /* [square of the blank]: set of legal directions */
    /* [end][blank][move]: the set of tiles that would come nearer to their place if the move moved them. */
    uint32_t nearer[TILES_ENDS][32][TILES_DIRECTIONS];
    int32_t delta[32][TILES_DIRECTIONS][32]; /* [blank][move][tile]: what the move adds to a state's summary */
    /* [square][tile]: what the tile on that square adds to a state's summary; used only if bits is 4. */
    uint32_t summand[TILES_NARROW_SQUARES][16];
};

/* The summary holds values that could be derived from the board but are read at every node: the blank's square in bits
 * 0-7, the Manhattan distance to the goal in bits 8-19 and to the root in bits 20-31. One addition updates all three
 * values. If the bound uses walking distances, bits 32-47 are the number of the state for rows (walking.h), and bits
 * 48-63 are the number of the state for columns. */
struct tiles_state {
    uint64_t summary;
    uint64_t board[]; /* one word of 16 squares or four words of 8; then struct tiles_places if there are patterns */
};

/* Fills delta, nearer and summand from the places of the tiles. */
void tiles_prepare_moves(soloist_instance *instance);
/* Makes an instance whose root is the state `from` and whose goal is the state `to`. NULL if there is no memory, if the
 * bound uses walking distances, or if the instance was itself made by this function. */
soloist_instance *tiles_between(const soloist_instance *instance, const void *from, const void *to);
/* The image of a square when the board is mirrored at its main diagonal; square boards only. */
static inline int tiles_mirror(int width, int square) { return square % width * width + square / width; }
/* Fills the tables of an instance whose width, height and start are set. */
void tiles_prepare(soloist_instance *instance, const struct tiles_options *options);
/* Convert between a state and the tile on each square. */
void tiles_state_from_board(const soloist_instance *instance, const uint8_t *board, struct tiles_state *state);
void tiles_board_from_state(const soloist_instance *instance, const struct tiles_state *state, uint8_t *board);
void tiles_pack(const soloist_instance *instance, const void *state, void *packed);
void tiles_unpack(const soloist_instance *instance, const void *packed, void *state);

/* Walking distance: makes the tables of an instance that has been prepared; false with an error. */
bool tiles_walking_open(soloist_instance *instance, int line, soloist_error *error);
void tiles_walking_close(soloist_instance *instance);
/* Sets the upper half of the summary from the board. */
void tiles_walking_set(const soloist_instance *instance, const uint8_t *board, struct tiles_state *state);
/* tiles_walking_move: the upper half of the summary after a move. tiles_walking_bound: the bound that an upper half
 * gives. */
uint64_t tiles_walking_move(const soloist_instance *instance, const struct tiles_state *state, soloist_move move);
int32_t tiles_walking_bound(const soloist_instance *instance, uint64_t upper);

/* The goal square of a tile. */
static inline int tiles_goal_square(int squares, bool blank_last, int tile) {
    return blank_last ? (tile + squares - 1) % squares : tile;
}
/* True if no sequence of moves leads from the board to the goal: the permutation has the wrong parity. */
bool tiles_is_odd(int width, int height, const uint8_t *board, bool blank_last);
static inline int tiles_distance_between(int width, int from, int to) {
    int columns = from % width - to % width, rows = from / width - to / width;
    return (columns < 0 ? -columns : columns) + (rows < 0 ? -rows : rows);
}
/* The sum of the tiles' Manhattan distances to their target squares. place: the target square of each tile. */
int32_t tiles_manhattan(int width, int height, const uint8_t *board, const uint8_t *place);
/* Moves that a board needs beyond its Manhattan distance, because of linear conflicts. place: as in tiles_manhattan. */
int32_t tiles_linear_conflict(int width, int height, const uint8_t *board, const uint8_t *place);

/* The file format: one board per line. */
int tiles_recognise(const char *text, size_t length);
bool tiles_read_board(const soloist_chunk *chunk, int *width, int *height, uint8_t *board, soloist_error *error);
void tiles_write_board(int width, int height, const uint8_t *board, const soloist_sink *sink);
bool tiles_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                   soloist_verdict *verdict, soloist_error *error);

extern const soloist_tables tiles_pattern_tables;
extern const soloist_text tiles_text;
extern const soloist_sample tiles_sample;
extern const soloist_reward tiles_reward;
extern const soloist_generate tiles_generate;
extern const soloist_hints tiles_hints;
extern const soloist_learn tiles_learn;

#endif
