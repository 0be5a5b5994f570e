/* The benchmark of networks on the CPU. */
#ifndef LAB_BENCH_NET_H
#define LAB_BENCH_NET_H

#include "soloist.h"

/* Evaluates `positions` states of random games by the policy network of Seify 2020 for 15x15 boards. The signature
 * covers the input planes and the weights; the outputs are left out, because they are rounded differently on each
 * machine. */
bool bench_network(const soloist_domain *domain, const soloist_instance *instance, int64_t positions, uint64_t *count,
                   uint64_t *signature, soloist_error *error);

#endif
