/* Copies row by row. Rows that cannot be read are skipped, and of the others only those with the right seal are copied.
 * A store of the second version has no seals: for it, SQLite's own checks and the referee must be enough. */
#include "lab/results/rescue.h"
#include "lab/results/query.h"
#include "lab/results/seal.h"

#include <stdio.h>
#include <string.h>

struct rescue {
    const struct store *store, *damaged;
    bool sealed;        /* the store has seals */
    int layout;         /* of its columns, see seal.h */
    int64_t fine_steps; /* how many rows a page can hold */
    soloist_error *error;
};

enum { LEAST_ROW = 4 /* bytes of the smallest row in a page */, MOST_GAP = 1 << 24, SQL_ROOM = 2048 };

/* The columns of a table of the damaged store that this version has. */
static const char *columns_of(const struct rescue *rescue, const struct seal_table *table) {
    return rescue->sealed || strcmp(table->name, "instance") != 0
               ? table->columns[rescue->layout]
               : "id, text_identity(domain, options, text), domain, options, name, text";
}

/* Writes "SELECT good, columns FROM table WHERE ...". */
static void put_select(const struct rescue *rescue, const struct seal_table *table, const char *where, char *sql) {
    char good[1024] = "1";
    if (rescue->sealed)
        snprintf(good, sizeof good, "seal IS seal_of(%s)", table->columns[rescue->layout]);
    snprintf(sql, SQL_ROOM, "SELECT %s, %s%s FROM %s WHERE %s", good, columns_of(rescue, table),
             table->missing[rescue->layout], table->name, where);
}

