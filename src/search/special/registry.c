#include "search/special/registry.h"

#include <string.h>

static const struct special *const all[] = {&special_sokoban, &special_sokoban_moves, &special_tiles, &special_pancake,
                                            &special_samegame};
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

const char *special_count_name(enum special_count count) {
    static const char *const names[SPECIAL_COUNTS] = {"box_lines", "box_changes", "pushing_sessions", "player_lines",
                                                      "blocks_left"};
    return names[count];
}

bool special_counts(const soloist_puzzle *puzzle, const char *solution, int64_t counts[SPECIAL_COUNTS]) {
    const struct special *special = solution ? find(puzzle->domain) : NULL;
    for (int i = 0; i < SPECIAL_COUNTS; i++)
        counts[i] = SPECIAL_NO_COUNT;
    return !special || !special->counts || special->counts(puzzle, solution, strlen(solution), counts);
}

bool special_space(const soloist_chunk *chunk, const soloist_sink *sink) {
    for (size_t i = 0; i < count; i++) {
        const struct special_levels *levels = all[i]->levels;
        if (levels && levels->space && levels->space(chunk, sink))
            return true;
    }
    return false;
}
