/* Opens a store, defines the schema, and has the few functions through which all other files use SQL. */
#define _GNU_SOURCE
#include "lab/results/store.h"
#include "base/buffer.h"
#include "lab/results/query.h"
#include "lab/results/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The key of a run is everything that determines what it does; its result is NULL until it has finished. A run is a
 * search on an instance or a training. For a training, the instance is the generator's options, and the network is the
 * description with which it begins. For a search that uses a network, the network is the file's name and hash. The
 * table `plan` says which runs an experiment has and under which labels, so that experiments can share runs, and no run
 * is lost when an experiment changes. */
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

/* Changes since the first version, in which a run's key had no network and there were no curves. A curve's `value` is
 * the best value so far or, for a training, the mean score of the policy without search. Columns that only trainings
 * have are NULL for a search. */
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
static const char copy_runs[] = "INSERT INTO run_2(" STORE_KEY ", id, network, " STORE_FIRST_RESULT
                                ") SELECT " STORE_KEY ", id, '', " STORE_FIRST_RESULT " FROM run;"
                                "DROP TABLE run;";
static const char ready[] = "ALTER TABLE run_2 RENAME TO run;";

/* Changes since the second version, in which an instance was identified by its text, domain and options as written, and
 * rows had no seals. */
static const char third[] =
    "CREATE TABLE instance_3(id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, domain TEXT NOT NULL, options TEXT"
    " NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, seal INTEGER);"
    "INSERT INTO instance_3(id, identity, domain, options, name, text) SELECT id, text_identity(domain, options, text),"
    " domain, options, name, text FROM instance;"
    "DROP TABLE instance;"
    "ALTER TABLE instance_3 RENAME TO instance;"
    "ALTER TABLE experiment ADD COLUMN seal INTEGER;"
    "ALTER TABLE run ADD COLUMN seal INTEGER;"
    "ALTER TABLE plan ADD COLUMN seal INTEGER;"
    "ALTER TABLE member ADD COLUMN seal INTEGER;"
    "ALTER TABLE curve ADD COLUMN seal INTEGER;"
    "CREATE TABLE sealed(schema INTEGER NOT NULL);";

/* Changes since the third version: how often a run asked its network, and the stages of a training's curriculum. */
static const char fourth[] = "ALTER TABLE run ADD COLUMN evaluations INTEGER;"
                             "ALTER TABLE curve ADD COLUMN stage INTEGER;"
                             "ALTER TABLE curve ADD COLUMN iteration_solve_rate REAL;";

/* The change since the fourth version: how deep the tree of a run was. */
static const char fifth[] = "ALTER TABLE run ADD COLUMN tree_depth INTEGER;";

/* A run that failed measured nothing: its numbers are NULL, so that they are in no mean. */
#define MEASURED(column) "iif(status = 'invalid', NULL, " column ") AS " column ", "
#define RUN_COLUMNS                                                                                                    \
    "run.id, run.instance, label, source, number, domain, options, instance.name, method, seed, iterations_limit,"     \
    " nodes_limit, time_limit, memory_limit, threads, network, status, stopped, value,"                                \
    " iif(status IN ('trained', 'measured', 'invalid'), NULL, status = 'solved') AS solved,"                           \
    " iif(status = 'solved', value, NULL) AS score, iif(status = 'solved', value, NULL) AS cost, moves, "              \
    "pushes, " MEASURED("optimal") "solution, " MEASURED("time_s") MEASURED("cpu_s") MEASURED("nodes")                 \
        MEASURED("expanded") MEASURED("iterations") MEASURED("playouts") MEASURED("evaluations")                       \
            MEASURED("eliminated") MEASURED("skipped") MEASURED("tree_depth")                                          \
                MEASURED("peak_bytes") "ran, error, version, signature, finished"

#define WAY_OUT "`soloist lab merge DAMAGED --store NEW` takes what can still be read"

bool store_fail(const struct store *store, soloist_error *error) {
    int code = sqlite3_extended_errcode(store->db), primary = code & 0xff;
    size_t length = strlen(store->path);
    bool lines = length > 6 && !strcmp(store->path + length - 6, ".jsonl");
    const char *advice = primary == SQLITE_FULL    ? ": what was stored is safe; free some space and repeat the command"
                         : primary == SQLITE_IOERR ? ": what was stored is safe; is the disk full?"
                         : primary == SQLITE_READONLY ? ": the file or its folder cannot be written"
                         : primary == SQLITE_NOTADB && lines
                             ? ": `soloist lab merge` adds a file of JSON lines to a store"
                         : primary == SQLITE_NOTADB   ? ": it may be another kind of file"
                         : primary == SQLITE_CANTOPEN ? ": does the folder exist, and is it writable?"
                         : primary == SQLITE_CORRUPT  ? ": it is damaged; " WAY_OUT
                         : primary == SQLITE_BUSY     ? ": another program is using it; what was stored is safe"
                                                      : "";
    return soloist_fail(error, 0, 0, "%.80s: %.60s%s", store->path, sqlite3_errmsg(store->db), advice);
}

