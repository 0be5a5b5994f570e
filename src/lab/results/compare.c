/* Compares the runs with two labels by the paired t test and the tests of Wilcoxon and McNemar, in which each instance
 * counts once; and compares every pair of several labels, with Holm's correction. */
#include "base/buffer.h"
#include "lab/results/look.h"
#include "lab/results/query.h"
#include "lab/rounding.h"
#include "lab/statistics.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
    double *differences;
    size_t count;
    struct sample a, b, difference;
};

static bool add_pair(struct comparison *comparison, double a, double b, double difference) {
    if ((comparison->count & (comparison->count - 1)) == 0) {
        void *larger =
            realloc(comparison->differences, (comparison->count ? comparison->count * 2 : 1) * sizeof(double));
        if (!larger)
            return false;
        comparison->differences = larger;
    }
    comparison->differences[comparison->count++] = difference;
    sample_add(&comparison->a, a);
    sample_add(&comparison->b, b);
    sample_add(&comparison->difference, difference);
    return true;
}

/* The pairs of runs on one instance. Sums of whole numbers are exact, so that equal differences stay equal. */
struct on_instance {
    int64_t place, pairs, solved_a, solved_b;
    int64_t known; /* number of pairs in which both runs have a value */
    double a, b;   /* sums of these values */
};

/* A smaller share of two numbers comes from the arithmetic. */
#define NOISE 1e-12

static bool close_instance(const struct on_instance *on, struct comparison *comparison, struct look_pairs *pairs,
                           soloist_error *error) {
    if (!on->pairs)
        return true;
    uint64_t *equal = on->solved_a ? &pairs->equal : &pairs->neither;
    *(on->solved_a > on->solved_b ? &pairs->more_a : on->solved_b > on->solved_a ? &pairs->more_b : equal) += 1;
    pairs->runs += (uint64_t)on->pairs;
    double known = (double)on->known;
    double difference = fabs(on->a - on->b) > NOISE * fmax(fabs(on->a), fabs(on->b)) ? on->a - on->b : 0;
    return !on->known || add_pair(comparison, on->a / known, on->b / known, difference / known) ||
           soloist_fail(error, 0, 0, "out of memory");
}

/* The rows are in the order of the instances: place of the instance, solved by a and b, values of a and b. */
static bool read_pairs(struct query *rows, struct comparison *comparison, struct look_pairs *pairs,
                       soloist_error *error) {
    struct on_instance on = {0};
    while (query_next(rows)) {
        if (query_int(rows, 0) != on.place) {
            if (!close_instance(&on, comparison, pairs, error))
                return false;
            on = (struct on_instance){.place = query_int(rows, 0)};
        }
        on.pairs++;
        on.solved_a += query_int(rows, 1);
        on.solved_b += query_int(rows, 2);
        if (query_type(rows, 3) == SQLITE_NULL || query_type(rows, 4) == SQLITE_NULL)
            continue;
        on.known++;
        on.a += query_number(rows, 3);
        on.b += query_number(rows, 4);
    }
    return !rows->failed && close_instance(&on, comparison, pairs, error);
}

/* Counts the finished runs of a label, and the budgets of those that `where` selects. */
static bool count_runs(const struct store *store, const char *label, const char *where, int64_t *runs, int64_t *budgets,
                       soloist_error *error) {
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, "SELECT count(*), count(DISTINCT iif((%s), %s, NULL)) FROM runs WHERE label = ?1", where,
                  LOOK_BUDGET);
    struct query row;
    query_open_select(&row, store, sql.failed ? NULL : sql.text, error);
    buffer_close(&sql);
    query_bind(&row, "t", label);
    bool known = query_next(&row);
    *runs = known ? query_int(&row, 0) : 0;
    *budgets = known ? query_int(&row, 1) : 0;
    return query_close(&row);
}

/* An instance that is in several sets counts in the first of them in which the label has runs; so the sets of the two
 * labels may differ. An instance that a set has twice counts twice (time_at). */
