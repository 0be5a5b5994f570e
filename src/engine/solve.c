/* Solves one puzzle: first the engine uses what is known without search, then the method runs, then its result is
 * checked. The solution that the search claims is written as text and replayed by the domain's referee; only a solution
 * that the referee confirms is reported. */
#include "engine/engine.h"
#include "engine/session.h"
#include "search/evaluator.h"
#include "search/statistics.h"

#include <stdio.h>
#include <errno.h>
#include <math.h>
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

/* Whether the domain's options may leave out moves of the best line. */
static bool may_prune(const struct search_run *run) {
    const soloist_bound *bound = run->domain->bound;
    return bound && bound->lossless && !bound->lossless(run->instance);
}

/* Handles the cases that need no search: the game is over at the root, or it is known that there is no solution, or
 * there is no move.
 * Otherwise an admissible bound of the root is stored as the value that would prove a line optimal. */
static bool answer_at_root(struct search_run *run, void *state, soloist_move *moves) {
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
        run->proof = search_bound(run, bound, state);
        run->proof_known = true;
        run->impossible = domain->aim == SOLOIST_LEAST_COST && run->proof == SOLOIST_DEAD;
    }
    if (!run->impossible && domain->aim == SOLOIST_LEAST_COST && domain->players == 1 && !may_prune(run))
        run->impossible = !domain->core->moves(run->instance, state, moves) &&
                          !stop_token_was_seen(&run->budget->token) && !stop_token_is_stopped(&run->budget->token);
    return run->impossible;
}

/* Discards what the search concluded; a line that meets the root's bound is still optimal. */
static void forget_search(struct search_run *run) {
    run->impossible = false;
    run->optimal = run->found && run->proof_known && run->best.value == run->proof;
}

/* If the domain's options may prune the best line, only the root's bound can prove a line optimal. */
static void forget_proofs(struct search_run *run) {
    if (may_prune(run))
        forget_search(run);
}

/* If a function of the domain noticed that it had to stop, its result may be incomplete: then nothing can be concluded
 * from what the search did not find. */
static void forget_unfinished(struct search_run *run) {
    if (!stop_token_was_seen(&run->budget->token))
        return;
    forget_search(run);
    budget_stop(run->budget, stop_token_is_stopped(run->budget->limits.stop) ? SOLOIST_STOP_CANCEL : SOLOIST_STOP_TIME);
}

/* A line that was left out because its value does not fit into 32 bits would refute these proofs. */
static void forget_left_out(struct search_run *run) {
    if (!search_left_out(run->guard))
        return;
    if (run->domain->aim == SOLOIST_MOST_SCORE)
        forget_search(run);
    run->impossible = false;
}

/* Threads take several iterations at once, so the last ones may end after the run's own thread has looked at the limits
 * for the last time. A run that was looking for a goal and has found one was not ended by them. */
static void note_counts(struct search_run *run, const struct search_choice *choice) {
    bool done = run->found && (run->optimal || run->domain->aim == SOLOIST_LEAST_COST);
    bool counts = !(search_ignores(choice) & SEARCH_IGNORES_ITERATIONS);
    if (!done && !run->impossible && counts)
        budget_check_counts(run->budget);
}

/* What the run's network takes. */
static size_t network_bytes(const struct search_run *run) {
    const struct evaluator *evaluator = run->evaluator;
    return evaluator && evaluator->expect
               ? evaluator->expect(evaluator->self, run->instance, run->threads, run->budget->memory.limit)
               : 0;
}

static soloist_code run_method(struct search_run *run, const struct search_choice *choice,
                               const soloist_session *session) {
    struct memory *memory = &run->budget->memory;
    size_t first = (run->shape.state_size + sizeof(soloist_move) - 1) / sizeof(soloist_move);
    size_t bytes = (first + (size_t)run->shape.most_moves + 1) * sizeof(soloist_move);
    soloist_move *state = memory_take(memory, bytes); /* followed by the list of moves */
    if (!state)
        return search_full(run);
    bool answered = answer_at_root(run, state, state + first);
    memory_give(memory, state, bytes);
    if (answered)
        return SOLOIST_OK;
    size_t in_use = session->table_bytes + run->shape.instance_size + network_bytes(run);
    if (!memory_book(memory, in_use))
        return search_full(run);
    soloist_code code = search_start(run, choice->method);
    memory_unbook(memory, in_use);
    forget_proofs(run);
    forget_unfinished(run);
    forget_left_out(run);
    note_counts(run, choice);
    if (code == SOLOIST_OK && !search_guard_holds(run->guard, run->domain, run->error))
        return SOLOIST_INTERNAL;
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
    else if (run->found)
        result->stopped = SOLOIST_STOP_GOAL;
    else /* a member of a mix may have found no memory, after which the others had nothing left to try */
        result->stopped = memory_starved(&run->budget->memory) ? SOLOIST_STOP_MEMORY : SOLOIST_STOP_EXHAUSTED;
    statistics_conclude(run, result);
    result->starved = memory_starved(&run->budget->memory);
    memcpy(result->method, run->method, sizeof result->method);
}

