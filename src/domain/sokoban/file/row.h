/* Which lines of a file are rows of a board. */
#ifndef DOMAIN_SOKOBAN_FILE_ROW_H
#define DOMAIN_SOKOBAN_FILE_ROW_H

#include "soloist.h"

/* The cell flags of a board symbol (WALL, GOAL, BOX or 0), or -1 for another character; *player is set if the player
 * stands on the cell. */
int row_symbol(char symbol, bool *player);
/* Length without the white space at the end. */
size_t row_trim(const char *line, size_t length);
/* True for a row of a board. A row with a few wrong characters counts too, so that the reader can report them. The
 * first row of a board must contain a wall; if `ongoing` is true, a board has already begun, and a row of only floor,
 * goals and boxes continues it. */
bool row_is_board(const char *line, size_t length, bool ongoing);
/* True if the line is a whole board by itself: rows separated by '|', with a player and a box. */
bool row_is_whole_board(const char *line, size_t length);
/* True if the line consists of '#' and spaces only; a single row of this kind is not a board. */
bool row_is_only_wall(const char *line, size_t length);

#endif