bool look_compare(const struct store *store, const char *a, const char *b, const struct look *look,
                  struct look_pairs *pairs, soloist_error *error) {
    const char *const labels[] = {a, b}, *where = look->where ? look->where : "1";
    bool several = false;
    for (int i = 0; i < 2; i++) {
        int64_t runs, budgets;
        if (!count_runs(store, labels[i], where, &runs, &budgets, error))
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
                  "WITH chosen AS (SELECT *, (%s) AS wish, " LOOK_BUDGET
                  " AS budget FROM runs WHERE status <> 'invalid' AND label IN (?1, ?2) AND (%s)),"
                  " placed AS (SELECT *, dense_rank() OVER (PARTITION BY label, instance, budget, seed ORDER BY source)"
                  " AS set_at, dense_rank() OVER (PARTITION BY label, instance, source ORDER BY number) AS time_at"
                  " FROM chosen), once AS (SELECT * FROM placed WHERE set_at = 1)"
                  " SELECT dense_rank() OVER (ORDER BY instance, time_at) AS place, a.solved, b.solved, a.wish, b.wish"
                  " FROM once a JOIN once b USING (instance, time_at, seed%s) WHERE a.label = ?1 AND b.label = ?2"
                  " ORDER BY place",
                  of, where, several ? ", budget" : "");
    struct query rows;
    struct comparison comparison = {0};
    *pairs = (struct look_pairs){0};
    query_open_select(&rows, store, sql.failed ? NULL : sql.text, error);
    query_bind(&rows, "tt", a, b);
    bool well = read_pairs(&rows, &comparison, pairs, error);
    well = query_close(&rows) && well;
    buffer_close(&sql);
    pairs->instances = comparison.count;
    pairs->mean_a = comparison.a.mean;
    pairs->half_a = sample_half_width(&comparison.a, look->level);
    pairs->mean_b = comparison.b.mean;
    pairs->half_b = sample_half_width(&comparison.b, look->level);
    pairs->mean_difference = comparison.difference.mean;
    pairs->half_width = sample_half_width(&comparison.difference, look->level);
    double deviation = sample_deviation(&comparison.difference);
    pairs->effect = comparison.count > 1 && deviation > 0 ? comparison.difference.mean / deviation : NAN;
    for (size_t i = 0; i < comparison.count; i++) {
        pairs->higher += comparison.differences[i] > 0;
        pairs->lower += comparison.differences[i] < 0;
    }
    pairs->p_t = statistics_paired_t(comparison.differences, comparison.count);
    well = well && (statistics_wilcoxon(comparison.differences, comparison.count, &pairs->p_wilcoxon) ||
                    soloist_fail(error, 0, 0, "out of memory"));
    pairs->p_mcnemar = statistics_mcnemar(pairs->more_a, pairs->more_b);
    free(comparison.differences);
    return well;
}

/* ---- in words ---- */

/* Cohen's words (1988) for the size of an effect. */
static const char *size_of(double effect) {
    double size = fabs(effect);
    return size < 0.2 ? "negligible" : size < 0.5 ? "small" : size < 0.8 ? "medium" : "large";
}

static void write_p(double p, char out[32]) {
    if (p < 0.001)
        snprintf(out, 32, "p < 0.001");
    else /* with so many digits that it stands on the right side of 0.05 */
        for (int digits = 2; digits <= 17; digits++) {
            snprintf(out, 32, "p = %.*g", digits, p);
            if ((strtod(out + 4, NULL) < 0.05) == (p < 0.05))
                break;
        }
}

/* What the values say; "" if there is nothing to test. Wilcoxon's test can show a difference between the labels where
 * the interval of the mean difference contains zero; the sentence then says nothing about the means. */
