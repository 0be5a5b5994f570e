/* A part of a mix under other options of the domain: what it finds is a line of the puzzle as it was read, and what it
 * proves does not count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

/* A tunnel of four squares between two rooms: one macro, several pushes. */
static const char tunnel[] = "##########\n#  #######\n#@$    . #\n#  ####  #\n##########\n";

static struct search_run run_on(const soloist_puzzle *puzzle, struct budget *budget, soloist_error *error) {
    struct search_run run = {.domain = puzzle->domain,
                             .instance = puzzle->instance,
                             .puzzle = puzzle,
                             .budget = budget,
                             .threads = 1,
                             .error = error};
    puzzle->domain->life->shape(puzzle->instance, &run.shape);
    return run;
}

static void read_tunnel(soloist_puzzle *puzzle) {
    soloist_chunk chunk = {.text = tunnel, .length = strlen(tunnel), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, NULL, &chunk, puzzle, NULL), SOLOIST_OK);
}

static void lines_come_home(void **unused) {
    (void)unused;
    static const char *const changes[] = {"tunnels=out", "tunnels=out,goal_macros=on,goal_cuts=far,penalties=sound",
                                          ""};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        soloist_puzzle puzzle;
        soloist_error error;
        struct budget budget;
        soloist_limits limits = {.nodes = 100000};
        read_tunnel(&puzzle);
        budget_open(&budget, &limits, NULL);
        struct search_run run = run_on(&puzzle, &budget, &error);
        assert_int_equal(search_part_as(&run, changes[i], "astar", 100), SOLOIST_OK);
        assert_true(run.found && !run.optimal);
        int32_t last, value = 0;
        void *state = malloc(run.shape.state_size);
        puzzle.domain->life->root(puzzle.instance, state);
        for (size_t k = 0; k < run.best.count; k++)
            value += puzzle.domain->core->apply(puzzle.instance, state, run.best.moves[k], NULL);
        assert_true(puzzle.domain->core->ended(puzzle.instance, state, &last));
        assert_int_equal(value, run.best.value);
        assert_int_equal(value, (int)run.best.count); /* single pushes again */
        assert_int_equal(memory_used(&budget.memory), 0);
        free(state);
        free(run.best.moves);
        soloist_puzzle_free(&puzzle);
    }
}

static void what_does_not_suit_is_passed_over(void **unused) {
    (void)unused;
    soloist_puzzle puzzle;
    soloist_error error;
    struct budget budget;
    soloist_limits limits = {.nodes = 100000};
    read_tunnel(&puzzle);
    budget_open(&budget, &limits, NULL);
    struct search_run run = run_on(&puzzle, &budget, &error);
    assert_int_equal(search_part_as(&run, "no_such_option=1", "astar", 100), SOLOIST_OK);
    assert_false(run.found);
    run.puzzle = NULL;
    assert_int_equal(search_part_as(&run, "tunnels=out", "astar", 100), SOLOIST_OK);
    assert_false(run.found);
    assert_int_equal(atomic_load(&budget.nodes), 0);
    soloist_puzzle_free(&puzzle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_home),
        cmocka_unit_test(what_does_not_suit_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
