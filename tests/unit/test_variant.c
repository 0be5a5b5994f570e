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

struct fixture {
    soloist_puzzle puzzle;
    soloist_error error;
    struct budget budget;
    struct search_run run;
};

static void open_fixture(struct fixture *f) {
    soloist_chunk chunk = {.text = tunnel, .length = strlen(tunnel), .line = 1, .name = ""};
    soloist_limits limits = {.nodes = 100000};
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, NULL, &chunk, &f->puzzle, NULL), SOLOIST_OK);
    budget_open(&f->budget, &limits, NULL);
    f->run = (struct search_run){.domain = &sokoban_domain,
                                 .instance = f->puzzle.instance,
                                 .puzzle = &f->puzzle,
                                 .budget = &f->budget,
                                 .threads = 1,
                                 .error = &f->error};
    sokoban_domain.life->shape(f->puzzle.instance, &f->run.shape);
}

static void close_fixture(struct fixture *f) {
    assert_int_equal(memory_used(&f->budget.memory), 0);
    free(f->run.best.moves);
    soloist_puzzle_free(&f->puzzle);
}

static void lines_come_home(void **unused) {
    (void)unused;
    static const char *const changes[] = {"tunnels=out", "tunnels=out,goal_macros=on,goal_cuts=far,penalties=sound",
                                          ""};
    const soloist_core *core = sokoban_domain.core;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct fixture f;
        open_fixture(&f);
        assert_int_equal(search_part_as(&f.run, changes[i], "astar", 100), SOLOIST_OK);
        assert_true(f.run.found && !f.run.optimal);
        int32_t last, value = 0;
        void *state = malloc(f.run.shape.state_size);
        sokoban_domain.life->root(f.puzzle.instance, state);
        for (size_t k = 0; k < f.run.best.count; k++)
            value += core->apply(f.puzzle.instance, state, f.run.best.moves[k], NULL);
        assert_true(core->ended(f.puzzle.instance, state, &last));
        assert_int_equal(value, f.run.best.value);
        assert_int_equal(value, (int)f.run.best.count); /* single pushes again */
        free(state);
        close_fixture(&f);
    }
}

static void what_does_not_suit_is_passed_over(void **unused) {
    (void)unused;
    struct fixture f;
    open_fixture(&f);
    assert_int_equal(search_part_as(&f.run, "no_such_option=1", "astar", 100), SOLOIST_OK);
    assert_false(f.run.found);
    f.run.puzzle = NULL;
    assert_int_equal(search_part_as(&f.run, "tunnels=out", "astar", 100), SOLOIST_OK);
    assert_false(f.run.found);
    assert_int_equal(atomic_load(&f.budget.nodes), 0);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_home),
        cmocka_unit_test(what_does_not_suit_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
