/* Opening, the schema, and the few calls through which everything else speaks SQL. */
#define _GNU_SOURCE
#include "lab/results/store.h"
#include "base/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run's key is all that decides what it does; its result is NULL until it has finished. A run is a search on an
 * instance, or a training: then the instance is the generator's options and the network is the description that it
 * begins with; for a search that wants one it is the file's name and hash. plan says which runs an experiment has and
 * under which names, so that experiments share runs and a changed experiment loses none. */
static const char schema[] =
    "CREATE TABLE experiment(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT "
    "NULL,"
    " scale REAL NOT NULL);"
    "CREATE TABLE instance(id INTEGER PRIMARY KEY, domain TEXT NOT NULL, options TEXT NOT NULL, name TEXT NOT NULL,"
    " text TEXT NOT NULL, UNIQUE(text, domain, options));"
    "CREATE TABLE plan(experiment INTEGER NOT NULL REFERENCES experiment, run INTEGER NOT NULL REFERENCES run,"
    " label TEXT NOT NULL, source TEXT NOT NULL, number INTEGER NOT NULL,"
    " PRIMARY KEY(experiment, run, label, source, number)) WITHOUT ROWID;"
    "CREATE TABLE member(experiment INTEGER NOT NULL REFERENCES experiment, instance INTEGER NOT NULL REFERENCES"
    " instance, source TEXT NOT NULL, number INTEGER NOT NULL,"
    " PRIMARY KEY(experiment, source, number, instance)) WITHOUT ROWID;";

/* Where a new store and one of the first version differ: a run's key had no network then, and no run a curve. value is
 * the best so far, or the mean of the policy alone; what only a training tells is NULL for a search. */
static const char second[] =
    "CREATE TABLE run_2(id INTEGER PRIMARY KEY, instance INTEGER NOT NULL REFERENCES instance, method TEXT NOT NULL,"
    " seed INTEGER NOT NULL, iterations_limit INTEGER NOT NULL, nodes_limit INTEGER NOT NULL, time_limit REAL NOT NULL,"
    " memory_limit INTEGER NOT NULL, threads INTEGER NOT NULL, network TEXT NOT NULL,"
    " status TEXT, stopped TEXT, value INTEGER, moves INTEGER, pushes INTEGER, optimal INTEGER, solution TEXT,"
    " time_s REAL, cpu_s REAL, nodes INTEGER, expanded INTEGER, iterations INTEGER, playouts INTEGER,"
    " eliminated INTEGER, skipped INTEGER, peak_bytes INTEGER, ran TEXT, error TEXT, version TEXT, signature TEXT,"
    " finished TEXT,"
    " UNIQUE(instance, method, seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads, network));"
    "CREATE TABLE curve(run INTEGER NOT NULL REFERENCES run, row INTEGER NOT NULL, time_s REAL NOT NULL, value REAL,"
    " interval REAL, nodes INTEGER, iterations INTEGER, doing TEXT, generation INTEGER, steps INTEGER, games INTEGER,"
    " positions INTEGER, policy_loss REAL, value_loss REAL, validation_policy_loss REAL, validation_value_loss REAL,"
    " validation_entropy REAL, played INTEGER, played_mean REAL, played_interval REAL,"
    " PRIMARY KEY(run, row)) WITHOUT ROWID;";
static const char copy_runs[] = "INSERT INTO run_2(" STORE_KEY ", id, network, " STORE_RESULT ") SELECT " STORE_KEY
                                ", id, '', " STORE_RESULT " FROM run;"
                                "DROP TABLE run;";
static const char ready[] = "ALTER TABLE run_2 RENAME TO run; PRAGMA user_version=2;";

#define RUN_COLUMNS                                                                                                    \
    "run.id, run.instance, label, source, number, domain, options, instance.name, method, seed, iterations_limit,"     \
    " nodes_limit, time_limit, memory_limit, threads, network, status, stopped, value,"                                \
    " iif(status = 'trained', NULL, status = 'solved') AS solved,"                                                     \
    " iif(status = 'solved', value, NULL) AS score, iif(status = 'solved', value, NULL) AS cost, moves, pushes,"       \
    " optimal, solution, time_s, cpu_s, nodes, expanded, iterations, playouts, eliminated, skipped, peak_bytes, ran,"  \
    " error, version, signature, finished"

