/* The move sequences that one search leaves for the next (struct search_pool), as a JSON array of texts in the domain's
 * notation for solutions. */
#ifndef CLI_SOLVE_LINE_POOL_H
#define CLI_SOLVE_LINE_POOL_H

#include "search/search.h"

/* Reads the sequences; those that cannot be read are left out. text: may be NULL. The caller frees the pool. */
void line_pool_read(const soloist_puzzle *puzzle, const char *text, struct search_pool *pool);
/* Writes the sequences; the caller frees the text. NULL: there are none. */
char *line_pool_write(const soloist_puzzle *puzzle, const struct search_pool *pool);
/* The same for a single solution. NULL: its moves cannot be read. */
char *line_pool_of(const soloist_puzzle *puzzle, const char *solution);

#endif
