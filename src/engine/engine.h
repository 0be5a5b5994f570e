/* The engine's own parts that its files share. */
#ifndef SEARCH_ENGINE_H
#define SEARCH_ENGINE_H

#include "soloist.h"

/* Checks a domain's table: number of the contract, required groups, required functions of every group that is there,
 * sane option rows. False with one sentence. */
bool engine_check_domain(const soloist_domain *domain, soloist_error *error);

/* Gives the puzzle the shared tables that it wants, making them if no run has before. False with an error. */
bool engine_attach_tables(const soloist *engine, const soloist_puzzle *puzzle, const soloist_limits *limits,
                          const soloist_callbacks *callbacks, soloist_error *error);

/* Asks who finds networks; where nobody does, *network stays as it is. False with an error. */
bool engine_find_network(const soloist *engine, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                         soloist_error *error);

/* Do the domain's bounds hold what they promise along the run's best line, which has been replayed? False with one
 * sentence. both_ways: what was proved rests on the bound for backward play too, and on both being consistent. */
struct search_run;
bool engine_check_bounds(const struct search_run *run, bool both_ways, soloist_error *error);

#endif