bool store_fail(const struct store *store, soloist_error *error) {
    int code = sqlite3_extended_errcode(store->db), primary = code & 0xff;
    const char *advice = primary == SQLITE_FULL       ? ": what was stored is kept; make room and run the same command"
                         : primary == SQLITE_IOERR    ? ": what was stored is kept; is the disk full?"
                         : primary == SQLITE_READONLY ? ": the file or its folder cannot be written"
                         : primary == SQLITE_NOTADB   ? ": is it another kind of file?"
                         : primary == SQLITE_CANTOPEN ? ": is the folder there, and may it be written?"
                                                      : "";
    return soloist_fail(error, 0, 0, "%.120s: %.80s%s", store->path, sqlite3_errmsg(store->db), advice);
}

bool store_execute(const struct store *store, const char *sql, soloist_error *error) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, error);
}

sqlite3_stmt *store_prepare(const struct store *store, const char *sql, soloist_error *error) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        store_fail(store, error);
    return statement;
}

sqlite3_stmt *store_select(const struct store *store, const char *sql, soloist_error *error) {
    sqlite3_stmt *statement = store_prepare(store, sql, error);
    if (!statement || (sqlite3_column_count(statement) > 0 && sqlite3_stmt_readonly(statement)))
        return statement;
    sqlite3_finalize(statement);
    soloist_fail(error, 0, 0, "expected SELECT ..., a query that only reads");
    return NULL;
}

void store_bind(sqlite3_stmt *statement, const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (int i = 1; kinds[i - 1]; i++)
        switch (kinds[i - 1]) {
        case 't': sqlite3_bind_text(statement, i, va_arg(list, const char *), -1, SQLITE_STATIC); break;
        case 'i': sqlite3_bind_int64(statement, i, va_arg(list, int64_t)); break;
        case 'r': sqlite3_bind_double(statement, i, va_arg(list, double)); break;
        }
    va_end(list);
}

int64_t store_number(const struct store *store, const char *sql, const char *text) {
    sqlite3_stmt *statement = store_prepare(store, sql, NULL);
    int64_t number = -1;
    if (statement && text)
        store_bind(statement, "t", text);
    if (statement && sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

/* ---- opening ---- */

/* A lock of its own kind on a byte that SQLite never looks at: it goes with the process, however that ends. The file
 * stays open as long as SQLite has it open, because closing it would drop SQLite's own locks. */
static bool take_lock(struct store *store, soloist_error *error) {
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 40, .l_len = 1};
    store->lock = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock < 0)
        return soloist_fail(error, 0, 0, "%.150s: %s", store->path, strerror(errno));
    if (fcntl(store->lock, F_OFD_SETLK, &range) == 0)
        return true;
    if (errno == EAGAIN || errno == EACCES)
        return soloist_fail(error, 0, 0, "%.150s: another process is running experiments in it", store->path);
    return true; /* a file system without locks */
}

