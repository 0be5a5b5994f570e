/* The bench of networks on the processor. */
#ifndef LAB_BENCH_NET_H
#define LAB_BENCH_NET_H

#include "soloist.h"

/* Judges `positions` states of random games by the SameGame document's policy network of 15x15. The signature is that
 * of the states as the network sees them and of the weights; what the network says of them is rounded otherwise on
 * every machine and stays out. */
bool bench_network(const soloist_domain *domain, const soloist_instance *instance, int64_t positions, uint64_t *count,
                   uint64_t *signature, soloist_error *error);

#endif
