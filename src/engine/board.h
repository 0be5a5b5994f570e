/* Positions as text. */
#ifndef ENGINE_BOARD_H
#define ENGINE_BOARD_H

#include "soloist.h"

/* The text of a state in the domain's file format; the caller frees it. NULL if memory runs out. */
char *board_state_text(const soloist_puzzle *puzzle, const void *state);
/* The initial position exactly as in the file. The puzzle is parsed again by board_shown_puzzle, because the puzzle's
 * own domain may not store every part of the position. */
char *board_root_text(const soloist *engine, const soloist_puzzle *puzzle);
/* Parses the puzzle again in its display domain: the domain whose moves make up the text of a solution. This may be the
 * puzzle's own domain. */
soloist_code board_shown_puzzle(const soloist *engine, const soloist_puzzle *puzzle, soloist_puzzle *shown,
                                soloist_error *error);

#endif
