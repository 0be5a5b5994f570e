/* A sequence: different methods on one puzzle, because none is best on all, one after the other, each with a share of
 * what is left and all threads of the run. */
#ifndef SEARCH_SEQUENCE_H
#define SEARCH_SEQUENCE_H

#include "search/search.h"

struct sequence_member {
    const char *method;
    int percent; /* of what is left when its turn comes; the last has all of it */
};

soloist_code sequence_run(struct search_run *run, const struct sequence_member *members, size_t count);
/* The proof or, for a least-cost domain, any solution is the end. */
bool sequence_answered(const struct search_run *run);

#endif
