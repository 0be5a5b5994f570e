#include "cli/solve/remote.h"
#include "cli/shell/need.h"
#include "cli/shell/progress.h"
#include "engine/engine.h"
#include "engine/result_parcel.h"

#include <stdlib.h>
#include <string.h>

/* ---- the wish ---- */

struct remote_wish {
    uint64_t seed;
    int threads;
    bool keep_boards, identify, hash, shows, together;
};

void remote_put_wish(const struct batch *batch, struct buffer *wish) {
    struct remote_wish own = {.seed = batch->limits.seed,
                              .threads = batch->limits.threads,
                              .keep_boards = batch->keep_boards,
                              .identify = batch->identify,
                              .hash = batch->hash,
                              .shows = batch->progress,
                              .together = batch->peers};
    parcel_put(wish, &own, sizeof own);
}

static bool begin(void *user, struct parcel_reader *wish) {
    struct remote_helper *helper = user;
    struct batch *batch = helper->batch;
    struct remote_wish own;
    parcel_take(wish, &own, sizeof own);
    if (wish->wrong)
        return false;
    batch->limits.seed = own.seed;
    batch->limits.threads = own.threads < helper->cores ? own.threads : helper->cores;
    batch->limits.memory = batch_share(helper->memory, helper->cores / batch->limits.threads);
    batch->keep_boards = own.keep_boards;
    batch->identify = own.identify;
    batch->hash = own.hash;
    helper->shows = own.shows && !own.together;
    batch->peers = own.together ? helper->peers : NULL;
    return true;
}

/* ---- tasks ---- */

bool remote_give(const struct batch *batch, int rank, size_t index, soloist_error *error) {
    const struct task *task = &batch->input->tasks[index];
    struct buffer piece;
    buffer_open(&piece);
    parcel_put(&piece, task, sizeof *task);
    parcel_put_text(&piece, task->source->domain ? task->source->domain->name : NULL);
    parcel_put_block(&piece, task->chunk.text, task->chunk.length);
    bool pools = batch->pools;
    parcel_put(&piece, &pools, sizeof pools);
    parcel_put_text(&piece, pools ? batch->pools[index] : NULL);
    bool well = rank ? dispatch_give(batch->dispatch, rank, index, batch->limits.threads, &piece, error)
                     : dispatch_give_all(batch->dispatch, index, &piece, error);
    buffer_close(&piece);
    return well;
}

/* The caller frees the text; NULL stays NULL. */
static char *take_copy(struct parcel_reader *parcel) {
    const char *text = parcel_take_text(parcel);
    return text ? need_text(text, strlen(text)) : NULL;
}

/* A task from rank 0, as the only task of a batch. */
struct remote_task {
    struct source source;
    struct task task;
    char *pool; /* owned */
    struct input input;
    struct batch batch;
};

/* The text of the instance stays in the parcel. `own` is set in either case, and refers to itself. */
static bool take_task(const struct batch *batch, struct parcel_reader *piece, struct remote_task *own) {
    struct task *task = &own->task;
    bool pools;
    parcel_take(piece, task, sizeof *task);
    const char *domain = parcel_take_text(piece);
    task->chunk.text = parcel_take_block(piece, &task->chunk.length);
    parcel_take(piece, &pools, sizeof pools);
    own->pool = take_copy(piece);
    own->source = (struct source){.domain = domain ? soloist_find_domain(batch->cli->engine, domain) : NULL};
    task->source = &own->source;
    own->input = *batch->input;
    own->input.tasks = task;
    own->input.task_count = 1;
    own->batch = *batch;
    own->batch.input = &own->input;
    own->batch.pools = pools ? &own->pool : NULL;
    return !piece->wrong && (own->source.domain || *task->error.text);
}

/* ---- outcomes ---- */

static void put_outcome(struct buffer *answer, const struct outcome *outcome) {
    bool impossible = outcome->impossible;
    parcel_put(answer, outcome, sizeof *outcome);
    parcel_put(answer, &impossible, sizeof impossible);
    result_put(answer, &outcome->result);
    parcel_put_text(answer, outcome->board);
    parcel_put_text(answer, outcome->pool);
}

struct outcome *remote_take(struct parcel_reader *parcel) {
    struct outcome *outcome = need_zeroed(1, sizeof *outcome);
    bool impossible;
    parcel_take(parcel, outcome, sizeof *outcome);
    parcel_take(parcel, &impossible, sizeof impossible);
    outcome->impossible = impossible ? outcome->reason : NULL;
    if (!result_take(parcel, &outcome->result))
        need_failed();
    outcome->board = take_copy(parcel);
    outcome->pool = take_copy(parcel);
    return outcome;
}

/* ---- progress ---- */

/* What the callback of a task needs. */
struct remote_slot {
    struct dispatch_helper *helper;
    uint64_t number;
};

static void send_progress(void *user, const soloist_progress *progress) {
    const struct remote_slot *slot = user;
    struct buffer note;
    buffer_open(&note);
    parcel_put(&note, progress, sizeof *progress);
    parcel_put_text(&note, progress->note);
    dispatch_note(slot->helper, slot->number, &note);
    buffer_close(&note);
}

void remote_show(const struct batch *batch, const struct dispatch_news *news) {
    struct parcel_reader parcel = news->parcel;
    struct progress_slot slot = {batch->progress, &batch->input->tasks[news->number]};
    soloist_progress progress;
    parcel_take(&parcel, &progress, sizeof progress);
    progress.note = parcel_take_text(&parcel);
    if (batch->progress && !parcel.wrong)
        progress_update(&slot, &progress);
}

/* ---- the helper ---- */

static bool agree(void *user, bool ready) { return dispatch_helper_agree(user, ready); }

static void work(void *user, struct dispatch_helper *helper, uint64_t number, struct parcel_reader *piece,
                 struct buffer *answer) {
    const struct remote_helper *own = user;
    struct outcome *outcome = need_zeroed(1, sizeof *outcome);
    struct remote_slot slot = {helper, number};
    soloist_callbacks callbacks = {send_progress, NULL, &slot};
    struct engine_company company = {own->batch->peers, agree, helper};
    struct remote_task task;
    if (take_task(own->batch, piece, &task)) {
        batch_solve(&task.batch, &task.task, own->shows ? &callbacks : NULL, company.peers ? &company : NULL, outcome);
    } else {
        if (company.peers)
            dispatch_helper_agree(helper, false);
        soloist_fail(&outcome->error, 0, 0, "another rank does not know the domain of this instance");
        batch_settle(SOLOIST_UNSUPPORTED, outcome);
    }
    put_outcome(answer, outcome);
    outcome_free(outcome);
    free(task.pool);
}

struct dispatch_work remote_work(struct remote_helper *helper) {
    return (struct dispatch_work){
        .cores = helper->cores, .stop = helper->batch->limits.stop, .begin = begin, .work = work, .user = helper};
}
