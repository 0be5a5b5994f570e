/* Small puzzles, methods and options that bring every search's code to the end of its memory, and what a run may claim
 * then. For test_memory_limits and test_failing_allocations. */
#ifndef TESTS_UNIT_SEARCH_MEMORY_SUBJECTS_H
#define TESTS_UNIT_SEARCH_MEMORY_SUBJECTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../examples/lights_out.c"
#include "any_network.h"
#include "base/sanitizer.h"

enum { effort = 1500 }; /* nodes, and iterations */

/* Each can be solved; best: its least cost or highest score. The network "any" is made up (any_network.h). */
static const struct subject {
    const char *domain, *options, *network, *text;
    int32_t best;
} subjects[] = {
    {"sokoban", NULL, NULL, "#######\n#@ $ .#\n#######", 2},
    {"sokoban", NULL, NULL, "########\n#   #  #\n#  $   #\n# .#$  #\n##.#  ##\n#     #\n# @   #\n#######", 7},
    {"sokoban", "pairs=on,triples=100,penalties=sound,pattern_deadlocks=true", NULL,
     " #######\n##  .  #\n#  $#$ #\n# .@ . #\n#  $   #\n####  ##\n   ####", 7},
    {"sokoban", "rules=none", "any", "######\n#.   #\n# $  #\n#  @ #\n######", 2},
    {"sokoban-moves", NULL, NULL, "######\n#.   #\n# $  #\n#  @ #\n######", 5},
    {"samegame", NULL, NULL, "2112\n1112\n1212\n2121", 26},
    {"samegame", NULL, "samegame-policy-value-7.safetensors",
     "1313213\n2241341\n4234213\n3144424\n2311444\n1414334\n2143421", 1169},
    {"tiles", NULL, NULL, "0 3 2 7 1 4 8 6 5", 12},
    {"pancake", NULL, NULL, "7 8 2 5 4 3 1 6", 6},
    {"tictactoe", NULL, NULL, "X../.O./...", 0},
    {"lights-out", NULL, NULL, "3x3:111101111", 8},
};

/* Beside every method as it is: the options that bring other code to the limit. */
static const char *const variants[] = {
    "mcts:per_move=50,eliminate=false",
    "mcts:parallel=root",
    "mcts:parallel=leaf",
    "mcts:rule=sp,rave=100,insert=true",
    "uct:pool=64",
    "uct:cycles=stop,simulate=eps-ida",
    "uct:simulate=bfs,depth=2",
    "uct:per_tree=200",
    "idastar:table=none",
    "idastar:table=big,order=bound",
    "bnb:threshold=falling,tight=true",
    "beam:score=playouts",
    "beam:score=values",
    "beam:ends=goal",
    "nrpa:level=2,n=20,beam=3,diverse=true",
    "nrpa:level=2,n=20,race=true,refine=2",
    "nrpa:level=2,n=20,network_bias=1",
    "nmcts:level=2,n=20",
    "policy-mcts:per_move=50,keep=true",
    "policy-mcts:parallel=root,per_tree=100",
    "pv-mcts:per_move=60,gumbel=8",
    "levints:batch=8",
    "phs:batch=8",
    "astar:bound=network",
    "mm:bound=network",
    "astar:bound=both,batch=8,ties=random",
    "bhpa:from=goal",
    "bimcts:direction=up",
    "auto:without=5",
};

/* What a child process tells its parent, whatever ends it. */
struct notice {
    uint64_t runs, sweeps;
    const char *what; /* what the number `at` counts */
    uint64_t at;      /* where the present run's memory ends */
    char fault[400];
};

static void fault(struct notice *notice, const char *why) { snprintf(notice->fault, sizeof notice->fault, "%s", why); }

/* Does the result claim only what is so? usual: the same without a limit on memory. */
static const char *find_lie(const struct subject *subject, const soloist_result *result, const soloist_result *usual,
                            size_t limit) {
    if (result->status == SOLOIST_IMPOSSIBLE || result->status == SOLOIST_INVALID)
        return "a puzzle that can be solved is called impossible";
    if (result->status == SOLOIST_SOLVED && !result->solution)
        return "solved without a solution";
    if (result->optimal && result->verdict.value != subject->best)
        return "optimal, and it is not";
    if (result->status == SOLOIST_UNSOLVED && result->stopped == SOLOIST_STOP_GOAL)
        return "unsolved, and stopped by a solution";
    if (result->status == SOLOIST_UNSOLVED && result->stopped == SOLOIST_STOP_EXHAUSTED &&
        usual->stopped != SOLOIST_STOP_EXHAUSTED)
        return "exhausted, where memory ended the search";
    return limit && result->peak_bytes > limit ? "more memory than allowed" : NULL;
}

