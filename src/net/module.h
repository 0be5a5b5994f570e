/* Loads back ends that are modules (base/module.h). */
#ifndef NET_MODULE_H
#define NET_MODULE_H

#include "net/back_end.h"

/* Loads the back end with this name; NULL with an error. Loading it again returns the same table. */
const struct net_back_end *net_module_open(const char *name, soloist_error *error);

/* The function that a back end's module exports. The function returns the back end's table, or NULL if `version`, the
 * program's version, differs from the module's. */
#define NET_MODULE_SYMBOL "soloist_net_module"
__attribute__((visibility("default"))) const struct net_back_end *soloist_net_module(const char *version);

#endif
