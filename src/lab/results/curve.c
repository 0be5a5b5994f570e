#include "lab/results/curve.h"

#include <math.h>
#include <stdio.h>

static const char add[] = "INSERT INTO curve(run, " STORE_CURVE
                          ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
                          " ?19, ?20)";

struct curve_row curve_row_of(int64_t run, const struct training_row *row) {
    struct curve_row made = {.run = run, .trained = true, .training = *row};
    snprintf(made.doing, sizeof made.doing, "%s", row->doing ? row->doing : "");
    made.training.doing = NULL;
    return made;
}

bool curve_writer_open(struct curve_writer *writer, const struct store *store, soloist_error *error) {
    *writer = (struct curve_writer){0};
    writer->forget = store_prepare(store, "DELETE FROM curve WHERE run = ?1 AND row >= ?2", error);
    writer->add = writer->forget ? store_prepare(store, add, error) : NULL;
    return writer->add != NULL;
}

void curve_writer_close(struct curve_writer *writer) {
    sqlite3_finalize(writer->forget);
    sqlite3_finalize(writer->add);
    *writer = (struct curve_writer){0};
}

/* Numbers that are none, such as the loss of a head that is not there, are stored as NULL. */
static void bind_training(sqlite3_stmt *statement, const struct curve_row *stored) {
    const struct training_row *row = &stored->training;
    const uint64_t counts[] = {row->generation, row->steps, row->games, row->positions};
    const double losses[] = {row->training.policy, row->training.value, row->validation.policy, row->validation.value,
                             row->validation.entropy};
    sqlite3_bind_double(statement, 4, row->greedy);
    sqlite3_bind_double(statement, 5, row->greedy_interval);
    sqlite3_bind_text(statement, 8, stored->doing, -1, SQLITE_STATIC);
    for (int i = 0; i < 4; i++)
        sqlite3_bind_int64(statement, 9 + i, (int64_t)counts[i]);
    for (int i = 0; i < 5; i++)
        if (isfinite(losses[i]))
            sqlite3_bind_double(statement, 13 + i, losses[i]);
    sqlite3_bind_int64(statement, 18, (int64_t)row->played.games);
    if (row->played.games) {
        sqlite3_bind_double(statement, 19, row->played.mean);
        sqlite3_bind_double(statement, 20, row->played.interval);
    }
}

static void bind_search(sqlite3_stmt *statement, const struct curve_row *row) {
    sqlite3_bind_double(statement, 4, row->value);
    sqlite3_bind_int64(statement, 6, (int64_t)row->nodes);
    sqlite3_bind_int64(statement, 7, (int64_t)row->iterations);
}

static bool step(const struct store *store, sqlite3_stmt *statement, soloist_error *error) {
    bool well = sqlite3_step(statement) == SQLITE_DONE || store_fail(store, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return well;
}

bool curve_save(const struct store *store, const struct curve_writer *writer, const struct curve_row *row,
                soloist_error *error) {
    store_bind(writer->forget, "ii", row->run, (int64_t)row->training.row);
    store_bind(writer->add, "iir", row->run, (int64_t)row->training.row, row->training.time_s);
    if (row->trained)
        bind_training(writer->add, row);
    else
        bind_search(writer->add, row);
    return step(store, writer->forget, error) && step(store, writer->add, error);
}

bool curve_begin(const struct store *store, int64_t run, soloist_error *error) {
    char sql[80];
    snprintf(sql, sizeof sql, "UPDATE run SET status = NULL WHERE id = %lld", (long long)run);
    return store_execute(store, sql, error);
}

bool curve_end(const struct store *store, int64_t run, double time_s, soloist_error *error) {
    sqlite3_stmt *end = store_prepare(store,
                                      "UPDATE run SET status = 'trained', time_s = ?2, version = ?3, value = (SELECT"
                                      " value FROM curve WHERE run = ?1 ORDER BY row DESC LIMIT 1),"
                                      " finished = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE id = ?1",
                                      error);
    if (!end)
        return false;
    store_bind(end, "irt", run, time_s, SOLOIST_VERSION);
    bool well = step(store, end, error);
    sqlite3_finalize(end);
    return well;
}
