/* What a program does with the solution that a search has found: shortens it, in domains that support this
 * (search/special/polish.h), improves a game that was played for a score, and counts what players compare. */
#include "base/options.h"
#include "domain/domain.h"
#include "engine/engine.h"
#include "search/search.h"
#include "search/special/registry.h"
#include "soloist_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many states as the search generated, but beyond 20,000 only a quarter as many: on Microban I and XSokoban this
 * achieves nearly the same in a third of the time (docs/MEASURED.md). */
static uint64_t default_nodes(uint64_t search) {
    static const uint64_t most = 20000;
    uint64_t part = search / 4 > most ? search / 4 : most;
    return search < part ? search : part;
}

/* What shortening may spend; `limits` holds the search's limits and becomes those of the shortening. False: nothing.
 * prove: the search has proved the first count of several, and shortening proves the others. */
static bool find_limits(const soloist_shortening *how, const soloist_result *result, bool prove,
                        soloist_limits *limits) {
    double given_s = limits->time_s;
    limits->iterations = 0;
    limits->time_s = how->seconds > 0 ? how->seconds : given_s > 0 ? given_s - result->time_s : 0;
    if (how->seconds > 0) {
        limits->nodes = 0;
        return true;
    }
    if (given_s > 0 && limits->time_s <= 0)
        return false;
    if (prove) {
        limits->nodes = limits->nodes > result->nodes ? limits->nodes - result->nodes : limits->nodes ? 1 : 0;
        return true;
    }
    limits->nodes = default_nodes(result->nodes);
    return !result->optimal && result->nodes && result->stopped != SOLOIST_STOP_CANCEL;
}

/* Replaces the solution by another one, which becomes the result's, if the referee accepts it. */
static bool replace(const soloist_puzzle *puzzle, char *solution, soloist_result *result) {
    soloist_verdict verdict;
    soloist_error error;
    if (!soloist_check(puzzle, solution, strlen(solution), &verdict, &error)) {
        free(solution);
        return false;
    }
    soloist_result_free(result); /* frees the list of moves as well, because it belongs to the old solution */
    result->solution = solution;
    result->verdict = verdict;
    size_t length = strlen(result->method);
    snprintf(result->method + length, sizeof result->method - length, "+polish");
    return true;
}

/* Whether the count that matters most is the one that the puzzle's solutions are compared by. */
static bool is_own_aim(const soloist_puzzle *puzzle, const soloist_verdict *verdict, struct polish_aim aim) {
    char objective[POLISH_AIM_ROOM], first[POLISH_AIM_ROOM];
    engine_objective(puzzle, verdict, objective);
    aim.count = 1;
    return !strcmp(objective, polish_aim_name(aim, first));
}

static void take_over(const soloist_puzzle *puzzle, struct polish_aim aim, struct polish_result *polished,
                      soloist_shortening *how, soloist_result *result) {
    how->nodes = polished->nodes;
    how->time_s = polished->time_s;
    result->time_s += polished->time_s;
    int64_t proved = result->verdict.value;
    if (!replace(puzzle, polished->solution, result))
        return;
    result->optimal = (polished->optimal && is_own_aim(puzzle, &result->verdict, aim)) ||
                      (result->optimal && result->verdict.value == proved);
    if (polished->optimal)
        polish_aim_name(aim, how->optimal_for);
}

/* In a domain that is not built in, other solutions may have fewer moves, some of which cost more. */
void engine_objective(const soloist_puzzle *puzzle, const soloist_verdict *verdict, char *out) {
    const soloist_domain *domain = puzzle->domain;
    const soloist_option *row = options_find(domain->options, "optimal", strlen("optimal"));
    bool unit_costs = domain_is_builtin(domain) && verdict->value == verdict->moves;
    const char *name = domain->aim == SOLOIST_MOST_SCORE ? "score" : unit_costs ? "moves" : "cost";
    if (row)
        options_value(row, puzzle->options, out, POLISH_AIM_ROOM);
    else
        snprintf(out, POLISH_AIM_ROOM, "%s", name);
}

