/* Statistics of groups of runs, from one query whose rows are sorted by group. */
#include "base/buffer.h"
#include "base/interval.h"
#include "lab/results/look.h"
#include "lab/results/query.h"
#include "lab/rounding.h"
#include "lab/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WISHES = 16 };

/* The parts of a text such as "a,f(b,c),',',d", split at the commas outside brackets and quotes. */
struct wishes {
    char *copy;
    char *items[MOST_WISHES];
    int count;
};

/* Removes the blanks around a part. */
static void trim(char **part) {
    *part += strspn(*part, " \t");
    size_t length = strlen(*part);
    while (length && strchr(" \t", (*part)[length - 1]))
        (*part)[--length] = 0;
}

static bool wishes_open(struct wishes *wishes, const char *text, soloist_error *error) {
    int depth = 0;
    char quote = 0;
    *wishes = (struct wishes){.copy = strdup(text)};
    if (!wishes->copy)
        return soloist_fail(error, 0, 0, "out of memory");
    wishes->items[wishes->count++] = wishes->copy;
    for (char *at = wishes->copy; *at; at++) {
        if (quote || *at == '\'' || *at == '"') {
            quote = !quote ? *at : *at == quote ? 0 : quote;
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        if (*at != ',' || depth)
            continue;
        *at = 0;
        if (wishes->count == MOST_WISHES)
            return soloist_fail(error, 0, 0, "more than %d columns", MOST_WISHES);
        wishes->items[wishes->count++] = at + 1;
    }
    for (int i = 0; i < wishes->count; i++)
        trim(&wishes->items[i]);
    return true;
}

/* Lists the columns that are always shown, then the candidates for which the expression `test` is true over all runs.
 */
static bool choose(const struct store *store, const char *always, const char *const *candidates, const char *test,
                   struct buffer *list, soloist_error *error) {
    soloist_sink sink = buffer_sink(list);
    soloist_put(&sink, always);
    for (; *candidates; candidates++) {
        char sql[256], expression[160];
        int64_t holds;
        snprintf(expression, sizeof expression, test, *candidates);
        snprintf(sql, sizeof sql, "SELECT %s FROM runs", expression);
        if (!store_number(store, sql, NULL, &holds, error))
            return false;
        if (holds > 0)
            soloist_print(&sink, ",%s", *candidates);
    }
    return !list->failed || soloist_fail(error, 0, 0, "out of memory");
}

static const char *const factors[] = {
    "source", "domain", "options", "iterations_limit", "nodes_limit", "time_limit", "threads", "memory_limit", NULL};
static const char *const counters[] = {"value", "iterations", "expanded", "nodes", "cpu_s", NULL};

/* ---- one group ---- */

struct group {
    const struct look *look;
    struct wishes by, of;
    struct sample samples[MOST_WISHES];
    uint64_t runs, failed;
    bool any_failed; /* there is a column for failed runs, which have no values */
};

static bool is_share(const char *wish) { return !strcmp(wish, "solved") || !strcmp(wish, "optimal"); }

static void put_share(struct sheet *sheet, const struct sample *sample, const struct look *look) {
    uint64_t successes = (uint64_t)llround(sample->mean * (double)sample->count);
    struct interval ends = interval_share(successes, sample->count, look->level);
    if (look->apart) {
        sheet_number(sheet, sample->count ? sample->mean : NAN, 0);
        sheet_number(sheet, sample->count ? ends.low / 100 : NAN, 0);
        sheet_number(sheet, sample->count ? ends.high / 100 : NAN, 0);
    } else if (sample->count) {
        sheet_print(sheet, "%llu, %.1f %% (%.1f to %.1f)", (unsigned long long)successes, 100 * sample->mean, ends.low,
                    ends.high);
    } else {
        sheet_put(sheet, "");
    }
}

static void put_mean(struct sheet *sheet, const struct sample *sample, const struct look *look) {
    char text[2 * ROUNDING_ROOM] = "";
    double half = sample_half_width(sample, look->level);
    if (look->apart) {
        sheet_number(sheet, sample->count ? sample->mean : NAN, 0);
        sheet_number(sheet, sample->count > 1 ? sample->mean - half : NAN, 0);
        sheet_number(sheet, sample->count > 1 ? sample->mean + half : NAN, 0);
        return;
    }
    if (sample->count > 1)
        rounding_interval(sample->mean, half, look->ascii, text);
    else if (sample->count)
        rounding_plain(sample->mean, text);
    sheet_put(sheet, text);
}

static void put_headings(struct sheet *sheet, const struct group *group) {
    for (int i = 0; i < group->by.count; i++)
        sheet_put(sheet, group->by.items[i]);
    sheet_put(sheet, "runs");
    if (group->any_failed)
        sheet_put(sheet, "failed");
    for (int i = 0; i < group->of.count; i++) {
        sheet_put(sheet, group->of.items[i]);
        if (!group->look->apart)
            continue;
        sheet_print(sheet, "%s_low", group->of.items[i]);
        sheet_print(sheet, "%s_high", group->of.items[i]);
    }
}

/* Writes the statistics of the group that has just ended. */
static void put_group(struct sheet *sheet, struct group *group) {
    if (!group->runs)
        return;
    sheet_number(sheet, (double)group->runs, 0);
    if (group->any_failed)
        sheet_number(sheet, (double)group->failed, 0);
    for (int i = 0; i < group->of.count; i++)
        (is_share(group->of.items[i]) ? put_share : put_mean)(sheet, &group->samples[i], group->look);
    memset(group->samples, 0, sizeof group->samples);
    group->runs = group->failed = 0;
}

static void put_cell(struct sheet *sheet, struct query *row, int column) {
    int type = query_type(row, column);
    if (type == SQLITE_INTEGER)
        sheet_integer(sheet, query_int(row, column));
    else if (type == SQLITE_FLOAT)
        sheet_number(sheet, query_real(row, column), 0);
    else
        sheet_put(sheet, type == SQLITE_NULL ? NULL : query_text(row, column));
}

/* Writes a value by which runs are grouped. A limit of 0 is no limit: in a table for people, its cell is empty. */
static void put_key(struct sheet *sheet, struct query *row, int column, const struct group *group) {
    const char *limit = strstr(group->by.items[column - 1], "_limit");
    if (!group->look->apart && limit && !limit[strlen("_limit")] && query_real(row, column) == 0)
        sheet_number(sheet, NAN, 0);
    else
        put_cell(sheet, row, column);
}

static bool read_groups(const struct store *store, struct group *group, const char *sql, struct sheet *sheet,
                        soloist_error *error) {
    struct query rows;
    int64_t before = -1;
    query_open_select(&rows, store, sql, error);
    while (query_next(&rows)) {
        if (query_int(&rows, 0) != before) {
            put_group(sheet, group);
            before = query_int(&rows, 0);
            for (int i = 0; i < group->by.count; i++)
                put_key(sheet, &rows, 1 + i, group);
        }
        group->runs++;
        group->failed += query_int(&rows, 1 + group->by.count + group->of.count);
        for (int i = 0; i < group->of.count; i++)
            if (query_type(&rows, 1 + group->by.count + i) != SQLITE_NULL)
                sample_add(&group->samples[i], query_number(&rows, 1 + group->by.count + i));
    }
    put_group(sheet, group);
    return query_close(&rows) && (!sheet->failed || soloist_fail(error, 0, 0, "out of memory"));
}

static bool find_failed(const struct store *store, struct group *group, soloist_error *error) {
    const char *where = group->look->where;
    struct buffer sql;
    int64_t failed = 0;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, "SELECT count(*) FROM runs WHERE status = 'invalid' AND (%s)", where ? where : "1");
    bool well =
        sql.failed ? soloist_fail(error, 0, 0, "out of memory") : store_number(store, sql.text, NULL, &failed, error);
    buffer_close(&sql);
    group->any_failed = failed > 0;
    return well;
}

