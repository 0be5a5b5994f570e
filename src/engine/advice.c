/* Advice about a position of any domain: the next move (hint), why there is no solution (explain), a better solution
 * (optimize). Advice that only a particular game can give comes from the registry of special functions
 * (search/special/registry.h). */
#include "base/buffer.h"
#include "engine/engine.h"
#include "search/special/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void soloist_advice_free(soloist_advice *advice) {
    if (!advice)
        return;
    free(advice->board);
    free(advice->move);
    free(advice->line);
    soloist_result_free(&advice->result);
    *advice = (soloist_advice){0};
}

static void lose(soloist_advice *advice, const char *reason, const char *sentence) {
    advice->outlook = SOLOIST_OUTLOOK_LOST;
    snprintf(advice->reason, sizeof advice->reason, "%s", reason);
    snprintf(advice->sentence, sizeof advice->sentence, "%s", sentence);
}

/* The caller frees it; NULL: no memory. */
static void *root_state(const soloist_puzzle *puzzle) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    void *state = malloc(shape.state_size ? shape.state_size : 1);
    if (state)
        puzzle->domain->life->root(puzzle->instance, state);
    return state;
}

/* What is known without a search. SOLOIST_OUTLOOK_UNKNOWN: nothing is known. */
static soloist_code look(const soloist_puzzle *puzzle, soloist_advice *advice) {
    const soloist_domain *domain = puzzle->domain;
    const soloist_instance *instance = puzzle->instance;
    int32_t last;
    void *state = root_state(puzzle);
    if (!state)
        return SOLOIST_NO_MEMORY;
    const char *why = domain->life->impossible ? domain->life->impossible(instance) : NULL;
    if (domain->core->ended(instance, state, &last))
        advice->outlook = SOLOIST_OUTLOOK_ENDED;
    else if (domain->aim == SOLOIST_LEAST_COST && why)
        lose(advice, "impossible", why);
    else if (domain->aim == SOLOIST_LEAST_COST && domain->bound && domain->bound->dead &&
             domain->bound->dead(instance, state))
        lose(advice, "dead", "the domain's test for dead states says that no goal can be reached");
    free(state);
    return SOLOIST_OK;
}

static soloist_code search(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                           soloist_error *error) {
    soloist_code code = soloist_solve(engine, puzzle, method, limits, callbacks, &advice->result, error);
    if (code == SOLOIST_OK && advice->result.status == SOLOIST_IMPOSSIBLE)
        lose(advice, "search", "a search examined every position: there is no solution");
    else if (code == SOLOIST_OK && advice->result.status == SOLOIST_SOLVED)
        advice->outlook = SOLOIST_OUTLOOK_ALIVE;
    return code;
}

/* The advice is filled even if the call is refused, so that it can be freed. */
static soloist_code begin(const char *function, const soloist *engine, const soloist_puzzle *puzzle,
                          soloist_advice *advice, soloist_error *error) {
    if (advice)
        *advice = (soloist_advice){.result = {.status = SOLOIST_UNSOLVED, .verdict.pushes = -1}};
    if (advice && engine && engine_is_read(puzzle))
        return SOLOIST_OK;
    soloist_fail(error, 0, 0, "%s needs an engine, a puzzle that was read and advice to fill", function);
    return SOLOIST_MISUSE;
}

soloist_code soloist_explain(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                             const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                             soloist_error *error) {
    static const soloist_limits none;
    soloist_error spare;
    error = error ? error : &spare;
    limits = limits ? limits : &none;
    *error = (soloist_error){0};
    soloist_code code = begin("soloist_explain", engine, puzzle, advice, error);
    if (code == SOLOIST_OK)
        code = engine_check_limits(limits, error);
    if (code != SOLOIST_OK)
        return code;
    const struct special_levels *special = special_levels(puzzle->domain);
    code = look(puzzle, advice);
    bool ended = advice->outlook == SOLOIST_OUTLOOK_ENDED;
    /* A special knows more exact reasons than the sentence that was found without it. */
    if (code == SOLOIST_OK && !ended && special && special->explain)
        return special->explain(engine, puzzle, quick, limits, callbacks, advice, error);
    if (code == SOLOIST_OK && !quick && advice->outlook == SOLOIST_OUTLOOK_UNKNOWN)
        code = search(engine, puzzle, NULL, limits, callbacks, advice, error);
    return code;
}

