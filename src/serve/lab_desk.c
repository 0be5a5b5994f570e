#include "serve/lab_desk.h"
#include "lab/results/look.h"
#include "lab/results/query.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 20000, RUNS_MOST = 500, LABELS_MOST = 20, NAME_MOST = 200 };

struct desk_store {
    struct store *store;
    char *name;                 /* the file's name without its folder */
    int64_t looked_at, version; /* the experiment of the snapshot, and the store's state then; 0: none */
};

struct lab_desk {
    pthread_mutex_t lock; /* of everything: a store serves one question at a time */
    struct desk_store *stores;
    size_t count;
};

/* One question while it is answered. */
struct asked {
    struct fields fields;
    char *name; /* of the experiment */
    struct desk_store *desk;
    const struct store *store;
    int64_t id;
    struct json_writer json;
    soloist_error error;
};

/* ---- the stores ---- */

void lab_desk_close(struct lab_desk *desk) {
    if (!desk)
        return;
    for (size_t i = 0; i < desk->count; i++) {
        store_close(desk->stores[i].store);
        free(desk->stores[i].name);
    }
    free(desk->stores);
    pthread_mutex_destroy(&desk->lock);
    free(desk);
}

struct lab_desk *lab_desk_open(const char *const *paths, size_t count, soloist_error *error) {
    struct lab_desk *desk = calloc(1, sizeof *desk);
    bool well = desk && (desk->stores = calloc(count + 1, sizeof *desk->stores));
    if (desk)
        pthread_mutex_init(&desk->lock, NULL);
    if (!well)
        soloist_fail(error, 0, 0, "out of memory");
    for (size_t i = 0; well && i < count; i++) {
        struct desk_store *entry = &desk->stores[desk->count++];
        const char *slash = strrchr(paths[i], '/');
        entry->store = store_open(paths[i], STORE_READ, error);
        well = entry->store &&
               ((entry->name = strdup(slash ? slash + 1 : paths[i])) || soloist_fail(error, 0, 0, "out of memory"));
    }
    if (well)
        return desk;
    lab_desk_close(desk);
    return NULL;
}

/* Makes `runs`, `curves` and `instances` those of the experiment, unless they are already and nobody has written since.
 */
static bool look_at(struct desk_store *desk, int64_t id, soloist_error *error) {
    int64_t version;
    if (!store_number(desk->store, "PRAGMA data_version", NULL, &version, error))
        return false;
    if (desk->looked_at == id && desk->version == version)
        return true;
    desk->looked_at = 0;
    if (!store_look_at(desk->store, id, STORE_SNAPSHOT, error))
        return false;
    desk->looked_at = id;
    desk->version = version;
    return true;
}

static bool write_experiments(const struct store *store, struct json_writer *json, soloist_error *error) {
    struct query rows;
    query_open(&rows, store,
               "SELECT name, title, count(DISTINCT run.id), count(DISTINCT iif(status IS NULL, NULL, run.id)), "
               "max(finished) FROM experiment LEFT JOIN plan ON"
               " plan.experiment = experiment.id LEFT JOIN run ON run.id = plan.run GROUP BY experiment.id"
               " ORDER BY experiment.id",
               error);
    json_array(json, "experiments");
    while (query_next(&rows)) {
        json_object(json, NULL);
        json_text(json, "name", query_text(&rows, 0));
        json_text(json, "title", query_text(&rows, 1));
        json_int(json, "runs", query_int(&rows, 2));
        json_int(json, "finished", query_int(&rows, 3));
        json_text(json, "last", query_type(&rows, 4) == SQLITE_NULL ? NULL : query_text(&rows, 4));
        json_end(json, '}');
    }
    json_end(json, ']');
    return query_close(&rows);
}

void lab_desk_list(void *user, struct reply *reply) {
    struct lab_desk *desk = user;
    struct json_writer json;
    soloist_sink sink = buffer_sink(&reply->body);
    soloist_error error = {0};
    bool well = true;
    json_open(&json, &sink);
    json_array(&json, NULL);
    pthread_mutex_lock(&desk->lock);
    for (size_t i = 0; well && i < desk->count; i++) {
        json_object(&json, NULL);
        json_text(&json, "name", desk->stores[i].name);
        well = write_experiments(desk->stores[i].store, &json, &error);
        json_end(&json, '}');
    }
    pthread_mutex_unlock(&desk->lock);
    json_end(&json, ']');
    if (!well)
        reply_fail(reply, 500, "%s", error.text);
}

