/* Declarations that the files of SameGame share: the plain board that is read from a text, the instance, the states,
 * and the kernels that play on states.
 *
 * Colours are numbers 1 .. 9 in binary, with one bit plane per binary digit: three planes for up to 7 colours, four for
 * more. A cell equals its neighbour if they agree in all planes, so one formula handles all colours at once. */
#ifndef DOMAIN_SAMEGAME_SAMEGAME_H
#define DOMAIN_SAMEGAME_SAMEGAME_H

#include "soloist_extra.h"

#define SAMEGAME_MOST_SIDE 32
#define SAMEGAME_MOST_COLOURS 9
#define SAMEGAME_MOST_PLANES 4

enum samegame_scoring {
    /* A move that removes n blocks scores (n-2)^2. The end scores 1000 if the board is empty, otherwise minus the sum
     * over all colours of (left-2)^2, where `left` is the number of blocks of the colour that are left. */
    SAMEGAME_STANDARD,
    /* The same, but the penalty at the end is (left-2)^2, where `left` is the number of blocks of all colours that are
     * left. */
    SAMEGAME_BLOCKS,
    SAMEGAME_CLICKOMANIA, /* nothing per move; the end scores minus the number of blocks left */
    SAMEGAME_JAWBREAKER,  /* n(n-1) per move, nothing at the end */
    SAMEGAME_WINDOWS      /* n^2-3n+4 per move, nothing at the end */
};

#define SAMEGAME_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    CHOICE(T, scoring, 0, "standard|blocks|clickomania|jawbreaker|windows",                                            \
           "scores of a move that removes n blocks and of the end: standard: (n-2)^2, 1000 for an empty board, "       \
           "otherwise minus (k-2)^2 for k blocks left of each colour; blocks: the same, k counts all blocks left; "    \
           "clickomania: minus 1 per block left; jawbreaker: n(n-1); windows: n^2-3n+4")                               \
    INT(T, tabu, 0, 0, SAMEGAME_MOST_COLOURS, "colour that tabu play-outs avoid; 0: the most frequent one")

SOLOIST_OPTIONS(samegame_options, SAMEGAME_OPTIONS);

/* A plain board: cell[column][row] is a colour, or 0 if the cell is empty; row 0 is at the bottom. */
struct samegame_board {
    int width, height;
    uint8_t cell[SAMEGAME_MOST_SIDE][SAMEGAME_MOST_SIDE];
};

/* States. A board of at most 16 x 16 has 16-bit columns, a larger one 32-bit columns; plane k of column c is
 * plane[k][c], bit r is row r. Planes beyond instance->planes do not exist: shape.state_size ends before them. */
struct samegame_narrow {
    uint64_t key;
    uint16_t plane[SAMEGAME_MOST_PLANES][16];
};
struct samegame_wide {
    uint64_t key;
    uint32_t plane[SAMEGAME_MOST_PLANES][32];
};

enum samegame_policy { SAMEGAME_RANDOM, SAMEGAME_TABU };

struct samegame_walk;

/* The inner functions, compiled once for each instruction set, size of board and number of planes. All variants give
 * the same results. */
struct samegame_kernel {
    const char *name;
    int (*moves)(const soloist_instance *instance, const void *state, soloist_move *moves);
    int32_t (*apply)(const soloist_instance *instance, void *state, soloist_move move);
    bool (*stuck)(const soloist_instance *instance, const void *state);
    /* Sets counts[c] to the number of blocks of colour c, for c = 1 .. 9. */
    void (*counts)(const soloist_instance *instance, const void *state, int counts[SAMEGAME_MOST_COLOURS + 1]);
    uint64_t (*key)(const soloist_instance *instance, const void *state); /* computed from scratch */
    int (*expand)(const soloist_instance *instance, const void *state, unsigned want, soloist_child *children);
    /* Plays at random to the end of the game, or until `limit` moves are made. If the game has ended, the value
     * includes the score at the end. The state's key is updated. */
    soloist_playout (*playout)(const soloist_instance *instance, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace);
    /* Both functions return the number of choices (walk.h). */
    int (*walk_open)(const soloist_instance *instance, struct samegame_walk *walk, const void *state);
    int (*walk_play)(const soloist_instance *instance, struct samegame_walk *walk, int chosen);
};

