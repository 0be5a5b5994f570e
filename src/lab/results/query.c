#include "lab/results/query.h"

#include <stdlib.h>
#include <string.h>

static bool fail(struct query *query) {
    if (!query->failed)
        store_fail(query->store, query->error);
    query->failed = true;
    return false;
}

static void fail_memory(struct query *query) {
    if (!query->failed)
        soloist_fail(query->error, 0, 0, "out of memory");
    query->failed = true;
}

static void check(struct query *query, int code) {
    if (code != SQLITE_OK)
        fail(query);
}

bool query_open(struct query *query, const struct store *store, const char *sql, soloist_error *error) {
    *query = (struct query){.store = store, .error = error};
    if (sql)
        check(query, sqlite3_prepare_v2(store->db, sql, -1, &query->statement, &query->rest));
    else
        fail_memory(query);
    return !query->failed;
}

bool query_open_select(struct query *query, const struct store *store, const char *sql, soloist_error *error) {
    if (!query_open(query, store, sql, error))
        return false;
    if (query->rest[strspn(query->rest, "; \t\r\n")]) {
        query->failed = true;
        return soloist_fail(error, 0, 0, "expected one query; after it follows '%.40s'", query->rest);
    }
    if (query->statement && sqlite3_column_count(query->statement) > 0 && sqlite3_stmt_readonly(query->statement))
        return true;
    query->failed = true;
    return soloist_fail(error, 0, 0, "expected SELECT ..., a query that only reads");
}

bool query_close(struct query *query) {
    sqlite3_finalize(query->statement); /* returns the code of the last step again, which was already checked */
    query->statement = NULL;
    return !query->failed;
}

void query_bind_text(struct query *query, int at, const char *text) {
    if (!query->failed)
        check(query, sqlite3_bind_text(query->statement, at, text, -1, SQLITE_STATIC));
}

void query_bind_int(struct query *query, int at, int64_t value) {
    if (!query->failed)
        check(query, sqlite3_bind_int64(query->statement, at, value));
}

void query_bind_real(struct query *query, int at, double value) {
    if (!query->failed)
        check(query, sqlite3_bind_double(query->statement, at, value));
}

void query_bind_column(struct query *query, int at, struct query *from, int column) {
    if (!query->failed)
        check(query, sqlite3_bind_value(query->statement, at, sqlite3_column_value(from->statement, column)));
}

void query_bind(struct query *query, const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (int i = 1; kinds[i - 1]; i++)
        switch (kinds[i - 1]) {
        case 't': query_bind_text(query, i, va_arg(list, const char *)); break;
        case 'i': query_bind_int(query, i, va_arg(list, int64_t)); break;
        case 'r': query_bind_real(query, i, va_arg(list, double)); break;
        }
    va_end(list);
}

bool query_next(struct query *query) {
    if (query->failed)
        return false;
    int code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        fail(query);
    return code == SQLITE_ROW;
}

void query_again(struct query *query) {
    sqlite3_reset(query->statement); /* returns the code of the last step again, which was already checked */
    sqlite3_clear_bindings(query->statement);
}

void query_retry(struct query *query) {
    if (query->statement)
        query_again(query);
    query->failed = false;
}

bool query_run(struct query *query) {
    while (query_next(query))
        ;
    if (query->statement)
        query_again(query);
    return !query->failed;
}

bool query_met_damage(const struct query *query) {
    int code = sqlite3_errcode(query->store->db) & 0xff;
    bool table_is_lost = !query->statement && code == SQLITE_ERROR; /* the statement could not be prepared */
    return query->failed && (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR || table_is_lost);
}

int64_t query_int(struct query *query, int column) { return sqlite3_column_int64(query->statement, column); }

double query_real(struct query *query, int column) { return sqlite3_column_double(query->statement, column); }

double query_number(struct query *query, int column) {
    char *end;
    if (query_type(query, column) != SQLITE_TEXT)
        return query_real(query, column);
    const char *text = query_text(query, column);
    double value = strtod(text, &end);
    if (end == text || *end) {
        if (!query->failed)
            soloist_fail(query->error, 0, 0, "a mean needs numbers, and %.60s is none", text);
        query->failed = true;
    }
    return value;
}

const char *query_text(struct query *query, int column) {
    bool null = sqlite3_column_type(query->statement, column) == SQLITE_NULL;
    const char *text = (const char *)sqlite3_column_text(query->statement, column);
    if (!text && !null)
        fail_memory(query);
    return text ? text : "";
}

int query_type(const struct query *query, int column) { return sqlite3_column_type(query->statement, column); }

int query_columns(const struct query *query) { return sqlite3_column_count(query->statement); }

int query_parameters(const struct query *query) { return sqlite3_bind_parameter_count(query->statement); }

const char *query_heading(struct query *query, int column) {
    const char *name = sqlite3_column_name(query->statement, column);
    if (!name)
        fail_memory(query);
    return name ? name : "";
}
