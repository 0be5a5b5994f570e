#include "lab/run/values.h"
#include "search/statistics.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static struct value *add(struct values *values, const char *name) {
    struct value *value = &values->items[values->count++];
    *value = (struct value){.name = name};
    return value;
}

static void add_int(struct values *values, const char *name, bool known, int64_t whole) {
    struct value *value = add(values, name);
    value->kind = known ? VALUE_INT : VALUE_NULL;
    value->whole = whole;
}

/* NaN, such as the loss of a head that a network lacks, is not known. */
static void add_real(struct values *values, const char *name, bool known, double real) {
    struct value *value = add(values, name);
    value->kind = known && isfinite(real) ? VALUE_REAL : VALUE_NULL;
    value->real = real;
}

static void add_text(struct values *values, const char *name, const char *text) {
    struct value *value = add(values, name);
    value->kind = text ? VALUE_TEXT : VALUE_NULL;
    value->text = text;
}

/* ---- a result ---- */

static bool is_search(const struct job_outcome *outcome) { return !outcome->trained && !outcome->measured; }

static void add_statistics(struct values *values, const struct job_outcome *outcome) {
    for (int i = 0; i < STATISTICS_ROWS; i++) {
        const struct statistics_row *row = &statistics_rows[i];
        if (row->column)
            add_int(values, row->column, is_search(outcome) && statistics_known(row, &outcome->result),
                    (int64_t)statistics_value(row, &outcome->result));
    }
}

static void add_counts(struct values *values, const struct job_outcome *outcome) {
    const soloist_result *result = &outcome->result;
    bool found = result->solution != NULL;
    if (outcome->measured)
        add_real(values, "value", true, (double)outcome->value);
    else
        add_int(values, "value", found, result->verdict.value);
    add_int(values, "moves", found, result->verdict.moves);
    add_int(values, "pushes", found && result->verdict.pushes >= 0, result->verdict.pushes);
    add_int(values, "optimal", is_search(outcome), result->optimal);
    add_text(values, "solution", result->solution);
    add_real(values, "time_s", true, result->time_s);
    add_real(values, "cpu_s", !outcome->trained && outcome->job->limits.threads == 1, outcome->cpu_s);
    add_statistics(values, outcome);
}

static const char *error_of(struct values *values, const soloist_error *error) {
    snprintf(values->why, sizeof values->why, "line %d, column %d: %s", error->line, error->column, error->text);
    return !*error->text ? NULL : error->line ? values->why : error->text;
}

static const char *now(struct values *values) {
    time_t seconds = time(NULL);
    struct tm day;
    return gmtime_r(&seconds, &day) && strftime(values->finished, sizeof values->finished, "%Y-%m-%dT%H:%M:%SZ", &day)
               ? values->finished
               : NULL;
}

void values_of_outcome(const struct job_outcome *outcome, struct values *values) {
    const soloist_result *result = &outcome->result;
    values->count = 0;
    snprintf(values->signature, sizeof values->signature, "%016llx", (unsigned long long)job_signature(result));
    add_text(values, "status",
             outcome->trained    ? "trained"
             : outcome->measured ? "measured"
                                 : soloist_status_name(result->status));
    add_text(values, "stopped", result->status == SOLOIST_INVALID ? NULL : soloist_stop_name(result->stopped));
    add_counts(values, outcome);
    add_text(values, "ran", result->method);
    add_text(values, "error", error_of(values, &outcome->error));
    add_text(values, "version", SOLOIST_VERSION);
    add_text(values, "signature", is_search(outcome) ? values->signature : NULL);
    add_text(values, "finished", now(values));
}

/* ---- a row of a curve ---- */

void values_of_row(const struct curve_row *stored, struct values *values) {
    const struct training_row *row = &stored->training;
    bool trained = stored->trained, played = trained && row->played.games;
    values->count = 0;
    add_int(values, "row", true, (int64_t)row->row);
    add_real(values, "time_s", true, row->time_s);
    add_real(values, "value", true, trained ? row->greedy : stored->value);
    add_real(values, "interval", trained, row->greedy_interval);
    add_int(values, "nodes", !trained, (int64_t)stored->nodes);
    add_int(values, "iterations", !trained, (int64_t)stored->iterations);
    add_text(values, "doing", trained ? stored->doing : NULL);
    add_int(values, "generation", trained, (int64_t)row->generation);
    add_int(values, "steps", trained, (int64_t)row->steps);
    add_int(values, "games", trained, (int64_t)row->games);
    add_int(values, "positions", trained, (int64_t)row->positions);
    add_real(values, "policy_loss", trained, row->training.policy);
    add_real(values, "value_loss", trained, row->training.value);
    add_real(values, "validation_policy_loss", trained, row->validation.policy);
    add_real(values, "validation_value_loss", trained, row->validation.value);
    add_real(values, "validation_entropy", trained, row->validation.entropy);
    add_int(values, "played", trained, (int64_t)row->played.games);
    add_real(values, "played_mean", played, row->played.mean);
    add_real(values, "played_interval", played, row->played.interval);
    add_int(values, "stage", trained && row->stage, (int64_t)row->stage);
    add_real(values, "iteration_solve_rate", trained && row->stage, row->solve_rate);
}

/* ---- as JSON ---- */

void values_write(const struct values *values, struct json_writer *json) {
    for (int i = 0; i < values->count; i++) {
        const struct value *value = &values->items[i];
        switch (value->kind) {
        case VALUE_NULL: break;
        case VALUE_INT: json_int(json, value->name, value->whole); break;
        case VALUE_REAL: json_real(json, value->name, value->real); break;
        case VALUE_TEXT: json_text(json, value->name, value->text); break;
        }
    }
}
