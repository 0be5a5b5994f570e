/* The next push from any Sokoban position, and how far it is to the end; and what is known of a position that has none.
 */
#ifndef SEARCH_SOKOBAN_HINT_H
#define SEARCH_SOKOBAN_HINT_H

#include "search/special/sokoban/prove.h"

enum hint_status { HINT_UNKNOWN, HINT_PUSH, HINT_SOLVED, HINT_DEAD };
const char *hint_status_name(enum hint_status status); /* "unknown", "hint", "solved", "dead" */

struct hint {
    enum hint_status status;
    /* Of HINT_PUSH: */
    int letters;                    /* of the solution up to its first push */
    int column, row;                /* of the box, from 1 */
    const char *direction;          /* "left", "right", "up" or "down" */
    soloist_result result;          /* of the search; the caller frees it, whatever is returned */
    struct sokoban_explanation why; /* of HINT_DEAD */
};

/* Asks the quick rules, then solves the position by the method (NULL: auto) within the limits. */
soloist_code hint_find(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                       const soloist_limits *limits, struct hint *hint, soloist_error *error);

/* What is known of a position after prove_position: "solved", "dead", "alive" or "unknown". */
const char *proof_status_name(const struct proof *proof, const struct sokoban_level *level);

#endif
