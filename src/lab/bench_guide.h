/* A stand-in for a network in the benchmark: priors and values are pseudo-random numbers computed from the key of each
 * state, so that a search with this network does the same work on every machine. */
#ifndef LAB_BENCH_GUIDE_H
#define LAB_BENCH_GUIDE_H

#include "search/evaluator.h"

struct bench_guide {
    struct evaluator evaluator; /* first member, so that a pointer to it is also a pointer to the struct */
    soloist_network network;
};

/* Fills in *guide and returns the network in it, which searches can use as long as *guide exists. */
soloist_network *bench_guide_open(struct bench_guide *guide, const soloist_domain *domain);

#endif
