/* A run that used up its iterations says so, with any number of threads: not that it has searched everything, and not
 * that it has found what it looked for. No run generates more states, or makes more iterations, than it may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "any_network.h"
#include "engine/engine.h"
#include "search/search.h"

#include <string.h>

/* Too large for any method to end within so few iterations. */
static const struct {
    const char *domain, *text;
} cases[] = {
    {"sokoban", "###########\n#    #    #\n# $.$ .$. #\n#  .$ $.$ #\n# @  #  . #\n###########\n"},
    {"samegame", "32142251\n15523341\n44132215\n25534112\n13324451\n52211433\n41553224\n23344115\n"},
    {"tiles", "24 3 17 8 21 5 12 19 1 14 23 10 7 16 2 20 11 4 18 9 22 13 6 15 0"},
};
enum { case_count = sizeof cases / sizeof *cases };
/* The thread sanitizer is slow, and has nothing to find in one thread. */
#ifdef __SANITIZE_THREAD__
enum { fewest_threads = 2, most_threads = 2 };
static const uint64_t counts[] = {33};
#else
enum { fewest_threads = 1, most_threads = 3 };
static const uint64_t counts[] = {33, 100};
#endif

static soloist_puzzle read_case(const soloist *engine, int number) {
    const char *text = cases[number].text, *domain = cases[number].domain;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    if (soloist_puzzle_read(soloist_find_domain(engine, domain), NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", domain, error.text);
    return puzzle;
}

/* Solves with a made-up network; false if the method does not suit the puzzle. */
static bool solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method, soloist_limits limits,
                  soloist_result *result) {
    struct any_network any;
    soloist_error error = {0};
    limits.network = any_network_open(&any, puzzle->domain);
    return soloist_solve(engine, puzzle, method, &limits, NULL, result, &error) == SOLOIST_OK;
}

static void check(const soloist *engine, const soloist_puzzle *puzzle, const char *method, int threads,
                  uint64_t iterations) {
    soloist_limits limits = {.iterations = iterations, .seed = 1, .threads = threads, .memory = 1 << 28};
    soloist_result result;
    if (!solve(engine, puzzle, method, limits, &result))
        return;
    bool found = result.status == SOLOIST_SOLVED && puzzle->domain->aim == SOLOIST_LEAST_COST;
    if (!found && result.stopped != SOLOIST_STOP_ITERATIONS)
        fail_msg("%s on %s, %d threads, %d iterations: stopped by %s", method, puzzle->domain->name, threads,
                 (int)iterations, soloist_stop_name(result.stopped));
    soloist_result_free(&result);
}

/* Whether the method counts iterations and uses them up here: `policy` and `exit-mcts` play one game, and of the
 * iterations of `beam`, each with a greater width, only a few fit into memory. */
static bool is_limited(const struct search_method *method) {
    static const soloist_domain cost = {.aim = SOLOIST_LEAST_COST, .players = 1},
                                score = {.aim = SOLOIST_MOST_SCORE, .players = 1};
    struct search_choice choice;
    assert_int_equal(
        search_choose(NULL, method->name, method->needs & SEARCH_NEEDS_SCORE ? &score : &cost, &choice, NULL),
        SOLOIST_OK);
    bool few = !strcmp(method->name, "policy") || !strcmp(method->name, "exit-mcts") || !strcmp(method->name, "beam");
    bool limited = !(search_ignores(&choice) & SEARCH_IGNORES_ITERATIONS) && !few;
    search_choice_free(&choice);
    return limited;
}

static void test_used_up_iterations_are_named(void **state) {
    soloist *engine = soloist_new();
    int methods = 0;
    (void)state;
    for (int c = 0; c < case_count; c++) {
        soloist_puzzle puzzle = read_case(engine, c);
        for (size_t i = 0; search_at(NULL, i); i++)
            for (int threads = fewest_threads; threads <= most_threads && is_limited(search_at(NULL, i));
                 threads++, methods++)
                for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
                    check(engine, &puzzle, search_at(NULL, i)->name, threads, counts[k]);
        soloist_puzzle_free(&puzzle);
    }
    assert_true(methods > 30 * (1 + most_threads - fewest_threads));
    soloist_free(engine);
}

/* These evaluate states by a network in batches, and may exceed a limit by a few batches (soloist_limits). */
static bool works_in_batches(const char *method) {
    return !strcmp(method, "policy-mcts") || !strcmp(method, "pv-mcts") || !strcmp(method, "exit-mcts");
}

static void check_limits(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                         const soloist_limits *limits) {
    soloist_result result;
    if (!solve(engine, puzzle, method, *limits, &result))
        return;
    if ((limits->nodes && result.nodes > limits->nodes) ||
        (limits->iterations && result.has_iterations && result.iterations > limits->iterations))
        fail_msg("%s on %s, %d threads: %d nodes and %d iterations of %d and %d", method, puzzle->domain->name,
                 limits->threads, (int)result.nodes, (int)result.iterations, (int)limits->nodes,
                 (int)limits->iterations);
    soloist_result_free(&result);
}

static void test_no_limit_is_exceeded(void **state) {
    soloist *engine = soloist_new();
    (void)state;
    for (int c = 0; c < case_count; c++) {
        soloist_puzzle puzzle = read_case(engine, c);
        for (size_t i = 0; search_at(NULL, i); i++)
            for (int threads = fewest_threads; threads <= most_threads && !works_in_batches(search_at(NULL, i)->name);
                 threads++) {
                const char *method = search_at(NULL, i)->name;
                static const size_t memory = 1 << 26;
                const soloist_limits
                    few = {.nodes = 1, .iterations = 300, .seed = 1, .threads = threads, .memory = memory},
                    some = {.nodes = 333, .iterations = 300, .seed = 1, .threads = threads, .memory = memory},
                    once = {.nodes = 9999, .iterations = 1, .threads = threads, .memory = memory},
                    thrice = {.nodes = 9999, .iterations = 3, .threads = threads, .memory = memory};
                check_limits(engine, &puzzle, method, &few);
                check_limits(engine, &puzzle, method, &some);
                check_limits(engine, &puzzle, method, &once);
                check_limits(engine, &puzzle, method, &thrice);
            }
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_used_up_iterations_are_named),
                                       cmocka_unit_test(test_no_limit_is_exceeded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
