/* One engine and the same instances under several threads at once: an instance is immutable, tables are made once and
 * shared, and every thread finds what a lone one does. The thread sanitizer watches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "soloist.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { workers = 4 };

static const struct {
    const char *domain, *options, *text, *methods[3];
    int32_t value;
} cases[] = {
    {"sokoban", NULL, "######\n#@   #\n#  $.#\n# .$ #\n######\n", {"astar", "bfs", "dbbs"}, 2},
    {"tiles", "bound=555", "4 1 2 3 8 5 6 7 9 13 10 11 12 0 14 15", {"idastar", "astar", "auto"}, 4},
    {"pancake", NULL, "5 2 7 1 6 4 3", {"bae", "mm", "idastar"}, 6},
};
enum { case_count = sizeof cases / sizeof *cases };

struct work {
    const soloist *engine;
    const soloist_puzzle *puzzles;
    int number;
    int wrong;
};

static void *solve_all(void *argument) {
    struct work *work = argument;
    const soloist_limits limits = {.time_s = 60, .seed = 1};
    for (int c = 0; c < case_count; c++)
        for (int m = 0; m < 3; m++) {
            int method = (m + work->number) % 3; /* different methods on one puzzle at one time */
            soloist_result result;
            soloist_error error = {0};
            soloist_code code = soloist_solve(work->engine, &work->puzzles[c], cases[c].methods[method], &limits, NULL,
                                              &result, &error);
            work->wrong += code != SOLOIST_OK || !result.optimal || result.verdict.value != cases[c].value;
            soloist_result_free(&result);
        }
    return NULL;
}

static void threads_share_an_engine(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-threads-XXXXXX", command[200];
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    soloist *engine = soloist_new();
    soloist_puzzle puzzles[case_count];
    for (int c = 0; c < case_count; c++) {
        soloist_chunk chunk = {.text = cases[c].text, .length = strlen(cases[c].text), .line = 1};
        soloist_error error = {0};
        assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, cases[c].domain), cases[c].options, &chunk,
                                             &puzzles[c], &error),
                         SOLOIST_OK);
    }
    pthread_t threads[workers];
    struct work work[workers];
    for (int t = 0; t < workers; t++) {
        work[t] = (struct work){engine, puzzles, t, 0};
        assert_int_equal(pthread_create(&threads[t], NULL, solve_all, &work[t]), 0);
    }
    for (int t = 0; t < workers; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(work[t].wrong, 0);
    }
    for (int c = 0; c < case_count; c++)
        soloist_puzzle_free(&puzzles[c]);
    soloist_free(engine);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_an_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
