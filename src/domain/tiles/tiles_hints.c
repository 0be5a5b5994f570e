/* What suits sliding tiles best: the default mix. With a time limit of a few seconds, half of it is enough to solve
 * most 15-puzzles optimally, and even the whole limit is hardly ever enough for a 24-puzzle. */
#include "domain/tiles/tiles.h"

static const soloist_member for_narrow[] = {{"idastar", "idastar", .percent = 50}, {"beam", "beam", .percent = 100}};
static const soloist_member for_wide[] = {{"idastar", "idastar", .percent = 5}, {"beam", "beam", .percent = 100}};
static const soloist_mix narrow_mix = {.size = sizeof(soloist_mix), .members = for_narrow, .count = 2};
static const soloist_mix wide_mix = {.size = sizeof(soloist_mix), .members = for_wide, .count = 2};

static const soloist_mix *choose_mix(const soloist_instance *instance, const soloist_limits *limits) {
    if (!(limits->time_s > 0) && !limits->nodes)
        return NULL;
    return instance->squares > TILES_NARROW_SQUARES ? &wide_mix : &narrow_mix;
}

const soloist_hints tiles_hints = {.size = sizeof(soloist_hints), .mix = choose_mix, .fast_expand = true};
