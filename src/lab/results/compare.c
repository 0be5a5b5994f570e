/* Compares the runs with two labels by the paired t test and the tests of Wilcoxon and McNemar. */
#include "base/buffer.h"
#include "lab/results/look.h"
#include "lab/results/query.h"
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

static bool read_pairs(struct query *rows, struct comparison *comparison, struct look_pairs *pairs,
                       soloist_error *error) {
    while (query_next(rows)) {
        bool a = query_int(rows, 0), b = query_int(rows, 1);
        *(a && b ? &pairs->both : a ? &pairs->only_a : b ? &pairs->only_b : &pairs->neither) += 1;
        bool known = query_type(rows, 2) != SQLITE_NULL && query_type(rows, 3) != SQLITE_NULL;
        if (known && !add_pair(comparison, query_real(rows, 2), query_real(rows, 3)))
            return soloist_fail(error, 0, 0, "out of memory");
    }
    return !rows->failed;
}

static bool count_runs(const struct store *store, const char *what, const char *label, int64_t *count,
                       soloist_error *error) {
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count(DISTINCT %s) FROM runs WHERE label = ?1", what);
    return store_number(store, sql, label, count, error);
}

#define BUDGET "iterations_limit || ' ' || nodes_limit || ' ' || time_limit || ' ' || threads"

bool look_compare(const struct store *store, const char *a, const char *b, const struct look *look,
                  struct look_pairs *pairs, soloist_error *error) {
    const char *const labels[] = {a, b};
    bool several = false;
    for (int i = 0; i < 2; i++) {
        int64_t runs, budgets;
        if (!count_runs(store, "id", labels[i], &runs, error) || !count_runs(store, BUDGET, labels[i], &budgets, error))
            return false;
        if (runs < 1)
            return soloist_fail(error, 0, 0, "no finished run has the label %.100s (`lab show` lists the labels)",
                                labels[i]);
        several |= budgets > 1;
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
    struct query rows;
    struct comparison comparison = {0};
    *pairs = (struct look_pairs){0};
    query_open_select(&rows, store, sql.failed ? NULL : sql.text, error);
    query_bind(&rows, "tt", a, b);
    bool well = read_pairs(&rows, &comparison, pairs, error);
    well = query_close(&rows) && well;
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