/* Makes the tables in a new file, or what a file of the first version lacks. All or nothing. */
static bool make_tables(const struct store *store, bool anew, soloist_error *error) {
    if (store_execute(store, "BEGIN IMMEDIATE", error) && (!anew || store_execute(store, schema, error)) &&
        store_execute(store, second, error) && (anew || store_execute(store, copy_runs, error)) &&
        store_execute(store, ready, error) && store_execute(store, "COMMIT", error))
        return true;
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* Refuses a file that is not ours or of a later version. */
static bool check_schema(const struct store *store, enum store_mode mode, soloist_error *error) {
    int64_t version = store_number(store, "PRAGMA user_version", NULL);
    int64_t tables = store_number(store, "SELECT count(*) FROM sqlite_master", NULL);
    if (version < 0 || tables < 0)
        return store_fail(store, error);
    if (version == STORE_VERSION)
        return true;
    if (version > STORE_VERSION)
        return soloist_fail(error, 0, 0, "%.120s: written by a later version of Soloist (store %d, known %d)",
                            store->path, (int)version, STORE_VERSION);
    bool anew = version == 0;
    if (anew && (tables > 0 || mode == STORE_READ))
        return soloist_fail(error, 0, 0, "%.150s: not a store of Soloist's", store->path);
    return make_tables(store, anew, error);
}

static bool open_database(struct store *store, enum store_mode mode, soloist_error *error) {
    /* Reading may have to finish what a killed writer began, so that it too opens for writing where it may. */
    int flags = SQLITE_OPEN_READWRITE | (mode == STORE_READ ? 0 : SQLITE_OPEN_CREATE);
    if (mode == STORE_READ && access(store->path, F_OK))
        return soloist_fail(error, 0, 0, "%.150s: no such store (`soloist lab run FILE` makes one; --store names it)",
                            store->path);
    if (mode == STORE_RUN && !take_lock(store, error))
        return false;
    if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
        return store->db ? store_fail(store, error) : soloist_fail(error, 0, 0, "out of memory");
    sqlite3_busy_timeout(store->db, 10000);
    sqlite3_extended_result_codes(store->db, 1);
    if (mode != STORE_READ && !store_execute(store, "PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL", error))
        return false;
    return check_schema(store, mode, error);
}

struct store *store_open(const char *path, enum store_mode mode, soloist_error *error) {
    struct store *store = calloc(1, sizeof *store);
    if (!store || !(store->path = strdup(path))) {
        free(store);
        soloist_fail(error, 0, 0, "out of memory");
        return NULL;
    }
    store->lock = -1;
    if (open_database(store, mode, error))
        return store;
    store_close(store);
    return NULL;
}

void store_close(struct store *store) {
    if (!store)
        return;
    sqlite3_close(store->db);
    if (store->lock >= 0)
        close(store->lock);
    free(store->path);
    free(store);
}

/* ---- experiments ---- */

static int64_t refuse_experiment(const struct store *store, const char *name, soloist_error *error) {
    struct buffer names;
    buffer_open(&names);
    soloist_sink sink = buffer_sink(&names);
    sqlite3_stmt *statement = store_prepare(store, "SELECT name FROM experiment ORDER BY id", error);
    while (statement && sqlite3_step(statement) == SQLITE_ROW)
        soloist_print(&sink, "%s%s", names.length ? ", " : "", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    if (!names.length)
        soloist_fail(error, 0, 0, "%.150s: no experiment in it yet", store->path);
    else if (name)
        soloist_fail(error, 0, 0, "%.60s: no experiment %.60s: it has %.100s", store->path, name, names.text);
    else
        soloist_fail(error, 0, 0, "%.80s: which experiment? It has %.120s", store->path, names.text);
    buffer_close(&names);
    return 0;
}

int64_t store_find_experiment(const struct store *store, const char *name, soloist_error *error) {
    int64_t id = -1;
    if (name)
        id = store_number(store, "SELECT id FROM experiment WHERE name = ?1", name);
    else if (store_number(store, "SELECT count(*) FROM experiment", NULL) == 1)
        id = store_number(store, "SELECT id FROM experiment", NULL);
    return id > 0 ? id : refuse_experiment(store, name, error);
}

bool store_look_at(const struct store *store, int64_t experiment, enum store_look look, soloist_error *error) {
    char sql[4096];
    const char *kind = look == STORE_SNAPSHOT ? "TABLE" : "VIEW";
    snprintf(
        sql, sizeof sql,
        "DROP %s IF EXISTS temp.runs; DROP %s IF EXISTS temp.instances; DROP %s IF EXISTS temp.curves;"
        "CREATE TEMP %s runs AS SELECT " RUN_COLUMNS " FROM plan JOIN run ON run.id = plan.run"
        " JOIN instance ON instance.id = run.instance WHERE experiment = %lld AND status IS NOT NULL;"
        "CREATE TEMP %s instances AS SELECT instance.id, source, number, domain, options, instance.name, text"
        " FROM member JOIN instance ON instance.id = member.instance WHERE experiment = %lld;"
        "CREATE TEMP %s curves AS SELECT label, source, number, instance, method, seed, time_limit, threads, status,"
        " curve.* FROM plan JOIN run ON run.id = plan.run JOIN curve ON curve.run = plan.run"
        " WHERE experiment = %lld",
        kind, kind, kind, kind, (long long)experiment, kind, (long long)experiment, kind, (long long)experiment);
    store_add_functions(store);
    return store_execute(store, sql, error) &&
           (look != STORE_SNAPSHOT ||
            store_execute(store, "CREATE INDEX temp.runs_by_label ON runs(label, source, number, seed)", error));
}
