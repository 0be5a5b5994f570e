/* A run that used up its iterations says so, with any number of threads: not that it has searched everything, and not
 * that it has found what it looked for. No run generates more states, or makes more iterations, than it may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "any_network.h"
#include "toy.h"
#include "base/sanitizer.h"
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
#if HAS_THREAD_SANITIZER
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

/* The same for methods that never end by themselves here: the reason of the end is a limit. */
static void check_named_limit(const soloist *engine, const soloist_puzzle *puzzle, const char *method, int threads) {
    const soloist_limits limits = {.nodes = 150, .seed = 1, .threads = threads, .memory = 1 << 26};
    soloist_result result;
    check_limits(engine, puzzle, method, &limits);
    if (!solve(engine, puzzle, method, limits, &result))
        return;
    bool found = result.status == SOLOIST_SOLVED && puzzle->domain->aim == SOLOIST_LEAST_COST;
    if (!found && (result.stopped != SOLOIST_STOP_NODES || result.nodes != limits.nodes))
        fail_msg("%s on %s, %d threads: stopped by %s after %d nodes", method, puzzle->domain->name, threads,
                 soloist_stop_name(result.stopped), (int)result.nodes);
    soloist_result_free(&result);
}

static void check_method(const soloist *engine, const soloist_puzzle *puzzle, const char *method, int threads) {
    static const size_t memory = 1 << 26;
    const soloist_limits few = {.nodes = 1, .iterations = 300, .seed = 1, .threads = threads, .memory = memory},
                         some = {.nodes = 333, .iterations = 300, .seed = 1, .threads = threads, .memory = memory},
                         once = {.nodes = 9999, .iterations = 1, .threads = threads, .memory = memory},
                         thrice = {.nodes = 9999, .iterations = 3, .threads = threads, .memory = memory};
    check_limits(engine, puzzle, method, &few);
    check_limits(engine, puzzle, method, &some);
    check_limits(engine, puzzle, method, &once);
    check_limits(engine, puzzle, method, &thrice);
}

static void test_no_limit_is_exceeded(void **state) {
    soloist *engine = soloist_new();
    (void)state;
    for (int c = 0; c < case_count; c++) {
        soloist_puzzle puzzle = read_case(engine, c);
        for (size_t i = 0; search_at(NULL, i); i++)
            for (int threads = fewest_threads; threads <= most_threads; threads++)
                check_method(engine, &puzzle, search_at(NULL, i)->name, threads);
        static const char *const with_batches[] = {"policy-mcts:per_move=50,noise=0.3",
                                                   "pv-mcts:parallel=root",
                                                   "pv-mcts:per_move=30,gumbel,parallel=root",
                                                   "policy-mcts:ask_visits=1,lines",
                                                   "exit-mcts:games=0,final=drawn",
                                                   "exit-mcts:per_move=20,delay=7,games=0,final=drawn"};
        for (size_t i = 0; i < sizeof with_batches / sizeof *with_batches; i++)
            for (int threads = fewest_threads; threads <= most_threads; threads++) {
                check_method(engine, &puzzle, with_batches[i], threads);
                check_named_limit(engine, &puzzle, with_batches[i], threads);
            }
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

/* A run that looks for better solutions until a limit ends it names the limit, with any number of threads. */
static void test_improving_runs_name_their_limit(void **state) {
    (void)state;
    static const char *const methods[] = {"random:improve",       "greedy:improve,epsilon=0.5",
                                          "nmcs:improve,level=1", "nmcts:improve,n=5",
                                          "nrpa:improve,level=1", "nrpa:improve,level=2,n=5"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (int threads = fewest_threads; threads <= most_threads; threads++) {
            soloist_limits nodes = {.nodes = 500, .seed = 1, .threads = threads}, iterations = {.iterations = 100};
            iterations.threads = threads;
            static const char graph[] = "graph 5 0 1 3 0 2 5 1 2 1 1 3 4 2 3 2 2 4 9 3 4 2";
            soloist_result result = toy_solve(&toy_graph_domain, graph, methods[i], &nodes);
            if (result.status != SOLOIST_SOLVED || result.stopped != SOLOIST_STOP_NODES)
                fail_msg("%s, %d threads: %s", methods[i], threads, soloist_stop_name(result.stopped));
            soloist_result_free(&result);
            result = toy_solve(&toy_graph_domain, graph, methods[i], &iterations);
            if (result.status != SOLOIST_SOLVED || result.stopped != SOLOIST_STOP_ITERATIONS)
                fail_msg("%s, %d threads: %s", methods[i], threads, soloist_stop_name(result.stopped));
            soloist_result_free(&result);
        }
}

/* Members that take turns: their iterations together keep within the limit, and members that make none go on. */
static const soloist_member members[] = {{"greedy", "greedy:epsilon=0.5", .share = 1},
                                         {"random", "random", .share = 2},
                                         {"nrpa", "nrpa:level=1", .share = 1},
                                         {"bfs", "bfs", .share = 1}};
static soloist_mix mix = {.size = sizeof mix, .members = members, .round_robin = true};
static const soloist_mix *choose_mix(const soloist_instance *instance, const soloist_limits *limits) {
    (void)instance, (void)limits;
    return &mix;
}

static void test_members_share_the_iterations(void **state) {
    (void)state;
    static const soloist_hints hints = {.size = sizeof hints, .mix = choose_mix};
    /* The goal, node 299, is behind a long corridor that random moves leave often. */
    static char graph[8000];
    size_t length = (size_t)sprintf(graph, "graph 300");
    for (int i = 0; i < 299; i++)
        length += (size_t)sprintf(graph + length, " %d %d 1 %d 0 1", i, i + 1, i);
    soloist_domain domain = toy_graph_domain;
    domain.hints = &hints;
    for (int threads = fewest_threads; threads <= most_threads; threads++)
        for (uint64_t iterations = 1; iterations <= 300; iterations *= 3)
            for (mix.count = 3; mix.count <= 4; mix.count++) {
                soloist_limits limits = {.iterations = iterations, .nodes = 1000000, .seed = 1, .threads = threads};
                soloist_result result = toy_solve(&domain, graph, "auto", &limits);
                if (result.iterations > iterations)
                    fail_msg("%d iterations of %d", (int)result.iterations, (int)iterations);
                if (mix.count == 4)
                    assert_int_equal(result.status, SOLOIST_SOLVED);
                else if (result.status != SOLOIST_SOLVED)
                    assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
                soloist_result_free(&result);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_used_up_iterations_are_named), cmocka_unit_test(test_no_limit_is_exceeded),
        cmocka_unit_test(test_improving_runs_name_their_limit), cmocka_unit_test(test_members_share_the_iterations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
