/* A network for the benchmark that is none: priors and values drawn by the key of each state, so that what a guided
 * search does with them can be counted, and is the same on every machine. */
#ifndef LAB_BENCH_GUIDE_H
#define LAB_BENCH_GUIDE_H

#include "search/evaluator.h"

struct bench_guide {
    struct evaluator evaluator; /* first, so that it leads back here */
    soloist_network network;
};

/* The network that the guide is; it lives as long as the guide. */
soloist_network *bench_guide_open(struct bench_guide *guide, const soloist_domain *domain);

#endif
