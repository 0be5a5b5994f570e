/* The depth-first search specialised for the 15-puzzle under the Manhattan distance. */
#ifndef SEARCH_SPECIAL_TILES_DEPTH_FIRST_TILES_H
#define SEARCH_SPECIAL_TILES_DEPTH_FIRST_TILES_H

#include "search/ida_star/depth_first.h"

/* True if the instance is a 4x4 board of the domain `tiles` with the Manhattan bound. */
bool depth_first_fits_tiles15(const soloist_domain *domain, const soloist_instance *instance);
/* Does the same as depth_first_generic, with equal node counts, but faster. */
enum depth_first_end depth_first_tiles15(struct depth_first *search, uint64_t limit);

#endif
