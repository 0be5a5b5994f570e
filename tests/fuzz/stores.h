/* Files and a store for the targets that read results. */
#ifndef TESTS_FUZZ_STORES_H
#define TESTS_FUZZ_STORES_H

#include "lab/results/merge.h"
#include "lab/results/seal.h"
#include "memory.h"
#include "sqlite_pool.h"

#include <stdlib.h>

static void require(bool holds) {
    if (!holds)
        abort();
}

/* The rows of the store must be whole, and there must be none if nothing was merged. They are deleted. */
static void check_and_empty(const struct store *store, bool merged) {
    char what[80];
    int64_t rows;
    soloist_error error = {0};
    require(seal_check(store, SEAL_PRESENT, what, &error) && !*what);
    require(store_number(store,
                         "SELECT (SELECT count(*) FROM experiment) + (SELECT count(*) FROM instance) + (SELECT count(*)"
                         " FROM run) + (SELECT count(*) FROM plan) + (SELECT count(*) FROM member)",
                         NULL, &rows, &error));
    require(merged || !rows);
    if (rows)
        require(store_execute(store,
                              "DELETE FROM plan; DELETE FROM member; DELETE FROM curve; DELETE FROM run;"
                              "DELETE FROM instance; DELETE FROM experiment",
                              &error));
}

/* A store in memory, to which an empty database is attached as `other`, with the tables for what is read. */
static inline struct store *open_aside(bool (*make_tables)(const struct store *, soloist_error *)) {
    soloist_error error = {0};
    struct store *store = store_open(":memory:", STORE_WRITE, &error);
    require(store && store_execute(store, "ATTACH '' AS other", &error) && make_tables(store, &error));
    return store;
}

/* The empty store in memory. It takes milliseconds to create, so one store serves all inputs. */
static const struct store *empty_store(void) {
    static struct store *store;
    soloist_error error = {0};
    if (!store) {
        pool_give_to_sqlite();
        store = store_open(":memory:", STORE_WRITE, &error);
        require(store);
    }
    return store;
}

/* Merges the file into the empty store, and empties it again. */
static void merge_into_empty(const char *path) {
    static soloist *engine;
    const struct store *store = empty_store();
    soloist_error error = {0};
    struct merged merged;
    if (!engine)
        require((engine = soloist_new()));
    int changes = sqlite3_total_changes(store->db);
    bool well = store_merge(store, engine, path, &merged, &error);
    require(well || *error.text);
    require(sqlite3_get_autocommit(store->db) && !sqlite3_db_filename(store->db, "other"));
    if (sqlite3_total_changes(store->db) != changes)
        check_and_empty(store, well);
}

/* Whether results with this hash have been met before. Most inputs have the results of earlier ones, and a merge takes
 * longer than reading. */
static bool met_before(uint64_t hash) {
    static uint64_t met[1 << 20];
    uint64_t *place = &met[hash % (sizeof met / sizeof *met)];
    bool before = *place == hash;
    *place = hash;
    return before;
}

#endif
