/* A stand-in for a network in the benchmark: priors and values are pseudo-random numbers computed from the key of each
 * state, so that a guided search does the same countable work on every machine. */
#ifndef LAB_BENCH_GUIDE_H
#define LAB_BENCH_GUIDE_H

#include "search/evaluator.h"

struct bench_guide {
    struct evaluator evaluator; /* first member, so that a pointer to it is a pointer to the guide */
    soloist_network network;
};

/* Opens the guide and returns it as a network for searches. The network is valid as long as the guide. */
soloist_network *bench_guide_open(struct bench_guide *guide, const soloist_domain *domain);

#endif