/* Returns the text that a function writes to a sink; NULL: no memory. */
static char *move_text(const soloist_puzzle *puzzle, const soloist_result *result, const void *state, bool as_line) {
    const soloist_text *text = puzzle->domain->text;
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    if (as_line)
        text->solution(puzzle->instance, result->moves, 1, &sink);
    else
        text->move(puzzle->instance, state, result->moves[0], &sink);
    return buffer_take(&buffer);
}

/* The first move of the solution. It is written for the instance itself, whose states may differ from a session's. */
static soloist_code name_move(const soloist_puzzle *puzzle, soloist_advice *advice) {
    void *state = root_state(puzzle);
    if (!state)
        return SOLOIST_NO_MEMORY;
    advice->move = move_text(puzzle, &advice->result, state, false);
    advice->line = move_text(puzzle, &advice->result, state, true);
    free(state);
    return advice->move && advice->line ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

soloist_code soloist_hint(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                          const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                          soloist_error *error) {
    soloist_code code = begin("soloist_hint", engine, puzzle, advice, error);
    if (code == SOLOIST_OK)
        code = soloist_explain(engine, puzzle, true, limits, callbacks, advice, error);
    if (code != SOLOIST_OK || advice->outlook != SOLOIST_OUTLOOK_UNKNOWN)
        return code;
    code = search(engine, puzzle, method, limits, callbacks, advice, error);
    if (code == SOLOIST_OK && advice->outlook == SOLOIST_OUTLOOK_ALIVE && advice->result.move_count)
        code = name_move(puzzle, advice);
    return code;
}

soloist_code soloist_optimize(const soloist *engine, const soloist_puzzle *puzzle, const char *solution, size_t length,
                              const char *aim, const soloist_limits *limits, const soloist_callbacks *callbacks,
                              soloist_result *result, soloist_error *error) {
    static const soloist_limits none;
    soloist_error spare;
    error = error ? error : &spare;
    *error = (soloist_error){0};
    if (result)
        *result = (soloist_result){.status = SOLOIST_UNSOLVED, .verdict.pushes = -1};
    if (!result || !engine || !engine_is_read(puzzle) || (!solution && length)) {
        soloist_fail(error, 0, 0, "soloist_optimize needs an engine, a puzzle that was read, a solution and a result");
        return SOLOIST_MISUSE;
    }
    limits = limits ? limits : &none;
    if (engine_check_limits(limits, error) != SOLOIST_OK)
        return SOLOIST_MISUSE;
    const struct special_levels *special = special_levels(puzzle->domain);
    if (!special) {
        soloist_fail(error, 0, 0, "solutions of %s cannot be shortened", puzzle->domain->name);
        return SOLOIST_UNSUPPORTED;
    }
    struct polish_aim chosen = POLISH_PUSHES_MOVES;
    if (aim && !polish_aim_read(aim, &chosen, error))
        return SOLOIST_MISUSE;
    struct polish_result polished = {0};
    soloist_code code =
        special->polish(puzzle, solution ? solution : "", length, chosen, limits, callbacks, &polished, error);
    if (code != SOLOIST_OK)
        return code;
    result->status = SOLOIST_SOLVED;
    result->stopped = polished.stopped;
    result->solution = polished.solution;
    result->verdict = polished.after;
    result->optimal = polished.optimal;
    result->time_s = polished.time_s;
    result->nodes = polished.nodes;
    snprintf(result->method, sizeof result->method, "polish");
    return SOLOIST_OK;
}
