/* Hash-distributed A* (Kishimoto, Fukunaga and Botea 2009): every state belongs to one rank, and only this rank stores
 * and expands it. A rank sends children that belong to other ranks to these ranks, in batches. The ranks are threads of
 * this process, or processes that work together (run->peers); the code is the same in both cases. Ranks share no
 * states, so there are no locks. */
#ifndef SEARCH_BEST_FIRST_DISTRIBUTED_H
#define SEARCH_BEST_FIRST_DISTRIBUTED_H

#include "search/search.h"

struct distributed_settings {
    bool bounds;        /* f = g + w h, where h is the domain's bound; false: f = g */
    int64_t weight;     /* w in thousandths */
    bool random_ties;   /* among states of equal f, a random one is expanded first; false: the deepest one */
    int64_t expansions; /* maximum number of states that are expanded; 0: no limit */
};

/* Whether the run has more than one rank. */
bool distributed_is_wanted(const struct search_run *run);

/* Runs the search on all ranks and returns when all of them have ended. A distributed search proves optimality, or that
 * there is no solution, under the same conditions as a search on one rank. */
soloist_code distributed_run(struct search_run *run, const struct distributed_settings *settings);

#endif