/* Where threads are checked, one thread has nothing to show. */
enum { fewest_threads = HAS_THREAD_SANITIZER ? 2 : 1 };

static soloist_code read_subject(const soloist_domain *domain, const struct subject *subject, soloist_puzzle *puzzle,
                                 soloist_error *error) {
    soloist_chunk chunk = {.text = subject->text, .length = strlen(subject->text), .line = 1};
    return soloist_puzzle_read(domain, subject->options, &chunk, puzzle, error);
}

/* The subject's network; NULL: it has none. A made-up one is in *any. */
static soloist_network *open_network(const soloist_domain *domain, const struct subject *subject,
                                     struct any_network *any) {
    char path[1024];
    soloist_error error;
    if (!subject->network)
        return NULL;
    if (!strcmp(subject->network, "any"))
        return any_network_open(any, domain);
    snprintf(path, sizeof path, SOLOIST_SOURCE "/data/networks/%s", subject->network);
    return soloist_network_open(domain, path, &error);
}

static void close_network(const struct subject *subject, soloist_network *network) {
    if (subject->network && strcmp(subject->network, "any"))
        soloist_network_close(network);
}

static soloist_code solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method, int threads,
                          size_t memory, soloist_network *network, soloist_result *result, soloist_error *error) {
    soloist_limits limits = {
        .nodes = effort, .iterations = effort, .memory = memory, .threads = threads, .seed = 1, .network = network};
    return soloist_solve(engine, puzzle, method, &limits, NULL, result, error);
}

/* Solves a subject by a method many times; what is wrong is told by `fault`. */
typedef void sweep_function(const soloist *engine, const struct subject *subject, const char *method, int threads,
                            struct notice *notice);

/* In a process of its own, so that a run that ends it is reported and the next goes on; true: no fault. */
static bool sweep_apart(sweep_function *sweep, const soloist *engine, const struct subject *subject, const char *method,
                        int threads, struct notice *notice) {
    int status = 0;
    *notice->fault = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        sweep(engine, subject, method, threads, notice);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        fault(notice, "no process for the runs");
    else if (WIFSIGNALED(status))
        snprintf(notice->fault, sizeof notice->fault, "ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        snprintf(notice->fault, sizeof notice->fault, "ended with status %d", WEXITSTATUS(status));
    if (*notice->fault)
        fprintf(stderr, "%s by %s, %d threads, %s %llu: %s\n", subject->domain, method, threads, notice->what,
                (unsigned long long)notice->at, notice->fault);
    return !*notice->fault;
}

struct bench {
    soloist *engine;
    struct notice *notice;
};

static struct bench open_bench(void) {
    struct bench bench = {.engine = soloist_new()};
    soloist_error error;
    bench.notice = mmap(NULL, sizeof *bench.notice, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(bench.engine && bench.notice != MAP_FAILED);
    assert_int_equal(soloist_add_domain(bench.engine, soloist_plugin(), &error), SOLOIST_OK);
    return bench;
}

static void close_bench(struct bench *bench, int faults) {
    print_message("%llu runs, %d faults\n", (unsigned long long)bench->notice->runs, faults);
    munmap(bench->notice, sizeof *bench->notice);
    soloist_free(bench->engine);
    assert_int_equal(faults, 0);
}

/* Sanitizers are slow: there each of the two tests takes every other pair of a subject and a method, unless its command
 * line has a number. */
static bool every_pair = !HAS_SANITIZER;

/* Every method on every subject, or on every other one, beginning with the pair `first`; returns the number of sweeps
 * with a fault. */
static int sweep_all(const struct bench *bench, sweep_function *sweep, size_t first) {
    int faults = 0;
    const char *name;
    const size_t step = every_pair ? 1 : 2;
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++)
        for (int threads = fewest_threads; threads <= 2; threads++) {
            size_t begin = (s + first) % step;
            for (size_t m = begin; soloist_method_at(bench->engine, m, &name, NULL, NULL); m += step)
                faults += !sweep_apart(sweep, bench->engine, &subjects[s], name, threads, bench->notice);
            for (size_t v = begin; v < sizeof variants / sizeof *variants; v += step)
                faults += !sweep_apart(sweep, bench->engine, &subjects[s], variants[v], threads, bench->notice);
        }
    return faults;
}

#endif
