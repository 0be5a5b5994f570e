#include "lab/results/save.h"
#include "base/buffer.h"
#include "lab/results/runner.h"
#include "search/statistics.h"

#include <stdio.h>
#include <stdlib.h>

/* The parameters of the statement. The columns of the search statistics follow, in the order in which they are
 * defined. */
enum {
    RUN = 1,
    STATUS,
    STOPPED,
    VALUE,
    MOVES,
    PUSHES,
    OPTIMAL,
    SOLUTION,
    TIME,
    CPU_TIME,
    RAN,
    ERROR,
    VERSION,
    SIGNATURE,
    STATISTICS
};

static const char update[] =
    "UPDATE run SET status = ?2, stopped = ?3, value = coalesce(?4, (SELECT value FROM curve WHERE run = ?1 AND"
    " ?2 = 'trained' ORDER BY row DESC LIMIT 1)), moves = ?5, pushes = ?6, optimal = ?7, solution = ?8,"
    " time_s = ?9, cpu_s = ?10, ran = ?11, error = ?12, version = ?13, signature = ?14,"
    " finished = strftime('%Y-%m-%dT%H:%M:%SZ')";

bool save_open(struct query *query, const struct store *store, soloist_error *error) {
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_put(&sink, update);
    for (int i = 0; i < STATISTICS_ROWS; i++)
        if (statistics_rows[i].column)
            soloist_print(&sink, ", %s = ?%d", statistics_rows[i].column, STATISTICS + i);
    soloist_put(&sink, " WHERE id = ?1 AND status IS NULL");
    char *text = buffer_take(&sql);
    bool opened = query_open(query, store, text, error);
    free(text);
    return opened;
}

/* Binds a value if it is known; otherwise the column becomes NULL. */
static void bind_if(struct query *query, int at, bool known, int64_t value) {
    if (known)
        query_bind_int(query, at, value);
}

static void bind_statistics(struct query *query, const soloist_result *result) {
    for (int i = 0; i < STATISTICS_ROWS; i++) {
        const struct statistics_row *row = &statistics_rows[i];
        if (row->column)
            bind_if(query, STATISTICS + i, statistics_known(row, result), (int64_t)statistics_value(row, result));
    }
}

static void bind_counts(struct query *query, const struct outcome *outcome) {
    const soloist_result *result = &outcome->result;
    bool found = result->solution != NULL;
    bind_if(query, VALUE, found, result->verdict.value);
    bind_if(query, MOVES, found, result->verdict.moves);
    bind_if(query, PUSHES, found && result->verdict.pushes >= 0, result->verdict.pushes);
    query_bind_real(query, TIME, result->time_s);
    if (outcome->trained)
        return;
    bind_if(query, OPTIMAL, true, result->optimal);
    if (outcome->job->limits.threads == 1)
        query_bind_real(query, CPU_TIME, outcome->cpu_s);
    bind_statistics(query, result);
}

bool save_outcome(struct query *query, const struct outcome *outcome) {
    const soloist_result *result = &outcome->result;
    char signature[20], why[320];
    snprintf(signature, sizeof signature, "%016llx", (unsigned long long)runner_signature(result));
    snprintf(why, sizeof why, "line %d, column %d: %s", outcome->error.line, outcome->error.column,
             outcome->error.text);
    query_bind_int(query, RUN, outcome->job->id);
    query_bind_text(query, STATUS, outcome->trained ? "trained" : soloist_status_name(result->status));
    query_bind_text(query, STOPPED, result->status == SOLOIST_INVALID ? NULL : soloist_stop_name(result->stopped));
    bind_counts(query, outcome);
    query_bind_text(query, SOLUTION, result->solution);
    query_bind_text(query, RAN, result->method);
    if (*outcome->error.text)
        query_bind_text(query, ERROR, outcome->error.line ? why : outcome->error.text);
    query_bind_text(query, VERSION, SOLOIST_VERSION);
    if (!outcome->trained)
        query_bind_text(query, SIGNATURE, signature);
    return query_run(query);
}
