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
    require(seal_check(store, true, what, &error) && !*what);
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

/* Merges the file into an empty store in memory. That takes milliseconds to create, so one store serves all inputs.
 * Returns whether the file is a store without damage. */
static bool merge_into_empty(const char *path) {
    static struct store *store;
    static soloist *engine;
    soloist_error error = {0};
    struct merged merged;
    if (!store) {
        pool_give_to_sqlite();
        engine = soloist_new();
        store = store_open(":memory:", STORE_WRITE, &error);
        require(engine && store);
    }
    int changes = sqlite3_total_changes(store->db);
    bool well = store_merge(store, engine, path, &merged, &error);
    require(well || *error.text);
    require(sqlite3_get_autocommit(store->db) && !sqlite3_db_filename(store->db, "other"));
    if (sqlite3_total_changes(store->db) != changes)
        check_and_empty(store, well);
    return well && !merged.damaged;
}

#endif
