#include "lab/run/job.h"
#include "base/budget.h"
#include "base/hash.h"
#include "lab/run/dead_run.h"
#include "lab/run/teach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct curve_row curve_row_of(int64_t run, const struct training_row *row) {
    struct curve_row made = {.run = run, .trained = true, .training = *row};
    snprintf(made.doing, sizeof made.doing, "%s", row->doing ? row->doing : "");
    made.training.doing = NULL;
    return made;
}

void rows_open(struct rows *rows) { *rows = (struct rows){NULL, &rows->first}; }

bool rows_add(struct rows *rows, const struct curve_row *row) {
    struct curve_row *copy = malloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *row;
    copy->next = NULL;
    *rows->end = copy;
    rows->end = &copy->next;
    return true;
}

void rows_free(struct curve_row *row) {
    for (struct curve_row *next; row; row = next) {
        next = row->next;
        free(row);
    }
}

void job_outcome_free(struct job_outcome *outcome) {
    soloist_result_free(&outcome->result);
    rows_free(outcome->rows.first);
    free(outcome);
}

uint64_t job_signature(const soloist_result *result) {
    uint64_t parts[] = {result->status,  result->optimal,  (uint64_t)(int64_t)result->verdict.value,
                        result->nodes,   result->expanded, result->iterations,
                        result->playouts};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        parts[i] = hash_mix(parts[i] + i); /* gives the same hash on every machine */
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum = hash_mix(sum ^ parts[i]);
    return result->solution ? hash_mix(sum ^ hash_bytes(result->solution, strlen(result->solution))) : sum;
}

/* ---- a search ---- */

static void outcome_open(struct job_outcome *outcome, const struct job *job) {
    outcome->job = job;
    rows_open(&outcome->rows);
    outcome->result = (soloist_result){.status = SOLOIST_INVALID, .verdict.pushes = -1};
}

bool job_tells_of_memory(const soloist_error *error) {
    return strstr(error->text, "no memory") || strstr(error->text, "out of memory");
}

static void settle(soloist_code code, struct job_outcome *outcome) {
    outcome->starved |= code == SOLOIST_NO_MEMORY || outcome->result.starved;
    if (code == SOLOIST_OK)
        outcome->error = (soloist_error){0};
    else if (code != SOLOIST_INTERNAL)
        outcome->result.status = SOLOIST_INVALID;
}

/* If the run has a time limit, records every improvement as a row of its curve. */
static void note_best(struct job_outcome *outcome, const soloist_progress *progress) {
    struct rows *rows = &outcome->rows;
    struct curve_row *last =
        rows->first ? (struct curve_row *)((char *)rows->end - offsetof(struct curve_row, next)) : NULL;
    if (!progress->has_best || (last && last->value == progress->best))
        return;
    struct curve_row row = {.run = outcome->job->id,
                            .training = {.row = last ? last->training.row + 1 : 0, .time_s = progress->time_s},
                            .value = progress->best,
                            .nodes = progress->nodes,
                            .iterations = progress->iterations};
    outcome->starved |= !rows_add(rows, &row);
}

static void note_progress(void *user, const soloist_progress *progress) { note_best(user, progress); }

static void note_end(struct job_outcome *outcome) {
    const soloist_result *result = &outcome->result;
    note_best(outcome, &(soloist_progress){.time_s = result->time_s,
                                           .has_best = result->solution != NULL,
                                           .best = result->verdict.value,
                                           .nodes = result->nodes,
                                           .iterations = result->iterations});
}

static void solve_puzzle(const soloist *engine, const soloist_puzzle *puzzle, const soloist_limits *limits,
                         struct job_outcome *outcome) {
    const struct job *job = outcome->job;
    const soloist_callbacks noting = {.progress = note_progress, .user = outcome};
    bool timed = job->limits.time_s > 0;
    double start_s = clock_cpu_seconds();
    settle(
        soloist_solve(engine, puzzle, job->method, limits, timed ? &noting : NULL, &outcome->result, &outcome->error),
        outcome);
    outcome->cpu_s = clock_cpu_seconds() - start_s;
    if (!*outcome->error.text && *outcome->result.warning)
        soloist_fail(&outcome->error, 0, 0, "%s", outcome->result.warning);
    if (timed)
        note_end(outcome);
}

