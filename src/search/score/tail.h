/* The best continuation (tail) of a line from a state late in a game, found by a best-first search with small limits.
 * Any thread may call these functions. */
#ifndef SEARCH_SCORE_TAIL_H
#define SEARCH_SCORE_TAIL_H

#include "search/search.h"

/* Maximum number of bytes that one search uses. */
#define TAIL_MEMORY ((size_t)64 << 20)

enum tail_end {
    TAIL_BETTER, /* a better tail was found */
    TAIL_NONE,   /* no continuation gains more than `beat`; proved if the bound is admissible */
    TAIL_LIMIT   /* the limit was reached, or memory is full */
};

/* Whether tail_search can be used in the run's domain. */
bool tail_is_possible(const struct search_run *run);
/* Searches for the sequence of moves from `state` that gains the highest score, if that score exceeds `beat`. *nodes:
 * on entry, the maximum number of nodes; on return, the number of nodes used. tail: receives the moves; its array grows
 * as needed, and the caller frees it. If no better tail is found, only the array's size may have changed. */
enum tail_end tail_search(struct search_run *run, const void *state, int32_t beat, uint64_t *nodes,
                          struct search_line *tail);

#endif