static void tell_values(const char *a, const char *b, const struct look_pairs *pairs, const struct look *look,
                        const char *corrected, char *out, size_t room) {
    const char *of = look->of ? look->of : "value";
    char p[32], interval[2 * ROUNDING_ROOM];
    *out = 0;
    if (isnan(pairs->p_wilcoxon))
        return;
    write_p(pairs->p_wilcoxon, p);
    bool certain = fabs(pairs->mean_difference) > pairs->half_width;
    rounding_interval(certain ? fabs(pairs->mean_difference) : pairs->mean_difference, pairs->half_width, look->ascii,
                      interval);
    if (pairs->p_wilcoxon < 0.05 && !certain)
        snprintf(out, room,
                 "%.40s of %.60s is lower than that of %.60s on %llu instances and higher on %llu (%s%s), but the mean "
                 "difference of %.60s may be zero",
                 of, a, b, (unsigned long long)pairs->lower, (unsigned long long)pairs->higher, p, corrected, interval);
    else if (pairs->p_wilcoxon < 0.05)
        snprintf(out, room, "the mean %.40s of %.60s is %s than that of %.60s, by %.60s (%s%s; the effect is %s)", of,
                 a, pairs->mean_difference > 0 ? "higher" : "lower", b, interval, p, corrected,
                 isnan(pairs->effect) ? "not known" : size_of(pairs->effect));
    else
        snprintf(out, room, "%.40s does not differ significantly between %.60s and %.60s (%s%s)", of, a, b, p,
                 corrected);
}

static uint64_t instances(const struct look_pairs *pairs) {
    return pairs->equal + pairs->more_a + pairs->more_b + pairs->neither;
}

static void tell_solved(const char *a, const char *b, const struct look_pairs *pairs, const char *corrected, char *out,
                        size_t room) {
    char p[32];
    bool first = pairs->more_a > pairs->more_b, once = pairs->runs == instances(pairs);
    *out = 0;
    if (isnan(pairs->p_mcnemar))
        return;
    write_p(pairs->p_mcnemar, p);
    if (pairs->p_mcnemar < 0.05)
        snprintf(out, room,
                 once ? "%.60s solves more: %llu that the other does not, against %llu (%s%s)"
                      : "%.60s solves more: %llu instances more often than the other, against %llu (%s%s)",
                 first ? a : b, (unsigned long long)(first ? pairs->more_a : pairs->more_b),
                 (unsigned long long)(first ? pairs->more_b : pairs->more_a), p, corrected);
    else
        snprintf(out, room, "the numbers solved do not differ significantly (%s%s)", p, corrected);
}

void look_tell_pairs(const char *a, const char *b, const struct look_pairs *pairs, size_t tests,
                     const struct look *look, char out[LOOK_SENTENCE]) {
    const char *corrected = tests > 1 ? " after Holm's correction" : "";
    char values[LOOK_SENTENCE / 2 - 4], solved[LOOK_SENTENCE / 2 - 4];
    tell_values(a, b, pairs, look, corrected, values, sizeof values);
    tell_solved(a, b, pairs, corrected, solved, sizeof solved);
    if (!pairs->runs)
        snprintf(out, LOOK_SENTENCE, "no run of %.60s has the instance, seed and budget of a run of %.60s%s", a, b,
                 look->where ? " among the runs that --where selects" : "");
    else if (*values || *solved)
        snprintf(out, LOOK_SENTENCE, "%s%s%s", values, *values && *solved ? "; " : "", solved);
    else
        snprintf(out, LOOK_SENTENCE, "%.60s and %.60s are equal on all pairs", a, b);
}

/* ---- all pairs ---- */

struct labels {
    char **items;
    size_t count;
};

static void labels_free(struct labels *labels) {
    for (size_t i = 0; i < labels->count; i++)
        free(labels->items[i]);
    free(labels->items);
}

static bool labels_add(struct labels *labels, const char *label, soloist_error *error) {
    char **larger = realloc(labels->items, (labels->count + 1) * sizeof *larger);
    labels->items = larger ? larger : labels->items;
    char *copy = larger ? strdup(label) : NULL;
    if (!copy)
        return soloist_fail(error, 0, 0, "out of memory");
    labels->items[labels->count++] = copy;
    return true;
}

/* The labels that are given, or all of the selected runs in the order of the experiment's text. */
static bool labels_open(const struct store *store, const char *const *given, size_t count, const char *where,
                        struct labels *labels, soloist_error *error) {
    bool well = true;
    struct buffer sql;
    *labels = (struct labels){0};
    for (size_t i = 0; well && i < count; i++)
        well = labels_add(labels, given[i], error);
    struct query rows;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, "SELECT label FROM runs WHERE solved IS NOT NULL AND (%s) GROUP BY label ORDER BY min(id)",
                  where ? where : "1");
    query_open_select(&rows, store, sql.failed ? NULL : sql.text, error);
    buffer_close(&sql);
    while (well && !count && query_next(&rows))
        well = labels_add(labels, query_text(&rows, 0), error);
    well = query_close(&rows) && well;
    return well && (labels->count > 1 || soloist_fail(error, 0, 0, "there are fewer than two labels to compare"));
}

