#include "lab/results/check.h"
#include "base/buffer.h"
#include "base/suggest.h"
#include "lab/results/look.h"
#include "lab/results/query.h"
#include "lab/results/tuner.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    const struct experiment *experiment;
    struct store *store;
    const struct experiment_query *query; /* the one that is being checked */
    soloist_error *error;
};

static bool refuse(const struct checking *checking, const char *text) {
    return soloist_fail(checking->error, checking->query->line, checking->query->column, "%.40s: %.200s",
                        checking->query->name, text);
}

/* ---- SQL ---- */

/* Offers the columns of the table or, if it is NULL, all that a query may use. Returns the table of the most similar
 * column, or NULL. A failure only means that there is no suggestion. */
static const char *offer_columns(const struct store *store, const char *table, struct suggestion *nearest,
                                 char best[64]) {
    static const char *const tables[] = {"runs", "curves", "instances"};
    const char *holder = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct query all;
        char sql[40];
        if (table && strcmp(table, tables[i]) != 0)
            continue;
        snprintf(sql, sizeof sql, "SELECT * FROM %s", tables[i]);
        if (query_open(&all, store, sql, NULL))
            for (int k = 0; k < query_columns(&all); k++) {
                suggest_offer(nearest, query_heading(&all, k));
                if (nearest->best && nearest->best != best) { /* the heading lives only as long as the query */
                    snprintf(best, 64, "%s", nearest->best);
                    nearest->best = best;
                    holder = tables[i];
                }
            }
        query_close(&all);
    }
    return holder;
}

void check_reason(const struct store *store, const char *table, const soloist_error *why, char reason[CHECK_REASON]) {
    size_t path = strlen(store->path);
    const char *text =
        !strncmp(why->text, store->path, path) && why->text[path] == ':' ? why->text + path + 2 : why->text;
    const char *column = strstr(text, "no such column: ");
    char best[64];
    if (!column) {
        snprintf(reason, CHECK_REASON, "%.200s", text);
        return;
    }
    column += strlen("no such column: ");
    struct suggestion nearest = suggest_open(strchr(column, '.') ? strchr(column, '.') + 1 : column);
    const char *holder = offer_columns(store, table, &nearest, best);
    if (holder && !strcmp(nearest.best, nearest.word)) { /* the query names another table */
        snprintf(reason, CHECK_REASON, "%.120s: it is a column of the table %s", text, holder);
        return;
    }
    snprintf(reason, CHECK_REASON, "%.120s%s%.60s%s", text, nearest.best ? ": did you mean " : "",
             nearest.best ? nearest.best : "", nearest.best ? "?" : "");
}

/* Prepares a query. *columns, *parameters: how many it has. */
static bool check_sql(const struct checking *checking, const char *sql, int *columns, int *parameters) {
    struct query query;
    soloist_error why = {0};
    bool well = query_open_select(&query, checking->store, sql, &why);
    if (well) {
        *columns = query_columns(&query);
        *parameters = query_parameters(&query);
    }
    query_close(&query);
    if (well)
        return true;
    char reason[CHECK_REASON];
    check_reason(checking->store, NULL, &why, reason);
    return refuse(checking, reason);
}

/* ---- labels ---- */

/* What a column of the runs must hold: the label of a method or training, or of instances. */
static bool is_label(const struct experiment *experiment, const char *text, struct suggestion *nearest) {
    bool found = false;
    for (size_t i = 0; i < experiment->method_count; i++) {
        found |= !strcmp(experiment->methods[i].label, text);
        suggest_offer(nearest, experiment->methods[i].label);
    }
    for (size_t i = 0; i < experiment->training_count; i++) {
        found |= !strcmp(experiment->trainings[i].label, text);
        suggest_offer(nearest, experiment->trainings[i].label);
    }
    return found;
}

static bool is_source(const struct experiment *experiment, const char *text, struct suggestion *nearest) {
    bool found = experiment->training_count > 0; /* the source of a training is the size of its boards */
    for (size_t i = 0; i < experiment->source_count; i++) {
        found |= !strcmp(experiment->sources[i].label, text);
        suggest_offer(nearest, experiment->sources[i].label);
    }
    return found;
}

static bool check_label(const struct checking *checking, bool source, const char *text, int line, int column) {
    struct suggestion nearest = suggest_open(text);
    if ((source ? is_source : is_label)(checking->experiment, text, &nearest))
        return true;
    return soloist_fail(checking->error, line, column, "%.40s: no %s have the label %.60s%s%.60s%s",
                        checking->query->name, source ? "instances" : "runs", text,
                        nearest.best ? ": did you mean " : "", nearest.best ? nearest.best : "",
                        nearest.best ? "?" : "");
}

/* The words of all rows that give parameter number `number` to the measure. */
static bool check_words(const struct checking *checking, bool source, size_t number) {
    const struct experiment *experiment = checking->experiment;
    for (size_t i = 0; i < experiment->row_count; i++) {
        const struct experiment_row *row = &experiment->rows[i];
        if (&experiment->measures[row->measure] == checking->query && number >= 1 && number <= row->word_count &&
            !check_label(checking, source, row->words[number - 1], row->line, row->column))
            return false;
    }
    return true;
}

