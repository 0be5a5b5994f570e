/* Functions that all subcommands of `lab` that show a store's contents share. */
#include "cli/lab/lab.h"
#include "base/buffer.h"
#include "cli/shell/need.h"
#include "cli/shell/table.h"
#include "lab/results/check.h"
#include "lab/results/query.h"

#include <stdlib.h>
#include <string.h>

struct store *lab_open(const char *path, enum store_mode mode) {
    soloist_error error = {0};
    struct store *store = store_open(path, mode, &error);
    if (!store)
        cli_complain("%s", error.text);
    return store;
}

struct store *lab_open_experiment(const char *path, const char *name, int64_t *id) {
    soloist_error error = {0};
    struct store *store = lab_open(path, STORE_READ);
    if (!store)
        return NULL;
    int64_t found = store_find_experiment(store, name, &error);
    if (found && store_look_at(store, found, STORE_SNAPSHOT, &error)) {
        if (id)
            *id = found;
        return store;
    }
    cli_complain("%s", error.text);
    store_close(store);
    return NULL;
}

struct look lab_look(const struct cli *cli, const struct lab_view *view) {
    return (struct look){.by = view->by,
                         .of = view->of,
                         .where = view->where,
                         .level = view->level == 2 ? 0.99 : 0.95,
                         .apart = view->format == 1 + SHEET_CSV || view->format == 1 + SHEET_JSON,
                         .ascii = !cli->utf8};
}

/* Prepares a query whose format takes two texts, and counts its columns. */
static bool prepare(const struct store *store, const char *format, const char *first, const char *second, int *count,
                    soloist_error *error) {
    struct query query;
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, format, first, second);
    query_open_select(&query, store, sql.failed ? NULL : sql.text, error);
    *count = query_columns(&query);
    bool well = query_close(&query);
    buffer_close(&sql);
    return well;
}

/* Whether one of the expressions is an aggregate. SQLite refuses aggregates in a condition, in which a list can be the
 * arguments of a function. */
static bool is_aggregate(const struct store *store, const char *table, const char *expressions) {
    soloist_error error = {0};
    int count;
    return !prepare(store, "SELECT 1 FROM %s WHERE coalesce(%s, 1)", table, expressions, &count, &error) &&
           strstr(error.text, "misuse of");
}

/* Tests an option, and counts its expressions. */
static bool accepts(const struct store *store, const char *table, const char *option, const char *expressions,
                    int *count) {
    soloist_error error = {0};
    if (!prepare(store, "SELECT %s FROM %s", expressions, table, count, &error)) {
        char reason[CHECK_REASON];
        check_reason(store, table, &error, reason);
        return cli_complain("%s: %s", option, reason), false;
    }
    if (is_aggregate(store, table, expressions))
        return cli_complain("%s: %s: expected an expression over one run, such as nodes/time_s, not one over many",
                            option, expressions),
               false;
    return true;
}

bool lab_accepts(const struct store *store, const char *table, const char *option, const char *expression) {
    int count = 1;
    if (expression && !accepts(store, table, option, expression, &count))
        return false;
    return count == 1 || (cli_complain("%s: expected one column or SQL expression, not %d", option, count), false);
}

bool lab_accepts_list(const struct store *store, const char *table, const char *option, const char *expressions) {
    int count;
    return !expressions || accepts(store, table, option, expressions, &count);
}

enum sheet_format lab_format(const struct lab_view *view) {
    return view->format ? (enum sheet_format)(view->format - 1) : SHEET_TEXT;
}

void lab_print(struct sheet *sheet, const struct lab_view *view) {
    soloist_sink sink = cli_sink(stdout);
    if (sheet->failed)
        need_failed();
    table_write(sheet, lab_format(view), &sink);
    sheet_close(sheet);
}

bool lab_parse(const struct command *self, int count, char **words, void *options, struct arg_list *rest, size_t least,
               size_t most, int *status) {
    enum args_verdict verdict = args_parse(self, count, words, options, rest);
    *status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && rest->count >= least && rest->count <= most)
        return true;
    if (verdict == ARGS_GO)
        cli_complain("%s: expected %s: see `soloist %s --help`", self->name, self->usage, self->name);
    return false;
}

char *lab_stored_text(const struct store *store, int64_t id, const char *column) {
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT %s FROM experiment WHERE id = ?1", column);
    soloist_error error = {0};
    struct query row;
    query_open(&row, store, sql, &error);
    query_bind(&row, "i", id);
    char *text = NULL;
    if (query_next(&row)) {
        const char *found = query_text(&row, 0);
        text = need_text(found, strlen(found));
    }
    if (!query_close(&row) || !text) {
        cli_complain("%s", *error.text ? error.text : "the experiment is no longer in the store");
        free(text);
        return NULL;
    }
    return text;
}
