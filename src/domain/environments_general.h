/* The general version of environments, for every domain with the groups core and learn. */
#ifndef DOMAIN_ENVIRONMENTS_GENERAL_H
#define DOMAIN_ENVIRONMENTS_GENERAL_H

#include "soloist_extra.h"

/* Its functions; `suits` and `open` are NULL: boards are opened by general_open. */
extern const soloist_environments environments_general;

void *general_open(const soloist_domain *domain, const soloist_episodes *episodes); /* NULL: no memory */

#endif