soloist_code soloist_describe(const soloist_puzzle *puzzle, const soloist_result *result, soloist_details *details) {
    _Static_assert(sizeof details->optimal_for == POLISH_AIM_ROOM, "the counts' names have room");
    int64_t counts[SPECIAL_COUNTS];
    if (!engine_is_read(puzzle) || !result || !details || details->size < sizeof *details)
        return SOLOIST_MISUSE;
    if (!special_counts(puzzle, result->solution, counts))
        return SOLOIST_NO_MEMORY;
    for (int i = 0; i < SPECIAL_COUNTS; i++)
        counts[i] = counts[i] == SPECIAL_NO_COUNT ? -1 : counts[i];
    *details = (soloist_details){.size = details->size,
                                 .box_lines = counts[SPECIAL_BOX_LINES],
                                 .box_changes = counts[SPECIAL_BOX_CHANGES],
                                 .pushing_sessions = counts[SPECIAL_PUSHING_SESSIONS],
                                 .player_lines = counts[SPECIAL_PLAYER_LINES],
                                 .blocks_left = counts[SPECIAL_BLOCKS_LEFT]};
    if (result->solution && result->optimal)
        engine_objective(puzzle, &result->verdict, details->optimal_for);
    return SOLOIST_OK;
}

/* What shortening minimises by default: first the count that the search minimised, so that a proved optimum stays. */
static struct polish_aim default_aim(const soloist_puzzle *puzzle, const soloist_result *result) {
    char objective[POLISH_AIM_ROOM];
    engine_objective(puzzle, &result->verdict, objective);
    return strcmp(objective, "moves") ? POLISH_PUSHES_MOVES : POLISH_MOVES_PUSHES;
}

/* ---- games played for a score ---- */

static bool can_be_annealed(const soloist_domain *domain) {
    return domain->aim == SOLOIST_MOST_SCORE && domain->players == 1 && domain->walk && domain->walk->parts;
}

/* Looks for a game with a higher score by simulated annealing. */
static void anneal(const soloist_puzzle *puzzle, const soloist_limits *limits, const soloist_callbacks *callbacks,
                   soloist_shortening *how, soloist_result *result) {
    static const char method[] = "nrpa:refined_share=0,anneal=1,stages_least=0,refined_least=1000";
    struct search_pool pool = {0};
    soloist_result better = {0};
    soloist_error error;
    soloist *engine = soloist_new();
    if (engine && search_pool_add(&pool, puzzle, result->solution, strlen(result->solution)) && pool.count &&
        engine_solve(engine, puzzle, method, limits, callbacks, NULL, NULL, NULL, &pool, &better, &error) ==
            SOLOIST_OK) {
        how->nodes = better.nodes;
        how->time_s = better.time_s;
        result->time_s += better.time_s;
        if (better.solution && better.verdict.value > result->verdict.value) {
            replace(puzzle, better.solution, result);
            better.solution = NULL;
        }
    }
    soloist_result_free(&better);
    search_pool_free(&pool);
    soloist_free(engine);
}

soloist_code soloist_shorten(const soloist_puzzle *puzzle, const soloist_limits *limits,
                             const soloist_callbacks *callbacks, soloist_shortening *how, soloist_result *result,
                             soloist_error *error) {
    _Static_assert(sizeof how->optimal_for == POLISH_AIM_ROOM, "the counts' names have room");
    soloist_limits left = limits ? *limits : (soloist_limits){0};
    soloist_error spare;
    error = error ? error : &spare;
    *error = (soloist_error){0};
    if (!engine_is_read(puzzle) || !how || how->size < sizeof *how || !result) {
        soloist_fail(error, 0, 0, "soloist_shorten needs a puzzle that was read, a shortening and a result");
        return SOLOIST_MISUSE;
    }
    if (engine_check_limits(&left, error) != SOLOIST_OK)
        return SOLOIST_MISUSE;
    how->nodes = 0;
    how->time_s = 0;
    *how->optimal_for = 0;
    bool any = !how->objective || !strcmp(how->objective, "any");
    struct polish_aim aim = default_aim(puzzle, result);
    if (!any && !polish_aim_read(how->objective, &aim, error))
        return SOLOIST_MISUSE;
    const struct special_levels *levels = special_levels(puzzle->domain);
    if (!levels && how->seconds > 0 && result->solution && !result->optimal && can_be_annealed(puzzle->domain)) {
        find_limits(how, result, false, &left);
        anneal(puzzle, &left, callbacks, how, result);
        return SOLOIST_OK;
    }
    if (!levels || !result->solution || !find_limits(how, result, !any && aim.count > 1, &left))
        return SOLOIST_OK;
    /* With seconds to spend, what the search has proved is not the end: moves or pushes are shortened too. */
    if (how->seconds > 0 && aim.count == 1)
        aim = aim.order[0] == POLISH_COUNT_MOVES ? POLISH_MOVES_PUSHES : POLISH_PUSHES_MOVES;
    struct polish_result polished;
    if (levels->polish(puzzle, result->solution, strlen(result->solution), aim, &left, callbacks, &polished, &spare) ==
        SOLOIST_OK)
        take_over(puzzle, aim, &polished, how, result);
    return SOLOIST_OK;
}
