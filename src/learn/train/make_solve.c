/* Games by solving: the best sequence of moves that a method finds within its limits is the game. With NRPA as the
 * method the network imitates a strong sampler; with MCTS and a number of simulations per move, this is the first
 * generation of Seify 2020. */
#include "learn/train/makers.h"

static bool solve_one(struct makers *makers, const soloist_puzzle *puzzle, uint64_t number, bool whole,
                      soloist_error *error) {
    const struct maker_plan *plan = &makers->plan;
    soloist_limits limits = makers_limits(makers, number);
    soloist_result result = {0};
    if (soloist_solve(plan->engine, puzzle, plan->method, &limits, NULL, &result, error) != SOLOIST_OK)
        return false;
    bool stopped = stop_token_is_stopped(&makers->stop);
    if (result.moves && !stopped)
        harvest_game(plan->harvest, puzzle, result.moves, result.move_count, result.verdict.value, NULL,
                     HARVEST_WRITE | HARVEST_BOARD | (whole ? HARVEST_SCORE : 0));
    else if (!stopped)
        harvest_boards(plan->harvest, 1);
    soloist_result_free(&result);
    return true;
}

/* Takes the next instance, and counts those of another shape before it. */
static bool take_next(struct makers *makers, soloist_puzzle *puzzle, uint64_t *number) {
    uint64_t skipped;
    bool taken = makers_next(makers, puzzle, number, &skipped);
    harvest_boards(makers->plan.harvest, skipped);
    return taken;
}

void make_by_solving(struct makers *makers) {
    soloist_puzzle puzzle;
    soloist_error error = {0};
    uint64_t number;
    while (take_next(makers, &puzzle, &number)) {
        soloist_rng rng;
        soloist_rng_seed(&rng, makers->plan.source->seed + 1, number);
        bool whole = !makers->plan.evaluator || soloist_rng_unit(&rng) >= makers->plan.dagger_share;
        bool good =
            (whole || dagger_start(makers, &puzzle, &rng, &error)) && solve_one(makers, &puzzle, number, whole, &error);
        soloist_puzzle_free(&puzzle);
        if (!good)
            makers_fail(makers, &error);
    }
}
