/* Solves one puzzle: first comes what is known without search, then the method runs, then its result is checked. The
 * line that the search claims is written as text and replayed by the domain's referee; only what the referee confirms
 * is reported. */
#include "engine/engine.h"
#include "search/evaluator.h"
#include "search/statistics.h"

#include <assert.h>
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *soloist_status_name(soloist_status status) {
    switch (status) {
    case SOLOIST_SOLVED: return "solved";
    case SOLOIST_UNSOLVED: return "unsolved";
    case SOLOIST_IMPOSSIBLE: return "impossible";
    case SOLOIST_INVALID: return "invalid";
    }
    return "unknown";
}

const char *soloist_stop_name(soloist_stop stop) {
    switch (stop) {
    case SOLOIST_STOP_GOAL: return "goal";
    case SOLOIST_STOP_EXHAUSTED: return "exhausted";
    case SOLOIST_STOP_TIME: return "time";
    case SOLOIST_STOP_NODES: return "nodes";
    case SOLOIST_STOP_ITERATIONS: return "iterations";
    case SOLOIST_STOP_MEMORY: return "memory";
    case SOLOIST_STOP_CANCEL: return "cancel";
    }
    return "unknown";
}

void soloist_result_free(soloist_result *result) {
    if (!result)
        return;
    free(result->moves);
    free(result->solution);
    result->moves = NULL;
    result->solution = NULL;
    result->move_count = 0;
}

/* Handles what needs no search: a root where the game is over, a proof that there is no solution, the root's bound. */
static bool answer_at_root(struct search_run *run, void *state) {
    const soloist_domain *domain = run->domain;
    const soloist_bound *bound = domain->bound;
    int32_t last = 0;
    domain->life->root(run->instance, state);
    if (domain->core->ended(run->instance, state, &last)) {
        run->optimal = search_record(run, NULL, 0, last);
        return true;
    }
    if (domain->aim == SOLOIST_LEAST_COST && domain->life->impossible && domain->life->impossible(run->instance)) {
        run->impossible = true;
        return true;
    }
    if (bound && domain->players == 1 && bound->admissible(run->instance)) {
        run->proof = bound->value(run->instance, state);
        run->proof_known = true;
        run->impossible = domain->aim == SOLOIST_LEAST_COST && run->proof == SOLOIST_DEAD;
    }
    return run->impossible;
}

/* If the domain's options may prune the best line, only the root's bound can prove a line optimal. */
static void forget_proofs(struct search_run *run) {
    const soloist_bound *bound = run->domain->bound;
    if (!bound || !bound->lossless || bound->lossless(run->instance))
        return;
    run->impossible = false;
    run->optimal = run->found && run->proof_known && run->best.value == run->proof;
}

static soloist_code run_method(struct search_run *run, const struct search_choice *choice) {
    void *state = memory_take(&run->budget->memory, run->shape.state_size);
    if (!state)
        return search_full(run);
    bool answered = answer_at_root(run, state);
    memory_give(&run->budget->memory, state, run->shape.state_size);
    if (answered)
        return SOLOIST_OK;
    soloist_code code = search_start(run, choice->method);
    assert(memory_used(&run->budget->memory) == 0);
    forget_proofs(run);
    return code;
}

/* Writes the line as text, has it replayed, and stores it in the result if the referee counts the same value as the
 * search. */
static soloist_code confirm(struct search_run *run, const soloist_puzzle *puzzle, soloist_result *result) {
    char *text = search_line_text(run);
    if (!text) {
        soloist_fail(run->error, 0, 0, "no memory for a solution's text");
        return SOLOIST_NO_MEMORY;
    }
    soloist_error why = {0};
    soloist_verdict verdict;
    errno = 0;
    bool good = soloist_check(puzzle, text, strlen(text), &verdict, &why);
    if (!good && errno == ENOMEM) {
        memory_refused(&run->budget->memory);
        free(text);
        return SOLOIST_NO_MEMORY;
    }
    if (!good || verdict.value != run->best.value) {
        if (good)
            soloist_fail(run->error, 0, 0, "%s claims a value of %d, but the referee counts %d", run->method,
                         (int)run->best.value, (int)verdict.value);
        else
            soloist_fail(run->error, 0, why.column, "the referee rejects the line found by %s: %.150s", run->method,
                         why.text);
        free(text);
        return SOLOIST_INTERNAL;
    }
    result->solution = text;
    result->verdict = verdict;
    return SOLOIST_OK;
}

/* A line that refutes a bound is still a solution, but no longer proved optimal. */
static void doubt_proof(struct search_run *run, const struct search_choice *choice, soloist_result *result) {
    soloist_error why = {0};
    bool both_ways = choice->method->needs & SEARCH_NEEDS_REVERSE_BOUND;
    if (!run->found || !run->optimal || engine_check_bounds(run, both_ways, &why))
        return;
    run->optimal = false;
    memcpy(result->warning, why.text, sizeof result->warning);
}

static void hand_over_moves(struct search_run *run, soloist_result *result) {
    result->moves = run->best.moves;
    result->move_count = run->best.count;
    run->best.moves = NULL;
}

static void conclude(const struct search_run *run, soloist_result *result) {
    int stop = atomic_load(&run->budget->stop);
    result->status = run->found ? SOLOIST_SOLVED : run->impossible ? SOLOIST_IMPOSSIBLE : SOLOIST_UNSOLVED;
    result->optimal = run->found && run->optimal;
    if (run->impossible)
        result->stopped = SOLOIST_STOP_EXHAUSTED;
    else if (stop >= 0 && !result->optimal)
        result->stopped = (soloist_stop)stop;
    else
        result->stopped = run->found ? SOLOIST_STOP_GOAL : SOLOIST_STOP_EXHAUSTED;
    statistics_conclude(run, result);
    result->starved = memory_starved(&run->budget->memory);
    memcpy(result->method, run->method, sizeof result->method);
}

