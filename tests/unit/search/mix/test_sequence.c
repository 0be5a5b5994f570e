/* Sequences: members one after the other find valid lines, proofs and refusals come home, and limits hold for all
 * together. */
#include "members_fixture.h"

#include "search/mix/sequence.h"

#include <stdlib.h>
#include <string.h>

static void every_number_of_threads_answers(void **unused) {
    (void)unused;
    static const soloist_member members[] = {{"bfs", "bfs", .percent = 20},
                                             {"bhpa", "bhpa", .percent = 50},
                                             {"astar", "astar", .percent = 50},
                                             {"mcts", "mcts", .percent = 100}};
    for (int threads = 1; threads <= 6; threads++) {
        struct fixture f;
        open_fixture(&f, level, threads, &ample);
        assert_int_equal(sequence_run(&f.run, members, COUNT(members)), SOLOIST_OK);
        assert_true(f.run.found && atomic_load(&f.budget.nodes) > 0);
        assert_true(memory_peak(&f.budget.memory) > 0);
        check_line(&f);
        assert_memory_equal(f.run.method, "bfs", 3);
        close_fixture(&f);
    }
}

static soloist_code run_members(struct search_run *run, enum members members) {
    static const soloist_member proving[] = {{"greedy", "greedy", .percent = 1}, {"bhpa", "bhpa", .percent = 100}};
    static const soloist_member some[] = {{"minimax", "minimax", .percent = 10},
                                          {"nrpa", "nrpa", .percent = 10},
                                          {"minimax", "minimax", .percent = 10},
                                          {"astar", "astar", .percent = 100}};
    static const soloist_member none[] = {{"minimax", "minimax", .percent = 10},
                                          {"minimax", "minimax", .percent = 100}};
    static const soloist_member limited[] = {
        {"bhpa", "bhpa", .percent = 20}, {"astar", "astar", .percent = 40}, {"bfs", "bfs", .percent = 100}};
    static const soloist_member endless[] = {{"bhpa", "bhpa", .percent = 20}, {"mcts", "mcts", .percent = 100}};
    switch (members) {
    case MEMBERS_PROVING: return sequence_run(run, proving, COUNT(proving));
    case MEMBERS_SOME_REFUSING: return sequence_run(run, some, COUNT(some));
    case MEMBERS_ALL_REFUSING: return sequence_run(run, none, COUNT(none));
    case MEMBERS_LIMITED: return sequence_run(run, limited, COUNT(limited));
    case MEMBERS_ENDLESS: return sequence_run(run, endless, COUNT(endless));
    }
    return SOLOIST_MISUSE;
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
