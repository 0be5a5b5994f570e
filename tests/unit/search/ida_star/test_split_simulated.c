/* IDA* by several processes that exchange messages: every schedule of simulated processes ends with the cost and the
 * proof of one process; limits and lost processes end all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "peers_simulated.h"
#include "search/search.h"
#include "toy.h"

static const char stack[] = "26 2 17 9 22 5 13 1 20 11 24 7 15 3 18 8 23 12 4 19 6 25 10 21 14 16";

/* The least cost, by A*. */
static int32_t least_cost(const soloist_puzzle *puzzle) {
    soloist *engine = soloist_new();
    soloist_result result;
    soloist_error error;
    if (soloist_solve(engine, puzzle, "astar", NULL, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    assert_true(result.optimal);
    int32_t cost = result.verdict.value;
    soloist_result_free(&result);
    soloist_free(engine);
    return cost;
}

/* One process of a simulated run: each has parsed the puzzle, and has a budget of its own. */
struct process {
    struct search_run run;
    struct budget budget;
    soloist_error error;
    soloist_code code;
};

struct world {
    struct process processes[simulated_most_ranks];
};

static void run_process(void *user, struct peers *peers) {
    struct process *process = &((struct world *)user)->processes[peers->rank];
    process->run.peers = peers;
    process->code = search_ida_star.run(&process->run);
}

static void open_world(struct world *world, int count, const soloist_puzzle *puzzle, const void *options,
                       const soloist_limits *limits) {
    for (int rank = 0; rank < count; rank++) {
        struct process *process = &world->processes[rank];
        *process = (struct process){0};
        budget_open(&process->budget, limits, NULL);
        process->run = (struct search_run){.domain = puzzle->domain,
                                           .instance = puzzle->instance,
                                           .puzzle = puzzle,
                                           .options = options,
                                           .budget = &process->budget,
                                           .threads = 1,
                                           .error = &process->error};
        puzzle->domain->life->shape(puzzle->instance, &process->run.shape);
    }
}

static void close_world(struct world *world, int count) {
    for (int rank = 0; rank < count; rank++) {
        assert_int_equal(memory_used(&world->processes[rank].budget.memory), 0);
        free(world->processes[rank].run.best.moves);
    }
}

/* Plays a line from the root; returns its cost, or -1 if it does not end at a goal. */
static int32_t replay(const struct search_run *run) {
    _Alignas(16) unsigned char state[1024];
    int32_t cost = 0, last;
    assert_true(run->shape.state_size <= sizeof state);
    run->domain->life->root(run->instance, state);
    for (size_t i = 0; i < run->best.count; i++)
        cost += run->domain->core->apply(run->instance, state, run->best.moves[i], NULL);
    return run->domain->core->ended(run->instance, state, &last) ? cost : -1;
}

static const struct {
    const soloist_domain *domain;
    const char *text, *method;
} small[] = {
    {&tiles_domain, "3x3: 1 4 8 3 0 2 6 7 5", "idastar:slice=1"},
    {&tiles_domain, "3x3: 4 1 2 7 8 5 3 6 0", "idastar:slice=10"},
    {&tiles_domain, "3x3: 4 1 2 7 8 5 3 6 0", "idastar:slice=5,table=two-level"},
    {&tiles_domain, "3x3: 1 4 8 3 0 2 6 7 5", "idastar:slice=1,order=bound"},
    {&pancake_domain, "4 2 6 1 5 3", "idastar:slice=1"},
    {&pancake_domain, "5 2 7 1 3 8 6 4", "idastar:slice=1,dual"},
    {&pancake_domain, stack, "idastar:slice=3,dual"},
    {&pancake_domain, "5 2 7 1 3 8 6 4", "idastar:slice=1,table=new"},
    {&sokoban_domain, "#######\n#@    #\n# $.$ #\n#  .  #\n#######\n", "idastar:slice=1"},
    {&sokoban_domain, "#######\n#@    #\n# $.$ #\n#  .  #\n#######\n", "idastar:slice=1,table=none"},
};
enum { small_count = sizeof small / sizeof *small };

struct example {
    soloist_puzzle puzzle;
    struct search_choice choice;
    int32_t cost;
};

static void open_example(struct example *example, int number) {
    soloist_chunk chunk = {.text = small[number].text, .length = strlen(small[number].text), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(small[number].domain, NULL, &chunk, &example->puzzle, NULL), SOLOIST_OK);
    assert_int_equal(search_choose(NULL, small[number].method, small[number].domain, &example->choice, NULL),
                     SOLOIST_OK);
    example->cost = least_cost(&example->puzzle);
}

static void close_example(struct example *example) {
    search_choice_free(&example->choice);
    soloist_puzzle_free(&example->puzzle);
}

/* Every schedule ends with the same cost, proved, and nothing is left under way. */
static void every_schedule_is_exact(void **unused) {
    (void)unused;
    static struct world world;
    int shared = 0;
    for (int number = 0; number < small_count; number++) {
        struct example example;
        open_example(&example, number);
        for (uint64_t seed = 0; seed < simulated_schedules(300); seed++) {
            int count = 2 + (int)(seed % 5);
            struct simulation simulation = {.seed = seed,
                                            .count = count,
                                            .longest_delay = seed % 3 ? (int)(seed % 40) : 0,
                                            .slow = seed % 4 ? -1 : (int)(seed / 4 % (unsigned)count),
                                            .killed = -1};
            open_world(&world, count, &example.puzzle, example.choice.options, &(soloist_limits){0});
            assert_true(simulated_run(&simulation, run_process, &world));
            for (int rank = 0; rank < count; rank++) {
                const struct process *process = &world.processes[rank];
                assert_int_equal(process->code, SOLOIST_OK);
                assert_true(process->run.found && process->run.optimal && !process->run.impossible);
                assert_int_equal(process->run.best.value, example.cost);
                assert_int_equal(replay(&process->run), example.cost);
                shared += rank && atomic_load(&process->budget.nodes) > 0;
            }
            close_world(&world, count);
        }
        close_example(&example);
    }
    assert_true(shared > (int)simulated_schedules(100) * small_count);
}

/* What cannot be solved is proved by all of them together. */
static void every_schedule_proves_impossibility(void **unused) {
    (void)unused;
    static const char *const methods[] = {"idastar:slice=1,table=two-level", "idastar:slice=4,table=new"};
    static struct world world;
    soloist_puzzle puzzle;
    assert_int_equal(toy_puzzle(&tiles_domain, "3x2: 0 1 2 3 5 4", &puzzle), SOLOIST_OK);
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct search_choice choice;
        int count = 2 + (int)(seed % 4);
        struct simulation simulation = {.seed = seed, .count = count, .longest_delay = 20, .slow = -1, .killed = -1};
        assert_int_equal(search_choose(NULL, methods[seed % 2], &tiles_domain, &choice, NULL), SOLOIST_OK);
        open_world(&world, count, &puzzle, choice.options, &(soloist_limits){0});
        assert_true(simulated_run(&simulation, run_process, &world));
        for (int rank = 0; rank < count; rank++)
            assert_true(world.processes[rank].run.impossible && !world.processes[rank].run.found);
        close_world(&world, count);
        search_choice_free(&choice);
    }
    soloist_puzzle_free(&puzzle);
}

/* A limit of one process ends all of them. */
static void limits_end_all_processes(void **unused) {
    (void)unused;
    static struct world world;
    soloist_puzzle puzzle;
    struct search_choice choice;
    assert_int_equal(toy_puzzle(&tiles_domain, "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", &puzzle), SOLOIST_OK);
    assert_int_equal(search_choose(NULL, "idastar:slice=10", &tiles_domain, &choice, NULL), SOLOIST_OK);
    for (uint64_t seed = 0; seed < simulated_schedules(100); seed++) {
        int count = 2 + (int)(seed % 4);
        bool memory = seed % 2;
        struct simulation simulation = {.seed = seed, .count = count, .longest_delay = 20, .slow = -1, .killed = -1};
        soloist_limits limits = {.nodes = memory ? 0 : 500, .memory = memory ? 100 + 70 * seed : 0};
        open_world(&world, count, &puzzle, choice.options, &limits);
        assert_true(simulated_run(&simulation, run_process, &world));
        for (int rank = 0; rank < count; rank++) {
            const struct process *process = &world.processes[rank];
            assert_false(process->run.found || process->run.impossible || process->run.optimal);
            assert_int_equal(atomic_load(&process->budget.stop), memory ? SOLOIST_STOP_MEMORY : SOLOIST_STOP_NODES);
            assert_true(memory || atomic_load(&process->budget.nodes) <= 500);
        }
        close_world(&world, count);
    }
    search_choice_free(&choice);
    soloist_puzzle_free(&puzzle);
}

/* Whoever dies, and whenever: the others end, with a correct result or an error. */
static void a_lost_process_ends_the_search(void **unused) {
    (void)unused;
    static struct world world;
    int failed = 0;
    for (int number = 0; number < small_count; number++) {
        struct example example;
        open_example(&example, number);
        for (uint64_t seed = 0; seed < 60; seed++) {
            int count = 2 + (int)(seed % 4);
            struct simulation simulation = {.seed = seed,
                                            .count = count,
                                            .longest_delay = (int)(seed % 20),
                                            .slow = -1,
                                            .killed = (int)(seed / 4 % (unsigned)count),
                                            .killed_at = seed * seed / 4};
            open_world(&world, count, &example.puzzle, example.choice.options, &(soloist_limits){0});
            assert_true(simulated_run(&simulation, run_process, &world));
            for (int rank = 0; rank < count; rank++) {
                const struct process *process = &world.processes[rank];
                if (process->run.found)
                    assert_int_equal(replay(&process->run), example.cost);
                assert_false(process->run.impossible);
                assert_true(process->run.found || process->code == SOLOIST_INTERNAL);
                failed += process->code == SOLOIST_INTERNAL;
            }
            close_world(&world, count);
        }
        close_example(&example);
    }
    assert_true(failed > 100);
}

/* If each worker runs until it waits, requests for work always cross. A worker must then search the pieces that it
 * receives instead of passing them on; otherwise two idle workers send one piece to and fro without end. */
static void pieces_are_searched_instead_of_passed_on(void **unused) {
    (void)unused;
    static struct world world;
    for (int number = 0; number < small_count; number++) {
        struct example example;
        open_example(&example, number);
        for (uint64_t seed = 0; seed < simulated_schedules(200); seed++) {
            int count = 2 + (int)(seed % 3);
            struct simulation simulation = {
                .seed = seed, .count = count, .slow = -1, .killed = -1, .long_turns = true, .most_turns = 100000};
            uint64_t nodes = 0;
            open_world(&world, count, &example.puzzle, example.choice.options, &(soloist_limits){0});
            assert_true(simulated_run(&simulation, run_process, &world));
            for (int rank = 0; rank < count; rank++)
                nodes += atomic_load(&world.processes[rank].budget.nodes);
            assert_true(simulation.sent < 100 + nodes);
            close_world(&world, count);
        }
        close_example(&example);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schedule_is_exact),
        cmocka_unit_test(pieces_are_searched_instead_of_passed_on),
        cmocka_unit_test(every_schedule_proves_impossibility),
        cmocka_unit_test(limits_end_all_processes),
        cmocka_unit_test(a_lost_process_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
