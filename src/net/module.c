#include "net/module.h"
#include "base/module.h"

const struct net_back_end *net_module_open(const char *name, soloist_error *error) {
    const struct net_back_end *(*table)(const char *version) = NULL;
    *(void **)(void *)&table = module_symbol(name, NET_MODULE_SYMBOL);
    if (!table)
        return soloist_fail(error, 0, 0, "this build has no back end %s", name), NULL;
    const struct net_back_end *found = table(SOLOIST_VERSION);
    if (!found)
        soloist_fail(error, 0, 0, "the back end %s was built for another version", name);
    return found;
}