static bool open_insert(const struct rescue *rescue, const struct seal_table *table, const char *into,
                        struct query *insert) {
    char sql[SQL_ROOM];
    const char *columns = table->columns[SEAL_PRESENT];
    int length = snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO other.%s(%s) VALUES(?1", into, columns), at = 2;
    for (const char *comma = columns; (comma = strchr(comma, ',')); comma++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, ", ?%d", at++);
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    return query_open(insert, rescue->store, sql, rescue->error);
}

/* Copies the current row. False if it could not be written. */
static bool copy_row(struct query *rows, struct query *insert) {
    for (int i = 1; i < query_columns(rows); i++)
        query_bind_column(insert, i, rows, i);
    return query_run(insert);
}

/* Rows are read in the order of their numbers: a row that is out of order, or whose number is far too high, is damaged.
 * *last: the number of the last good row; *met: the number of the last row found, good or not. False if rows could not
 * be written; rows->failed says whether they could not be read to the end. */
static bool copy_in_order(struct query *rows, struct query *insert, struct query *altered, int64_t *last,
                          int64_t *met) {
    int64_t bad = 0;
    while (query_next(rows)) {
        int64_t id = query_int(rows, 1);
        bool good = query_int(rows, 0) && id > *last && id - *last < MOST_GAP;
        bad = good ? 0 : bad + 1;
        *last = good ? id : *last;
        *met = *last + bad > *met ? *last + bad : *met;
        if ((good || altered) && !copy_row(rows, good ? insert : altered))
            return false;
    }
    return true;
}

/* Closes a query. If it failed for another reason than damage, such as a lack of memory, the rescue ends. */
static bool end_rows(const struct rescue *rescue, struct query *rows, const soloist_error *why, bool *damage) {
    *damage = query_met_damage(rows);
    return query_close(rows) || *damage || soloist_fail(rescue->error, 0, 0, "%s", why->text);
}

/* Runs the query from row number `last` on. Afterwards it can be run again, unless memory ran out or a row could not be
 * written. */
static bool copy_from(struct rescue *rescue, struct query *rows, struct query *insert, struct query *altered,
                      int64_t *last, int64_t *met, bool *damage) {
    query_bind(rows, "i", *last);
    bool well = copy_in_order(rows, insert, altered, last, met);
    *damage = query_met_damage(rows);
    if (rows->failed && !*damage)
        return soloist_fail(rescue->error, 0, 0, "%s", rows->error->text);
    query_retry(rows);
    return well;
}

/* Copies a table whose rows have numbers. After an unreadable row the next numbers are tried one by one, up to as many
 * as a page can hold; if more rows are missing, the steps double. altered: the table for rows that can be read but
 * whose seals are wrong; NULL: they are skipped. */
static bool copy_numbered(struct rescue *rescue, const struct seal_table *table, const char *altered,
                          int64_t *highest) {
    struct query insert, rows, insert_altered = {0};
    char sql[SQL_ROOM];
    soloist_error why = {0};
    int64_t last = 0, step = 1, failures = 0;
    bool damage = true;
    put_select(rescue, table, "id > ?1 ORDER BY id", sql);
    if (!query_open(&rows, rescue->damaged, sql, &why)) /* the names of the tables are lost */
        return end_rows(rescue, &rows, &why, &damage);
    bool well = open_insert(rescue, table, table->name, &insert);
    well = well && (!altered || open_insert(rescue, table, altered, &insert_altered));
    while (well && damage && last < (int64_t)1 << 40) {
        int64_t before = last;
        well = copy_from(rescue, &rows, &insert, altered ? &insert_altered : NULL, &last, highest, &damage);
        failures = last > before ? 0 : failures + 1;
        step = failures < rescue->fine_steps ? 1 : step * 2;
        last += step;
    }
    query_close(&rows);
    well = (!altered || query_close(&insert_altered)) && well;
    return query_close(&insert) && well;
}

/* Copies the rows of a table that belong to rows of another table. The query `owners` returns the numbers of those rows
 * of the other table that have already been copied. */
static bool copy_owned(struct rescue *rescue, const struct seal_table *table, const char *owners, const char *where) {
    struct query owner, insert;
    char sql[SQL_ROOM];
    bool damage, well = query_open(&owner, rescue->store, owners, rescue->error);
    well = open_insert(rescue, table, table->name, &insert) && well;
    put_select(rescue, table, where, sql);
    while (well && query_next(&owner)) {
        struct query rows;
        soloist_error why = {0};
        query_open(&rows, rescue->damaged, sql, &why);
        for (int i = 0; i < query_columns(&owner); i++)
            query_bind_column(&rows, i + 1, &owner, i);
        while (well && query_next(&rows))
            well = !query_int(&rows, 0) || copy_row(&rows, &insert);
        well = end_rows(rescue, &rows, &why, &damage) && well;
    }
    well = query_close(&owner) && well;
    return query_close(&insert) && well;
}

bool rescue_make_tables(const struct store *store, soloist_error *error) {
    char sql[256];
    for (int i = 0; i < SEAL_TABLES; i++) {
        const char *name = seal_tables[i].name;
        snprintf(sql, sizeof sql, "CREATE TABLE other.%s AS SELECT * FROM main.%s WHERE 0", name, name);
        if (!store_execute(store, sql, error))
            return false;
    }
    return store_execute(store, "CREATE INDEX other.runs ON run(id); CREATE INDEX other.instances ON instance(id)",
                         error);
}

/* Runs whose instance is lost are useless and are deleted. Which instances an experiment has is computed from its
 * runs. */
static const char join[] = "DELETE FROM other.run WHERE instance NOT IN (SELECT id FROM other.instance);"
                           "INSERT INTO other.member(experiment, instance, source, number) SELECT DISTINCT experiment,"
                           " instance, source, number FROM other.plan JOIN other.run ON run.id = run"
                           " WHERE method NOT GLOB 'train*'";

bool rescue_join(const struct store *store, soloist_error *error) { return store_execute(store, join, error); }

/* Rows of runs that can be read but whose seals are wrong. */
static const char make_altered[] = "CREATE TABLE other.altered AS SELECT * FROM other.run;"
                                   "CREATE UNIQUE INDEX other.altered_runs ON altered(id)";
/* The result of such a run is lost. Its key is kept, so that the run stays in the plan and is made again, if all values
 * of the key also occur in runs with right seals, and no other run has this key. */
#define LIMITS "iterations_limit, nodes_limit, time_limit, memory_limit, threads, network"
static const char keep_altered[] =
    "DELETE FROM other.altered WHERE id IN (SELECT id FROM other.run)"
    " OR instance NOT IN (SELECT id FROM other.instance) OR seed NOT IN (SELECT seed FROM other.run)"
    " OR (method, " LIMITS ") NOT IN (SELECT DISTINCT method, " LIMITS " FROM other.run)"
    " OR (" STORE_KEY ", network) IN (SELECT " STORE_KEY ", network FROM other.run);"
    "INSERT INTO other.run(id, " STORE_KEY ", network) SELECT id, " STORE_KEY ", network FROM other.altered";
static const char drop_unplanned[] = "DELETE FROM other.run WHERE id IN (SELECT id FROM other.altered) AND id NOT IN"
                                     " (SELECT run FROM other.plan)";

/* Counts the planned runs that are lost: their keys are in their own rows alone. Only what can be read of the plan
 * counts. */
static bool count_unplanned(struct rescue *rescue, int64_t *count) {
    struct query planned, copied;
    soloist_error why = {0};
    bool damage, well = query_open(&copied, rescue->store, "SELECT 1 FROM other.run WHERE id = ?1", rescue->error);
    query_open(&planned, rescue->damaged, "SELECT DISTINCT run FROM plan", &why);
    while (well && query_next(&planned)) {
        query_bind_column(&copied, 1, &planned, 0);
        *count += !query_next(&copied);
        query_again(&copied);
    }
    well = end_rows(rescue, &planned, &why, &damage) && well;
    return query_close(&copied) && well;
}

static bool copy_all(struct rescue *rescue, struct rescued *rescued) {
    enum { EXPERIMENT, INSTANCE, RUN, PLAN, MEMBER, CURVE };
    int64_t unused = 0, highest = 0;
    bool well =
        store_execute(rescue->store, make_altered, rescue->error) &&
        copy_numbered(rescue, &seal_tables[EXPERIMENT], NULL, &unused) &&
        copy_numbered(rescue, &seal_tables[INSTANCE], NULL, &unused) &&
        copy_numbered(rescue, &seal_tables[RUN], rescue->sealed ? "altered" : NULL, &highest) &&
        store_execute(rescue->store, keep_altered, rescue->error) &&
        copy_owned(rescue, &seal_tables[PLAN], "SELECT experiment.id, run.id FROM other.experiment, other.run",
                   "experiment = ?1 AND run = ?2") &&
        store_execute(rescue->store, drop_unplanned, rescue->error) &&
        copy_owned(rescue, &seal_tables[CURVE], "SELECT id FROM other.run", "run = ?1") &&
        rescue_join(rescue->store, rescue->error) &&
        store_number(rescue->store, "SELECT count(*) FROM other.run WHERE id NOT IN (SELECT id FROM other.altered)",
                     NULL, &rescued->read, rescue->error) &&
        count_unplanned(rescue, &rescued->plans);
    rescued->lost = highest - rescued->read;
    return well;
}

static bool has_column(const struct store *damaged, const char *select) {
    struct query query;
    bool has = query_open(&query, damaged, select, NULL);
    query_close(&query);
    return has;
}

bool rescue(const struct store *store, const char *path, struct rescued *rescued, soloist_error *error) {
    struct rescue rescue = {.store = store, .error = error};
    struct store *damaged = store_open(path, STORE_RESCUE, error);
    if (!damaged)
        return false;
    rescue.damaged = damaged;
    /* One transaction: otherwise each query would lock the file and read its first page again. */
    int64_t page_size;
    if (!store_execute(damaged, "BEGIN", NULL) || !store_number(damaged, "PRAGMA page_size", NULL, &page_size, NULL))
        page_size = 4096;
    rescue.fine_steps = page_size / LEAST_ROW;
    rescue.sealed = has_column(damaged, "SELECT seal FROM run");
    int version = has_column(damaged, "SELECT tree_depth FROM run")    ? 5
                  : has_column(damaged, "SELECT evaluations FROM run") ? 4
                                                                       : 3;
    rescue.layout = version - STORE_FIRST_SEALED;
    bool well = copy_all(&rescue, rescued);
    store_close(damaged);
    return well;
}