static int threads_of(const soloist_limits *limits) {
    int most = limits->threads < SOLOIST_MOST_THREADS ? limits->threads : SOLOIST_MOST_THREADS;
    return most > 1 ? most : 1;
}

static struct search_run open_run(const soloist *engine, const struct search_choice *choice,
                                  const soloist_puzzle *puzzle, const soloist_instance *instance,
                                  const soloist_limits *limits, soloist_error *error) {
    struct search_run run = {.domain = puzzle->domain,
                             .instance = instance,
                             .puzzle = puzzle,
                             .options = choice->options,
                             .added = engine_methods(engine),
                             .seed = limits->seed,
                             .evaluator = limits->network ? limits->network->evaluator : NULL,
                             .threads = threads_of(limits),
                             .error = error};
    search_choice_text(choice, run.method, sizeof run.method);
    puzzle->domain->life->shape(instance, &run.shape);
    return run;
}

/* The arguments of a solve. If session is NULL, the solve opens its own. */
struct question {
    const soloist *engine;
    const soloist_puzzle *puzzle;
    soloist_session *session;
    const char *method;
    const soloist_limits *limits;
    const soloist_callbacks *callbacks;
    struct search_watch *watch;           /* NULL: nobody watches */
    const struct engine_company *company; /* NULL: this process is alone */
    struct search_shares *shares;         /* NULL: nobody asks */
    struct search_pool *pool;             /* NULL: nobody asks */
};

static soloist_code solve_with(const struct question *q, const struct search_choice *choice,
                               const soloist_session *session, struct budget *budget, soloist_result *result,
                               soloist_error *error) {
    const soloist_puzzle *puzzle = session->puzzle;
    struct search_run run =
        open_run(session->engine, choice, puzzle, session_instance(session), &budget->limits, error);
    run.budget = budget;
    run.watch = q->watch;
    run.pool = q->pool;
    run.peers = q->company ? q->company->peers : NULL;
    struct search_guard guard;
    run.guard = search_guard_open(&guard, puzzle->domain);
    soloist_code code = run_method(&run, choice, session);
    if (code == SOLOIST_OK && run.found)
        code = confirm(&run, puzzle, result);
    memcpy(result->warning, session->warning, sizeof result->warning);
    if (budget->idle)
        snprintf(result->warning, sizeof result->warning,
                 "stopped, because the last %llu iterations added no node, and only nodes were limited: limit "
                 "iterations or time",
                 (unsigned long long)budget_patience(&budget->limits));
    if (search_left_out(run.guard) && (!run.found || puzzle->domain->aim == SOLOIST_MOST_SCORE))
        snprintf(result->warning, sizeof result->warning,
                 "lines of play were left out, because their %s does not fit into 32 bits",
                 puzzle->domain->aim == SOLOIST_LEAST_COST ? "cost" : "score");
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
    if (q->shares)
        *q->shares = run.shares;
    result->time_s = budget_elapsed(budget);
    return code;
}

static enum search_network wanted_network(const struct search_choice *choice) {
    return choice->method->network ? choice->method->network(choice->options) : SEARCH_NETWORK_NONE;
}

/* Checks what the method needs of the domain and the limits. If it needs a network, only checks that the domain has a
 * `learn` group. */
static soloist_code check_needs(const soloist_domain *domain, const struct search_choice *choice,
                                const soloist_limits *limits, soloist_error *error) {
    struct search_method rest = *choice->method;
    rest.needs &= ~(unsigned)SEARCH_NEEDS_NETWORK;
    if (wanted_network(choice))
        rest.needs |= SEARCH_NEEDS_LEARN;
    return search_check_needs(&rest, domain, limits, error);
}

/* Checks what the method needs; if a network is needed but was not given, looks for one, after all other checks. */
static soloist_code meet_needs(const soloist *engine, const soloist_puzzle *puzzle, const struct search_choice *choice,
                               soloist_limits *limits, soloist_error *error) {
    enum search_network wanted = wanted_network(choice);
    soloist_code code = check_needs(puzzle->domain, choice, limits, error);
    if (code != SOLOIST_OK)
        return code;
    if (wanted && !limits->network &&
        !engine_find_network(engine, puzzle, wanted == SEARCH_NETWORK_WITH_VALUES, &limits->network, error))
        return SOLOIST_UNSUPPORTED;
    return search_check_needs(choice->method, puzzle->domain, limits, error);
}