/* ---- tables ---- */

static void write_cells(struct json_writer *json, const struct sheet *sheet, size_t from, size_t to) {
    json_array(json, NULL);
    for (size_t i = from; i < to; i++)
        if (sheet->cells[i].number && sheet->cells[i].text)
            json_raw(json, NULL, sheet->cells[i].text);
        else
            json_text(json, NULL, sheet->cells[i].text ? sheet->cells[i].text : "");
    json_end(json, ']');
}

/* Writes the rows, headings first, and frees the sheet. */
static bool write_sheet(struct asked *asked, const char *name, struct sheet *sheet) {
    json_array(&asked->json, name);
    for (size_t at = 0; at + sheet->columns <= sheet->count; at += sheet->columns)
        write_cells(&asked->json, sheet, at, at + sheet->columns);
    json_end(&asked->json, ']');
    sheet_close(sheet);
    return true;
}

static const struct look usual = {.level = 0.95};

/* ---- figures ---- */

struct drawing {
    struct asked *asked;
    char *series; /* the series that is being written; NULL: none yet */
    bool percent;
    size_t points;
};

static void end_series(struct drawing *drawing) {
    if (!drawing->series)
        return;
    json_end(&drawing->asked->json, ']');
    json_end(&drawing->asked->json, '}');
    free(drawing->series);
    drawing->series = NULL;
}

static bool write_point(void *user, const struct look_point *point) {
    struct drawing *drawing = user;
    struct json_writer *json = &drawing->asked->json;
    double low, high;
    if (++drawing->points > POINTS_MOST)
        return soloist_fail(&drawing->asked->error, 0, 0, "the figure has more than %d points", POINTS_MOST);
    if (!drawing->series || strcmp(drawing->series, point->series) != 0) {
        end_series(drawing);
        if (!(drawing->series = strdup(point->series)))
            return soloist_fail(&drawing->asked->error, 0, 0, "out of memory");
        json_object(json, NULL);
        json_text(json, "name", point->series);
        json_array(json, "points");
    }
    look_interval(point->sample, usual.level, drawing->percent, &low, &high);
    json_object(json, NULL);
    if (point->word)
        json_text(json, "x", point->word);
    else
        json_real(json, "x", point->x);
    json_real(json, "mean", point->sample->mean);
    json_real(json, "low", point->sample->count > 1 ? low : point->sample->mean);
    json_real(json, "high", point->sample->count > 1 ? high : point->sample->mean);
    json_uint(json, "runs", point->sample->count);
    json_end(json, '}');
    return true;
}

static bool write_figure(struct asked *asked, const char *name, const struct look_figure *figure) {
    struct json_writer *json = &asked->json;
    struct drawing drawing = {.asked = asked, .percent = strchr(figure->y, '%')};
    json_object(json, name);
    json_text(json, "title", figure->title);
    json_text(json, "x", figure->x);
    json_text(json, "y", figure->y);
    json_bool(json, "log_x", figure->log_x);
    json_bool(json, "log_y", figure->log_y);
    json_bool(json, "bars", figure->bars);
    json_bool(json, "plain", figure->plain);
    json_array(json, "series");
    bool well = look_points(asked->store, figure->sql, write_point, &drawing, &asked->error);
    end_series(&drawing);
    json_end(json, ']');
    json_end(json, '}');
    return well;
}

/* ---- what can be chosen ---- */

static const char *const factors[] = {"iterations_limit", "nodes_limit", "time_limit", "threads", "source", "label",
                                      "number",           "seed",        NULL};
static const char *const counters[] = {"100*solved", "value",      "score", "cost",  "moves",
                                       "pushes",     "time_s",     "cpu_s", "nodes", "iterations",
                                       "expanded",   "peak_bytes", NULL};
static const char *const times[] = {"time_s", "steps", "games", "generation", "nodes", "iterations", NULL};
static const char *const progress[] = {
    "value",       "policy_loss", "value_loss", "validation_policy_loss", "validation_value_loss", "validation_entropy",
    "played_mean", NULL};

/* Lists the columns of which there is something to see. */
static bool write_columns(struct asked *asked, const char *name, const char *table, const char *const *columns,
                          const char *test) {
    bool well = true;
    json_array(&asked->json, name);
    for (; well && *columns; columns++) {
        char sql[200];
        int64_t holds;
        snprintf(sql, sizeof sql, "SELECT count(%s %s) > %d FROM %s", test, *columns, *test ? 1 : 0, table);
        well = store_number(asked->store, sql, NULL, &holds, &asked->error);
        if (!well || holds <= 0)
            continue;
        json_object(&asked->json, NULL);
        json_text(&asked->json, "column", *columns);
        json_text(&asked->json, "title", look_axis_name(*columns));
        json_end(&asked->json, '}');
    }
    json_end(&asked->json, ']');
    return well;
}