/* Checks the texts and parameters in 'a', 'b', ?1 after "label =" or "label IN (". */
static bool check_values(const struct checking *checking, bool source, const char *at) {
    const struct experiment_query *query = checking->query;
    for (;; at += strspn(at, ", \t")) {
        char text[160];
        size_t length = 0;
        if (*at == '?')
            return check_words(checking, source, (size_t)strtoul(at + 1, NULL, 10));
        if (*at != '\'')
            return true;
        for (at++; *at && (*at != '\'' || at[1] == '\''); at += *at == '\'' ? 2 : 1)
            if (length + 1 < sizeof text)
                text[length++] = *at;
        text[length] = 0;
        if (!*at)
            return true; /* SQLite has refused a text without its end */
        at++;
        if (!check_label(checking, source, text, query->line, query->column))
            return false;
    }
}

/* Skips "=", "<>", "!=" or "IN (" and blanks; NULL: something else follows. */
static const char *after_comparison(const char *at) {
    at += strspn(at, " \t");
    if (!strncmp(at, "<>", 2) || !strncmp(at, "!=", 2) || !strncmp(at, "==", 2))
        at += 2;
    else if (*at == '=')
        at++;
    else if (!strncasecmp(at, "IN (", 4))
        at += 4;
    else
        return NULL;
    return at + strspn(at, " \t");
}

/* A label that no run has would silently give an empty result. */
static bool check_labels(const struct checking *checking) {
    static const char *const columns[] = {"label", "source"};
    const char *sql = checking->query->sql;
    for (int source = 0; source < 2; source++) {
        size_t length = strlen(columns[source]);
        for (const char *at = sql; (at = strstr(at, columns[source])); at += length) {
            bool whole = (at == sql || !(isalnum((unsigned char)at[-1]) || strchr("_'\"", at[-1])));
            const char *values = whole ? after_comparison(at + length) : NULL;
            if (values && !check_values(checking, source, values))
                return false;
        }
    }
    return true;
}

/* ---- all queries ---- */

static bool check_rows(const struct checking *checking, int parameters) {
    const struct experiment *experiment = checking->experiment;
    for (size_t i = 0; i < experiment->row_count; i++) {
        const struct experiment_row *row = &experiment->rows[i];
        if (&experiment->measures[row->measure] == checking->query && row->word_count != (size_t)parameters)
            return soloist_fail(checking->error, row->line, row->column,
                                "the measure %.60s takes %d word%s, but %zu %s given", checking->query->name,
                                parameters, parameters == 1 ? "" : "s", row->word_count,
                                row->word_count == 1 ? "is" : "are");
    }
    return true;
}

static bool check_measures(struct checking *checking) {
    int columns = 0, parameters = 0;
    for (size_t i = 0; i < checking->experiment->measure_count; i++) {
        checking->query = &checking->experiment->measures[i];
        if (!check_sql(checking, checking->query->sql, &columns, &parameters))
            return false;
        if (columns != 1)
            return refuse(checking, "a measure must select one column");
        if (!check_rows(checking, parameters) || !check_labels(checking))
            return false;
    }
    return true;
}

static bool check_tables(struct checking *checking) {
    int columns, parameters;
    for (size_t i = 0; i < checking->experiment->table_count; i++) {
        checking->query = &checking->experiment->tables[i];
        if (!check_sql(checking, checking->query->sql, &columns, &parameters) || !check_labels(checking))
            return false;
        if (parameters)
            return refuse(checking, "only measures have words: ?1 has no value here");
    }
    return true;
}

/* The query of a figure becomes a part of others: it must have no semicolon and no comment at its end. */
static bool check_part(struct checking *checking) {
    struct buffer sql;
    int columns, parameters;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, LOOK_FIGURE " SELECT * FROM figure", checking->query->sql);
    bool well = check_sql(checking, sql.failed ? NULL : sql.text, &columns, &parameters);
    buffer_close(&sql);
    return well;
}

static bool check_figures(struct checking *checking) {
    int columns = 0, parameters;
    for (size_t i = 0; i < checking->experiment->figure_count; i++) {
        checking->query = &checking->experiment->figures[i];
        if (!check_sql(checking, checking->query->sql, &columns, &parameters))
            return false;
        if (columns != 3)
            return refuse(checking, "a figure must select three columns: series, x, y");
        if (parameters)
            return refuse(checking, "only measures have words: ?1 has no value here");
        if (!check_part(checking) || !check_labels(checking))
            return false;
    }
    return true;
}

/* The expression that `lab tune` maximises, in the query of the tuner. */
static bool check_better(struct checking *checking) {
    struct buffer sql;
    int columns, parameters;
    checking->query = &checking->experiment->better;
    if (!checking->query->sql)
        return true;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, TUNER_SCORE, checking->query->sql);
    bool well = check_sql(checking, sql.failed ? NULL : sql.text, &columns, &parameters);
    buffer_close(&sql);
    return well;
}

bool check_report(const struct experiment *experiment, soloist_error *error) {
    struct checking checking = {.experiment = experiment, .error = error};
    checking.store = store_open(":memory:", STORE_WRITE, error);
    bool well = checking.store && store_look_at(checking.store, 1, STORE_LIVE, error) && check_measures(&checking) &&
                check_tables(&checking) && check_figures(&checking) && check_better(&checking);
    store_close(checking.store);
    return well;
}
