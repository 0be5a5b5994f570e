/* Linked into the test programs of the build with the thread sanitizer: of a group of tests, runs those that the file
 * SOLOIST_THREADS_LOG names (fault/note_threads.c). */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction set_up, CMFixtureFunction tear_down);
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction set_up, CMFixtureFunction tear_down);

static bool has_threads(FILE *log, const char *test) {
    char wanted[256], outside[256], line[256];
    snprintf(wanted, sizeof wanted, "%s %s\n", program_invocation_short_name, test);
    snprintf(outside, sizeof outside, "%s *\n", program_invocation_short_name);
    rewind(log);
    while (fgets(line, sizeof line, log))
        if (!strcmp(line, wanted) || !strcmp(line, outside))
            return true;
    return false;
}

int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction set_up, CMFixtureFunction tear_down) {
    FILE *log = fopen(SOLOIST_THREADS_LOG, "r");
    struct CMUnitTest *chosen = calloc(count, sizeof *chosen);
    size_t chosen_count = 0;
    if (!log || !chosen)
        abort();
    for (size_t i = 0; i < count; i++)
        if (has_threads(log, tests[i].name))
            chosen[chosen_count++] = tests[i];
    fclose(log);
    int failed = __real__cmocka_run_group_tests(name, chosen, chosen_count, set_up, tear_down);
    free(chosen);
    return failed;
}
