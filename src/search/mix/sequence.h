/* A sequence: different methods work on one puzzle one after the other, because no method is best on all puzzles. Each
 * method gets a share of the remaining limits, and all threads of the run. */
#ifndef SEARCH_MIX_SEQUENCE_H
#define SEARCH_MIX_SEQUENCE_H

#include "search/search.h"

/* Runs the members one after the other. The last member gets all that is left of the limits, whatever its percentage
 * is. */
soloist_code sequence_run(struct search_run *run, const soloist_member *members, size_t count);
/* Whether the run can end: a result is proved or, in a least-cost domain, a solution was found. */
bool sequence_answered(const struct search_run *run);

#endif