bool store_execute(const struct store *store, const char *sql, soloist_error *error) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, error);
}

bool store_begin(const struct store *store, soloist_error *error) {
    return store_execute(store, "BEGIN IMMEDIATE", error);
}

bool store_commit(const struct store *store, soloist_error *error) { return store_execute(store, "COMMIT", error); }

/* A failure is ignored, because some errors have already ended the transaction. */
void store_rollback(const struct store *store) { sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL); }

bool store_number(const struct store *store, const char *sql, const char *text, int64_t *number, soloist_error *error) {
    struct query query;
    query_open(&query, store, sql, error);
    if (text)
        query_bind(&query, "t", text);
    *number = query_next(&query) ? query_int(&query, 0) : -1;
    return query_close(&query);
}

/* ---- opening ---- */

/* Locks a byte that SQLite never uses; the lock ends with the process, even if that is killed. The file stays open as
 * long as SQLite has it open, because closing it would release SQLite's own locks. */
static bool take_lock(struct store *store, soloist_error *error) {
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 40, .l_len = 1};
    store->lock = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock < 0)
        return soloist_fail(error, 0, 0, "%.150s: %s", store->path, strerror(errno));
    if (fcntl(store->lock, F_OFD_SETLK, &range) == 0)
        return true;
    if (errno == EAGAIN || errno == EACCES)
        return soloist_fail(error, 0, 0, "%.150s: another process is running experiments in it", store->path);
    return true; /* the file system does not support locks: the store is used without one */
}

/* Creates the tables in a new file (version 0), or upgrades a file of an earlier version, in one transaction. */
static bool make_tables(const struct store *store, int64_t version, soloist_error *error) {
    char ours[96];
    snprintf(ours, sizeof ours, "PRAGMA user_version=%d; PRAGMA application_id=%d", STORE_VERSION, STORE_APPLICATION);
    if (store_begin(store, error) && (version > 0 || store_execute(store, schema, error)) &&
        (version > 1 || store_execute(store, second, error)) &&
        (version != 1 || store_execute(store, copy_runs, error)) &&
        (version > 1 || store_execute(store, ready, error)) &&
        (version >= STORE_FIRST_SEALED || store_execute(store, third, error)) &&
        (version > 3 || store_execute(store, fourth, error)) && store_execute(store, fifth, error) &&
        seal_all(store, error) && store_execute(store, ours, error) && store_commit(store, error))
        return true;
    store_rollback(store);
    return false;
}

static bool refuse_damaged(const struct store *store, const char *what, bool *damaged, soloist_error *error) {
    *damaged = true;
    return soloist_fail(error, 0, 0, "%.80s: it is damaged: %.79s; " WAY_OUT, store->path, what);
}

/* Checks the whole store. Everything is read in one transaction, because others may be writing. If a statement does not
 * fit the tables, SQLite returns its generic error: then the tables were altered. */
static bool check_whole(const struct store *store, int64_t version, bool *damaged, soloist_error *error) {
    char what[80];
    if (!store_execute(store, "BEGIN", error))
        return false;
    bool read = seal_check(store, (int)version - STORE_FIRST_SEALED, what, error);
    int code = sqlite3_errcode(store->db) & 0xff;
    if (!read && (code == SQLITE_ERROR || code == SQLITE_CORRUPT))
        snprintf(what, sizeof what, "%.79s", sqlite3_errmsg(store->db));
    store_rollback(store);
    return *what ? refuse_damaged(store, what, damaged, error) : read;
}

/* Refuses a file of another program or of a later version; creates or upgrades tables if necessary. A store with seals
 * is checked before it is upgraded, because the upgrade seals every row anew. */
static bool check_version(const struct store *store, enum store_mode mode, bool *damaged, soloist_error *error) {
    int64_t version, tables, application;
    char odd[64];
    if (!store_number(store, "PRAGMA user_version", NULL, &version, error) ||
        !store_number(store, "PRAGMA application_id", NULL, &application, error) ||
        !store_number(store, "SELECT count(*) FROM sqlite_master", NULL, &tables, error))
        return false;
    bool ours = application == STORE_APPLICATION;
    if (version == STORE_VERSION && ours)
        return true;
    if (version > STORE_VERSION && version < 1000)
        return soloist_fail(error, 0, 0, "%.120s: written by a later version of Soloist (store %lld, known %d)",
                            store->path, (long long)version, STORE_VERSION);
    snprintf(odd, sizeof odd, "its version is %lld", (long long)version);
    if (version < 0 || version > STORE_VERSION || (ours && version < STORE_FIRST_SEALED))
        return refuse_damaged(store, odd, damaged, error);
    if (version >= STORE_FIRST_SEALED && !ours)
        return refuse_damaged(store, "its header is not that of a store", damaged, error);
    if (!version && tables > 0)
        return soloist_fail(error, 0, 0, "%.150s: not a Soloist results store", store->path);
    if (!version && mode == STORE_READ) /* empty: its writer was killed before it had made the tables */
        return soloist_fail(error, 0, 0, "%.150s: holds no experiment yet", store->path);
    if (sqlite3_db_readonly(store->db, "main") == 1)
        return soloist_fail(error, 0, 0,
                            "%.120s: made by an earlier version of Soloist, and not writable, so it cannot be"
                            " upgraded: use a writable copy",
                            store->path);
    return (version < STORE_FIRST_SEALED || check_whole(store, version, damaged, error)) &&
           make_tables(store, version, error);
}

