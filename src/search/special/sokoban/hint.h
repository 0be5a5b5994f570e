/* A hint for any Sokoban position: the next push of a solution and the solution's length. If no solution was found, the
 * hint says what is known about the position. */
#ifndef SEARCH_SPECIAL_SOKOBAN_HINT_H
#define SEARCH_SPECIAL_SOKOBAN_HINT_H

#include "search/special/sokoban/prove.h"

enum hint_status { HINT_UNKNOWN, HINT_PUSH, HINT_SOLVED, HINT_DEAD };
const char *hint_status_name(enum hint_status status); /* "unknown", "hint", "solved", "dead" */

struct hint {
    enum hint_status status;
    /* The fields from `letters` to `direction` are set only with HINT_PUSH. */
    int letters;                    /* number of letters of the solution up to and including its first push */
    int column, row;                /* column and row of the box to be pushed, counted from 1 */
    const char *direction;          /* "left", "right", "up" or "down" */
    soloist_result result;          /* result of the search; the caller frees it, whatever hint_find returns */
    struct sokoban_explanation why; /* with HINT_DEAD: why the position is dead */
};

/* First applies the quick deadlock rules. If these do not prove that the position is dead, tries to solve it by the
 * method (NULL: auto) within the limits. */
soloist_code hint_find(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                       const soloist_limits *limits, struct hint *hint, soloist_error *error);

/* What is known about a position after prove_position: "solved", "dead", "alive" or "unknown". */
const char *proof_status_name(const struct proof *proof, const struct sokoban_level *level);

#endif