/* Groups come in the order in which their first runs were planned. A run that has several labels, or whose instance is
 * in several sources, counts once in each group; an instance that was generated n times counts n times. */
static bool fill(const struct store *store, struct group *group, const char *by, const char *of, struct sheet *sheet,
                 soloist_error *error) {
    const char *where = group->look->where;
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink,
                  "SELECT dense_rank() OVER (ORDER BY first, %s) AS place, %s, %s, status = 'invalid'"
                  " FROM (SELECT *, min(id) OVER (PARTITION BY %s) AS first,"
                  " rank() OVER (PARTITION BY id, %s ORDER BY label, source) AS copy FROM runs%s%s%s)"
                  " WHERE copy = 1 ORDER BY place, id",
                  by, by, of, by, by, where ? " WHERE (" : "", where ? where : "", where ? ")" : "");
    sheet_open(sheet,
               (size_t)(group->by.count + 1 + group->any_failed + group->of.count * (group->look->apart ? 3 : 1)));
    put_headings(sheet, group);
    bool well = read_groups(store, group, sql.failed ? NULL : sql.text, sheet, error);
    if (!well)
        sheet_close(sheet);
    buffer_close(&sql);
    return well;
}

bool look_groups(const struct store *store, const struct look *look, struct sheet *sheet, soloist_error *error) {
    struct buffer by, of;
    struct group group = {.look = look};
    buffer_open(&by);
    buffer_open(&of);
    soloist_sink by_sink = buffer_sink(&by), of_sink = buffer_sink(&of);
    bool well = look->by ? (soloist_put(&by_sink, look->by), true)
                         : choose(store, "label", factors, "count(DISTINCT %s) > 1", &by, error);
    well = well && (look->of ? (soloist_put(&of_sink, look->of), true)
                             : choose(store, "solved", counters, "count(%s) > 0", &of, error));
    well = well && (!(by.failed || of.failed) || soloist_fail(error, 0, 0, "out of memory"));
    well = well && wishes_open(&group.by, by.text, error) && wishes_open(&group.of, of.text, error) &&
           find_failed(store, &group, error) && fill(store, &group, by.text, of.text, sheet, error);
    free(group.of.copy);
    free(group.by.copy);
    buffer_close(&by);
    buffer_close(&of);
    return well;
}

bool look_query(const struct store *store, const char *sql, struct sheet *sheet, soloist_error *error) {
    struct query rows;
    if (!query_open_select(&rows, store, sql, error))
        return query_close(&rows);
    int columns = query_columns(&rows);
    sheet_open(sheet, (size_t)columns);
    for (int i = 0; i < columns; i++)
        sheet_put(sheet, query_heading(&rows, i));
    while (query_next(&rows))
        for (int i = 0; i < columns; i++)
            put_cell(sheet, &rows, i);
    bool well = query_close(&rows) && (!sheet->failed || soloist_fail(error, 0, 0, "out of memory"));
    if (!well)
        sheet_close(sheet);
    return well;
}
