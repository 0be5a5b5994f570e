/* Positions drawn as pictures, and the hint that is given for each. */
#include "search/special/sokoban/hint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

struct expected {
    const char *level;
    enum hint_status status;
    int column, row, letters;
    const char *direction;
};

static const struct expected cases[] = {
    {"#######\n#@ $ .#\n#######\n", HINT_PUSH, 4, 2, 2, "right"},
    {"#####\n#. @#\n# $ #\n#   #\n#####\n", HINT_PUSH, 3, 3, 5, "left"},
    {"#####\n#@ *#\n#####\n", HINT_SOLVED, 0, 0, 0, NULL},
    {"######\n#$@ .#\n######\n", HINT_DEAD, 0, 0, 0, NULL},
};

static void test_hints(void **state) {
    (void)state;
    soloist *engine = soloist_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soloist_chunk chunk = {.text = cases[i].level, .length = strlen(cases[i].level), .line = 1, .name = ""};
        soloist_limits limits = {.nodes = 100000};
        static struct hint hint;
        soloist_puzzle puzzle;
        soloist_error error = {0};
        assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, "sokoban"), NULL, &chunk, &puzzle, &error),
                         SOLOIST_OK);
        assert_int_equal(hint_find(engine, &puzzle, "astar", &limits, &hint, &error), SOLOIST_OK);
        assert_string_equal(hint_status_name(hint.status), hint_status_name(cases[i].status));
        assert_int_equal(hint.column, cases[i].column);
        assert_int_equal(hint.row, cases[i].row);
        if (cases[i].direction)
            assert_string_equal(hint.direction, cases[i].direction);
        assert_true(!cases[i].direction || hint.letters <= cases[i].letters);
        soloist_result_free(&hint.result);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
