/* Files and stores for the targets that read results. */
#ifndef TESTS_FUZZ_STORES_H
#define TESTS_FUZZ_STORES_H

#include "lab/results/merge.h"
#include "lab/results/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void require(bool holds) {
    if (!holds)
        abort();
}

/* A new folder, in memory where the system has such a place: stores are synchronised with the disk. */
static void make_folder(char *folder, size_t room) {
    snprintf(folder, room, "%s/soloist-fuzz-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    require(mkdtemp(folder) != NULL);
}

static void write_file(const char *path, const void *data, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    close(file);
}

/* Merges the file into a new store. Whether or not that succeeds, the new store is whole afterwards. */
static void merge_into_new(const char *folder, const char *other) {
    char path[128];
    soloist_error error = {0};
    struct merged merged;
    snprintf(path, sizeof path, "%s/new.db", folder);
    soloist *engine = soloist_new();
    struct store *store = store_open(path, STORE_WRITE, &error);
    require(engine && store);
    if (!store_merge(store, engine, other, &merged, &error))
        require(*error.text);
    store_close(store);
    store = store_open(path, STORE_READ, &error);
    require(store != NULL);
    store_close(store);
    soloist_free(engine);
    unlink(path);
}

#endif
