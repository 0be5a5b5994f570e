/* The threads that solve tasks. Each job (a thread) takes the next task. Outcomes are emitted in the order of the
 * tasks: when a job finishes the task whose turn it is, it emits the outcome of this task and the outcomes of the
 * finished tasks that follow directly. */
#include "cli/solve/batch.h"
#include "base/budget.h"
#include "base/team.h"
#include "cli/shell/need.h"
#include "engine/board.h"
#include "engine/engine.h"
#include "search/statistics.h"
#include "cli/shell/progress.h"
#include "cli/shell/signals.h"
#include "cli/solve/duplicates.h"
#include "cli/solve/line_pool.h"
#include "cli/solve/remote.h"
#include "soloist_tools.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct run {
    const struct batch *batch;
    pthread_mutex_t lock;
    struct outcome **done; /* indexed by task; NULL: not finished */
    /* Indexed by task: outcomes that were emitted but are kept, because a later task is the same game. */
    struct outcome **kept;
    bool *skipped; /* indexed by task: another rank was told to stop before it began the task */
    size_t next;   /* the first task that no job has begun */
    uint64_t own;  /* tasks that this rank has done itself, and seconds that its cores have worked on them */
    double own_s;
    size_t passed; /* the first task that was neither emitted nor skipped */
    size_t emitted;
};

static void explain_impossible(const soloist_puzzle *puzzle, struct outcome *outcome) {
    const soloist_life *life = puzzle->domain->life;
    const char *why = life->impossible ? life->impossible(puzzle->instance) : NULL;
    if (outcome->result.status != SOLOIST_IMPOSSIBLE || !why)
        return;
    snprintf(outcome->reason, sizeof outcome->reason, "%s", why);
    outcome->impossible = outcome->reason;
}

/* If the engine returns an error, the input or the command is wrong, unless memory ran out or the run was stopped. */
void batch_settle(soloist_code code, struct outcome *outcome) {
    if (code == SOLOIST_NO_MEMORY) {
        outcome->result.status = SOLOIST_UNSOLVED;
        outcome->result.stopped = SOLOIST_STOP_MEMORY;
        outcome->result.starved = true;
        outcome->error = (soloist_error){0};
    } else if (code == SOLOIST_STOPPED) {
        outcome->result.status = SOLOIST_UNSOLVED;
        outcome->error = (soloist_error){0};
    } else if (code != SOLOIST_INTERNAL) {
        outcome->result.status = SOLOIST_INVALID;
    }
}

void batch_identity(const struct cli *cli, const soloist_puzzle *puzzle, const char *method,
                    char out[BATCH_IDENTITY_ROOM]) {
    if (!identity_of(cli->engine, puzzle, out))
        need_failed();
    plugins_mark(cli->plugins, puzzle->domain, method, out + strlen(out));
}

void batch_describe(const struct batch *batch, const soloist_puzzle *puzzle, struct outcome *outcome) {
    if (batch->keep_boards)
        outcome->board = need(board_root_text(batch->cli->engine, puzzle));
    if (batch->identify)
        batch_identity(batch->cli, puzzle, batch->method, outcome->identity);
    if (batch->hash && !identity_hash(batch->cli->engine, puzzle, outcome->hash))
        need_failed();
    const soloist_result *result = &outcome->result;
    if (!special_counts(puzzle, result->solution, outcome->counts))
        need_failed();
    if (result->solution && result->optimal && !*outcome->optimal_for)
        engine_objective(puzzle, &result->verdict, outcome->optimal_for);
}

/* Reads the task's instance and subtracts the seconds that this took from the time limit; reading a very large instance
 * takes long. False if there is nothing to solve: then the outcome says why. */
