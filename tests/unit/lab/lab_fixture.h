/* A store in a file of its own, an engine, and an experiment to run in it: what the tests of the lab's results share.
 */
#ifndef TESTS_UNIT_LAB_LAB_FIXTURE_H
#define TESTS_UNIT_LAB_LAB_FIXTURE_H

#include "base/buffer.h"
#include "lab/results/look.h"
#include "lab/results/merge.h"
#include "lab/results/plan_store.h"
#include "lab/results/runner.h"
#include "lab/results/save.h"
#include "search/statistics.h"
#include "engine/identity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

struct bench {
    char path[64];
    struct store *store;
    soloist *engine;
};

static inline int set_up(void **state) {
    struct bench *bench = calloc(1, sizeof *bench);
    soloist_error error = {0};
    strcpy(bench->path, "/tmp/soloist-lab-XXXXXX");
    close(mkstemp(bench->path));
    bench->store = store_open(bench->path, STORE_RUN, &error);
    bench->engine = soloist_new();
    *state = bench;
    return bench->store && bench->engine ? 0 : -1;
}

static inline int tear_down(void **state) {
    struct bench *bench = *state;
    char command[128];
    store_close(bench->store);
    soloist_free(bench->engine);
    unlink(bench->path);
    snprintf(command, sizeof command, "rm -rf %s.run", bench->path);
    int status = system(command);
    free(bench);
    return status;
}

static inline char *read_name(void *user, const char *name, size_t *length, soloist_error *error) {
    (void)user;
    static const char net[] = "input 6x5x5\nconv 4 3x3 pad 1 elu\nlinear 25\npolicy\n";
    if (!strcmp(name, "net")) {
        *length = strlen(net);
        return strdup(net);
    }
    if (strcmp(name, "stacks") != 0) {
        soloist_fail(error, 0, 0, "%s: not here", name);
        return NULL;
    }
    static const char text[] = "4 1 3 2\n2 1 4 3\n1 x\n1 3 2 4\n";
    *length = strlen(text);
    return strdup(text);
}

static inline int64_t plan(const struct bench *bench, const char *name, const char *text, double scale,
                           soloist_error *error) {
    struct experiment experiment;
    struct plan_wish wish = {.name = name, .text = text, .scale = scale};
    struct plan_files files = {.read = read_name};
    if (!experiment_read(text, strlen(text), &experiment, error))
        return 0;
    int64_t id = plan_write(bench->store, bench->engine, &experiment, &wish, &files, error);
    experiment_free(&experiment);
    return id;
}

static inline int64_t number_in(const struct store *store, const char *sql) {
    soloist_error error = {0};
    int64_t number;
    if (!store_number(store, sql, NULL, &number, &error))
        fail_msg("%s", error.text);
    return number;
}

/* Runs what is left; returns how many runs that were. */
static inline uint64_t run(const struct bench *bench, int64_t id, int jobs) {
    struct runner runner = {.store = bench->store, .engine = bench->engine, .experiment = id, .jobs = jobs};
    soloist_error error = {0};
    struct runner_count count;
    int64_t before = number_in(bench->store, "SELECT count(status) FROM run");
    if (!runner_run(&runner, &count, &error))
        fail_msg("%s", error.text);
    assert_int_equal(count.left, 0);
    return (uint64_t)(number_in(bench->store, "SELECT count(status) FROM run") - before);
}

static const char stacks[] = "generate pancake n=8 count=6 seed=3 as made\n"
                             "method uct:length=12 as tree\n"
                             "method astar as exact\n"
                             "budget iterations={20,60}\n"
                             "seeds 1-2\n";

#endif
