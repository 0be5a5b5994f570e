/* A results store: whatever the file holds, it is opened, or refused with a sentence; what is still legible can be
 * merged into another store, which is whole afterwards. */
#include "stores.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Opens a file without damage, which is a store or JSON lines, and looks at its runs. */
static void look_at_runs(const char *path) {
    soloist_error error = {0};
    struct store *store = store_open(path, STORE_READ, &error);
    require(store || *error.text);
    if (!store)
        return;
    int64_t experiment = store_find_experiment(store, NULL, &error);
    if (experiment > 0 && store_look_at(store, experiment, STORE_LIVE, &error)) {
        int64_t runs = -1;
        if (!store_number(store, "select count(*) from runs", NULL, &runs, &error))
            require(*error.text);
    }
    store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    memory_write(path, sizeof path, data, size);
    if (merge_into_empty(path))
        look_at_runs(path);
    unlink(path);
    return 0;
}
