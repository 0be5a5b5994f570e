/* Back ends in files of their own, libsoloist_NAME.so, beside the program or in lib/ next to its folder: a solver that
 * never uses the graphics card does not load half a gigabyte of libraries, and works on a machine without them. */
#ifndef NET_MODULE_H
#define NET_MODULE_H

#include "net/back_end.h"

/* The back end of that name; NULL with an error. Opening it again returns the same table. */
const struct net_back_end *net_module_open(const char *name, soloist_error *error);

/* What such a file exports: returns its table, or NULL if the program is of another version. */
#define NET_MODULE_SYMBOL "soloist_net_module"
__attribute__((visibility("default"))) const struct net_back_end *soloist_net_module(const char *version);

#endif
