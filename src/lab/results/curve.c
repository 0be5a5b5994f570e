#include "lab/results/curve.h"
#include "lab/results/save.h"

#include <stdio.h>

/* The values of values_of_row, in the same order. */
static const char add[] = "INSERT INTO curve(run, " STORE_CURVE
                          ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
                          " ?19, ?20, ?21, ?22)";

bool curve_writer_open(struct curve_writer *writer, const struct store *store, soloist_error *error) {
    *writer = (struct curve_writer){0};
    return query_open(&writer->forget, store, "DELETE FROM curve WHERE run = ?1 AND row >= ?2", error) &&
           query_open(&writer->add, store, add, error);
}

void curve_writer_close(struct curve_writer *writer) {
    query_close(&writer->forget);
    query_close(&writer->add);
    *writer = (struct curve_writer){0};
}

bool curve_save(struct curve_writer *writer, const struct curve_row *row) {
    struct values values;
    values_of_row(row, &values);
    query_bind(&writer->forget, "ii", row->run, (int64_t)row->training.row);
    query_bind_int(&writer->add, 1, row->run);
    save_bind(&writer->add, 2, &values);
    return query_run(&writer->forget) && query_run(&writer->add);
}

bool curve_begin(const struct store *store, int64_t run, soloist_error *error) {
    char sql[80];
    snprintf(sql, sizeof sql, "UPDATE run SET status = NULL WHERE id = %lld", (long long)run);
    return store_execute(store, sql, error);
}

bool curve_end(const struct store *store, int64_t run, double time_s, soloist_error *error) {
    struct query end;
    query_open(&end, store,
               "UPDATE run SET status = 'trained', time_s = ?2, version = ?3, value = (SELECT value FROM curve WHERE"
               " run = ?1 ORDER BY row DESC LIMIT 1), finished = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE id = ?1",
               error);
    query_bind(&end, "irt", run, time_s, SOLOIST_VERSION);
    query_run(&end);
    return query_close(&end);
}