static bool show_means(struct asked *asked) {
    struct sheet sheet;
    if (!look_groups(asked->store, &usual, &sheet, &asked->error))
        return false;
    return write_sheet(asked, "table", &sheet) && write_columns(asked, "x", "runs", factors, "DISTINCT") &&
           write_columns(asked, "y", "runs", counters, "") &&
           write_columns(asked, "curve_x", "curves", times, "DISTINCT") &&
           write_columns(asked, "curve_y", "curves", progress, "");
}

/* Comparing every two of many labels, such as those of tuning, would take long, and nobody would read it. */
static bool show_comparison(struct asked *asked) {
    struct look look = usual;
    struct sheet sheet;
    int64_t labels;
    if (!store_number(asked->store, "SELECT count(DISTINCT label) FROM runs WHERE solved IS NOT NULL", NULL, &labels,
                      &asked->error))
        return false;
    if (labels > LABELS_MOST)
        return soloist_fail(&asked->error, 0, 0,
                            "%lld labels are too many to compare every two: `soloist lab compare A B` compares two",
                            (long long)labels);
    look.of = counters[fields_choice(&asked->fields, "of", counters, 1)];
    if (!fields_good(&asked->fields))
        return soloist_fail(&asked->error, 0, 0, "%s", asked->fields.error.text);
    return look_compare_all(asked->store, NULL, 0, &look, &sheet, &asked->error) && write_sheet(asked, "table", &sheet);
}

static bool show_runs(struct asked *asked) {
    struct sheet sheet;
    char sql[400];
    snprintf(sql, sizeof sql,
             "SELECT id, label, source, number, seed, status, value, moves, nodes, iterations, time_s FROM runs"
             " ORDER BY id, source, number LIMIT %d",
             RUNS_MOST);
    return look_query(asked->store, sql, &sheet, &asked->error) && write_sheet(asked, "table", &sheet);
}

/* One stored run: the instance and its solution, so that the page can show it. */
static bool show_run(struct asked *asked) {
    int64_t run = (int64_t)fields_count(&asked->fields, "run", 0, INT64_MAX);
    struct query row;
    if (!fields_good(&asked->fields))
        return soloist_fail(&asked->error, 0, 0, "%s", asked->fields.error.text);
    query_open(&row, asked->store,
               "SELECT runs.domain, instances.name, text, solution, label FROM runs JOIN instances ON instances.id ="
               " runs.instance WHERE runs.id = ?1 LIMIT 1",
               &asked->error);
    query_bind(&row, "i", run);
    bool found = query_next(&row);
    static const char *const names[] = {"domain", "name", "text", "solution", "label"};
    for (int i = 0; found && i < 5; i++)
        json_text(&asked->json, names[i], query_type(&row, i) == SQLITE_NULL ? NULL : query_text(&row, i));
    return query_close(&row) && (found || soloist_fail(&asked->error, 0, 0, "there is no such run"));
}

static bool show_profile(struct asked *asked, const char *y) {
    struct look_profile profile;
    bool well = look_profile_open(&profile, asked->store, y, NULL, &asked->error) &&
                write_figure(asked, "figure", &profile.figure);
    look_profile_close(&profile);
    return well;
}

static bool show_figure(struct asked *asked) {
    static const char *const kinds[] = {"means", "curves", "profile", NULL};
    int kind = fields_choice(&asked->fields, "kind", kinds, 0);
    const char *x = kind == 1 ? times[fields_choice(&asked->fields, "x", times, 0)]
                              : factors[fields_choice(&asked->fields, "x", factors, 0)];
    const char *y = kind == 1 ? progress[fields_choice(&asked->fields, "y", progress, 0)]
                              : counters[fields_choice(&asked->fields, "y", counters, 0)];
    struct look_figure figure = {.title = "", .x = look_axis_name(x), .y = look_axis_name(y)};
    if (!fields_good(&asked->fields))
        return soloist_fail(&asked->error, 0, 0, "%s", asked->fields.error.text);
    if (kind == 2)
        return show_profile(asked, y);
    figure.log_x = kind == 0 && strstr(x, "_limit");
    figure.plain = kind == 1;
    struct look_means means = {"label", x, y, NULL, kind == 1};
    char positive[80];
    snprintf(positive, sizeof positive, "%s > 0", x);
    means.where = figure.log_x ? positive : NULL;
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    look_write_means(&sink, &means);
    figure.sql = sql.text;
    bool well =
        sql.failed ? soloist_fail(&asked->error, 0, 0, "out of memory") : write_figure(asked, "figure", &figure);
    buffer_close(&sql);
    return well;
}

