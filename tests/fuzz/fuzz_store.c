/* A results store: whatever the file holds, it is opened, or refused with a sentence; what is still legible can be
 * merged into another store, which is whole afterwards. The corpus has instances of pancakes only, because the texts of
 * all games have their own targets. */
#include "stores.h"

#include "base/hash.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_runs(const struct store *store) {
    soloist_error error = {0};
    int64_t runs, experiment = store_find_experiment(store, NULL, &error);
    require(experiment || *error.text);
    if (experiment && store_look_at(store, experiment, STORE_LIVE, &error) &&
        !store_number(store, "select count(*) from runs", NULL, &runs, &error))
        require(*error.text);
}

/* A hash of all rows of a database that is open in the store. */
static uint64_t hash_rows(const struct store *store, const char *database) {
    char sql[1024];
    uint64_t hash = 0;
    int64_t rows;
    soloist_error error = {0};
    for (int i = 0; i < SEAL_TABLES; i++) {
        snprintf(sql, sizeof sql, "SELECT seal_of(group_concat(seal_of(%s))) FROM %s.%s",
                 seal_tables[i].columns[SEAL_PRESENT], database, seal_tables[i].name);
        require(store_number(store, sql, NULL, &rows, &error));
        hash = hash_mix(hash ^ (uint64_t)rows);
    }
    return hash;
}

/* A hash of what can be rescued from a damaged store. */
static uint64_t hash_rescued(const char *path) {
    static struct store *aside;
    struct rescued rescued;
    soloist_error error = {0};
    if (!aside)
        aside = open_aside(rescue_make_tables);
    require(store_begin(aside, &error));
    int changes = sqlite3_total_changes(aside->db);
    bool well = rescue(aside, path, &rescued, &error);
    require(well || *error.text);
    uint64_t hash = well && sqlite3_total_changes(aside->db) != changes ? hash_rows(aside, "other") : 2;
    store_rollback(aside);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    bool damaged;
    uint64_t hash = 1;
    soloist_error error = {0};
    empty_store();
    memory_write(path, sizeof path, data, size);
    struct store *store = store_open_if_whole(path, STORE_READ, &damaged, &error);
    require(store || *error.text);
    if (store) {
        look_at_runs(store);
        hash = hash_rows(store, "main");
    } else if (damaged) {
        hash = hash_rescued(path);
    }
    store_close(store);
    if (!met_before(hash))
        merge_into_empty(path);
    unlink(path);
    return 0;
}
