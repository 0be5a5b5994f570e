/* What holds for members of any kind, in turn or by turns: proofs and refusals come home, limits hold for all together,
 * a flag cancels them. The test says how its members are run. */
#ifndef TESTS_UNIT_MEMBERS_FIXTURE_H
#define TESTS_UNIT_MEMBERS_FIXTURE_H

#include "search_fixture.h"
#include "base/stop.h"

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

/* Which members: greedy a little, then bhpa; minimax, nrpa, minimax and astar; minimax twice; bhpa, astar and bfs; bhpa
 * and mcts. */
enum members { MEMBERS_PROVING, MEMBERS_SOME_REFUSING, MEMBERS_ALL_REFUSING, MEMBERS_LIMITED, MEMBERS_ENDLESS };
static soloist_code run_members(struct search_run *run, enum members members);

static void proofs_come_home(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 2; threads++) {
        struct fixture f;
        soloist_limits limits = {.nodes = 1000000};
        open_fixture(&f, lost, threads, &limits);
        assert_int_equal(run_members(&f.run, MEMBERS_PROVING), SOLOIST_OK);
        assert_true(f.run.impossible && !f.run.found);
        close_fixture(&f);
    }
}

/* What cannot be run on the puzzle is passed over; where nothing can, the reason is told. */
static void refusals_are_passed_over(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 3; threads++) {
        struct fixture f;
        open_fixture(&f, level, threads, &ample);
        assert_int_equal(run_members(&f.run, MEMBERS_SOME_REFUSING), SOLOIST_OK);
        assert_true(f.run.found);
        close_fixture(&f);
        open_fixture(&f, level, threads, &ample);
        assert_int_equal(run_members(&f.run, MEMBERS_ALL_REFUSING), SOLOIST_UNSUPPORTED);
        assert_string_equal(f.error.text, "minimax needs a domain for two players; sokoban has one");
        close_fixture(&f);
    }
}

static void limits_hold_for_all_together(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 3; threads++) {
        struct fixture f;
        soloist_limits limits = {.nodes = 100, .memory = (size_t)8 << 20};
        open_fixture(&f, long_way, threads, &limits);
        assert_int_equal(run_members(&f.run, MEMBERS_LIMITED), SOLOIST_OK);
        assert_false(f.run.found);
        assert_in_range(atomic_load(&f.budget.nodes), 1, 100);
        assert_in_range(memory_peak(&f.budget.memory), 1, limits.memory);
        close_fixture(&f);
        limits = (soloist_limits){.time_s = 600, .memory = (size_t)32 << 10};
        open_fixture(&f, long_way, threads, &limits);
        assert_int_equal(run_members(&f.run, MEMBERS_LIMITED), SOLOIST_OK);
        assert_int_equal(atomic_load(&f.budget.stop), SOLOIST_STOP_MEMORY);
        close_fixture(&f);
    }
}

static void a_flag_cancels_all(void **unused) {
    (void)unused;
    soloist_stop_token cancel = {.cancelled = 1};
    for (int threads = 1; threads <= 2; threads++) {
        struct fixture f;
        soloist_limits limits = {.time_s = 600, .stop = &cancel};
        open_fixture(&f, long_way, threads, &limits);
        assert_int_equal(run_members(&f.run, MEMBERS_ENDLESS), SOLOIST_OK);
        assert_int_equal(atomic_load(&f.budget.stop), SOLOIST_STOP_CANCEL);
        assert_false(f.run.found);
        close_fixture(&f);
    }
}

#endif
