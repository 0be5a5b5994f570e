#include "base/ranks.h"
#include "base/module.h"

bool ranks_module_open(struct ranks_module *module, soloist_error *error) {
    bool (*open)(const char *version, struct ranks_module *module, soloist_error *error) = NULL;
    *module = (struct ranks_module){0};
    *(void **)(void *)&open = module_symbol("mpi", RANKS_MODULE_SYMBOL);
    if (open)
        return open(SOLOIST_VERSION, module, error);
    const char *why = module_complaint("mpi");
    return *why ? soloist_fail(error, 0, 0, "the module for MPI cannot be loaded: %.200s", why)
                : soloist_fail(error, 0, 0,
                               "this build has no MPI: install libopenmpi-dev and openmpi-bin (`make deps`) and build "
                               "again, or start one process only");
}

void ranks_module_close(struct ranks_module *module) {
    if (module->peers)
        module->close(module);
    *module = (struct ranks_module){0};
}
