/* The depth-first search specialised for the 15-puzzle under the Manhattan distance. */
#ifndef SEARCH_SPECIAL_TILES_DEPTH_FIRST_TILES_H
#define SEARCH_SPECIAL_TILES_DEPTH_FIRST_TILES_H

#include "search/ida_star/depth_first.h"

/* Does the same as depth_first_generic, with equal node counts, but faster. The instance must be a 4x4 board with the
 * Manhattan bound. */
enum depth_first_end depth_first_tiles15(struct depth_first *search, uint64_t limit);

#endif