static bool read_task(const struct batch *batch, const struct task *task, soloist_limits *limits,
                      soloist_puzzle *puzzle, struct outcome *outcome) {
    static const double least_s = 1e-3;
    double start_s = clock_seconds();
    soloist_stop_token until;
    stop_token_open(&until, limits->stop);
    soloist_stop_token_deadline(&until, limits->time_s);
    soloist_code code = input_puzzle_within(batch->input, task, &until, puzzle, &outcome->error);
    double seconds = clock_seconds() - start_s;
    if (code == SOLOIST_STOPPED) {
        outcome->result.stopped = stop_token_is_stopped(limits->stop) ? SOLOIST_STOP_CANCEL : SOLOIST_STOP_TIME;
        outcome->result.time_s = seconds;
    }
    if (code != SOLOIST_OK)
        batch_settle(code, outcome);
    if (limits->time_s > 0 && seconds > least_s)
        limits->time_s = limits->time_s > seconds + least_s ? limits->time_s - seconds : least_s;
    return code == SOLOIST_OK;
}

/* Replaces the solution by a shorter one, if that is wanted and one is found. */
static void shorten_found(const struct batch *batch, const soloist_puzzle *puzzle, const soloist_limits *limits,
                          const soloist_callbacks *callbacks, struct outcome *outcome) {
    soloist_shortening how = {.size = sizeof how,
                              .objective = batch->objective.text,
                              .seconds = batch->shorten == SHORTEN_SECONDS ? batch->polish_s : 0};
    if (batch->shorten == SHORTEN_NOT)
        return;
    soloist_shorten(puzzle, limits, callbacks, &how, &outcome->result, NULL);
    outcome->polish_nodes = how.nodes;
    outcome->polish_s = how.time_s;
    if (*how.optimal_for)
        memcpy(outcome->optimal_for, how.optimal_for, sizeof outcome->optimal_for);
}

/* One of `count` equal parts of a limit; 0: no limit. */
static uint64_t part_of(uint64_t limit, const struct peers *peers) {
    uint64_t count = (uint64_t)peers->count, own = limit / count + ((uint64_t)peers->rank < limit % count);
    return limit && !own ? 1 : own;
}

static void share_limits(soloist_limits *limits, const struct peers *peers) {
    limits->nodes = part_of(limits->nodes, peers);
    limits->iterations = part_of(limits->iterations, peers);
}

void batch_solve(const struct batch *batch, const struct task *task, const soloist_callbacks *callbacks,
                 const struct engine_company *company, struct outcome *outcome) {
    soloist_puzzle puzzle;
    soloist_limits limits = batch->limits;
    outcome->result = (soloist_result){.status = SOLOIST_INVALID, .verdict.pushes = -1};
    if (!read_task(batch, task, &limits, &puzzle, outcome)) {
        if (company)
            company->agree(company->user, false);
        return;
    }
    soloist_limits whole = limits;
    if (company)
        share_limits(&limits, company->peers);
    struct search_pool pool = {0};
    if (batch->pools)
        line_pool_read(&puzzle, batch->pools[task - batch->input->tasks], &pool);
    soloist_code code = engine_solve(batch->cli->engine, &puzzle, batch->method, &limits, callbacks, NULL, company,
                                     &outcome->shares, batch->pools ? &pool : NULL, &outcome->result, &outcome->error);
    bool completes = !company || !company->peers->rank;
    if (completes)
        outcome->pool = line_pool_write(&puzzle, &pool);
    search_pool_free(&pool);
    if (!completes) {
        soloist_puzzle_free(&puzzle);
        return;
    }
    if (code != SOLOIST_OK)
        batch_settle(code, outcome);
    else
        outcome->error = (soloist_error){0};
    if (outcome->result.solution && outcome->result.optimal)
        engine_objective(&puzzle, &outcome->result.verdict, outcome->optimal_for);
    shorten_found(batch, &puzzle, &whole, callbacks, outcome);
    explain_impossible(&puzzle, outcome);
    batch_describe(batch, &puzzle, outcome);
    soloist_puzzle_free(&puzzle);
}

static void solve_task(const struct batch *batch, size_t index, const struct engine_company *company,
                       struct outcome *outcome) {
    struct progress_slot slot = {batch->progress, &batch->input->tasks[index]};
    soloist_callbacks callbacks = {progress_update, NULL, &slot};
    batch_solve(batch, slot.task, batch->progress ? &callbacks : NULL, company, outcome);
}

