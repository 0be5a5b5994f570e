/* Shortens a Sokoban solution. Three techniques take turns until a limit is reached or the solution is proved optimal:
 * windows (an exact search between two positions of the solution), order (moving a series of consecutive pushes of one
 * box to an earlier or later place), and vicinity (the cheapest path through positions near the solution). The solution
 * never gets worse. */
#ifndef SEARCH_SPECIAL_SOKOBAN_POLISH_H
#define SEARCH_SPECIAL_SOKOBAN_POLISH_H

#include "search/special/polish.h"

/* Shortens a solution of a puzzle of the domain "sokoban" or "sokoban-moves". Returns SOLOIST_BAD_INPUT with the
 * referee's error if the text is not a solution. The limits on time, nodes and memory and the stop token are obeyed;
 * callbacks may be NULL. */
soloist_code polish_solution(const soloist_puzzle *puzzle, const char *solution, size_t length, struct polish_aim aim,
                             const soloist_limits *limits, const soloist_callbacks *callbacks,
                             struct polish_result *result, soloist_error *error);

#endif