static soloist_code refuse(soloist_error *error, const char *sentence) {
    soloist_fail(error, 0, 0, "%s", sentence);
    return SOLOIST_MISUSE;
}

soloist_code engine_check_limits(const soloist_limits *limits, soloist_error *error) {
    if (isnan(limits->time_s))
        return refuse(error, "the time limit is not a number");
    return limits->time_s < 0 || limits->threads < 0 ? refuse(error, "limits must not be negative") : SOLOIST_OK;
}

soloist_code soloist_method_suits(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                                  const soloist_limits *limits, soloist_error *error) {
    soloist_error spare;
    struct search_choice choice;
    if (!error)
        error = &spare;
    *error = (soloist_error){0};
    if (!engine || !engine_is_read(puzzle) || !limits)
        return refuse(error, "soloist_method_suits needs an engine, a puzzle that was read, and limits");
    soloist_code code = engine_check_limits(limits, error);
    if (code == SOLOIST_OK)
        code = search_choose(engine_methods(engine), method ? method : "auto", puzzle->domain, &choice, error);
    if (code != SOLOIST_OK)
        return code;
    code = check_needs(puzzle->domain, &choice, limits, error);
    struct search_run run = open_run(engine, &choice, puzzle, puzzle->instance, limits, error);
    struct budget budget;
    budget_open(&budget, limits, NULL);
    run.budget = &budget;
    errno = 0;
    if (code == SOLOIST_OK && choice.method->suits && !choice.method->suits(&run))
        code = errno == ENOMEM ? SOLOIST_NO_MEMORY : SOLOIST_UNSUPPORTED;
    search_choice_free(&choice);
    return code;
}

soloist_code engine_method_suits_domain(const soloist *engine, const soloist_domain *domain, const char *method,
                                        const soloist_limits *limits, bool *depends, soloist_error *error) {
    struct search_choice choice;
    soloist_code code = search_choose(engine_methods(engine), method ? method : "auto", domain, &choice, error);
    *depends = false;
    if (code != SOLOIST_OK)
        return code;
    code = check_needs(domain, &choice, limits, error);
    *depends = code == SOLOIST_OK && choice.method->suits;
    search_choice_free(&choice);
    return code;
}

static soloist_code check_question(const struct question *q, soloist_error *error) {
    if (!q->engine || !engine_is_read(q->puzzle))
        return refuse(error, "a solve needs an engine, a puzzle that was read and a result to fill");
    return engine_check_limits(q->limits, error);
}

/* If other processes take part, all of them search or none. */
static soloist_code agree(const struct question *q, soloist_code code, soloist_error *error) {
    if (!q->company || q->company->agree(q->company->user, code == SOLOIST_OK) || code != SOLOIST_OK)
        return code;
    soloist_fail(error, 0, 0, "another rank could not begin to search");
    return SOLOIST_NO_MEMORY;
}

static soloist_code solve_in_session(const struct question *q, double start_s, const struct search_choice *choice,
                                     const soloist_limits *limits, soloist_result *result, soloist_error *error) {
    struct budget budget;
    soloist_session own, *session = q->session ? q->session : &own;
    soloist_code code = SOLOIST_OK;
    budget_open_since(&budget, start_s, limits, q->callbacks);
    budget_attach(&budget, q->watch ? &q->watch->budgets : NULL);
    if (q->session)
        session_enter(session, &budget);
    else
        code = session_open(session, q->engine, q->puzzle, &budget, error);
    code = agree(q, code, error);
    if (code == SOLOIST_OK)
        code = solve_with(q, choice, session, &budget, result, error);
    if (q->session)
        session_leave(session);
    else
        session_close(session);
    return code;
}

static soloist_code check_ranks(const struct search_choice *choice, soloist_error *error) {
    if (choice->method->ranks)
        return SOLOIST_OK;
    soloist_fail(error, 0, 0, "%s cannot search on several ranks together", choice->method->name);
    return SOLOIST_UNSUPPORTED;
}

bool engine_method_uses_ranks(const soloist *engine, const char *method) {
    const struct search_method *found = search_find(engine_methods(engine), method, strcspn(method, ":"));
    return found && found->ranks;
}

bool engine_method_uses_network(const soloist *engine, const soloist_domain *domain, const char *method) {
    struct search_choice choice;
    soloist_error error = {0};
    if (search_choose(engine_methods(engine), method, domain, &choice, &error) != SOLOIST_OK)
        return false;
    bool uses = wanted_network(&choice) != SEARCH_NETWORK_NONE;
    search_choice_free(&choice);
    return uses;
}

