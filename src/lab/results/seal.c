#include "lab/results/seal.h"
#include "base/hash.h"
#include "lab/results/query.h"
#include "lab/run/seal_text.h"

#include <stdio.h>
#include <string.h>

#define PLAN "experiment, run, label, source, number"
#define MEMBER "experiment, source, number, instance"
#define RUN "id, " STORE_KEY ", network, "
#define SAME(columns)                                                                                                  \
    {columns, columns, columns}, { "", "", "" }
const struct seal_table seal_tables[SEAL_TABLES] = {
    {"experiment", "id", SAME("id, name, title, text, scale")},
    {"instance", "id", SAME("id, identity, domain, options, name, text")},
    {"run", "id", {RUN STORE_FIRST_RESULT, RUN STORE_FOURTH_RESULT, RUN STORE_RESULT}, {", NULL, NULL", ", NULL", ""}},
    {"plan", PLAN, SAME(PLAN)},
    {"member", MEMBER, SAME(MEMBER)},
    {"curve",
     "run, row",
     {"run, " STORE_FIRST_CURVE, "run, " STORE_CURVE, "run, " STORE_CURVE},
     {", NULL, NULL", "", ""}},
};

/* The definitions of our tables are sealed too, because a change there changes the meaning of rows. */
#define SCHEMA_SEAL                                                                                                    \
    "SELECT seal_of(group_concat(sql)) FROM (SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name IN"      \
    " ('experiment', 'instance', 'run', 'plan', 'member', 'curve') ORDER BY name)"

/* ---- the function ---- */

/* False if memory runs out. */
static bool hash_value(sqlite3_value *value, uint64_t *hash) {
    int type = sqlite3_value_type(value);
    uint64_t bits = 0;
    if (type == SQLITE_INTEGER) {
        bits = (uint64_t)sqlite3_value_int64(value);
    } else if (type == SQLITE_FLOAT) {
        double real = sqlite3_value_double(value);
        memcpy(&bits, &real, sizeof bits);
    } else if (type != SQLITE_NULL) {
        const void *bytes = sqlite3_value_blob(value);
        size_t length = (size_t)sqlite3_value_bytes(value);
        if (!bytes && length)
            return false;
        *hash = seal_text(bytes ? bytes : "", length); /* also used for a blob, although Soloist writes none */
        return true;
    }
    *hash = hash_mix(bits + (uint64_t)type);
    return true;
}

/* Hashes all values. False if memory runs out, which is reported to SQLite. */
static bool hash_all(sqlite3_context *context, int count, sqlite3_value **values, uint64_t *sum) {
    uint64_t hash;
    *sum = (uint64_t)count;
    for (int i = 0; i < count; i++) {
        if (!hash_value(values[i], &hash))
            return sqlite3_result_error_nomem(context), false;
        *sum = hash_mix(*sum ^ hash);
    }
    return true;
}

static void seal_of(sqlite3_context *context, int count, sqlite3_value **values) {
    uint64_t sum;
    if (hash_all(context, count, values, &sum))
        sqlite3_result_int64(context, (int64_t)sum);
}

static void text_identity(sqlite3_context *context, int count, sqlite3_value **values) {
    char text[48];
    uint64_t sum;
    if (!hash_all(context, count, values, &sum))
        return;
    snprintf(text, sizeof text, SEAL_BY_TEXT "%016llx", (unsigned long long)sum);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

bool seal_add_functions(const struct store *store, soloist_error *error) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    bool well =
        sqlite3_create_function(store->db, "seal_of", -1, flags, NULL, seal_of, NULL, NULL) == SQLITE_OK &&
        sqlite3_create_function(store->db, "text_identity", 3, flags, NULL, text_identity, NULL, NULL) == SQLITE_OK;
    return well || store_fail(store, error);
}

/* ---- sealing ---- */

/* Turns a list of columns "a, b" into "new.a, new.b". */
static void put_new(const char *columns, char *out, size_t room) {
    size_t length = (size_t)snprintf(out, room, "new.");
    for (; *columns && length + 6 < room; columns++) {
        out[length++] = *columns;
        if (columns[0] == ' ')
            length += (size_t)snprintf(out + length, room - length, "new.");
    }
    out[length] = 0;
}

bool seal_add_triggers(const struct store *store, soloist_error *error) {
    static const char *const events[] = {"INSERT", "UPDATE"};
    char sql[2048], key[256];
    for (size_t i = 0; i < 2 * SEAL_TABLES; i++) {
        const struct seal_table *table = &seal_tables[i / 2];
        put_new(table->key, key, sizeof key);
        snprintf(sql, sizeof sql,
                 "CREATE TEMP TRIGGER seal_%s_%s AFTER %s ON main.%s BEGIN UPDATE %s SET seal = seal_of(%s) WHERE"
                 " (%s) = (%s); END",
                 table->name, events[i % 2], events[i % 2], table->name, table->name, table->columns[SEAL_PRESENT],
                 table->key, key);
        if (!store_execute(store, sql, error))
            return false;
    }
    return true;
}

bool seal_all(const struct store *store, soloist_error *error) {
    char sql[1024];
    for (size_t i = 0; i < SEAL_TABLES; i++) {
        snprintf(sql, sizeof sql, "UPDATE %s SET seal = seal_of(%s)", seal_tables[i].name,
                 seal_tables[i].columns[SEAL_PRESENT]);
        if (!store_execute(store, sql, error))
            return false;
    }
    return store_execute(store, "DELETE FROM sealed; INSERT INTO sealed " SCHEMA_SEAL, error);
}

/* ---- checking ---- */

/* SQLite's own check: pages, their order, and whether indexes agree with their tables. */
static bool check_file(const struct store *store, char *what, soloist_error *error) {
    struct query query;
    query_open(&query, store, "PRAGMA integrity_check(1)", error);
    if (query_next(&query)) {
        const char *says = query_text(&query, 0), *line = strrchr(says, '\n');
        if (strcmp(says, "ok") != 0)
            snprintf(what, 80, "%.79s", line ? line + 1 : says);
    }
    return query_close(&query);
}

static bool check_rows(const struct store *store, const struct seal_table *table, int layout, char *what,
                       soloist_error *error) {
    char sql[1024];
    int64_t wrong;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE seal IS NOT seal_of(%s)", table->name,
             table->columns[layout]);
    if (!store_number(store, sql, NULL, &wrong, error))
        return false;
    if (wrong)
        snprintf(what, 80, "%lld rows of its table %s were altered after they were written", (long long)wrong,
                 table->name);
    return true;
}

bool seal_check(const struct store *store, int layout, char *what, soloist_error *error) {
    int64_t same;
    *what = 0;
    if (!check_file(store, what, error) || *what)
        return *what;
    if (!store_number(store, "SELECT (SELECT schema FROM sealed) IS (" SCHEMA_SEAL ")", NULL, &same, error))
        return false;
    if (same != 1)
        snprintf(what, 80, "the definitions of its tables were altered");
    for (size_t i = 0; !*what && i < SEAL_TABLES; i++)
        if (!check_rows(store, &seal_tables[i], layout, what, error))
            return false;
    return true;
}
