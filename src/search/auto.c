/* The default method: a small mix that suits the domain's aim. Least cost: breadth-first search with half of
 * everything, which proves what it finds, then greedy descents. Most score: greedy descents, then play-outs. */
#include "search/search.h"

#include <stdio.h>
#include <string.h>

struct auto_part {
    const char *method;
    int percent; /* of what is then left; 100 for the last */
};

static const struct auto_part for_least_cost[] = {{"bfs", 50}, {"greedy", 100}, {NULL, 0}};
static const struct auto_part bfs_alone[] = {{"bfs", 100}, {NULL, 0}};
static const struct auto_part for_most_score[] = {{"greedy", 30}, {"random", 100}, {NULL, 0}};

/* The proof or, for a least-cost domain, any solution ends the mix. */
static bool is_answered(const struct search_run *run) {
    return run->optimal || run->impossible || (run->found && run->domain->aim == SOLOIST_LEAST_COST);
}

static bool bfs_is_limited(const soloist_limits *limits) { return limits->time_s > 0 || limits->nodes; }

static void name_part(struct search_run *run, const char *part) {
    size_t length = strlen(run->method);
    snprintf(run->method + length, sizeof run->method - length, "%s%s", length ? "+" : "", part);
}

static soloist_code auto_run(struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    bool goal = run->domain->aim == SOLOIST_LEAST_COST;
    const struct auto_part *part = goal ? for_least_cost : for_most_score;
    if (goal && !bfs_is_limited(limits)) /* only what the iterations end, or else what ends by itself */
        part = limits->iterations ? &for_least_cost[1] : bfs_alone;
    for (run->method[0] = 0; part->method; part++) {
        name_part(run, part->method);
        soloist_code code = search_part(run, part->method, part->percent);
        if (code != SOLOIST_OK || is_answered(run) || search_spent(run))
            return code;
    }
    return SOLOIST_OK;
}

const struct search_method search_auto = {
    .name = "auto",
    .summary = "the best mix for the domain and what the limits allow",
    .needs = SEARCH_NEEDS_ONE_PLAYER,
    .run = auto_run,
};
