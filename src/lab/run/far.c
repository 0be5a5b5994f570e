#include "lab/run/far.h"
#include "engine/result_parcel.h"

#include <stdlib.h>
#include <string.h>

/* ---- parcels ---- */

void far_put_job(struct buffer *parcel, const struct job *job) {
    const char *const texts[] = {job->domain, job->options, job->name, job->text, job->method, job->network};
    parcel_put(parcel, job, sizeof *job);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        parcel_put_text(parcel, texts[i]);
}

/* The texts of the job stay in the parcel. */
static bool take_job(struct parcel_reader *reader, struct job *job) {
    parcel_take(reader, job, sizeof *job);
    const char **const texts[] = {&job->domain, &job->options, &job->name, &job->text, &job->method, &job->network};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = parcel_take_text(reader);
    job->limits.network = NULL;
    return !reader->wrong;
}

static void put_rows(struct buffer *parcel, const struct curve_row *row) {
    uint64_t count = 0;
    for (const struct curve_row *each = row; each; each = each->next)
        count++;
    parcel_put(parcel, &count, sizeof count);
    for (; row; row = row->next)
        parcel_put(parcel, row, sizeof *row);
}

bool far_take_row(struct parcel_reader *reader, struct curve_row *row) {
    parcel_take(reader, row, sizeof *row);
    row->next = NULL;
    row->training.doing = NULL;
    return !reader->wrong;
}

static bool take_rows(struct parcel_reader *reader, struct rows *rows) {
    uint64_t count = 0;
    struct curve_row row;
    rows_open(rows);
    parcel_take(reader, &count, sizeof count);
    for (; count; count--)
        if (!far_take_row(reader, &row) || !rows_add(rows, &row))
            return false;
    return !reader->wrong;
}

static void put_outcome(struct buffer *parcel, const struct job_outcome *outcome) {
    parcel_put(parcel, outcome, sizeof *outcome);
    result_put(parcel, &outcome->result);
    put_rows(parcel, outcome->rows.first);
}

struct job_outcome *far_take_outcome(struct parcel_reader *reader, const struct job *job) {
    struct job_outcome *outcome = calloc(1, sizeof *outcome);
    if (!outcome)
        return NULL;
    parcel_take(reader, outcome, sizeof *outcome);
    outcome->next = NULL;
    outcome->job = job;
    rows_open(&outcome->rows);
    if (result_take(reader, &outcome->result) && take_rows(reader, &outcome->rows))
        return outcome;
    job_outcome_free(outcome);
    return NULL;
}

/* ---- the helper ---- */

/* A training's rows travel as notes. */
struct far_lecture {
    struct dispatch_helper *helper;
    uint64_t number;
};

static bool hand_row(void *user, const struct curve_row *row) {
    const struct far_lecture *lecture = user;
    struct buffer note;
    buffer_open(&note);
    parcel_put(&note, row, sizeof *row);
    bool well = !note.failed;
    if (well)
        dispatch_note(lecture->helper, lecture->number, &note);
    buffer_close(&note);
    return well;
}

/* The piece is the folder of the trainings' checkpoints, and the job. An answer without content means that memory was
 * refused. */
static void work(void *user, struct dispatch_helper *helper, uint64_t number, struct parcel_reader *piece,
                 struct buffer *answer) {
    struct far_helper *own = user;
    struct far_lecture lecture = {helper, number};
    struct job_school school = {own->engine, parcel_take_text(piece), hand_row, &lecture, own->trained};
    struct job_outcome *outcome = calloc(1, sizeof *outcome);
    struct job job;
    if (outcome && take_job(piece, &job)) {
        job.limits.stop = own->stop;
        if (job_is_training(&job))
            job_train(&school, &job, outcome);
        else
            job_solve(&school, &job, outcome);
        if (job_is_training(&job) && stop_token_is_stopped(own->stop))
            outcome->result.stopped = SOLOIST_STOP_CANCEL;
        put_outcome(answer, outcome);
    }
    if (outcome)
        job_outcome_free(outcome);
}

struct dispatch_work far_work(struct far_helper *helper, int cores) {
    return (struct dispatch_work){.cores = cores, .stop = helper->stop, .work = work, .user = helper};
}
