/* The default method: a small mix that suits the domain. Least cost: an exact search with half of everything, which
 * proves what it finds, then hastier ones with the rest. Most score: an exact search where games are short, then
 * policies that learn where the domain has walks, else greedy descents and play-outs. Two players: every line of play.
 */
#include "domain/domain.h"
#include "search/ida_star_pancake.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

struct auto_part {
    const char *method;
    int percent;         /* of what is then left; 100 for the last */
    const char *changes; /* of the domain's options; NULL: none */
};

static const struct auto_part with_bound[] = {
    {"astar", 50, NULL}, {"astar:weight=5", 60, NULL}, {"greedy", 100, NULL}, {NULL, 0, NULL}};
/* Macros and cuts lose some solutions but lead to many more: of XSokoban's 90 levels tree search solves 30 with them
 * and with penalties in 5 s, 13 without (docs/RESULTS.md). */
#define SOKOBAN_MACROS "tunnels=out,goal_macros=on,goal_cuts=far,penalties=sound"
static const struct auto_part for_sokoban[] = {{"astar", 25, NULL},
                                               {"mcts:way=0.25", 35, SOKOBAN_MACROS},
                                               {"mcts", 100, NULL},
                                               {"greedy", 100, NULL},
                                               {NULL, 0, NULL}};
static const struct auto_part for_pancakes[] = {
    {"idastar:dual", 90, NULL}, {"astar:weight=5", 60, NULL}, {"greedy", 100, NULL}, {NULL, 0, NULL}};
/* Half a budget of seconds is enough for most boards of 15 tiles, and all of it for hardly any of 24. */
static const struct auto_part for_tiles[] = {{"idastar", 50, NULL}, {"beam", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part for_wide_tiles[] = {{"idastar", 5, NULL}, {"beam", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part without_bound[] = {{"bfs", 50, NULL}, {"greedy", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part endless[] = {{"greedy", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part bounded_alone[] = {{"astar", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part pancakes_alone[] = {{"idastar:dual", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part unbounded_alone[] = {{"bfs", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part for_two_players[] = {{"minimax", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part for_small_score[] = {
    {"bestfirst", 50, NULL}, {"greedy", 30, NULL}, {"random", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part small_score_alone[] = {{"bestfirst", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part for_most_score[] = {{"greedy", 5, NULL}, {"mcts", 100, NULL}, {NULL, 0, NULL}};
/* With walks, policies learn faster than trees grow: on SameGame's 20 standard positions 79,964 points where greedy
 * descents and a tree had 69,114 (docs/RESULTS.md). */
static const struct auto_part for_small_walk[] = {{"bestfirst", 50, NULL}, {"nrpa", 100, NULL}, {NULL, 0, NULL}};
static const struct auto_part for_walk[] = {{"nrpa", 100, NULL}, {NULL, 0, NULL}};

/* The proof or, for a least-cost domain, any solution ends the mix. */
static bool is_answered(const struct search_run *run) {
    return run->optimal || run->impossible || (run->found && run->domain->aim == SOLOIST_LEAST_COST);
}

/* NULL: not tiles. A packed board of up to 16 squares has 8 bytes. */
static const struct auto_part *choose_for_tiles(const struct search_run *run) {
    if (run->domain->core != tiles_domain.core)
        return NULL;
    return run->shape.packed_size > 8 ? for_wide_tiles : for_tiles;
}

/* Games of at most this many moves, SameGame's of up to 64 blocks, are mostly proved within seconds: of 7x7 all. */
enum { short_game = 32 };

static const struct auto_part *choose_for_score(const struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    bool is_short = run->domain->bound && run->shape.most_steps > 0 && run->shape.most_steps <= short_game;
    if (is_short && (limits->time_s > 0 || limits->nodes))
        return run->domain->walk ? for_small_walk : for_small_score;
    if (is_short && !limits->iterations)
        return small_score_alone;
    return run->domain->walk ? for_walk : for_most_score;
}

/* Searches of a table know no iterations: under that limit alone only descents end, and under none only they do not. */
static const struct auto_part *choose_parts(const struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    bool bound = run->domain->bound, pancakes = ida_star_pancake_fits(run->domain, run->instance);
    const struct auto_part *tiles = choose_for_tiles(run);
    if (run->domain->players == 2)
        return for_two_players;
    if (run->domain->aim == SOLOIST_MOST_SCORE)
        return choose_for_score(run);
    if (limits->time_s > 0 || limits->nodes)
        return pancakes                                                         ? for_pancakes
               : tiles                                                          ? tiles
               : run->domain->core == sokoban_domain.core && limits->time_s > 0 ? for_sokoban
               : bound                                                          ? with_bound
                                                                                : without_bound;
    if (limits->iterations)
        return endless;
    return pancakes ? pancakes_alone : bound ? bounded_alone : unbounded_alone;
}

static void name_part(struct search_run *run, const char *part) {
    size_t length = strlen(run->method);
    snprintf(run->method + length, sizeof run->method - length, "%s%s", length ? "+" : "", part);
}

static soloist_code auto_run(struct search_run *run) {
    const struct auto_part *part = choose_parts(run);
    for (run->method[0] = 0; part->method; part++) {
        name_part(run, part->method);
        soloist_code code = part->changes ? search_part_as(run, part->changes, part->method, part->percent)
                                          : search_part(run, part->method, part->percent);
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
