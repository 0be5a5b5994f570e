/* The engine's own parts that its files share. */
#ifndef SEARCH_ENGINE_H
#define SEARCH_ENGINE_H

#include "soloist.h"

/* Checks a domain's table: number of the contract, required groups, required functions of every group that is there,
 * sane option rows. False with one sentence. */
bool engine_check_domain(const soloist_domain *domain, soloist_error *error);

#endif
