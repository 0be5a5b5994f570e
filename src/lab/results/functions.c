/* SQL functions of two kinds: functions that call the engine, for published tables whose values are computed without a
 * search; and statistics of groups of rows. */
#include "base/buffer.h"
#include "base/interval.h"
#include "base/natural.h"
#include "base/real.h"
#include "lab/results/store.h"
#include "lab/rounding.h"
#include "lab/statistics.h"
#include "search/mcts/rule.h"
#include "search/special/registry.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* space(text): the search-space estimate of a level, with all digits. NULL if the text is not a level. */
static void space(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    soloist_chunk chunk = {.text = text ? text : "", .length = text ? strlen(text) : 0, .line = 1};
    struct buffer digits;
    buffer_open(&digits);
    soloist_sink sink = buffer_sink(&digits);
    errno = 0;
    if (special_space(&chunk, &sink) && !digits.failed)
        sqlite3_result_text(context, digits.text, (int)digits.length, SQLITE_TRANSIENT);
    else if (digits.failed || errno == ENOMEM)
        sqlite3_result_error_nomem(context);
    buffer_close(&digits);
}

/* uct(mean, visits, parent's visits, c): the selection formula as the tree search computes it. */
static void uct(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    double parent = sqlite3_value_double(values[2]), c = sqlite3_value_double(values[3]);
    struct mcts_shared shared = {.log_parent = real_log(parent), .explore = c * sqrt(2 * real_log(parent))};
    double visits = sqlite3_value_double(values[1]);
    struct mcts_view view = {.mean = sqlite3_value_double(values[0]), .visits = visits, .root = 1 / sqrt(visits)};
    sqlite3_result_double(context, mcts_uct(&shared, &view));
}

/* ---- aggregates ---- */

/* The values of a group: pairs, or single numbers. Rows in which one is NULL do not count. */
struct series {
    double *x, *y;
    size_t count, room;
};

static bool series_grow(struct series *series) {
    size_t room = series->room ? 2 * series->room : 16;
    double *x = realloc(series->x, room * sizeof *x);
    series->x = x ? x : series->x;
    double *y = realloc(series->y, room * sizeof *y);
    series->y = y ? y : series->y;
    series->room = x && y ? room : series->room;
    return x && y;
}

static void add_value(sqlite3_context *context, int count, sqlite3_value **values) {
    struct series *series = sqlite3_aggregate_context(context, sizeof *series);
    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return;
    if (!series || (series->count == series->room && !series_grow(series))) {
        sqlite3_result_error_nomem(context);
        return;
    }
    series->x[series->count] = sqlite3_value_double(values[0]);
    series->y[series->count++] = count > 1 ? sqlite3_value_double(values[1]) : 0;
}

/* What each aggregate computes; its number is the function's user data. */
enum aggregate { DEVIATION, HALF_WIDTH, MEDIAN, MEAN_TEXT, SHARE_TEXT, FIT_A, FIT_B, FIT_C };

static void give_fit(sqlite3_context *context, const struct series *series, enum aggregate which) {
    struct statistics_fit fit;
    if (statistics_fit_exponential(series->x, series->y, series->count, &fit))
        sqlite3_result_double(context, which == FIT_A ? fit.a : which == FIT_B ? fit.b : fit.c);
}

static void give_share(sqlite3_context *context, const struct sample *sample) {
    char text[96];
    uint64_t successes = (uint64_t)llround(sample->mean * (double)sample->count);
    struct interval ends = interval_share(successes, sample->count, 0.95);
    snprintf(text, sizeof text, "%.1f %% (%.1f to %.1f)", 100 * sample->mean, ends.low, ends.high);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void give_mean(sqlite3_context *context, const struct sample *sample) {
    char text[2 * ROUNDING_ROOM];
    if (sample->count > 1)
        rounding_interval(sample->mean, sample_half_width(sample, 0.95), false, text);
    else
        rounding_plain(sample->mean, text);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void give(sqlite3_context *context, const struct series *series, enum aggregate which) {
    struct sample sample = {0};
    for (size_t i = 0; i < series->count; i++)
        sample_add(&sample, series->x[i]);
    switch (which) {
    case DEVIATION:
        if (sample.count > 1)
            sqlite3_result_double(context, sample_deviation(&sample));
        break;
    case HALF_WIDTH:
        if (sample.count > 1)
            sqlite3_result_double(context, sample_half_width(&sample, 0.95));
        break;
    case MEDIAN: sqlite3_result_double(context, statistics_median(series->x, series->count)); break;
    case MEAN_TEXT: give_mean(context, &sample); break;
    case SHARE_TEXT: give_share(context, &sample); break;
    case FIT_A:
    case FIT_B:
    case FIT_C: give_fit(context, series, which); break;
    }
}

static void end_values(sqlite3_context *context) {
    const enum aggregate *which = sqlite3_user_data(context);
    struct series *series = sqlite3_aggregate_context(context, 0);
    if (series && series->count)
        give(context, series, *which);
    if (series) {
        free(series->x);
        free(series->y);
    }
}

/* The order by_number for ORDER BY ... COLLATE by_number. */
static int collate(void *user, int a_length, const void *a, int b_length, const void *b) {
    (void)user;
    return natural_compare(a, (size_t)a_length, b, (size_t)b_length);
}

bool store_add_functions(const struct store *store, soloist_error *error) {
    static const struct {
        const char *name;
        int arguments;
        enum aggregate which;
    } aggregates[] = {{"deviation", 1, DEVIATION},
                      {"half_width", 1, HALF_WIDTH},
                      {"median", 1, MEDIAN},
                      {"mean_interval", 1, MEAN_TEXT},
                      {"share_interval", 1, SHARE_TEXT},
                      {"fit_a", 2, FIT_A},
                      {"fit_b", 2, FIT_B},
                      {"fit_c", 2, FIT_C}};
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    bool well = sqlite3_create_function(store->db, "space", 1, flags, NULL, space, NULL, NULL) == SQLITE_OK &&
                sqlite3_create_function(store->db, "uct", 4, flags, NULL, uct, NULL, NULL) == SQLITE_OK &&
                sqlite3_create_collation(store->db, "by_number", SQLITE_UTF8, NULL, collate) == SQLITE_OK;
    for (size_t i = 0; well && i < sizeof aggregates / sizeof *aggregates; i++)
        well = sqlite3_create_function(store->db, aggregates[i].name, aggregates[i].arguments, flags,
                                       (void *)&aggregates[i].which, NULL, add_value, end_values) == SQLITE_OK;
    return well || store_fail(store, error);
}