/* ---- what the experiment's own text describes ---- */

static bool write_report(struct asked *asked, const struct experiment *experiment) {
    struct sheet sheet;
    struct look look = usual;
    size_t missing = 0;
    json_text(&asked->json, "about", experiment->about);
    if (experiment->row_count) {
        if (!look_extent(asked->store, asked->id, experiment, &look, &asked->error) ||
            !look_rows(asked->store, experiment, &look, &sheet, &missing, &asked->error))
            return false;
        write_sheet(asked, "rows", &sheet);
    }
    json_uint(&asked->json, "missing", missing);
    json_array(&asked->json, "tables");
    for (size_t i = 0; i < experiment->table_count; i++) {
        if (!look_query(asked->store, experiment->tables[i].sql, &sheet, &asked->error))
            return false;
        json_object(&asked->json, NULL);
        json_text(&asked->json, "title", experiment->tables[i].name);
        write_sheet(asked, "table", &sheet);
        json_end(&asked->json, '}');
    }
    json_end(&asked->json, ']');
    json_array(&asked->json, "figures");
    for (size_t i = 0; i < experiment->figure_count; i++) {
        const struct experiment_query *query = &experiment->figures[i];
        struct look_figure figure = {query->name,  query->x,    query->y,     query->log_x,
                                     query->log_y, query->bars, query->plain, query->sql};
        if (!write_figure(asked, NULL, &figure))
            return false;
    }
    json_end(&asked->json, ']');
    return true;
}

static bool show_report(struct asked *asked) {
    struct query row;
    struct experiment experiment;
    bool read = false, well = true;
    query_open(&row, asked->store, "SELECT text FROM experiment WHERE id = ?1", &asked->error);
    query_bind(&row, "i", asked->id);
    if (query_next(&row)) {
        const char *text = query_text(&row, 0);
        well = read = experiment_read(text, strlen(text), &experiment, &asked->error);
    }
    well = query_close(&row) && well;
    if (well && read)
        well = write_report(asked, &experiment);
    if (read)
        experiment_free(&experiment);
    return well;
}

/* ---- questions ---- */

static const char *const views[] = {"means", "compare", "report", "figure", "runs", "run", NULL};
static bool (*const acts[])(struct asked *) = {show_means,  show_comparison, show_report,
                                               show_figure, show_runs,       show_run};

static bool answer(struct asked *asked, int view) {
    asked->store = asked->desk->store;
    asked->id = store_find_experiment(asked->store, asked->name, &asked->error);
    if (!asked->id || !look_at(asked->desk, asked->id, &asked->error))
        return false;
    json_object(&asked->json, NULL);
    bool well = acts[view](asked);
    json_end(&asked->json, '}');
    return well;
}

void lab_desk_answer(void *user, const struct request *request, struct reply *reply) {
    struct lab_desk *desk = user;
    struct asked asked = {0};
    soloist_sink sink = buffer_sink(&reply->body);
    if (!fields_open(&asked.fields, request->body, request->length))
        return reply_fail(reply, 400, "%s", asked.fields.error.text);
    uint64_t number = fields_count(&asked.fields, "store", 0, UINT32_MAX);
    if (!fields_good(&asked.fields))
        return reply_fail(reply, 400, "store: expected the number of a store, counted from 0");
    int view = fields_choice(&asked.fields, "show", views, 0);
    asked.name = fields_needed(&asked.fields, "experiment", NAME_MOST);
    json_open(&asked.json, &sink);
    if (!fields_good(&asked.fields)) {
        reply_fail(reply, 400, "%s", asked.fields.error.text);
    } else if (number >= desk->count) {
        reply_fail(reply, 404, "there is no store of this number");
    } else {
        asked.desk = &desk->stores[number];
        pthread_mutex_lock(&desk->lock);
        bool well = answer(&asked, view);
        pthread_mutex_unlock(&desk->lock);
        if (!well)
            reply_fail(reply, fields_good(&asked.fields) ? 422 : 400, "%s", asked.error.text);
    }
    free(asked.name);
}
