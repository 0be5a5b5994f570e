/* A portfolio: different methods on one puzzle, because none is best on all. On one thread they come one after the
 * other, each with a share of what is left; on several they run side by side, and the first answer ends the others. */
#ifndef SEARCH_PORTFOLIO_H
#define SEARCH_PORTFOLIO_H

#include "search/search.h"

struct portfolio_member {
    const char *method;
    int percent;         /* of what is left when its turn comes; 100 for the last */
    double most_s;       /* and no more seconds than this; 0: no such cap */
    const char *changes; /* of the domain's options; NULL: none */
    bool threads;        /* can use those that are to spare */
};

/* One after the other, each with all threads of the run. */
soloist_code portfolio_run_in_turn(struct search_run *run, const struct portfolio_member *members, size_t count);
/* The same on one thread. On several, each thread takes the next member; the last ones have all that is left, and run
 * to the end. */
soloist_code portfolio_run(struct search_run *run, const struct portfolio_member *members, size_t count);

#endif
