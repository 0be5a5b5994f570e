/* What a method says that it ignores (the seed, the threads, the iterations) indeed changes nothing: the program warns
 * users by it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "any_network.h"
#include "engine/engine.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *domain, *text;
} cases[] = {
    {"sokoban", "#######\n#@    #\n# $.$ #\n#  .  #\n#######\n"},
    {"samegame", "121\n212\n112\n"},
    {"pancake", "5 2 7 1 6 4 3"},
    {"tictactoe", "XO./.X./O.."},
};
enum { case_count = sizeof cases / sizeof *cases };

/* The nodes of a run; 0 if the method is not for this domain. */
static uint64_t nodes_of(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                         const soloist_limits *limits) {
    soloist_result result;
    soloist_error error = {0};
    if (soloist_solve(engine, puzzle, method, limits, NULL, &result, &error) != SOLOIST_OK)
        return 0;
    uint64_t nodes = result.nodes;
    assert_int_not_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
    soloist_result_free(&result);
    return nodes;
}

/* Returns on how many of the puzzles the method could be compared. */
static int compare(const soloist *engine, const soloist_puzzle *puzzles, const char *text, unsigned ignored) {
    int compared = 0;
    for (int c = 0; c < case_count; c++) {
        bool iterations = !(ignored & SEARCH_IGNORES_ITERATIONS);
        struct any_network any;
        soloist_limits limits = {.nodes = 2000, .seed = 1, .threads = 1, .memory = 1 << 26};
        limits.network = any_network_open(&any, puzzles[c].domain);
        uint64_t nodes = nodes_of(engine, &puzzles[c], text, &limits);
        limits.seed = ignored & SEARCH_IGNORES_SEED ? 77 : 1;
        limits.threads = ignored & SEARCH_IGNORES_THREADS ? 3 : 1;
        limits.iterations = iterations ? 0 : 1;
        if (nodes)
            assert_int_equal(nodes_of(engine, &puzzles[c], text, &limits), nodes);
        compared += nodes > 0;
    }
    return compared;
}

static void test_ignored_options_change_nothing(void **state) {
    static const soloist_domain cost = {.aim = SOLOIST_LEAST_COST, .players = 1},
                                score = {.aim = SOLOIST_MOST_SCORE, .players = 1};
    soloist *engine = soloist_new();
    soloist_puzzle puzzles[case_count];
    int methods = 0;
    (void)state;
    for (int c = 0; c < case_count; c++) {
        soloist_chunk chunk = {.text = cases[c].text, .length = strlen(cases[c].text), .line = 1};
        soloist_error error = {0};
        soloist_code code =
            soloist_puzzle_read(soloist_find_domain(engine, cases[c].domain), NULL, &chunk, &puzzles[c], &error);
        if (code != SOLOIST_OK)
            fail_msg("%s: %s", cases[c].domain, error.text);
    }
    for (size_t i = 0; search_at(NULL, i); i++) {
        const struct search_method *method = search_at(NULL, i);
        struct search_choice choice;
        assert_int_equal(
            search_choose(NULL, method->name, method->needs & SEARCH_NEEDS_SCORE ? &score : &cost, &choice, NULL),
            SOLOIST_OK);
        unsigned ignored = search_ignores(&choice) & ~(unsigned)SEARCH_IGNORES_NETWORK;
        search_choice_free(&choice);
        if (!ignored)
            continue;
        methods++;
        if (!compare(engine, puzzles, method->name, ignored))
            fail_msg("%s ran on none of the puzzles", method->name);
    }
    assert_true(methods > 10);
    for (int c = 0; c < case_count; c++)
        soloist_puzzle_free(&puzzles[c]);
    soloist_free(engine);
}

/* A* chooses at random only where its option says so, and uses one thread only with a network. */
static void test_options_decide(void **state) {
    static const soloist_domain cost = {.aim = SOLOIST_LEAST_COST, .players = 1};
    struct search_choice choice;
    (void)state;
    assert_int_equal(search_choose(NULL, "astar", &cost, &choice, NULL), SOLOIST_OK);
    assert_true(search_ignores(&choice) & SEARCH_IGNORES_SEED);
    search_choice_free(&choice);
    assert_int_equal(search_choose(NULL, "astar:ties=random", &cost, &choice, NULL), SOLOIST_OK);
    assert_false(search_ignores(&choice) & SEARCH_IGNORES_SEED);
    assert_false(search_ignores(&choice) & SEARCH_IGNORES_THREADS);
    search_choice_free(&choice);
    assert_int_equal(search_choose(NULL, "astar:bound=network", &cost, &choice, NULL), SOLOIST_OK);
    assert_true(search_ignores(&choice) & SEARCH_IGNORES_THREADS);
    search_choice_free(&choice);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ignored_options_change_nothing),
        cmocka_unit_test(test_options_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
