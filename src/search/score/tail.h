/* The best end of a line: best-first search from a state late in a game, with little effort. Any thread may call it. */
#ifndef SEARCH_SCORE_TAIL_H
#define SEARCH_SCORE_TAIL_H

#include "search/search.h"

/* The most memory that one search takes. */
#define TAIL_MEMORY ((size_t)64 << 20)

enum tail_end {
    TAIL_BETTER, /* a better tail was found */
    TAIL_NONE,   /* no line from the state gains more than `beat`, if the bound is admissible */
    TAIL_LIMIT   /* the limit was reached, or memory is full */
};

/* Whether the run's game allows such a search. */
bool tail_is_possible(const struct search_run *run);
/* Searches for the line from `state` that gains most, if that is more than `beat`. *nodes: the most nodes that it may
 * use; afterwards those that it has used. tail: its moves are kept in a block that grows as needed, and that the caller
 * frees; if no better tail is found, only its room may have changed. */
enum tail_end tail_search(struct search_run *run, const void *state, int32_t beat, uint64_t *nodes,
                          struct search_line *tail);

#endif
