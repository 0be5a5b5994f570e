/* Portfolios: members one after the other find valid lines, proofs and refusals come home, and limits hold for all
 * together. */
#include "search_fixture.h"

#include "search/portfolio.h"

#include <stdlib.h>
#include <string.h>

static const char level[] = "########\n#      #\n# $$$  #\n# .@.  #\n# .$   #\n#  .   #\n########\n";
/* More than a hundred pushes. */
static const char long_way[] = "############\n#          #\n# $ $ $  ..#\n# $ $ $  ..#\n# $ $ $ @..#\n# $ $ $  ..#\n"
                               "#        ..#\n#        ..#\n############\n";
/* The last goals cannot be filled: from the full room no box can be pulled. */
static const char lost[] = "################\n#          #...#\n# $ $ $ $  #...#\n#              #\n# $ $ $ $  #...#\n"
                           "#          #...#\n# $ $ $ $ @#####\n#          #\n############\n";

/* The best line ends, and costs what it says. */
static void check_line(const struct fixture *f) {
    const soloist_core *core = sokoban_domain.core;
    int32_t last, value = 0;
    void *state = malloc(f->run.shape.state_size);
    sokoban_domain.life->root(f->puzzle.instance, state);
    for (size_t i = 0; i < f->run.best.count; i++)
        value += core->apply(f->puzzle.instance, state, f->run.best.moves[i], NULL);
    assert_true(core->ended(f->puzzle.instance, state, &last));
    assert_int_equal(value, f->run.best.value);
    free(state);
}

#define COUNT(list) (sizeof list / sizeof *list)
static const soloist_limits ample = {.time_s = 600, .memory = (size_t)1 << 30};

static void every_number_of_threads_answers(void **unused) {
    (void)unused;
    static const struct portfolio_member members[] = {
        {"bfs", .percent = 20}, {"bhpa", .percent = 50}, {"astar", .percent = 50}, {"mcts", .percent = 100}};
    for (int threads = 1; threads <= 6; threads++) {
        struct fixture f;
        open_fixture(&f, level, threads, &ample);
        assert_int_equal(portfolio_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_true(f.run.found && atomic_load(&f.budget.nodes) > 0);
        assert_true(memory_peak(&f.budget.memory) > 0);
        check_line(&f);
        assert_memory_equal(f.run.method, "bfs", 3);
        close_fixture(&f);
    }
}

static void proofs_come_home(void **unused) {
    (void)unused;
    static const struct portfolio_member members[] = {{"greedy", .percent = 1}, {"bhpa", .percent = 100}};
    for (int threads = 1; threads <= 2; threads++) {
        struct fixture f;
        soloist_limits limits = {.nodes = 1000000};
        open_fixture(&f, lost, threads, &limits);
        assert_int_equal(portfolio_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_true(f.run.impossible && !f.run.found);
        close_fixture(&f);
    }
}

/* What cannot be run on the puzzle is passed over; where nothing can, the reason is told. */
static void refusals_are_passed_over(void **unused) {
    (void)unused;
    static const struct portfolio_member some[] = {
        {"minimax", .percent = 10}, {"nrpa", .percent = 10}, {"minimax", .percent = 10}, {"astar", .percent = 100}};
    static const struct portfolio_member none[] = {{"minimax", .percent = 10}, {"minimax", .percent = 100}};
    for (int threads = 1; threads <= 3; threads++) {
        struct fixture f;
        open_fixture(&f, level, threads, &ample);
        assert_int_equal(portfolio_run(&f.run, some, COUNT(some)), SOLOIST_OK);
        assert_true(f.run.found);
        close_fixture(&f);
        open_fixture(&f, level, threads, &ample);
        assert_int_equal(portfolio_run(&f.run, none, COUNT(none)), SOLOIST_UNSUPPORTED);
        assert_string_equal(f.error.text, "minimax needs a domain for two players; sokoban has one");
        close_fixture(&f);
    }
}

static void limits_hold_for_all_together(void **unused) {
    (void)unused;
    static const struct portfolio_member members[] = {
        {"bhpa", .percent = 20}, {"astar", .percent = 40}, {"bfs", .percent = 100}};
    for (int threads = 1; threads <= 3; threads++) {
        struct fixture f;
        soloist_limits limits = {.nodes = 100, .memory = (size_t)8 << 20};
        open_fixture(&f, long_way, threads, &limits);
        assert_int_equal(portfolio_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_false(f.run.found);
        assert_in_range(atomic_load(&f.budget.nodes), 1, 100);
        assert_in_range(memory_peak(&f.budget.memory), 1, limits.memory);
        close_fixture(&f);
        limits = (soloist_limits){.time_s = 600, .memory = (size_t)32 << 10};
        open_fixture(&f, long_way, threads, &limits);
        assert_int_equal(portfolio_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_int_equal(atomic_load(&f.budget.stop), SOLOIST_STOP_MEMORY);
        close_fixture(&f);
    }
}

static void a_flag_cancels_all(void **unused) {
    (void)unused;
    static const struct portfolio_member members[] = {{"bhpa", .percent = 20}, {"mcts", .percent = 100}};
    volatile int cancel = 1;
    for (int threads = 1; threads <= 2; threads++) {
        struct fixture f;
        soloist_limits limits = {.time_s = 600, .cancel = &cancel};
        open_fixture(&f, long_way, threads, &limits);
        assert_int_equal(portfolio_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_int_equal(atomic_load(&f.budget.stop), SOLOIST_STOP_CANCEL);
        assert_false(f.run.found);
        close_fixture(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_answers),
        cmocka_unit_test(proofs_come_home),
        cmocka_unit_test(refusals_are_passed_over),
        cmocka_unit_test(limits_hold_for_all_together),
        cmocka_unit_test(a_flag_cancels_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
