/* An instance's position as text. */
#ifndef ENGINE_BOARD_H
#define ENGINE_BOARD_H

#include "soloist.h"

/* The position in the domain's file format; the caller frees it. NULL if memory runs out. */
char *board_state_text(const soloist_puzzle *puzzle, const void *state);
/* The first position exactly as in the file. It is read with the domain in whose steps solutions are shown, because the
 * puzzle's own domain may not have kept all of the position. */
char *board_root_text(const soloist *engine, const soloist_puzzle *puzzle);
/* Parses the puzzle again for the domain in whose steps solutions are shown; this may be the puzzle's own domain. */
soloist_code board_shown_puzzle(const soloist *engine, const soloist_puzzle *puzzle, soloist_puzzle *shown,
                                soloist_error *error);

#endif
