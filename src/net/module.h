/* Loads back ends from separate files named libsoloist_NAME.so, in the program's folder or in lib/ next to that folder.
 * So a program that does not use the GPU need not load half a gigabyte of libraries, and works on a machine without
 * them. */
#ifndef NET_MODULE_H
#define NET_MODULE_H

#include "net/back_end.h"

/* Loads the back end with this name; NULL with an error. Loading it again returns the same table. */
const struct net_back_end *net_module_open(const char *name, soloist_error *error);

/* The function that such a file exports. The function returns the back end's table, or NULL if the program has another
 * version. */
#define NET_MODULE_SYMBOL "soloist_net_module"
__attribute__((visibility("default"))) const struct net_back_end *soloist_net_module(const char *version);

#endif
