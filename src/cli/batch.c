/* The pool of jobs. Each takes the next task; whoever finishes the one that is due emits it and all that wait behind.
 */
#include "cli/batch.h"
#include "cli/board.h"
#include "cli/progress.h"

#include <pthread.h>
#include <stdlib.h>

struct run {
    const struct batch *batch;
    pthread_mutex_t lock;
    struct outcome **done; /* by task; NULL: not finished */
    size_t next;           /* the first task that nobody took */
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

/* What the engine could not even begin is the input's or the command's fault; what ended for want of memory is not. */
static void settle_failure(soloist_code code, struct outcome *outcome) {
    if (code == SOLOIST_NO_MEMORY) {
        outcome->result.status = SOLOIST_UNSOLVED;
        outcome->result.stopped = SOLOIST_STOP_MEMORY;
        outcome->error = (soloist_error){0};
    } else if (code != SOLOIST_INTERNAL) {
        outcome->result.status = SOLOIST_INVALID;
    }
}

static void solve_task(const struct batch *batch, size_t index, struct outcome *outcome) {
    const struct task *task = &batch->input->tasks[index];
    soloist_puzzle puzzle;
    outcome->result = (soloist_result){.status = SOLOIST_INVALID, .verdict.pushes = -1};
    if (input_puzzle(batch->input, task, &puzzle, &outcome->error) != SOLOIST_OK)
        return;
    struct progress_slot slot = {batch->progress, task};
    soloist_callbacks callbacks = {progress_update, NULL, &slot};
    soloist_code code = soloist_solve(batch->cli->engine, &puzzle, batch->method, &batch->limits,
                                      batch->progress ? &callbacks : NULL, &outcome->result, &outcome->error);
    if (code != SOLOIST_OK)
        settle_failure(code, outcome);
    else
        outcome->error = (soloist_error){0};
    explain_impossible(&puzzle, outcome);
    if (batch->keep_boards)
        outcome->board = board_root_text(batch->cli->engine, &puzzle);
    soloist_puzzle_free(&puzzle);
}

static void outcome_free(struct outcome *outcome) {
    soloist_result_free(&outcome->result);
    free(outcome->board);
    free(outcome);
}

/* Under the lock. */
static void emit_what_is_due(struct run *run) {
    const struct batch *batch = run->batch;
    while (run->emitted < batch->input->task_count && run->done[run->emitted]) {
        struct outcome *outcome = run->done[run->emitted];
        batch->emit(batch->user, &batch->input->tasks[run->emitted], outcome);
        run->done[run->emitted++] = NULL;
        outcome_free(outcome);
    }
}

static void *work(void *argument) {
    struct run *run = argument;
    const struct batch *batch = run->batch;
    pthread_mutex_lock(&run->lock);
    while (run->next < batch->input->task_count && !*batch->limits.cancel) {
        size_t mine = run->next++;
        pthread_mutex_unlock(&run->lock);
        struct outcome *outcome = calloc(1, sizeof *outcome);
        if (!outcome)
            abort();
        solve_task(batch, mine, outcome);
        pthread_mutex_lock(&run->lock);
        run->done[mine] = outcome;
        emit_what_is_due(run);
    }
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

size_t batch_run(const struct batch *batch) {
    struct run run = {.batch = batch};
    int helpers = 0;
    run.done = calloc(batch->input->task_count + 1, sizeof *run.done);
    pthread_t *threads = calloc((size_t)batch->jobs, sizeof *threads);
    if (!run.done || !threads)
        abort();
    pthread_mutex_init(&run.lock, NULL);
    /* A thread that cannot be had only makes the others work longer. */
    while (helpers < batch->jobs - 1 && !pthread_create(&threads[helpers], NULL, work, &run))
        helpers++;
    work(&run);
    while (helpers > 0)
        pthread_join(threads[--helpers], NULL);
    pthread_mutex_destroy(&run.lock);
    free(threads);
    free(run.done);
    return run.emitted;
}
