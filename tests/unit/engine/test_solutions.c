/* Files of solutions in their three forms, and what is written read back. */
#include "base/buffer.h"
#include "engine/solutions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char levels[] = "#####\n#@$.#\n#####\nTitle: one\n\n######\n#@ $.#\n######\nTitle: two\n";
static const char stacks[] = "2 1\n3 1 2\n";

struct desk {
    soloist *engine;
    struct input input;
    struct solutions solutions;
    soloist_error error;
};

static struct desk open_desk(const char *text, const char *domain) {
    struct desk desk = {.engine = soloist_new()};
    struct source *source = input_add_source(&desk.input, "file", strdup(text), strlen(text));
    assert_non_null(source);
    source->domain = soloist_find_domain(desk.engine, domain);
    assert_non_null(source->domain);
    assert_int_equal(input_add_instances(&desk.input, source, NULL, NULL), SOLOIST_OK);
    assert_int_equal(desk.input.task_count, 2);
    return desk;
}

static void close_desk(struct desk *desk) {
    solutions_free(&desk->solutions);
    input_free(&desk->input);
    soloist_free(desk->engine);
}

static soloist_code read_them(struct desk *desk, const char *text) {
    solutions_free(&desk->solutions);
    return solutions_read(desk->engine, &desk->input, text, strlen(text), &desk->solutions, &desk->error);
}

static void assert_claims(struct desk *desk, const char *text, const char *first, const char *second) {
    assert_int_equal(read_them(desk, text), SOLOIST_OK);
    const char *expected[] = {first, second};
    for (int id = 1; id <= 2; id++) {
        const struct claim *claim = solutions_find(&desk->solutions, id);
        assert_int_equal(!claim || !claim->solution, !expected[id - 1]);
        if (expected[id - 1])
            assert_string_equal(claim->solution, expected[id - 1]);
    }
}

static void test_plain_lines(void **state) {
    (void)state;
    struct desk desk = open_desk(stacks, "pancake");
    assert_claims(&desk, "[2]\n\n[3,2] \n", "[2]", "[3,2]");
    assert_claims(&desk, "-\n[3,2]\n", NULL, "[3,2]");
    assert_claims(&desk, "; 2 name\n[3,2]\n", NULL, "[3,2]");
    assert_int_equal(read_them(&desk, "[2]\n[3]\n[4]\n"), SOLOIST_BAD_INPUT);
    assert_int_equal(desk.error.line, 3);
    close_desk(&desk);
}

static void test_json_lines(void **state) {
    (void)state;
    struct desk desk = open_desk(stacks, "pancake");
    assert_claims(&desk, "{\"id\":2,\"solution\":[3,2],\"cost\":2}\n", NULL, "[3,2]");
    assert_true(desk.solutions.claims[0].has[CLAIMED_COST] && desk.solutions.claims[0].count[CLAIMED_COST] == 2);
    assert_claims(&desk, "{\"id\":1,\"solution\":\"a\\tb\"}\n{\"id\":1,\"solution\":null}\n", "a\tb", NULL);
    assert_claims(&desk, "{\"id\":1,\"file\":\"other\",\"solution\":[1]}\n{\"id\":1,\"file\":\"file\"}\n", NULL, NULL);
    assert_int_equal(read_them(&desk, "{\"id\":1}\n{\"id\":0}\n"), SOLOIST_BAD_INPUT);
    assert_int_equal(desk.error.line, 2);
    assert_int_equal(read_them(&desk, "{\"id\":1\n"), SOLOIST_BAD_INPUT);
    assert_int_equal(desk.error.line, 1);
    close_desk(&desk);
}

/* Levels of a collection are found by their boards, in any order. */
static void test_collection(void **state) {
    (void)state;
    struct desk desk = open_desk(levels, "sokoban");
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    solutions_write_collection("######\n#@ $.#\n######", "two", "rR", &sink);
    soloist_put(&sink, "\n");
    solutions_write_collection("#####\n#@$.#\n#####\n", NULL, "RlrlrlrlR", &sink);
    assert_claims(&desk, text.text, "RlrlrlrlR", "rR");
    buffer_close(&text);
    close_desk(&desk);
}

static void test_lines_that_were_written(void **state) {
    (void)state;
    struct desk desk = open_desk(stacks, "pancake");
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    solutions_write_line(2, "of three", "[3,2]", &sink);
    solutions_write_line(1, "", "[2]", &sink);
    assert_claims(&desk, text.text, "[2]", "[3,2]");
    buffer_close(&text);
    close_desk(&desk);
}

/* A file with nothing in it is one task with an error. */
static void test_wrong_files(void **state) {
    (void)state;
    struct input input = {0};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_error error;
    struct source *source = input_add_source(&input, "empty", strdup(""), 0);
    source->domain = soloist_find_domain(engine, "pancake");
    assert_int_equal(input_add_instances(&input, source, NULL, NULL), SOLOIST_OK);
    assert_int_equal(input.task_count, 1);
    assert_int_equal(input_puzzle(&input, &input.tasks[0], &puzzle, &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "no instance of the domain pancake in this file");
    input_free(&input);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_lines), cmocka_unit_test(test_json_lines),
        cmocka_unit_test(test_collection),  cmocka_unit_test(test_lines_that_were_written),
        cmocka_unit_test(test_wrong_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
