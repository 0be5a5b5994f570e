/* A part of a mix under other options of the domain: what it finds is a line of the puzzle as it was read, and what it
 * proves does not count. */
#include "search_fixture.h"

#include <stdlib.h>
#include <string.h>

/* A tunnel of four squares between two rooms: one macro, several pushes. */
static const char tunnel[] = "##########\n#  #######\n#@$    . #\n#  ####  #\n##########\n";

static const soloist_limits ample = {.nodes = 100000};

static void lines_come_home(void **unused) {
    (void)unused;
    static const char *const changes[] = {"tunnels=out", "tunnels=out,goal_macros=on,goal_cuts=far,penalties=sound",
                                          ""};
    const soloist_core *core = sokoban_domain.core;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct fixture f;
        open_fixture(&f, tunnel, 1, &ample);
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
    open_fixture(&f, tunnel, 1, &ample);
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
