/* The options of A*. They are shared by its two versions: A* with the domain's bound (a_star.c), and A* with a
 * network's estimate of the cost to go (a_star_network.c). */
#ifndef SEARCH_BEST_FIRST_A_STAR_H
#define SEARCH_BEST_FIRST_A_STAR_H

#include "search/search.h"

enum a_star_bound { A_STAR_BOUND_DOMAIN, A_STAR_BOUND_NETWORK, A_STAR_BOUND_BOTH };
enum a_star_ties { A_STAR_TIES_DEEP, A_STAR_TIES_RANDOM };

#define A_STAR_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    REAL(T, weight, 1, 0, 100,                                                                                         \
         "factor w in f = g + w h, where g is the cost so far and h the bound; above 1: faster, but solutions may "    \
         "not be optimal; 0: Dijkstra's algorithm")                                                                    \
    CHOICE(T, ties, A_STAR_TIES_DEEP, "deep|random",                                                                   \
           "which of several states with equal f is expanded first: deep: the deepest; random: a random one")          \
    INT(T, expansions, 0, 0, 1e15, "maximum number of states that are expanded; 0: no limit")                          \
    CHOICE(T, bound, A_STAR_BOUND_DOMAIN, "domain|network|both",                                                       \
           "what h is: domain: the domain's bound; network: the cost to go that a network estimates; both: the "       \
           "greater of the two. With bound=network or both, no solution is reported as optimal")                       \
    INT(T, batch, 1, 1, 65536,                                                                                         \
        "with a network: number of states that are expanded before the network evaluates all their children in one "   \
        "batch; 1: plain A*; more: faster on a graphics card, but more states are expanded")
SOLOIST_OPTIONS(a_star_options, A_STAR_OPTIONS);

/* Runs A* with a network's estimate. (a_star_network.c) */
soloist_code a_star_network_run(struct search_run *run);

#endif