static soloist_code solve(const struct question *q, soloist_result *result, soloist_error *error) {
    soloist_error spare;
    error = error ? error : &spare;
    *error = (soloist_error){0};
    if (!result)
        return refuse(error, "a solve needs an engine, a puzzle that was read and a result to fill");
    *result = (soloist_result){.status = SOLOIST_UNSOLVED, .verdict.pushes = -1};
    soloist_code code = check_question(q, error);
    struct search_choice choice = {0};
    soloist_limits limits = *q->limits;
    if (code == SOLOIST_OK)
        code =
            search_choose(engine_methods(q->engine), q->method ? q->method : "auto", q->puzzle->domain, &choice, error);
    if (code != SOLOIST_OK)
        return agree(q, code, error);
    double start_s = clock_seconds(); /* opening a network may take long, and counts towards the time limit */
    code = q->company ? check_ranks(&choice, error) : SOLOIST_OK;
    if (code == SOLOIST_OK)
        code = meet_needs(q->engine, q->puzzle, &choice, &limits, error);
    if (code == SOLOIST_OK)
        code = solve_in_session(q, start_s, &choice, &limits, result, error);
    else
        agree(q, code, error);
    search_choice_free(&choice);
    return code;
}

static const soloist_limits no_limits;

soloist_code engine_solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                          const soloist_limits *limits, const soloist_callbacks *callbacks, struct search_watch *watch,
                          const struct engine_company *company, struct search_shares *shares, struct search_pool *pool,
                          soloist_result *result, soloist_error *error) {
    struct question question = {engine,    puzzle, NULL,    method, limits ? limits : &no_limits,
                                callbacks, watch,  company, shares, pool};
    return solve(&question, result, error);
}

soloist_code soloist_solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_result *result,
                           soloist_error *error) {
    return engine_solve(engine, puzzle, method, limits, callbacks, NULL, NULL, NULL, NULL, result, error);
}

soloist_code soloist_solve_text(const soloist *engine, const char *domain, const char *text, const char *method,
                                const soloist_limits *limits, soloist_result *result, soloist_error *error) {
    soloist_error spare;
    error = error ? error : &spare;
    *error = (soloist_error){0};
    if (result)
        *result = (soloist_result){.status = SOLOIST_INVALID, .verdict.pushes = -1};
    if (!engine || !text || !result)
        return refuse(error, "soloist_solve_text needs an engine, a text and a result to fill");
    const soloist_domain *found =
        domain ? soloist_find_domain(engine, domain) : soloist_recognise(engine, text, strlen(text));
    if (!found) {
        soloist_fail(error, 0, 0, domain ? "there is no domain %s" : "no domain recognises the text", domain);
        return domain ? SOLOIST_MISUSE : SOLOIST_BAD_INPUT;
    }
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_puzzle puzzle;
    soloist_code code;
    if (!soloist_next_puzzle(found, NULL, &cursor, &puzzle, &code, error)) {
        soloist_fail(error, 0, 0, "the text holds no instance of %s", found->name);
        return SOLOIST_BAD_INPUT;
    }
    if (code != SOLOIST_OK)
        return code;
    code = soloist_solve(engine, &puzzle, method, limits, NULL, result, error);
    soloist_puzzle_free(&puzzle);
    return code;
}

soloist_code soloist_session_solve(soloist_session *session, const char *method, const soloist_limits *limits,
                                   const soloist_callbacks *callbacks, soloist_result *result, soloist_error *error) {
    struct question question = {session ? session->engine : NULL,
                                session ? session->puzzle : NULL,
                                session,
                                method,
                                limits ? limits : &no_limits,
                                callbacks,
                                NULL,
                                NULL,
                                NULL,
                                NULL};
    return solve(&question, result, error);
}

soloist_session *soloist_session_open(const soloist *engine, const soloist_puzzle *puzzle, const soloist_limits *limits,
                                      const soloist_callbacks *callbacks, soloist_error *error) {
    struct question question = {engine,    puzzle, NULL, NULL, limits ? limits : &no_limits,
                                callbacks, NULL,   NULL, NULL, NULL};
    soloist_error spare;
    error = error ? error : &spare;
    *error = (soloist_error){0};
    soloist_session *session = check_question(&question, error) == SOLOIST_OK ? malloc(sizeof *session) : NULL;
    if (!session) {
        if (!error->text[0])
            soloist_fail(error, 0, 0, "no memory for a session");
        return NULL;
    }
    struct budget budget;
    budget_open(&budget, question.limits, callbacks);
    soloist_code code = session_open(session, engine, puzzle, &budget, error);
    session_leave(session);
    if (code == SOLOIST_OK)
        return session;
    free(session);
    return NULL;
}

void soloist_session_close(soloist_session *session) {
    if (session)
        session_close(session);
    free(session);
}
