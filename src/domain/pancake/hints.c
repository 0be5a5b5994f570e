/* What suits pancakes best: under the full GAP bound, the search from both ends of the solution. */
#include "domain/pancake/pancake.h"

static const soloist_member members[] = {{"idastar", "idastar:dual", .percent = 90},
                                         {"astar-weighted", "astar:weight=5", .percent = 60},
                                         {"greedy", "greedy", .percent = 100}};
static const soloist_mix limited = {.size = sizeof(soloist_mix), .members = members, .count = 3};
static const soloist_mix unlimited = {.size = sizeof(soloist_mix), .members = members, .count = 1};

static const soloist_mix *choose_mix(const soloist_instance *instance, const soloist_limits *limits) {
    if (!instance->labels[PANCAKE_FORWARD].same)
        return NULL;
    if (limits->time_s > 0 || limits->nodes)
        return &limited;
    return limits->iterations ? NULL : &unlimited;
}

const soloist_hints pancake_hints = {.size = sizeof(soloist_hints), .mix = choose_mix, .fast_expand = true};
