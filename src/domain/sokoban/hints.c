/* What suits Sokoban best: the default mix. */
#include "domain/sokoban/deadlock/triples.h"

/* A* comes first, which proves optimality on small levels. Most of the other work is feature-space search, with one
 * kind of plan per member, and bidirectional search with most expansions from the goals. Each member and its share were
 * chosen by the number of levels that only this member solves (docs/MEASURED.md, "Sokoban with the default method");
 * tree search solves small levels that need long detours. fess-1 is fess with plan 1, and so on. */
#define FESS(plan) "fess:plans=1,first=" plan ",restart=30000"
static const soloist_member for_pushes[] = {
    {"astar", "astar", .share = 2, .head = 50000},
    {"bhpa", "bhpa:lean=6", .share = 24, .head = 40000},
    {"fess-1", FESS("1"), .share = 25},
    {"fess-0", FESS("0"), .share = 12},
    {"fess-4", FESS("4"), .share = 12},
    {"fess-7", FESS("7"), .share = 8},
    {"bhpa-goal", "bhpa:from=goal,weight=3", .share = 6},
    {"fess-5", FESS("5"), .share = 6},
    {"fess-6", FESS("6"), .share = 6},
    {"bhpa-macros", "bhpa", .share = 4, .changes = "tunnels=out,goal_macros=on,goal_cuts=far,penalties=sound"},
    {"mcts", "mcts:path_weight=0.75,per_tree=0", .share = 3, .threads = true},
    {"fess-2", FESS("2"), .share = 3},
};

/* The mix for costs that count steps, and for play without deadlock rules: more time is spent on optimal searches. */
static const soloist_member for_steps[] = {
    {"astar", "astar", .percent = 40}, {"bhpa", "bhpa", .percent = 40}, {"mcts", "mcts", .percent = 100}};

#define MIX(list, in_turns, changed)                                                                                   \
    {                                                                                                                  \
        .size = sizeof(soloist_mix), .members = list, .count = sizeof list / sizeof *list, .round_robin = in_turns,    \
        .changes = changed                                                                                             \
    }
static const soloist_mix steps_mix = MIX(for_steps, false, NULL);
static const soloist_mix plain_mix = MIX(for_pushes, true, NULL);
static const soloist_mix learning_mix = MIX(for_pushes, true, "triples=400,share=findings");

static const soloist_mix *choose_mix(const soloist_instance *instance, const soloist_limits *limits) {
    const struct sokoban *game = sokoban_of(instance);
    if (!(limits->time_s > 0) && !limits->nodes)
        return NULL;
    if (game->rules.exact || !game->rules.dead_squares)
        return &steps_mix;
    bool set = game->rules.triples || game->rules.share || game->rules.deadlock_tables;
    return set || game->boxes < SOKOBAN_TRIPLES_BOXES ? &plain_mix : &learning_mix;
}

const soloist_hints sokoban_hints = {.size = sizeof(soloist_hints), .mix = choose_mix};
