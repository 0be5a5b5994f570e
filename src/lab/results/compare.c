/* Two labels side by side: paired t, Wilcoxon and McNemar. */
#include "base/buffer.h"
#include "lab/results/look.h"
#include "lab/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct comparison {
    double *differences;
    size_t count;
    struct sample a, b, difference;
};

static bool add_pair(struct comparison *comparison, double a, double b) {
    if ((comparison->count & (comparison->count - 1)) == 0) {
        void *larger =
            realloc(comparison->differences, (comparison->count ? comparison->count * 2 : 1) * sizeof(double));
        if (!larger)
            return false;
        comparison->differences = larger;
    }
    comparison->differences[comparison->count++] = a - b;
    sample_add(&comparison->a, a);
    sample_add(&comparison->b, b);
    sample_add(&comparison->difference, a - b);
    return true;
}

static bool read_pairs(const struct store *store, sqlite3_stmt *rows, struct comparison *comparison,
                       struct look_pairs *pairs, soloist_error *error) {
    int code;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        bool a = sqlite3_column_int(rows, 0), b = sqlite3_column_int(rows, 1);
        *(a && b ? &pairs->both : a ? &pairs->only_a : b ? &pairs->only_b : &pairs->neither) += 1;
        bool known = sqlite3_column_type(rows, 2) != SQLITE_NULL && sqlite3_column_type(rows, 3) != SQLITE_NULL;
        if (known && !add_pair(comparison, sqlite3_column_double(rows, 2), sqlite3_column_double(rows, 3)))
            return soloist_fail(error, 0, 0, "out of memory");
    }
    return code == SQLITE_DONE || store_fail(store, error);
}

static int64_t count_runs(const struct store *store, const char *what, const char *label) {
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count(DISTINCT %s) FROM runs WHERE label = ?1", what);
    return store_number(store, sql, label);
}

#define BUDGET "iterations_limit || ' ' || nodes_limit || ' ' || time_limit || ' ' || threads"

bool look_compare(const struct store *store, const char *a, const char *b, const struct look *look,
                  struct look_pairs *pairs, soloist_error *error) {
    const char *const labels[] = {a, b};
    bool several = false;
    for (int i = 0; i < 2; i++) {
        if (count_runs(store, "id", labels[i]) < 1)
            return soloist_fail(error, 0, 0, "no finished run has the label %.100s (`lab show` lists the labels)",
                                labels[i]);
        several |= count_runs(store, BUDGET, labels[i]) > 1;
    }
    const char *of = look->of ? look->of : "value";
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink,
                  "WITH chosen AS (SELECT *, (%s) AS wish, " BUDGET " AS budget FROM runs WHERE (%s)) SELECT a.solved,"
                  " b.solved, a.wish, b.wish FROM chosen a JOIN chosen b USING (instance, source, number, seed%s)"
                  " WHERE a.label = ?1 AND b.label = ?2",
                  of, look->where ? look->where : "1", several ? ", budget" : "");
    sqlite3_stmt *rows = store_select(store, sql.text, error);
    struct comparison comparison = {0};
    *pairs = (struct look_pairs){0};
    bool well = rows != NULL;
    if (well) {
        store_bind(rows, "tt", a, b);
        well = read_pairs(store, rows, &comparison, pairs, error);
    }
    sqlite3_finalize(rows);
    buffer_close(&sql);
    pairs->pairs = comparison.count;
    pairs->mean_a = comparison.a.mean;
    pairs->mean_b = comparison.b.mean;
    pairs->mean_difference = comparison.difference.mean;
    pairs->half_width = sample_half_width(&comparison.difference, look->level);
    pairs->p_t = statistics_paired_t(comparison.differences, comparison.count);
    well = well && (statistics_wilcoxon(comparison.differences, comparison.count, &pairs->p_wilcoxon) ||
                    soloist_fail(error, 0, 0, "out of memory"));
    pairs->p_mcnemar = statistics_mcnemar(pairs->only_a, pairs->only_b);
    free(comparison.differences);
    return well;
}
