/* The ranks that a launcher has started, as peers: made by the module libsoloist_mpi.so (base/module.h), the only part
 * that knows MPI. */
#ifndef BASE_RANKS_H
#define BASE_RANKS_H

#include "base/peers.h"

struct ranks_module {
    struct peers *peers;  /* for handing out work; NULL: not open */
    struct peers *search; /* for searches that all ranks make together; their messages do not mix */
    int node_ranks;       /* ranks on this machine */
    int cores;            /* this rank's share of the machine's cores, at least 1 */
    char node[64];        /* name of this machine */
    void (*close)(struct ranks_module *module);
};

/* Joins the other ranks; waits until all have joined. False with an error, for instance if there is no module. */
bool ranks_module_open(struct ranks_module *module, soloist_error *error);
void ranks_module_close(struct ranks_module *module);

/* The function that the module exports: opens it. False with an error, also if the program has another version. */
#define RANKS_MODULE_SYMBOL "soloist_ranks_module"
__attribute__((visibility("default"))) bool soloist_ranks_module(const char *version, struct ranks_module *module,
                                                                 soloist_error *error);

#endif
