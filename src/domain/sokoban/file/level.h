/* A Sokoban level as a plain board: the result of reading a file's text, and the input of everything else. */
#ifndef DOMAIN_SOKOBAN_FILE_LEVEL_H
#define DOMAIN_SOKOBAN_FILE_LEVEL_H

#include "soloist.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOKOBAN_MOST_SIDE 64
#define SOKOBAN_MOST_BOXES 512

enum {
    SOKOBAN_WALL = 1,
    SOKOBAN_GOAL = 2,
    SOKOBAN_BOX = 4,
    SOKOBAN_INSIDE = 8, /* the player could stand here if there were no boxes */
    SOKOBAN_DECOR = 16, /* a box or goal outside the player's area: counts as a wall (WALL is set), kept for printing */
    /* Set together with DECOR: the cell is a box (32) or a goal (64); BOX and GOAL are not set on such a cell. */
    SOKOBAN_DECOR_BOX = 32,
    SOKOBAN_DECOR_GOAL = 64
};

/* Cell (x, y), y = 0 at the top, is cells[y * width + x]. Boxes and goals outside the player's area are walls. The
 * player's area never touches the board's edge: a neighbour of an INSIDE cell is always on the board. An empty cell
 * outside the player's area has the value 0. */
struct sokoban_level {
    int width, height;
    int player; /* cell index */
    /* Numbers of boxes and goals inside the player's area; there are at least as many goals as boxes. The level is
     * solved when every box is on a goal. */
    int boxes, goals;
    uint8_t cells[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE];
};

/* The three functions that read files, for soloist_life. A chunk runs from a board's first row to the end of the
 * attributes and solutions that follow it. sokoban_level_parse reads the first board of the chunk. */
int sokoban_recognise(const char *text, size_t length);
bool sokoban_next(soloist_cursor *cursor, soloist_chunk *chunk);
bool sokoban_level_parse(const soloist_chunk *chunk, struct sokoban_level *level, soloist_error *error);

/* Finds solution number `index` (0, 1, ...) in a chunk; false if there is no such solution. *text points to the
 * solution's text in the chunk, in which run lengths and line ends are left as they are. */
bool sokoban_chunk_solution(const soloist_chunk *chunk, int index, const char **text, size_t *length);
/* The same for snapshots, which are the moves of unfinished games. */
bool sokoban_chunk_snapshot(const soloist_chunk *chunk, int index, const char **text, size_t *length);

/* A solution that is inserted into a file of levels. The chunk must be one that sokoban_next returned for the text of
 * that file. */
struct sokoban_addition {
    soloist_chunk chunk;
    const char *solution; /* LURD; NULL: none */
};

/* Copies a file of levels byte for byte and adds Solution sections, each before the Solution sections that its level
 * already has. additions: the solutions to add, in the order of their levels in the file. */
void sokoban_collection_write(const char *text, size_t length, const struct sokoban_addition *additions, size_t count,
                              const soloist_sink *sink);

/* Prints the level as XSB, with LF after each row and without trailing spaces. */
void sokoban_level_print(const struct sokoban_level *level, const soloist_sink *sink);
/* The same with an X for each cell that is marked in `stuck`; NULL: none. */
void sokoban_level_print_stuck(const struct sokoban_level *level, const uint8_t *stuck, const soloist_sink *sink);
/* The XSB character of a cell, ignoring the player. */
char sokoban_cell_symbol(uint8_t cell);

/* The referee of both Sokoban domains. verdict.value is the number of pushes; a domain whose cost counts moves replaces
 * it by verdict.moves. Lower case must be a step, upper case a push. */
bool sokoban_referee(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                     soloist_error *error);
/* The same for solutions whose letter case was lost: whether a letter is a push is worked out by replay. */
bool sokoban_referee_any_case(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                              soloist_error *error);

/* Expands run lengths such as "3r2U" and "2(rU)" into plain letters and removes white space; returns the length, or -1
 * with an error. Writes at most `room` letters: a longer expansion is an error. Case is kept. */
long sokoban_lurd_expand(const char *text, size_t length, char *out, size_t room, soloist_error *error);

/* Restores the case of plain letters whose case was lost. The letters are played on the board: a push becomes upper
 * case. False if a letter cannot be played, or if a character is not one of the letters lurdLURD. */
bool sokoban_lurd_recase(const struct sokoban_level *level, char *letters, size_t length);

/* The search-space estimate of Kröger 2024 (D9): C(tiles - locking tiles, boxes) * (tiles - boxes). The exact number is
 * written in decimal digits; SOKOBAN_SPACE_ROOM bytes are enough for every level. */
#define SOKOBAN_SPACE_ROOM 1280
void sokoban_space(const struct sokoban_level *level, int *tiles, int *locking_tiles, char *digits, size_t room);
/* The estimate for given counts; "0" if no arrangement exists. */
void sokoban_space_digits(int tiles, int locking_tiles, int boxes, char *digits, size_t room);
/* Shortens exact digits to the form "3.4e7"; numbers of up to six digits stay unchanged. */
void sokoban_space_short(const char *digits, char *out, size_t room);
/* Sets live[cell] to 1 if a lone box can reach a goal from the cell, that is, if the cell is not a locking tile. */
void sokoban_live_tiles(const struct sokoban_level *level, uint8_t *live);

#ifdef __cplusplus
}
#endif
#endif
