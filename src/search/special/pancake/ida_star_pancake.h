/* IDA* for pancakes that builds the solution from both of its ends. */
#ifndef SEARCH_SPECIAL_PANCAKE_IDA_STAR_PANCAKE_H
#define SEARCH_SPECIAL_PANCAKE_IDA_STAR_PANCAKE_H

#include "search/search.h"

/* True if the domain is pancakes and the bound is the full GAP, on which the search relies. */
bool ida_star_pancake_fits(const soloist_domain *domain, const soloist_instance *instance);
soloist_code ida_star_pancake(struct search_run *run);

#endif