void outcome_free(struct outcome *outcome) {
    if (!outcome)
        return;
    soloist_result_free(&outcome->result);
    free(outcome->board);
    free(outcome->pool);
    free(outcome);
}

static bool is_duplicate(const struct batch *batch, size_t task) {
    return batch->duplicates && batch->duplicates[task] != DUPLICATES_NONE;
}

static void tell_finished(const struct batch *batch, size_t task, const struct outcome *outcome) {
    if (batch->finished)
        batch->finished(batch->user, &batch->input->tasks[task], outcome);
}

/* Whether the task was skipped, or is a duplicate whose original was skipped: then there is no answer to copy. */
static bool is_skipped(const struct run *run, size_t task) {
    const struct batch *batch = run->batch;
    return run->skipped[task] ||
           (!run->done[task] && is_duplicate(batch, task) && run->skipped[batch->duplicates[task]]);
}

/* Whether the next task in order can be reported. The original of a duplicate comes earlier, so that its answer is
 * known. */
static bool is_due(struct run *run) {
    const struct batch *batch = run->batch;
    while (run->passed < batch->input->task_count && is_skipped(run, run->passed))
        run->passed++;
    size_t task = run->passed;
    if (task == batch->input->task_count)
        return false;
    if (!run->done[task] && is_duplicate(batch, task)) {
        run->done[task] = duplicates_answer(batch, task, batch->duplicates[task], run->kept[batch->duplicates[task]]);
        tell_finished(batch, task, run->done[task]);
    }
    return run->done[task];
}

/* The caller holds the lock. */
static void emit_what_is_due(struct run *run) {
    const struct batch *batch = run->batch;
    while (is_due(run)) {
        size_t task = run->passed++;
        struct outcome *outcome = run->done[task];
        batch->emit(batch->user, &batch->input->tasks[task], outcome);
        run->done[task] = NULL;
        if (batch->duplicates)
            run->kept[task] = outcome;
        else
            outcome_free(outcome);
        run->emitted++;
    }
}

/* The caller holds the lock. Returns the next task to run, or the number of tasks if none is left. */
static size_t take_task(struct run *run) {
    const struct batch *batch = run->batch;
    while (run->next < batch->input->task_count &&
           ((batch->known && batch->known[run->next]) || is_duplicate(batch, run->next)))
        run->next++;
    return run->next < batch->input->task_count && !stop_token_is_stopped(batch->limits.stop)
               ? run->next++
               : batch->input->task_count;
}

/* A task is done; NULL: it was skipped. The caller holds the lock. */
static void finish(struct run *run, size_t task, struct outcome *outcome) {
    run->done[task] = outcome;
    if (outcome)
        tell_finished(run->batch, task, outcome);
    emit_what_is_due(run);
}

