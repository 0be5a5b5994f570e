/* Level sets are found by their names in the folders of the environment, in every form that packages have. */
#include "engine/level_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

struct shelf {
    char folder[64];
    struct level_sets sets;
};

static void put(const struct shelf *shelf, const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", shelf->folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static int set_up(void **state) {
    struct shelf *shelf = calloc(1, sizeof *shelf);
    char below[128];
    strcpy(shelf->folder, "/tmp/soloist-sets-XXXXXX");
    assert_non_null(mkdtemp(shelf->folder));
    setenv("SOLOIST_LEVELS", shelf->folder, 1);
    unsetenv("SOLOIST_DATA");
    put(shelf, "mine.xsb", "#####\n#@$.#\n#####\n");
    put(shelf, "xsokoban0001.sok", "first\n");
    put(shelf, "xsokoban0002.sok", "; second\n");
    put(shelf, "xsokoban0001.sol", "R\n");
    snprintf(below, sizeof below, "%s/skinner_microban03", shelf->folder);
    assert_int_equal(mkdir(below, 0777), 0);
    put(shelf, "skinner_microban03/skinner_microban03.txt", "third\n");
    assert_int_equal(level_sets_open(&shelf->sets), SOLOIST_OK);
    *state = shelf;
    return 0;
}

static int tear_down(void **state) {
    struct shelf *shelf = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", shelf->folder);
    level_sets_close(&shelf->sets);
    int status = system(command);
    free(shelf);
    return status;
}

static void assert_reads(const struct shelf *shelf, const char *name, enum level_sets_part part, const char *expected) {
    char *text;
    size_t length = 0;
    assert_int_equal(level_sets_read(&shelf->sets, name, part, &text, &length), SOLOIST_OK);
    if (!expected) {
        assert_null(text);
        return;
    }
    assert_non_null(text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    free(text);
}

static void test_reads(void **state) {
    const struct shelf *shelf = *state;
    assert_reads(shelf, "mine", LEVEL_SETS_BOARDS, "#####\n#@$.#\n#####\n");
    assert_reads(shelf, "mine", LEVEL_SETS_SOLUTIONS, NULL);
    assert_reads(shelf, "xsokoban", LEVEL_SETS_BOARDS, "; 1\n\nfirst\n\n\n; second\n\n\n");
    assert_reads(shelf, "xsokoban", LEVEL_SETS_SOLUTIONS, "R\n\n");
    assert_reads(shelf, "microban03", LEVEL_SETS_BOARDS, "third\n");
    assert_reads(shelf, "no such set", LEVEL_SETS_BOARDS, NULL);
    assert_reads(shelf, "../mine", LEVEL_SETS_BOARDS, NULL);
    assert_reads(shelf, "", LEVEL_SETS_BOARDS, NULL);
}

static void test_finds(void **state) {
    const struct shelf *shelf = *state;
    char path[256], expected[128];
    assert_true(level_sets_find(&shelf->sets, "mine.xsb", path, sizeof path));
    snprintf(expected, sizeof expected, "%s/mine.xsb", shelf->folder);
    assert_string_equal(path, expected);
    assert_false(level_sets_find(&shelf->sets, "nowhere.xsb", path, sizeof path));
}

struct listing {
    const char *folder;
    char names[256];
};

static void list(void *user, const char *name, const char *folder) {
    struct listing *listing = user;
    size_t length = strlen(listing->names);
    if (!strcmp(folder, listing->folder))
        snprintf(listing->names + length, sizeof listing->names - length, "%s ", name);
}

static void test_lists(void **state) {
    const struct shelf *shelf = *state;
    struct listing listing = {.folder = shelf->folder};
    assert_int_equal(level_sets_each(&shelf->sets, list, &listing), SOLOIST_OK);
    assert_string_equal(listing.names, "mine xsokoban microban3 ");
}

static void test_known_names(void **state) {
    (void)state;
    assert_true(level_sets_known("microban") && level_sets_known("microban1") && level_sets_known("sasquatch007"));
    assert_false(level_sets_known("mine") || level_sets_known("microban99"));
    size_t count = 0;
    while (level_sets_known_name(count))
        assert_true(level_sets_known(level_sets_known_name(count++)));
    assert_true(count > 10);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(test_reads), TEST(test_finds), TEST(test_lists),
                                       cmocka_unit_test(test_known_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
