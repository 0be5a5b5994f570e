/* Connects the ranks that a launcher has started, so that they become peers (peers.h). The module libsoloist_mpi.so
 * (base/module.h) does this; it is the only part of the program that uses MPI. */
#ifndef BASE_RANKS_H
#define BASE_RANKS_H

#include "base/peers.h"

struct ranks_module {
    struct peers *peers;  /* for handing out work; NULL: not open */
    struct peers *search; /* for searches that all ranks run together; messages are separate from those of `peers` */
    int node_ranks;       /* ranks on this machine */
    int cores;            /* this rank's share of the machine's cores, at least 1 */
    char node[64];        /* name of this machine */
    void (*close)(struct ranks_module *module);
};

/* Joins the other ranks and waits until all have joined. On failure, for instance if there is no module, returns false
 * with an error. */
bool ranks_module_open(struct ranks_module *module, soloist_error *error);
void ranks_module_close(struct ranks_module *module);

/* The function that the module exports. It starts MPI and fills in *module. On failure, or if `version` is not the
 * version of the module, it returns false with an error. */
#define RANKS_MODULE_SYMBOL "soloist_ranks_module"
__attribute__((visibility("default"))) bool soloist_ranks_module(const char *version, struct ranks_module *module,
                                                                 soloist_error *error);

#endif
