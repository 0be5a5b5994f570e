/* Tables that instances share, such as pattern databases, found by domain and name. Tables are made once, by the first
 * solve that needs them; other solves that need the same tables wait meanwhile. */
#ifndef ENGINE_TABLES_H
#define ENGINE_TABLES_H

#include "soloist_extra.h"

struct tables_cache;

struct tables_cache *tables_cache_open(void); /* NULL: no memory */
void tables_cache_close(struct tables_cache *cache);
/* Finds or makes the tables that the domain uses for the instance. *tables becomes NULL if the domain uses no tables
 * for the instance. False with an error if the tables cannot be made within the limits of `work`. */
bool tables_cache_find(struct tables_cache *cache, const soloist_domain *domain, const soloist_instance *instance,
                       const soloist_work *work, const void **tables, soloist_error *error);

#endif
