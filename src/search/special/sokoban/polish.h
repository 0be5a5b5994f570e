/* Shortening a Sokoban solution. Three techniques take turns until the time is up or nothing better is found: windows
 * (exact search between two positions of the line), order (pushing sessions moved before or behind others), and
 * vicinity (positions near the line, and the cheapest path through them). The line never gets worse. */
#ifndef SEARCH_SOKOBAN_POLISH_H
#define SEARCH_SOKOBAN_POLISH_H

#include "soloist.h"

enum polish_aim { POLISH_PUSHES_MOVES, POLISH_MOVES_PUSHES, POLISH_PUSHES, POLISH_MOVES };

struct polish_result {
    char *solution; /* LURD, confirmed by the referee; owned. NULL if the one given was refused */
    soloist_verdict before, after;
    bool optimal; /* proved under the aim: no solution is better */
    uint64_t nodes;
    double time_s;
    soloist_stop stopped; /* SOLOIST_STOP_GOAL: nothing is left to try, or it is proved */
};

/* Shortens a solution of a puzzle of the domain "sokoban" or "sokoban-moves". SOLOIST_BAD_INPUT with the referee's
 * error if it is none. Limits: time, nodes, memory, stop token; callbacks may be NULL. */
soloist_code polish_solution(const soloist_puzzle *puzzle, const char *solution, size_t length, enum polish_aim aim,
                             const soloist_limits *limits, const soloist_callbacks *callbacks,
                             struct polish_result *result, soloist_error *error);

#endif
