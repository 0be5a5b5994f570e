/* The rows that an experiment defines: the values of its measures on our runs, next to the published values. */
#include "lab/results/look.h"
#include "lab/results/query.h"
#include "lab/rounding.h"
#include "lab/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOT_EXPLAINED "not explained"

/* The result of a measure: numbers, or one text. */
struct measured {
    struct sample sample;
    char *text;
};

/* Words that are written as numbers usually are, such as 0.1, are bound as numbers, because in SQL a number never
 * equals a text. Others, such as 0.10, 1e3 or inf, are labels. */
static void bind_word(struct query *rows, int at, const char *word) {
    char *end, usual[32];
    double number = strtod(word, &end);
    bool whole = number == floor(number) && fabs(number) < 1e15;
    snprintf(usual, sizeof usual, whole ? "%.0f" : "%.15g", number);
    if (*end || !isfinite(number) || strcmp(word, usual) != 0)
        query_bind_text(rows, at, word);
    else if (whole)
        query_bind_int(rows, at, (int64_t)number);
    else
        query_bind_real(rows, at, number);
}

static bool measure(const struct store *store, const struct experiment *experiment, const struct experiment_row *row,
                    struct measured *measured, soloist_error *error) {
    const struct experiment_query *query = &experiment->measures[row->measure];
    soloist_error why = {0};
    struct query rows;
    bool full = false;
    *measured = (struct measured){0};
    query_open_select(&rows, store, query->sql, &why);
    for (size_t i = 0; i < row->word_count; i++)
        bind_word(&rows, (int)i + 1, row->words[i]);
    while (!full && query_next(&rows)) {
        int type = query_type(&rows, 0);
        if (type == SQLITE_TEXT && !measured->text)
            full = !(measured->text = strdup(query_text(&rows, 0)));
        else if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
            sample_add(&measured->sample, query_real(&rows, 0));
    }
    bool well = query_close(&rows);
    return (well && !full) ||
           soloist_fail(error, 0, 0, "measure %.40s: %.200s", query->name, well ? "out of memory" : why.text);
}

/* What the difference means, after a comma; "": nothing more than the difference itself. */
static const char *words_of(enum statistics_verdict verdict, bool small) {
    if (small && (verdict == VERDICT_AGREES || verdict == VERDICT_WITHIN))
        return ", too small a run to tell";
    return verdict == VERDICT_AGREES   ? ", agrees"
           : verdict == VERDICT_FEW    ? ", not enough runs"
           : verdict == VERDICT_WITHIN ? ", within the published interval"
                                       : "";
}

/* A percentage with its sign; one that is rounded to 0 has none. */
static void put_percentage(double share, char out[ROUNDING_ROOM]) {
    if (fabs(share) < 0.05)
        snprintf(out, ROUNDING_ROOM, "0.0 %%");
    else
        snprintf(out, ROUNDING_ROOM, fabs(share) < 99.95 ? "%+.1f %%" : "%+.0f %%", share);
}

static void put_number_difference(struct sheet *sheet, double ours, double half, const char *text, const char *words) {
    char difference[ROUNDING_ROOM], percentage[ROUNDING_ROOM];
    double published = strtod(text, NULL);
    rounding_difference(ours - published, half, text, difference);
    put_percentage(100 * (ours - published) / fabs(published), percentage);
    if (published != 0)
        sheet_print(sheet, "%s (%s)%s", difference, percentage, words);
    else
        sheet_print(sheet, "%s%s", difference, words);
}

/* A published number with decimals, such as 55.5, was rounded: it may be wrong by half a unit of its last digit. */
static double published_half(const struct experiment_row *row) {
    int decimals = rounding_decimals(row->published);
    return fmax(row->interval, decimals ? 0.5 * pow(10, -decimals) : 0);
}

/* Writes the difference, and returns what it means. */
static enum statistics_verdict put_difference(struct sheet *sheet, const struct experiment_row *row,
                                              const struct measured *measured, bool small) {
    char *end = NULL;
    double published = row->published ? strtod(row->published, &end) : NAN, ours = measured->sample.mean;
    double half = sample_half_width(&measured->sample, 0.95); /* verdicts do not depend on the level that is shown */
    enum statistics_verdict verdict = VERDICT_EQUAL;
    if (!row->published) {
        sheet_put(sheet, "");
    } else if (measured->text || *end) {
        bool equal = measured->text && !strcmp(measured->text, row->published);
        sheet_put(sheet, equal ? "equal" : "differs");
        verdict = equal ? VERDICT_EQUAL : VERDICT_DIFFERS;
    } else {
        verdict = statistics_judge(ours, half, measured->sample.count, published, published_half(row));
        if (verdict == VERDICT_EQUAL)
            sheet_put(sheet, "equal");
        else
            put_number_difference(sheet, ours, half, row->published, words_of(verdict, small));
    }
    return verdict;
}