/* Corrects one kind of p-value of all pairs. */
static bool correct(struct look_pairs *all, size_t count, size_t offset, soloist_error *error) {
    double *p = malloc((count + 1) * sizeof *p);
    bool well = p;
    for (size_t i = 0; well && i < count; i++)
        p[i] = *(double *)((char *)&all[i] + offset);
    well = well && statistics_holm(p, count);
    for (size_t i = 0; well && i < count; i++)
        *(double *)((char *)&all[i] + offset) = p[i];
    free(p);
    return well || soloist_fail(error, 0, 0, "out of memory");
}

static void put_pair(struct sheet *sheet, const char *a, const char *b, const struct look_pairs *pairs, size_t tests,
                     const struct look *look) {
    char text[LOOK_SENTENCE];
    sheet_put(sheet, a);
    sheet_put(sheet, b);
    sheet_number(sheet, (double)pairs->instances, 0);
    if (look->apart) {
        sheet_number(sheet, pairs->instances ? pairs->mean_difference : NAN, 0);
        sheet_number(sheet, pairs->instances > 1 ? pairs->half_width : NAN, 0);
    } else if (pairs->instances > 1) {
        rounding_interval(pairs->mean_difference, pairs->half_width, look->ascii, text);
        sheet_put(sheet, text);
    } else {
        sheet_put(sheet, "");
    }
    int digits = look->apart ? 0 : 2; /* programs get unrounded numbers */
    sheet_number(sheet, pairs->effect, digits);
    sheet_number(sheet, pairs->p_wilcoxon, digits);
    sheet_print(sheet, "%llu to %llu", (unsigned long long)pairs->more_a, (unsigned long long)pairs->more_b);
    sheet_number(sheet, pairs->p_mcnemar, digits);
    look_tell_pairs(a, b, pairs, tests, look, text);
    sheet_put(sheet, text);
}

static bool fill_pairs(const struct store *store, const struct labels *labels, const struct look *look,
                       struct look_pairs *all, soloist_error *error) {
    size_t at = 0;
    for (size_t i = 0; i < labels->count; i++)
        for (size_t k = i + 1; k < labels->count; k++)
            if (!look_compare(store, labels->items[i], labels->items[k], look, &all[at++], error))
                return false;
    return correct(all, at, offsetof(struct look_pairs, p_wilcoxon), error) &&
           correct(all, at, offsetof(struct look_pairs, p_mcnemar), error);
}

bool look_compare_all(const struct store *store, const char *const *given, size_t count, const struct look *look,
                      struct sheet *sheet, soloist_error *error) {
    static const char *const plain[] = {
        "a",           "b",        "instances", "difference", "effect", "p (Wilcoxon)", "solved more often",
        "p (McNemar)", "in words", NULL};
    static const char *const apart[] = {"a",          "b",        "instances",  "difference",
                                        "half_width", "effect",   "p_wilcoxon", "solved_more_often",
                                        "p_mcnemar",  "in_words", NULL};
    const char *const *headings = look->apart ? apart : plain;
    struct labels labels;
    struct look_pairs *all = NULL;
    bool well = labels_open(store, given, count, look->where, &labels, error);
    size_t tests = labels.count * (labels.count - (labels.count > 0)) / 2, columns = 0;
    well = well && ((all = calloc(tests + 1, sizeof *all)) || soloist_fail(error, 0, 0, "out of memory"));
    well = well && fill_pairs(store, &labels, look, all, error);
    if (well) {
        while (headings[columns])
            columns++;
        sheet_open(sheet, columns);
        for (size_t i = 0; i < columns; i++)
            sheet_put(sheet, headings[i]);
        size_t at = 0;
        for (size_t i = 0; i < labels.count; i++)
            for (size_t k = i + 1; k < labels.count; k++)
                put_pair(sheet, labels.items[i], labels.items[k], &all[at++], tests, look);
    }
    free(all);
    labels_free(&labels);
    return well;
}
