#include "search/special/registry.h"

static const struct special *const all[] = {&special_sokoban, &special_sokoban_moves, &special_tiles, &special_pancake};
enum { count = sizeof all / sizeof *all };

bool special_same_game(const soloist_domain *a, const soloist_domain *b) {
    return a->core->apply == b->core->apply && a->core->expand == b->core->expand;
}

static const struct special *find(const soloist_domain *domain) {
    for (size_t i = 0; domain && i < count; i++)
        if (special_same_game(domain, all[i]->domain))
            return all[i];
    return NULL;
}

const struct special_levels *special_levels(const soloist_domain *domain) {
    const struct special *special = find(domain);
    return special ? special->levels : NULL;
}

const struct special_ida_star *special_ida_star(const soloist_domain *domain) {
    const struct special *special = find(domain);
    return special ? special->ida_star : NULL;
}

const struct special_generate *special_generate(const soloist_domain *domain) {
    const struct special *special = find(domain);
    return special && special->domain->generate == domain->generate ? special->generate : NULL;
}

bool special_space(const soloist_chunk *chunk, const soloist_sink *sink) {
    for (size_t i = 0; i < count; i++) {
        const struct special_levels *levels = all[i]->levels;
        if (levels && levels->space && levels->space(chunk, sink))
            return true;
    }
    return false;
}
