#include "search/special/hooks.h"

#include <string.h>

static const struct hooks *const all[] = {&sokoban_hooks, &sokoban_moves_hooks};

const struct hooks *hooks_find(const soloist_domain *domain) {
    for (size_t i = 0; domain && i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->domain, domain->name))
            return all[i];
    return NULL;
}
