/* Sessions: an instance never changes, equal solves count equal nodes, a kept session remembers; and the tables that
 * sessions share are made once, within the limits, without holding up those who do not want them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/stop.h"
#include "domain/domain.h"
#include "domain/sokoban/sokoban.h"
#include "toy.h"

#include <pthread.h>
#include <sched.h>

/* Level 86 of the graded 500, on which patterns save much. */
static const char level[] = "\n"
                            " #########\n"
                            " #.$ .   #\n"
                            "### $$$ .#\n"
                            "#@.$  .$ #\n"
                            "#####.$ .#\n"
                            "    ######\n";

static const char learning[] = "pattern_deadlocks=on,penalties=sound,triples=100,share=patterns,pairs=on";

static void read_level(soloist_puzzle *puzzle, const char *options) {
    soloist_error error;
    soloist_chunk chunk = {.text = level, .length = sizeof level - 1, .line = 1};
    if (soloist_puzzle_read(&sokoban_domain, options, &chunk, puzzle, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
}

static void equal_solves_count_equal_nodes(void **unused) {
    static const char *const methods[] = {"astar", "idastar", "auto", "fess", "bhpa", "mcts"};
    (void)unused;
    soloist *engine = soloist_new();
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        soloist_puzzle puzzle;
        soloist_limits limits = {.nodes = 20000, .seed = 1};
        soloist_result first, second;
        read_level(&puzzle, learning);
        struct sokoban before = *sokoban_of(puzzle.instance);
        assert_int_equal(soloist_solve(engine, &puzzle, methods[m], &limits, NULL, &first, NULL), SOLOIST_OK);
        assert_int_equal(soloist_solve(engine, &puzzle, methods[m], &limits, NULL, &second, NULL), SOLOIST_OK);
        assert_memory_equal(&before, sokoban_of(puzzle.instance), sizeof before);
        assert_true(first.nodes > 0);
        assert_int_equal(first.nodes, second.nodes);
        assert_int_equal(first.status, second.status);
        soloist_result_free(&first);
        soloist_result_free(&second);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

static void a_kept_session_remembers(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result first, second;
    read_level(&puzzle, learning);
    soloist_session *session = soloist_session_open(engine, &puzzle, NULL, NULL, NULL);
    assert_non_null(session);
    assert_int_equal(soloist_session_solve(session, "astar", NULL, NULL, &first, NULL), SOLOIST_OK);
    assert_int_equal(soloist_session_solve(session, "astar", NULL, NULL, &second, NULL), SOLOIST_OK);
    assert_true(first.optimal && second.optimal);
    assert_int_equal(first.verdict.value, second.verdict.value);
    assert_true(second.nodes < first.nodes);
    soloist_result_free(&first);
    soloist_result_free(&second);
    soloist_session_close(session);
    soloist_session_close(NULL);
    assert_null(soloist_session_open(engine, NULL, NULL, NULL, NULL));
    assert_int_equal(soloist_session_solve(NULL, "astar", NULL, NULL, &first, NULL), SOLOIST_MISUSE);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

/* ---- a domain with tables: graphs, whose tables are named by the number of nodes; "0": none ---- */

static _Atomic int made, attached, waiting;
static _Atomic bool hold; /* tables are not finished while it is set */
static size_t table_size = 100;

static bool table_name(const soloist_instance *instance, char *name, size_t room) {
    snprintf(name, room, "tables-%ld", toy_graph_of(instance)->nodes);
    return toy_graph_of(instance)->nodes > 2;
}
static void *open_tables(const soloist_instance *instance, const char *folder, const soloist_work *work,
                         soloist_error *error) {
    (void)instance, (void)folder;
    atomic_fetch_add(&waiting, 1);
    while (atomic_load(&hold)) {
        if (soloist_stopped(work->stop)) {
            soloist_fail(error, 0, 0, "they were not finished in time");
            return NULL;
        }
        sched_yield();
    }
    atomic_fetch_add(&made, 1);
    return malloc(1);
}
static size_t table_bytes(const void *tables) {
    (void)tables;
    return table_size;
}
static void attach(soloist_instance *session, const void *tables) {
    (void)session, (void)tables;
    atomic_fetch_add(&attached, 1);
}
static soloist_instance *copy_graph(const soloist_instance *instance, const soloist_work *work, soloist_error *error) {
    struct toy_graph *copy = malloc(sizeof *copy);
    (void)work, (void)error;
    *copy = *toy_graph_of(instance);
    return (soloist_instance *)(void *)copy;
}

struct world {
    soloist_life life;
    soloist_tables tables;
    soloist_domain domain;
    soloist *engine;
};

static struct world open_world(void) {
    static const soloist_tables tables = {.size = sizeof(soloist_tables),
                                          .name = table_name,
                                          .open = open_tables,
                                          .close = free,
                                          .bytes = table_bytes,
                                          .attach = attach};
    struct world world = {toy_graph_life, tables, toy_graph_domain, soloist_new()};
    world.life.session = copy_graph;
    world.domain.bound = &toy_graph_bound;
    atomic_store(&made, 0), atomic_store(&attached, 0), atomic_store(&waiting, 0);
    return world;
}

static soloist_result solve_graph(struct world *world, const char *text, const soloist_limits *limits) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    soloist_puzzle puzzle;
    soloist_result result;
    if (world->domain.tables != &world->tables) { /* at the first solve, before other threads are started */
        world->domain.life = &world->life;
        world->domain.tables = &world->tables;
    }
    assert_int_equal(soloist_puzzle_read(&world->domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    assert_int_equal(soloist_solve(world->engine, &puzzle, "astar", limits, NULL, &result, NULL), SOLOIST_OK);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return result;
}

static const char *const wants_none = "graph 2 0 1 5", *const wants_three = "graph 3 0 1 5 1 2 4",
                         *const wants_four = "graph 4 0 1 5 1 2 4 2 3 1";

static void tables_are_made_once(void **unused) {
    (void)unused;
    struct world world = open_world();
    for (int i = 0; i < 3; i++)
        assert_int_equal(solve_graph(&world, wants_three, NULL).verdict.value, 9);
    assert_int_equal(made, 1);
    assert_int_equal(attached, 3);
    solve_graph(&world, wants_four, NULL);
    solve_graph(&world, wants_none, NULL);
    assert_int_equal(made, 2);
    assert_int_equal(attached, 4);
    soloist_free(world.engine);
}

static void *solve_three(void *user) {
    solve_graph(user, wants_three, NULL);
    return NULL;
}

/* One thread makes tables and does not get on; solves that want none of them end nevertheless. */
static void others_do_not_wait(void **unused) {
    (void)unused;
    struct world world = open_world();
    pthread_t threads[2];
    solve_graph(&world, wants_four, NULL);
    atomic_store(&hold, true);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, solve_three, &world), 0);
    while (atomic_load(&waiting) < 2)
        sched_yield();
    assert_int_equal(solve_graph(&world, wants_none, NULL).verdict.value, 5);
    assert_int_equal(solve_graph(&world, wants_four, NULL).verdict.value, 10);
    atomic_store(&hold, false);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(made, 2);
    soloist_free(world.engine);
}

/* The weaker bound is used, and said; the next solve tries again. */
static void tables_that_do_not_fit_are_left_out(void **unused) {
    (void)unused;
    struct world world = open_world();
    soloist_stop_token *stop = soloist_stop_token_new();
    atomic_store(&hold, true);
    soloist_stop_token_cancel(stop);
    soloist_result result = solve_graph(&world, wants_three, &(soloist_limits){.stop = stop});
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    assert_int_equal(attached, 0);
    assert_string_equal(result.warning, "searched with a weaker bound: they were not finished in time");
    atomic_store(&hold, false);
    table_size = (size_t)1 << 21;
    result = solve_graph(&world, wants_three, &(soloist_limits){.memory = (size_t)1 << 21});
    assert_int_equal(result.verdict.value, 9);
    assert_string_equal(result.warning, "searched with a weaker bound: the tables tables-3 take 3 MiB");
    assert_int_equal(attached, 0);
    result = solve_graph(&world, wants_three, &(soloist_limits){.memory = (size_t)1 << 24});
    assert_string_equal(result.warning, "");
    assert_int_equal(attached, 1);
    table_size = 100;
    soloist_stop_token_free(stop);
    soloist_free(world.engine);
}

static void tables_need_sessions(void **unused) {
    (void)unused;
    struct world world = open_world();
    soloist_error error;
    world.life.session = NULL;
    world.domain.life = &world.life;
    world.domain.tables = &world.tables;
    assert_int_equal(soloist_add_domain(world.engine, &world.domain, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "domain graph lacks the function life.session");
    soloist_free(world.engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_solves_count_equal_nodes),
        cmocka_unit_test(a_kept_session_remembers),
        cmocka_unit_test(tables_are_made_once),
        cmocka_unit_test(others_do_not_wait),
        cmocka_unit_test(tables_that_do_not_fit_are_left_out),
        cmocka_unit_test(tables_need_sessions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
