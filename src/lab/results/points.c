/* The points of figures: runs queries that return series, x and y, and computes the mean and the interval of all y with
 * the same series and x. */
#include "base/buffer.h"
#include "lab/results/look.h"
#include "lab/results/query.h"
#include "lab/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The point that is being read: texts are copied, because those of a row are gone at the next one. */
struct gathering {
    struct buffer series, word;
    struct look_point point;
    struct sample sample;
};

static void copy_text(struct buffer *to, const char *text) {
    soloist_sink sink = buffer_sink(to);
    buffer_clear(to);
    soloist_put(&sink, text);
}

static const char *text_of(const struct buffer *buffer) { return buffer->text ? buffer->text : ""; }

static bool is_same(const struct gathering *now, struct query *row, bool words) {
    return !strcmp(text_of(&now->series), query_text(row, 0)) &&
           (words ? !strcmp(text_of(&now->word), query_text(row, 1)) : now->point.x == query_real(row, 1));
}

static bool hand_over(struct gathering *now, bool (*take)(void *user, const struct look_point *point), void *user) {
    if (!now->sample.count)
        return true;
    now->point.series = text_of(&now->series);
    now->point.word = now->point.word ? text_of(&now->word) : NULL;
    now->point.sample = &now->sample;
    bool taken = take(user, &now->point);
    now->sample = (struct sample){0};
    return taken;
}

static bool gather(struct query *rows, struct gathering *now, bool (*take)(void *user, const struct look_point *point),
                   void *user) {
    while (query_next(rows)) {
        bool words = query_int(rows, 3) > 0;
        if (query_type(rows, 1) == SQLITE_NULL || query_type(rows, 2) == SQLITE_NULL)
            continue;
        if (now->sample.count && !is_same(now, rows, words) && !hand_over(now, take, user))
            return false;
        if (!now->sample.count) {
            copy_text(&now->series, query_text(rows, 0));
            copy_text(&now->word, query_text(rows, 1));
            now->point.word = words ? "" : NULL;
            now->point.x = words ? 0 : query_real(rows, 1);
        }
        sample_add(&now->sample, query_number(rows, 2));
    }
    return hand_over(now, take, user);
}

bool look_points(const struct store *store, const char *figure_sql,
                 bool (*take)(void *user, const struct look_point *point), void *user, soloist_error *error) {
    struct gathering now = {0};
    struct buffer sql;
    struct query rows;
    buffer_open(&sql);
    buffer_open(&now.series);
    buffer_open(&now.word);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink,
                  LOOK_FIGURE " SELECT series, x, y, (SELECT count(*) FROM figure WHERE typeof(x) ="
                              " 'text') FROM figure ORDER BY series COLLATE by_number, x COLLATE by_number",
                  figure_sql);
    query_open_select(&rows, store, sql.failed ? NULL : sql.text, error);
    bool well = gather(&rows, &now, take, user);
    bool full = now.series.failed || now.word.failed;
    well = query_close(&rows) && well && (!full || soloist_fail(error, 0, 0, "out of memory"));
    buffer_close(&now.series);
    buffer_close(&now.word);
    buffer_close(&sql);
    return well;
}

void look_interval(const struct sample *sample, double level, bool percent, double *low, double *high) {
    double half = sample_half_width(sample, level);
    *low = sample->mean - half;
    *high = sample->mean + half;
    *low = percent && *low < 0 ? 0 : *low;
    *high = percent && *high > 100 ? 100 : *high;
}

bool look_has_points(const struct store *store, const struct look_figure *figure, bool *any, soloist_error *error) {
    struct buffer sql;
    struct query row;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, LOOK_FIGURE " SELECT 1 FROM figure WHERE x IS NOT NULL AND y IS NOT NULL LIMIT 1",
                  figure->sql);
    query_open_select(&row, store, sql.failed ? NULL : sql.text, error);
    buffer_close(&sql);
    *any = query_next(&row);
    return query_close(&row);
}

void look_write_means(const soloist_sink *sink, const struct look_means *means) {
    soloist_print(sink,
                  "SELECT %s, %s, %s FROM (SELECT *, rank() OVER (PARTITION BY %s, %s, %s ORDER BY label, source) AS"
                  " copy FROM %s WHERE (%s)) WHERE copy = 1",
                  means->series, means->x, means->y, means->curves ? "run, row" : "id", means->series, means->x,
                  means->curves ? "curves" : "runs", means->where ? means->where : "1");
}

/* ---- what an axis shows ---- */

const char *look_axis_name(const char *column) {
    static const char *const names[][2] = {
        {"100*solved", "runs solved (%)"},
        {"solved", "share of runs solved"},
        {"time_s", "wall time (s)"},
        {"cpu_s", "processor time (s)"},
        {"peak_bytes", "peak memory (bytes)"},
        {"value", "value (cost or score)"},
        {"score", "score (points)"},
        {"iterations_limit", "iterations allowed"},
        {"nodes_limit", "nodes allowed"},
        {"time_limit", "time allowed (s)"},
        {"nodes", "nodes generated"},
        {"expanded", "nodes expanded"},
        {"validation_policy_loss", "policy loss (validation)"},
        {"validation_value_loss", "value loss (validation)"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i][0], column))
            return names[i][1];
    return column;
}

bool look_profile_open(struct look_profile *profile, const struct store *store, const char *y, const char *where,
                       soloist_error *error) {
    bool more = !strcmp(y, "score");
    struct look_blocks blocks;
    bool well = look_blocks_open(&blocks, store, y, where, error);
    *profile = (struct look_profile){.axis = ""};
    buffer_open(&profile->sql);
    soloist_sink sink = buffer_sink(&profile->sql);
    soloist_print(
        &sink,
        "%s, best AS (SELECT instance, seed, budget, %s(wish) AS top FROM compared GROUP BY instance, seed, budget),"
        " factors(x) AS (VALUES %s) SELECT label, x, 100.0 * coalesce(%s, 0) FROM compared JOIN best USING(instance,"
        " seed, budget), factors",
        well ? blocks.sql.text : "", more ? "max" : "min",
        more ? "(1), (1.01), (1.02), (1.05), (1.1), (1.2), (1.5), (2), (3), (5)"
             : "(1), (1.2), (1.5), (2), (3), (5), (10), (20), (50), (100), (200), (500), (1000)",
        more ? "(wish >= top OR wish * x >= top)" : "(wish <= top OR wish <= top * x)");
    int length =
        snprintf(profile->axis, LOOK_AXIS,
                 more ? "best %.40s divided by the label's, at most" : "multiple of the best %.40s", look_axis_name(y));
    if (*blocks.budgets)
        snprintf(profile->axis + length, (size_t)(LOOK_AXIS - length), " (%s)", blocks.budgets);
    look_blocks_close(&blocks);
    if (well && profile->sql.failed)
        well = soloist_fail(error, 0, 0, "out of memory");
    profile->figure = (struct look_figure){
        .title = "", .x = profile->axis, .y = "runs (%)", .log_x = true, .plain = true, .sql = profile->sql.text};
    return well;
}

void look_profile_close(struct look_profile *profile) { buffer_close(&profile->sql); }