/* The interval is written with as many decimals as the number at least, as documents print it: 3.75 ± 0.10. */
static void put_published(struct sheet *sheet, const struct experiment_row *row, const struct look *look) {
    char width[ROUNDING_ROOM];
    if (!row->published || !row->interval) {
        sheet_put(sheet, row->published ? row->published : "");
        return;
    }
    snprintf(width, sizeof width, "%.15g", row->interval);
    int decimals = rounding_decimals(row->published), own = rounding_decimals(width);
    sheet_print(sheet, "%s %s %.*f", row->published, look->ascii ? "+-" : "±", decimals > own ? decimals : own,
                row->interval);
}

static void put_ours(struct sheet *sheet, const struct measured *measured, const struct look *look, double half) {
    const struct sample *sample = &measured->sample;
    char text[2 * ROUNDING_ROOM];
    if (measured->text) {
        sheet_put(sheet, measured->text);
        return;
    }
    if (sample->count > 1)
        rounding_interval(sample->mean, half, look->ascii, text);
    else
        rounding_plain(sample->mean, text);
    sheet_put(sheet, text);
}

/* An explanation was written for the whole experiment; if only a part of it was run, the row says so. Where ours need
 * not differ, there is nothing to explain; a single number of ours does not show that it differs. */
static void put_why(struct sheet *sheet, const struct experiment_row *row, const struct measured *measured,
                    enum statistics_verdict verdict, const struct look *look) {
    bool open = row->why && !strncmp(row->why, NOT_EXPLAINED, strlen(NOT_EXPLAINED));
    if (row->why && (!open || verdict == VERDICT_DIFFERS))
        sheet_print(sheet, "%s%s", look->partial ? "a small run; for the full run: " : "", row->why);
    else if (!row->why && verdict == VERDICT_DIFFERS && (measured->text || measured->sample.count > 1))
        sheet_put(sheet, look->small || look->partial ? NOT_EXPLAINED " (a small run)" : NOT_EXPLAINED);
    else
        sheet_put(sheet, "");
}

static void put_row(struct sheet *sheet, const struct experiment_row *row, const struct measured *measured,
                    const struct look *look) {
    const struct sample *sample = &measured->sample;
    double half = sample_half_width(sample, look->level);
    sheet_put(sheet, row->label);
    if (look->apart) {
        sheet_put(sheet, row->published);
        sheet_number(sheet, row->interval ? row->interval : NAN, 0);
        if (measured->text)
            sheet_put(sheet, measured->text);
        else
            sheet_number(sheet, sample->mean, 0);
        sheet_number(sheet, sample->count > 1 ? sample->mean - half : NAN, 0);
        sheet_number(sheet, sample->count > 1 ? sample->mean + half : NAN, 0);
    } else {
        put_published(sheet, row, look);
        put_ours(sheet, measured, look, half);
    }
    sheet_number(sheet, measured->text ? 1 : (double)sample->count, 0);
    enum statistics_verdict verdict = put_difference(sheet, row, measured, look->small);
    put_why(sheet, row, measured, verdict, look);
}

bool look_extent(const struct store *store, int64_t id, const struct experiment *experiment, struct look *look,
                 soloist_error *error) {
    /* From this share of the published work on, a row may say that our value agrees with the published one. */
    static const double comparable = 0.25;
    struct query row;
    query_open(&row, store, "SELECT scale FROM experiment WHERE id = ?1", error);
    query_bind(&row, "i", id);
    double scale = query_next(&row) ? query_real(&row, 0) : 1;
    look->small = experiment->share * scale < comparable;
    look->partial = scale < 1;
    return query_close(&row);
}

bool look_rows(const struct store *store, const struct experiment *experiment, const struct look *look,
               struct sheet *sheet, size_t *missing, soloist_error *error) {
    static const char *const plain[] = {"what", "published", "ours", "n", "difference", "why", NULL};
    static const char *const apart[] = {"what",      "published", "published_interval", "ours", "ours_low",
                                        "ours_high", "n",         "difference",         "why",  NULL};
    const char *const *headings = look->apart ? apart : plain;
    size_t columns = 0;
    while (headings[columns])
        columns++;
    sheet_open(sheet, columns);
    for (size_t i = 0; i < columns; i++)
        sheet_put(sheet, headings[i]);
    bool well = true;
    *missing = 0;
    for (size_t i = 0; well && i < experiment->row_count; i++) {
        struct measured measured;
        well = measure(store, experiment, &experiment->rows[i], &measured, error);
        bool known = measured.text || measured.sample.count;
        *missing += well && !known;
        if (well && known)
            put_row(sheet, &experiment->rows[i], &measured, look);
        free(measured.text);
    }
    well = well && (!sheet->failed || soloist_fail(error, 0, 0, "out of memory"));
    if (!well)
        sheet_close(sheet);
    return well;
}