/* Records the values that the network gives to positions made from the puzzle. */
static void measure_dead(const soloist *engine, const soloist_puzzle *puzzle, const soloist_limits *limits,
                         struct job_outcome *outcome) {
    const struct job *job = outcome->job;
    struct dead_values values;
    double start_s = clock_seconds(), start_cpu_s = clock_cpu_seconds();
    if (!dead_run(engine, puzzle, job->options, job->method, limits->network, limits->seed, &values, &outcome->error))
        return;
    outcome->result.status = SOLOIST_UNSOLVED;
    outcome->result.time_s = clock_seconds() - start_s;
    outcome->cpu_s = clock_cpu_seconds() - start_cpu_s;
    outcome->measured = values.found;
    outcome->value = values.dead;
    const float all[] = {values.dead, values.live};
    for (uint64_t i = 0; values.found && i < (dead_run_has_pairs(job->method) ? 2 : 1); i++) {
        struct curve_row row = {.run = job->id, .training.row = i, .value = (double)all[i]};
        outcome->starved |= !rows_add(&outcome->rows, &row);
    }
}

/* Makes the run, with the network of a training if the row names one. */
static void solve_with(const struct job_school *school, const soloist_puzzle *puzzle, struct job_outcome *outcome) {
    soloist_limits limits = outcome->job->limits;
    char path[4200];
    bool trained = teach_weights(outcome->job->network, school->folder, path, sizeof path);
    if (trained && !(limits.network = trained_borrow(school->trained, puzzle->domain, path, &outcome->error)))
        return;
    (dead_run_is(outcome->job->method) ? measure_dead : solve_puzzle)(school->engine, puzzle, &limits, outcome);
    if (trained)
        trained_return(school->trained, limits.network);
}

void job_solve(const struct job_school *school, const struct job *job, struct job_outcome *outcome) {
    const soloist_domain *domain = soloist_find_domain(school->engine, job->domain);
    soloist_chunk chunk = {.text = job->text, .length = strlen(job->text), .line = 1};
    soloist_puzzle puzzle;
    snprintf(chunk.name, sizeof chunk.name, "%s", job->name);
    outcome_open(outcome, job);
    if (!domain) {
        soloist_fail(&outcome->error, 0, 0, "no domain %.60s: it may need a plugin", job->domain);
        return;
    }
    soloist_code code = soloist_puzzle_read(domain, job->options, &chunk, &puzzle, &outcome->error);
    if (code == SOLOIST_OK) {
        solve_with(school, &puzzle, outcome);
        soloist_puzzle_free(&puzzle);
    }
    outcome->starved |= code == SOLOIST_NO_MEMORY || job_tells_of_memory(&outcome->error);
}

/* ---- a training ---- */

bool job_is_training(const struct job *job) { return lesson_is(job->method); }

bool job_wants_trained(const struct job *job) {
    char path[8];
    return !job_is_training(job) && teach_weights(job->network, "", path, sizeof path);
}

struct lecture {
    const struct job_school *school;
    int64_t run;
    bool lost; /* a row could not be stored */
};

static void hand_row(void *user, const struct training_row *row) {
    struct lecture *lecture = user;
    struct curve_row made = curve_row_of(lecture->run, row);
    lecture->lost |= !lecture->school->report(lecture->school->user, &made);
}

static struct teaching teaching_of(const struct job_school *school, const struct job *job) {
    return (struct teaching){.engine = school->engine,
                             .domain = soloist_find_domain(school->engine, job->domain),
                             .options = job->options,
                             .boards = job->text,
                             .network = job->network,
                             .method = job->method,
                             .limits = &job->limits,
                             .folder = school->folder};
}

void job_train(const struct job_school *school, const struct job *job, struct job_outcome *outcome) {
    struct lecture lecture = {school, job->id, false};
    struct teaching teaching = teaching_of(school, job);
    teaching.report = hand_row;
    teaching.user = &lecture;
    outcome_open(outcome, job);
    if (!teaching.domain)
        soloist_fail(&outcome->error, 0, 0, "no domain %.60s: it may need a plugin", job->domain);
    else
        outcome->trained = teach(&teaching, &outcome->result.time_s, &outcome->error);
    outcome->starved |= lecture.lost || job_tells_of_memory(&outcome->error);
}

void job_tidy(const struct job_school *school, const struct job *job) {
    struct teaching teaching = teaching_of(school, job);
    teach_tidy(&teaching);
}