struct soloist_instance {
    const struct samegame_kernel *kernel;
    int width, height, colours, planes; /* colours: the highest colour number on the board */
    bool wide;
    int scoring;
    int tabu;                   /* the tabu colour */
    int32_t square, once, flat; /* a move that removes n blocks scores square*n^2 + once*n + flat */
    size_t state_size;
    struct samegame_board board;
    /* For each cell, the Zobrist key of the block that is on this cell of the initial board. */
    uint64_t block_keys[SAMEGAME_MOST_SIDE * SAMEGAME_MOST_SIDE];
};

/* A move names its group by the group's first block: the lowest block in its leftmost column. */
static inline soloist_move samegame_move(int column, int row) { return (soloist_move)(column * 32 + row); }
static inline int samegame_column(soloist_move move) { return (int)(move / 32); }
static inline int samegame_row(soloist_move move) { return (int)(move % 32); }

/* The score for a move that removes n blocks. */
static inline int32_t samegame_step(const soloist_instance *instance, int n) {
    return (instance->square * n + instance->once) * n + instance->flat;
}

/* board.c: the file format and plain boards. */
int samegame_recognise(const char *text, size_t length);
bool samegame_next(soloist_cursor *cursor, soloist_chunk *chunk);
bool samegame_board_parse(const soloist_chunk *chunk, struct samegame_board *board, soloist_error *error);
void samegame_board_print(const struct samegame_board *board, const soloist_sink *sink);
/* Lists the cells of the group that contains the cell of `move`, each as a move, and removes them from the board.
 * Returns their number. */
int samegame_board_take_group(struct samegame_board *board, soloist_move move, soloist_move *cells);

/* samegame.c: returns NULL if there is no memory; the caller owns the instance. */
soloist_instance *samegame_instance_make(const struct samegame_board *board, const struct samegame_options *options);
/* Convert a state to a plain board and back. A state made from a board gets its key computed from scratch. */
void samegame_state_to_board(const soloist_instance *instance, const void *state, struct samegame_board *board);
void samegame_state_from_board(const soloist_instance *instance, const struct samegame_board *board, void *state);

/* score.c: scores; counts[c] is the number of blocks of colour c that are left, for c = 1 .. 9. */
void samegame_scoring_set(soloist_instance *instance, int scoring);
/* What is added to the score at the end of a game. */
int32_t samegame_last(const soloist_instance *instance, const int counts[SAMEGAME_MOST_COLOURS + 1]);
/* An upper bound on what any sequence of moves can still add to the score. */
int32_t samegame_upper_bound(const soloist_instance *instance, const int counts[SAMEGAME_MOST_COLOURS + 1]);

/* bound.c: a bound that is at most samegame_upper_bound. If it is below `enough`, `enough` is returned: the caller does
 * not distinguish lower values. */
int32_t samegame_tight_bound(const soloist_instance *instance, const void *state, int32_t enough);

/* kernel.c: samegame_kernel_best returns the fastest kernel that this machine can run. samegame_kernel_variant returns
 * kernel number `variant`, or NULL if there is no such kernel or the machine lacks its instructions. */
#define SAMEGAME_VARIANTS 3 /* portable, AVX2, AVX-512 */
const struct samegame_kernel *samegame_kernel_best(bool wide, int planes);
const struct samegame_kernel *samegame_kernel_variant(int variant, bool wide, int planes);

/* notation.c and referee.c. */
struct samegame_click {
    int column, row;
    int at; /* position in the text, counted from 1 */
};
/* Steps through "[[column,row],...]". *offset starts at 0. Returns 1 if it has read a click, 0 at the end of the text,
 * or -1 with an error. */
int samegame_click_next(const char *text, size_t length, size_t *offset, struct samegame_click *click,
                        soloist_error *error);
extern const soloist_text samegame_text;
bool samegame_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                      soloist_verdict *verdict, soloist_error *error);
/* The number of blocks on the board after a solution; -1 if it cannot be replayed. */
int samegame_blocks_left(const soloist_chunk *chunk, const char *solution, size_t length);

/* walk.c */
#define SAMEGAME_BLOCK_KEYS 0x57a1u /* the family of Zobrist keys (hash_zobrist) for blocks */
void samegame_walk_prepare(soloist_instance *instance);
extern const soloist_walk samegame_walking;

/* learn.c */
#define SAMEGAME_LEAST_COLOURS 5 /* a network's input has planes for at least this many colours */
extern const soloist_learn samegame_learn;

/* generate.c */
extern const soloist_generate samegame_generate;

#endif
