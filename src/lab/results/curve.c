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
    return query_open(&writer->forget, store, "DELETE FROM curve WHERE run = ?1 AND row >= ?2", error) &&
           query_open(&writer->add, store, add, error);
}

void curve_writer_close(struct curve_writer *writer) {
    query_close(&writer->forget);
    query_close(&writer->add);
    *writer = (struct curve_writer){0};
}

/* NaN, such as the loss of a head that the network lacks, is stored as NULL. */
static void bind_training(struct query *query, const struct curve_row *stored) {
    const struct training_row *row = &stored->training;
    const uint64_t counts[] = {row->generation, row->steps, row->games, row->positions};
    const double losses[] = {row->training.policy, row->training.value, row->validation.policy, row->validation.value,
                             row->validation.entropy};
    query_bind_real(query, 4, row->greedy);
    query_bind_real(query, 5, row->greedy_interval);
    query_bind_text(query, 8, stored->doing);
    for (int i = 0; i < 4; i++)
        query_bind_int(query, 9 + i, (int64_t)counts[i]);
    for (int i = 0; i < 5; i++)
        if (isfinite(losses[i]))
            query_bind_real(query, 13 + i, losses[i]);
    query_bind_int(query, 18, (int64_t)row->played.games);
    if (row->played.games) {
        query_bind_real(query, 19, row->played.mean);
        query_bind_real(query, 20, row->played.interval);
    }
}

static void bind_search(struct query *query, const struct curve_row *row) {
    query_bind_real(query, 4, row->value);
    query_bind_int(query, 6, (int64_t)row->nodes);
    query_bind_int(query, 7, (int64_t)row->iterations);
}

bool curve_save(struct curve_writer *writer, const struct curve_row *row) {
    query_bind(&writer->forget, "ii", row->run, (int64_t)row->training.row);
    query_bind(&writer->add, "iir", row->run, (int64_t)row->training.row, row->training.time_s);
    (row->trained ? bind_training : bind_search)(&writer->add, row);
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
