#include "search/special/hooks.h"
#include "domain/sokoban/file/level.h"

#include <string.h>

static const struct hooks all[] = {
    {"sokoban", sokoban_chunk_solution, sokoban_referee_any_case},
    {"sokoban-moves", sokoban_chunk_solution, sokoban_referee_any_case},
};

const struct hooks *hooks_find(const soloist_domain *domain) {
    for (size_t i = 0; domain && i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].domain, domain->name))
            return &all[i];
    return NULL;
}