static struct search_run open_run(const struct search_choice *choice, const soloist_puzzle *puzzle,
                                  const soloist_limits *limits, soloist_error *error) {
    struct search_run run = {.domain = puzzle->domain,
                             .instance = puzzle->instance,
                             .puzzle = puzzle,
                             .options = choice->options,
                             .seed = limits->seed,
                             .evaluator = limits->network ? limits->network->evaluator : NULL,
                             .threads = limits->threads > 1 ? limits->threads : 1,
                             .error = error};
    search_choice_text(choice, run.method, sizeof run.method);
    puzzle->domain->life->shape(puzzle->instance, &run.shape);
    return run;
}

static soloist_code solve_with(const struct search_choice *choice, const soloist_puzzle *puzzle, struct budget *budget,
                               soloist_result *result, soloist_error *error) {
    struct search_run run = open_run(choice, puzzle, &budget->limits, error);
    run.budget = budget;
    soloist_code code = run_method(&run, choice);
    if (code == SOLOIST_OK && run.found)
        code = confirm(&run, puzzle, result);
    if (code == SOLOIST_OK)
        doubt_proof(&run, choice, result);
    conclude(&run, result);
    if (result->solution)
        hand_over_moves(&run, result);
    if (code != SOLOIST_OK) {
        result->status = SOLOIST_UNSOLVED;
        result->optimal = false;
    }
    free(run.best.moves);
    result->time_s = budget_elapsed(budget);
    return code;
}

static enum search_network wanted_network(const struct search_choice *choice) {
    return choice->method->network ? choice->method->network(choice->options) : SEARCH_NETWORK_NONE;
}

/* Checks what the method needs of the domain and the limits. If it needs a network, only checks that the domain has a
 * `learn` group. */
static soloist_code check_needs(const soloist_puzzle *puzzle, const struct search_choice *choice,
                                const soloist_limits *limits, soloist_error *error) {
    struct search_method rest = *choice->method;
    rest.needs &= ~(unsigned)SEARCH_NEEDS_NETWORK;
    if (wanted_network(choice))
        rest.needs |= SEARCH_NEEDS_LEARN;
    return search_check_needs(&rest, puzzle->domain, limits, error);
}

/* Checks what the method needs; a network that is needed but not given is looked for, after the other checks. */
static soloist_code meet_needs(const soloist *engine, const soloist_puzzle *puzzle, const struct search_choice *choice,
                               soloist_limits *limits, soloist_error *error) {
    enum search_network wanted = wanted_network(choice);
    soloist_code code = check_needs(puzzle, choice, limits, error);
    if (code != SOLOIST_OK)
        return code;
    if (wanted && !limits->network &&
        !engine_find_network(engine, puzzle, wanted == SEARCH_NETWORK_WITH_VALUES, &limits->network, error))
        return SOLOIST_UNSUPPORTED;
    return search_check_needs(choice->method, puzzle->domain, limits, error);
}

soloist_code soloist_method_suits(const soloist_puzzle *puzzle, const char *method, const soloist_limits *limits,
                                  soloist_error *error) {
    soloist_error spare;
    struct search_choice choice;
    if (!error)
        error = &spare;
    *error = (soloist_error){0};
    if (!puzzle || !puzzle->domain || !puzzle->instance || !limits) {
        soloist_fail(error, 0, 0, "soloist_method_suits needs a puzzle that was read, and limits");
        return SOLOIST_MISUSE;
    }
    soloist_code code = search_choose(method ? method : "auto", puzzle->domain, &choice, error);
    if (code != SOLOIST_OK)
        return code;
    code = check_needs(puzzle, &choice, limits, error);
    struct search_run run = open_run(&choice, puzzle, limits, error);
    struct budget budget;
    budget_open(&budget, limits, NULL);
    run.budget = &budget;
    if (code == SOLOIST_OK && choice.method->suits && !choice.method->suits(&run))
        code = SOLOIST_UNSUPPORTED;
    search_choice_free(&choice);
    return code;
}

soloist_code soloist_solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_result *result,
                           soloist_error *error) {
    static const soloist_limits no_limits = {0};
    soloist_error spare;
    if (!error)
        error = &spare;
    *error = (soloist_error){0};
    if (result)
        *result = (soloist_result){.status = SOLOIST_UNSOLVED, .verdict.pushes = -1};
    if (!engine || !puzzle || !puzzle->domain || !puzzle->instance || !result) {
        soloist_fail(error, 0, 0, "soloist_solve needs an engine, a puzzle that was read and a result to fill");
        return SOLOIST_MISUSE;
    }
    if (!limits)
        limits = &no_limits;
    if (limits->time_s < 0 || limits->threads < 0) {
        soloist_fail(error, 0, 0, "limits must not be negative");
        return SOLOIST_MISUSE;
    }
    struct search_choice choice;
    soloist_limits own = *limits;
    soloist_code code = search_choose(method ? method : "auto", puzzle->domain, &choice, error);
    if (code != SOLOIST_OK)
        return code;
    code = meet_needs(engine, puzzle, &choice, &own, error);
    bool ready = code == SOLOIST_OK && engine_attach_tables(engine, puzzle, limits, callbacks, error);
    if (code == SOLOIST_OK && !ready && stop_token_is_stopped(limits->stop))
        result->stopped = SOLOIST_STOP_CANCEL;
    else if (code == SOLOIST_OK && !ready)
        code = SOLOIST_NO_MEMORY;
    if (ready) {
        struct budget budget;
        budget_open(&budget, &own, callbacks);
        code = solve_with(&choice, puzzle, &budget, result, error);
    }
    search_choice_free(&choice);
    return code;
}
