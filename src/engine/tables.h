/* The tables that instances share, by domain and name. Each table is made once, by the solve that wants it first;
 * meanwhile other solves that want the same table wait. */
#ifndef ENGINE_TABLES_H
#define ENGINE_TABLES_H

#include "soloist_extra.h"

struct tables_cache;

struct tables_cache *tables_cache_open(void); /* NULL: no memory */
void tables_cache_close(struct tables_cache *cache);
/* The tables that the instance wants: *tables stays NULL if it wants none. False with an error if they cannot be made
 * within the limits of `work`. */
bool tables_cache_find(struct tables_cache *cache, const soloist_domain *domain, const soloist_instance *instance,
                       const soloist_work *work, const void **tables, soloist_error *error);

#endif
