/* An instance's position as text. */
#ifndef SEARCH_BOARD_H
#define SEARCH_BOARD_H

#include "soloist.h"

/* As a file of the domain holds it; the caller's to free, NULL without memory. */
char *board_state_text(const soloist_puzzle *puzzle, const void *state);
/* The first position exactly as given: a domain that is shown in another's steps may keep less of it. */
char *board_root_text(const soloist *engine, const soloist_puzzle *puzzle);
/* Reads the puzzle again in the domain whose steps are shown; it may be the same one. */
soloist_code board_shown_puzzle(const soloist *engine, const soloist_puzzle *puzzle, soloist_puzzle *shown,
                                soloist_error *error);

#endif
