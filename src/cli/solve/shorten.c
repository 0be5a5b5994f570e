#include "cli/solve/shorten.h"
#include "search/special/registry.h"

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

/* What shortening may spend. False: nothing. */
static bool find_limits(const struct batch *batch, const soloist_result *result, double left_s,
                        soloist_limits *limits) {
    const struct objective *objective = &batch->objective;
    *limits = batch->limits;
    limits->iterations = 0;
    if (batch->shorten == SHORTEN_NOT)
        return false;
    if (batch->shorten == SHORTEN_SECONDS) {
        limits->time_s = batch->polish_s;
        limits->nodes = 0;
        return true;
    }
    limits->time_s = left_s;
    if (batch->limits.time_s > 0 && left_s <= 0)
        return false;
    /* The search has proved the first count; shortening proves the others. */
    if (objective->prove && objective->aim.count > 1) {
        limits->nodes = limits->nodes > result->nodes ? limits->nodes - result->nodes : limits->nodes ? 1 : 0;
        return true;
    }
    limits->nodes = default_nodes(result->nodes);
    return !result->optimal && result->nodes && result->stopped != SOLOIST_STOP_CANCEL;
}

static void take_over(const soloist_puzzle *puzzle, struct polish_aim aim, struct polish_result *polished,
                      struct outcome *outcome) {
    soloist_result *result = &outcome->result;
    soloist_verdict verdict;
    soloist_error error;
    outcome->polish_nodes = polished->nodes;
    outcome->polish_s = polished->time_s;
    result->time_s += polished->time_s;
    if (!soloist_check(puzzle, polished->solution, strlen(polished->solution), &verdict, &error)) {
        free(polished->solution);
        return;
    }
    soloist_result_free(result); /* frees the list of moves as well, because it belongs to the old solution */
    result->solution = polished->solution;
    result->verdict = verdict;
    if (polished->optimal) {
        result->optimal = true;
        polish_aim_name(aim, outcome->optimal_for);
    }
    size_t length = strlen(result->method);
    snprintf(result->method + length, sizeof result->method - length, "+polish");
}

void shorten_found(const struct batch *batch, const soloist_puzzle *puzzle, double left_s,
                   const soloist_callbacks *callbacks, struct outcome *outcome) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    soloist_result *result = &outcome->result;
    struct polish_aim aim = batch->objective.aim;
    struct polish_result polished;
    soloist_limits limits;
    soloist_error error;
    if (!levels || !result->solution || !find_limits(batch, result, left_s, &limits))
        return;
    /* With seconds to spend, what the search has proved is not the end: moves or pushes are shortened too. */
    if (batch->shorten == SHORTEN_SECONDS && aim.count == 1)
        aim = aim.order[0] == POLISH_COUNT_MOVES ? POLISH_MOVES_PUSHES : POLISH_PUSHES_MOVES;
    if (levels->polish(puzzle, result->solution, strlen(result->solution), aim, &limits, callbacks, &polished,
                       &error) == SOLOIST_OK)
        take_over(puzzle, aim, &polished, outcome);
}