static bool set_up(struct store *store, enum store_mode mode, bool *damaged, soloist_error *error) {
    sqlite3_busy_timeout(store->db, 10000);
    sqlite3_extended_result_codes(store->db, 1);
    if (!seal_add_functions(store, error))
        return false;
    if (mode == STORE_RESCUE) /* with this setting, SQLite also reads a file whose last pages are missing */
        return store_execute(store, "PRAGMA writable_schema=ON", error);
    if (mode > STORE_READ && !store_execute(store, "PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA", error))
        return false;
    return check_version(store, mode, damaged, error) && check_whole(store, STORE_VERSION, damaged, error) &&
           (mode == STORE_READ || seal_add_triggers(store, error));
}

static bool open_database(struct store *store, enum store_mode mode, bool *damaged, soloist_error *error) {
    /* A reader may have to roll back the transaction of a writer that was killed; it therefore opens the file for
     * writing if permitted. */
    int flags = mode == STORE_RESCUE ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (mode <= STORE_READ && access(store->path, F_OK))
        return soloist_fail(error, 0, 0, "%.90s: no such store; `soloist lab run FILE --store %.90s` creates it",
                            store->path, store->path);
    if (mode == STORE_RUN && !take_lock(store, error))
        return false;
    if (sqlite3_open_v2(store->path, &store->db, flags | (mode > STORE_READ ? SQLITE_OPEN_CREATE : 0), NULL) !=
        SQLITE_OK)
        return store->db ? store_fail(store, error) : soloist_fail(error, 0, 0, "out of memory");
    if (set_up(store, mode, damaged, error))
        return true;
    *damaged |= (sqlite3_errcode(store->db) & 0xff) == SQLITE_CORRUPT;
    return false;
}

struct store *store_open_if_whole(const char *path, enum store_mode mode, bool *damaged, soloist_error *error) {
    struct store *store = calloc(1, sizeof *store);
    *damaged = false;
    if (!store || !(store->path = strdup(path))) {
        free(store);
        soloist_fail(error, 0, 0, "out of memory");
        return NULL;
    }
    store->lock = -1;
    if (open_database(store, mode, damaged, error))
        return store;
    store_close(store);
    return NULL;
}

struct store *store_open(const char *path, enum store_mode mode, soloist_error *error) {
    bool damaged;
    return store_open_if_whole(path, mode, &damaged, error);
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

static bool list_experiments(const struct store *store, struct buffer *names, soloist_error *error) {
    struct query query;
    soloist_sink sink = buffer_sink(names);
    query_open(&query, store, "SELECT name FROM experiment ORDER BY id", error);
    while (query_next(&query))
        soloist_print(&sink, "%s%s", names->length ? ", " : "", query_text(&query, 0));
    return query_close(&query) && (!names->failed || soloist_fail(error, 0, 0, "out of memory"));
}

static int64_t refuse_experiment(const struct store *store, const char *name, soloist_error *error) {
    struct buffer names;
    buffer_open(&names);
    if (list_experiments(store, &names, error)) {
        if (!names.length)
            soloist_fail(error, 0, 0, "%.150s: holds no experiment yet", store->path);
        else if (name)
            soloist_fail(error, 0, 0, "%.60s: no experiment %.60s: it has %.100s", store->path, name, names.text);
        else
            soloist_fail(error, 0, 0, "%.80s: which experiment? It has %.120s", store->path, names.text);
    }
    buffer_close(&names);
    return 0;
}

int64_t store_find_experiment(const struct store *store, const char *name, soloist_error *error) {
    const char *sql =
        name ? "SELECT id FROM experiment WHERE name = ?1" : "SELECT iif(count(*) = 1, min(id), -1) FROM experiment";
    int64_t id;
    if (!store_number(store, sql, name, &id, error))
        return 0;
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
        " run, " STORE_CURVE " FROM plan JOIN (SELECT id, instance, method, seed, time_limit, threads, status FROM run)"
        " ON id = run JOIN curve USING(run) WHERE experiment = %lld",
        kind, kind, kind, kind, (long long)experiment, kind, (long long)experiment, kind, (long long)experiment);
    return store_add_functions(store, error) && store_execute(store, sql, error) &&
           (look != STORE_SNAPSHOT ||
            store_execute(store, "CREATE INDEX temp.runs_by_label ON runs(label, source, number, seed)", error));
}
