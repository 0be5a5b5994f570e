/* The default method: a small mix that suits the domain. Least cost: an exact search with half of everything, which
 * proves what it finds, then hastier ones with the rest. Most score: greedy descents, then play-outs. Two players:
 * every line of play. */
#include "search/search.h"

#include <stdio.h>
#include <string.h>

struct auto_part {
    const char *method;
    int percent; /* of what is then left; 100 for the last */
};

static const struct auto_part with_bound[] = {{"astar", 50}, {"astar:weight=5", 60}, {"greedy", 100}, {NULL, 0}};
static const struct auto_part without_bound[] = {{"bfs", 50}, {"greedy", 100}, {NULL, 0}};
static const struct auto_part endless[] = {{"greedy", 100}, {NULL, 0}};
static const struct auto_part bounded_alone[] = {{"astar", 100}, {NULL, 0}};
static const struct auto_part unbounded_alone[] = {{"bfs", 100}, {NULL, 0}};
static const struct auto_part for_two_players[] = {{"minimax", 100}, {NULL, 0}};
static const struct auto_part for_most_score[] = {{"greedy", 30}, {"random", 100}, {NULL, 0}};

/* The proof or, for a least-cost domain, any solution ends the mix. */
static bool is_answered(const struct search_run *run) {
    return run->optimal || run->impossible || (run->found && run->domain->aim == SOLOIST_LEAST_COST);
}

/* Searches of a table know no iterations: under that limit alone only descents end, and under none only they do not. */
static const struct auto_part *choose_parts(const struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    bool bound = run->domain->bound;
    if (run->domain->players == 2)
        return for_two_players;
    if (run->domain->aim == SOLOIST_MOST_SCORE)
        return for_most_score;
    if (limits->time_s > 0 || limits->nodes)
        return bound ? with_bound : without_bound;
    if (limits->iterations)
        return endless;
    return bound ? bounded_alone : unbounded_alone;
}

static void name_part(struct search_run *run, const char *part) {
    size_t length = strlen(run->method);
    snprintf(run->method + length, sizeof run->method - length, "%s%s", length ? "+" : "", part);
}

static soloist_code auto_run(struct search_run *run) {
    const struct auto_part *part = choose_parts(run);
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
    .run = auto_run,
};