static void work(void *user, int worker) {
    struct run *run = user;
    (void)worker;
    const struct batch *batch = run->batch;
    pthread_mutex_lock(&run->lock);
    for (size_t mine; (mine = take_task(run)) < batch->input->task_count;) {
        pthread_mutex_unlock(&run->lock);
        struct outcome *outcome = need_zeroed(1, sizeof *outcome);
        double start_s = clock_seconds();
        solve_task(batch, mine, NULL, outcome);
        pthread_mutex_lock(&run->lock);
        run->own++;
        run->own_s += (clock_seconds() - start_s) * batch->limits.threads;
        finish(run, mine, outcome);
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- other ranks ---- */

/* Gives tasks to the ranks that have free cores. */
static bool give_far(struct run *run, soloist_error *error) {
    const struct batch *batch = run->batch;
    bool well = true, more = true;
    while (well && more) {
        pthread_mutex_lock(&run->lock);
        int rank = dispatch_room(batch->dispatch, batch->limits.threads, batch->input->task_count - run->next);
        size_t task = rank ? take_task(run) : batch->input->task_count;
        pthread_mutex_unlock(&run->lock);
        more = task < batch->input->task_count;
        if (more)
            well = remote_give(batch, rank, task, error);
    }
    return well;
}

/* Takes what other ranks have sent. */
static bool take_far(struct run *run, soloist_error *error) {
    const struct batch *batch = run->batch;
    struct dispatch_news news;
    bool well;
    while ((well = dispatch_next(batch->dispatch, &news, error)) && news.kind != DISPATCH_NOTHING) {
        if (news.kind == DISPATCH_NOTE) {
            remote_show(batch, &news);
            continue;
        }
        struct outcome *outcome = news.kind == DISPATCH_ANSWER ? remote_take(&news.parcel) : NULL;
        pthread_mutex_lock(&run->lock);
        run->skipped[news.number] = !outcome;
        finish(run, news.number, outcome);
        pthread_mutex_unlock(&run->lock);
    }
    return well;
}

/* The calling thread works with the other ranks, while jobs work here. If a rank is lost, nothing more is begun. */
static void run_far(struct run *run) {
    const struct timespec pause = {0, DISPATCH_PAUSE_NS};
    const struct batch *batch = run->batch;
    soloist_error error;
    struct team team;
    team_start_beside(&team, batch->jobs, work, run);
    bool well = true;
    do {
        if (stop_token_is_stopped(batch->limits.stop))
            dispatch_stop(batch->dispatch);
        well = take_far(run, &error) && give_far(run, &error);
        if (batch->dispatch->out)
            nanosleep(&pause, NULL);
    } while (well && batch->dispatch->out);
    if (!well) {
        cli_complain("%s", error.text);
        signals_raise();
    }
    team_join(&team);
    dispatch_count_own(batch->dispatch, run->own, run->own_s);
}

/* ---- all ranks on one instance ---- */

static bool agree(void *user, bool ready) { return dispatch_agree(user, ready); }

/* Adds the statistics of the other ranks. */
static bool add_parts(const struct batch *batch, struct outcome *outcome, soloist_error *error) {
    struct dispatch_news news;
    while (batch->dispatch->out) {
        if (!dispatch_next(batch->dispatch, &news, error))
            return false;
        if (news.kind == DISPATCH_NOTHING)
            peers_wait(batch->dispatch->mail.peers, NULL);
        if (news.kind != DISPATCH_ANSWER)
            continue;
        struct outcome *part = remote_take(&news.parcel);
        statistics_add_result(&outcome->result, &part->result);
        outcome_free(part);
    }
    return true;
}

/* One instance after the other. */
static void run_together(struct run *run) {
    const struct batch *batch = run->batch;
    struct engine_company company = {batch->peers, agree, batch->dispatch};
    soloist_error error;
    bool well = true;
    for (size_t task; well && (task = take_task(run)) < batch->input->task_count;) {
        struct outcome *outcome = need_zeroed(1, sizeof *outcome);
        double start_s = clock_seconds();
        well = remote_give(batch, 0, task, &error);
        if (well)
            solve_task(batch, task, &company, outcome);
        run->own++;
        run->own_s += (clock_seconds() - start_s) * batch->limits.threads;
        well = well && add_parts(batch, outcome, &error);
        finish(run, task, outcome);
    }
    if (!well)
        cli_complain("%s", error.text);
    dispatch_count_own(batch->dispatch, run->own, run->own_s);
}

size_t batch_run(const struct batch *batch) {
    struct run run = {.batch = batch};
    run.done = need_zeroed(batch->input->task_count, sizeof *run.done);
    run.kept = need_zeroed(batch->input->task_count, sizeof *run.kept);
    run.skipped = need_zeroed(batch->input->task_count, sizeof *run.skipped);
    for (size_t i = 0; batch->known && i < batch->input->task_count; i++)
        run.done[i] = batch->known[i];
    pthread_mutex_init(&run.lock, NULL);
    emit_what_is_due(&run);
    if (batch->peers)
        run_together(&run);
    else if (batch->dispatch)
        run_far(&run);
    else
        team_run(batch->jobs, work, &run);
    pthread_mutex_destroy(&run.lock);
    for (size_t i = 0; i < batch->input->task_count; i++) {
        outcome_free(run.done[i]);
        outcome_free(run.kept[i]);
    }
    free(run.skipped);
    free(run.kept);
    free(run.done);
    return run.emitted;
}
