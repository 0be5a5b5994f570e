/* Round robin: members by turns find what they find alone, however long the run may take, and valid lines on any number
 * of threads; the first answer ends the others, proofs and refusals come home, limits hold for all together, and one
 * thread repeats itself. The thread sanitizer watches. */
#include "members_fixture.h"

#include "search/mix/round_robin.h"

#include <stdlib.h>
#include <string.h>

static void every_number_of_threads_answers(void **unused) {
    (void)unused;
    static const soloist_member members[] = {{"bfs", "bfs", .share = 20},
                                             {"bhpa", "bhpa", .share = 50},
                                             {"astar", "astar", .share = 50, .changes = "tunnels=out"},
                                             {"mcts", "mcts", .share = 100, .threads = true}};
    for (int threads = 1; threads <= 6; threads++) {
        struct fixture f;
        open_fixture(&f, level, threads, &ample);
        assert_int_equal(round_robin_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_true(f.run.found && atomic_load(&f.budget.nodes) > 0);
        assert_true(memory_peak(&f.budget.memory) > 0);
        check_line(&f);
        assert_non_null(strstr("bfs bhpa astar mcts", f.run.method));
        close_fixture(&f);
    }
}

/* Random descents that go on after a solution would take ten minutes: the other lane's answer ends them. */
static void the_first_answer_ends_the_others(void **unused) {
    (void)unused;
    static const soloist_member members[] = {{"greedy:epsilon=1,improve", "greedy:epsilon=1,improve", .share = 100},
                                             {"bhpa", "bhpa", .share = 100}};
    struct fixture f;
    open_fixture(&f, level, 2, &ample);
    assert_int_equal(round_robin_run(&f.run, members, COUNT(members)), SOLOIST_OK);
    assert_true(f.run.found);
    check_line(&f);
    assert_true(budget_elapsed(&f.budget) < ample.time_s);
    close_fixture(&f);
}

static soloist_code run_members(struct search_run *run, enum members members) {
    static const soloist_member proving[] = {{"greedy", "greedy", .share = 1}, {"bhpa", "bhpa", .share = 100}};
    static const soloist_member some[] = {{"minimax", "minimax", .share = 10},
                                          {"nrpa", "nrpa", .share = 10},
                                          {"minimax", "minimax", .share = 10},
                                          {"astar", "astar", .share = 100}};
    static const soloist_member none[] = {{"minimax", "minimax", .share = 10}, {"minimax", "minimax", .share = 100}};
    static const soloist_member limited[] = {
        {"bhpa", "bhpa", .share = 20}, {"astar", "astar", .share = 40}, {"bfs", "bfs", .share = 100}};
    static const soloist_member endless[] = {{"bhpa", "bhpa", .share = 20}, {"mcts", "mcts", .share = 100}};
    switch (members) {
    case MEMBERS_PROVING: return round_robin_run(run, proving, COUNT(proving));
    case MEMBERS_SOME_REFUSING: return round_robin_run(run, some, COUNT(some));
    case MEMBERS_ALL_REFUSING: return round_robin_run(run, none, COUNT(none));
    case MEMBERS_LIMITED: return round_robin_run(run, limited, COUNT(limited));
    case MEMBERS_ENDLESS: return round_robin_run(run, endless, COUNT(endless));
    }
    return SOLOIST_MISUSE;
}

/* A turn of a few states each: suspended a thousand times, the winner still goes the way that it goes alone. */
static void turns_lose_nothing(void **unused) {
    (void)unused;
    static const soloist_member alone[] = {{"bhpa", "bhpa", .share = 1}};
    static const soloist_member members[] = {{"bfs", "bfs", .share = 1}, {"bhpa", "bhpa", .share = 1, .head = 10}};
    struct fixture f[2];
    soloist_limits limits = {.nodes = 10000000};
    open_fixture(&f[0], long_way, 1, &limits);
    open_fixture(&f[1], long_way, 1, &limits);
    assert_int_equal(round_robin_run(&f[0].run, alone, COUNT(alone)), SOLOIST_OK);
    assert_int_equal(round_robin_run(&f[1].run, members, COUNT(members)), SOLOIST_OK);
    assert_true(f[0].run.found && f[1].run.found);
    assert_string_equal(f[1].run.method, "bhpa");
    assert_true(atomic_load(&f[0].budget.nodes) > 2000); /* more than one turn */
    assert_true(atomic_load(&f[0].budget.nodes) < atomic_load(&f[1].budget.nodes));
    assert_int_equal(f[0].run.best.count, f[1].run.best.count);
    assert_memory_equal(f[0].run.best.moves, f[1].run.best.moves, f[0].run.best.count * sizeof(soloist_move));
    close_fixture(&f[0]);
    close_fixture(&f[1]);
}

/* What a short run finds a long one finds with the same states. */
static void a_longer_limit_only_adds_turns(void **unused) {
    (void)unused;
    static const soloist_member members[] = {{"bfs", "bfs", .share = 3},
                                             {"mcts", "mcts", .share = 1},
                                             {"astar", "astar", .share = 1, .head = 300},
                                             {"bhpa", "bhpa", .share = 2}};
    uint64_t used[3];
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        soloist_limits limits = {.nodes = i == 0 ? 100000 : i == 1 ? 1000000 : 100000000};
        open_fixture(&f, long_way, 1, &limits);
        assert_int_equal(round_robin_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_true(f.run.found);
        used[i] = atomic_load(&f.budget.nodes);
        close_fixture(&f);
    }
    assert_int_equal(used[0], used[1]);
    assert_int_equal(used[0], used[2]);
}

/* A member that has filled its part of the memory leaves it to the other. */
static void memory_goes_to_those_that_are_left(void **unused) {
    (void)unused;
    static const soloist_member members[] = {{"bfs", "bfs", .share = 1}, {"bhpa", "bhpa", .share = 1}};
    struct fixture f;
    soloist_limits limits = {.time_s = 600, .memory = (size_t)24 << 20};
    open_fixture(&f, long_way, 1, &limits);
    assert_int_equal(round_robin_run(&f.run, members, COUNT(members)), SOLOIST_OK);
    assert_true(f.run.found);
    assert_in_range(memory_peak(&f.budget.memory), 1, limits.memory);
    close_fixture(&f);
}

static void one_thread_repeats_itself(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result[2];
    soloist_error error;
    soloist_chunk chunk = {.text = level, .length = strlen(level), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    for (uint64_t nodes = 50; nodes < 60000; nodes *= 3) {
        soloist_limits limits = {.nodes = nodes, .seed = 3};
        for (int i = 0; i < 2; i++)
            assert_int_equal(soloist_solve(engine, &puzzle, "auto", &limits, NULL, &result[i], &error), SOLOIST_OK);
        assert_int_equal(result[0].status, result[1].status);
        assert_int_equal(result[0].nodes, result[1].nodes);
        assert_string_equal(result[0].method, result[1].method);
        assert_true(!result[0].solution == !result[1].solution);
        if (result[0].solution)
            assert_string_equal(result[0].solution, result[1].solution);
        soloist_result_free(&result[0]);
        soloist_result_free(&result[1]);
    }
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_answers),
        cmocka_unit_test(the_first_answer_ends_the_others),
        cmocka_unit_test(proofs_come_home),
        cmocka_unit_test(refusals_are_passed_over),
        cmocka_unit_test(limits_hold_for_all_together),
        cmocka_unit_test(a_flag_cancels_all),
        cmocka_unit_test(turns_lose_nothing),
        cmocka_unit_test(a_longer_limit_only_adds_turns),
        cmocka_unit_test(memory_goes_to_those_that_are_left),
        cmocka_unit_test(one_thread_repeats_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
