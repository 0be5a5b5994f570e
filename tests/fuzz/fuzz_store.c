/* A results store: whatever the file holds, it is opened, or refused with a sentence; what is still legible can be
 * merged into a new store, which is whole afterwards. */
#include "stores.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char folder[64], path[128];
    bool damaged = false;
    soloist_error error = {0};
    make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/old.db", folder);
    write_file(path, data, size);
    struct store *store = store_open_if_whole(path, STORE_READ, &damaged, &error);
    require(store || *error.text);
    if (store) {
        int64_t experiment = store_find_experiment(store, NULL, &error);
        if (experiment > 0 && store_look_at(store, experiment, STORE_LIVE, &error)) {
            int64_t runs = -1;
            if (!store_number(store, "select count(*) from runs", NULL, &runs, &error))
                require(*error.text);
        }
        store_close(store);
    }
    merge_into_new(folder, path);
    unlink(path);
    rmdir(folder);
    return 0;
}
