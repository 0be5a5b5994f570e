/* The bench: passes repeat each other, and the 15-puzzle's own copy of the depth-first search does what the generic
 * one does. The counts themselves are held against tests/golden/bench.txt by the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lab/bench.h"

#include <string.h>

static struct bench_row run(const char *part, double scale) {
    struct bench_row row = {0};
    soloist_error error = {0};
    for (size_t i = 0; i < bench_count(); i++)
        if (!strcmp(bench_part(i), part)) {
            if (!bench_run(i, scale, &row, &error))
                fail_msg("%s", error.text);
            return row;
        }
    fail_msg("no part %s", part);
    return row;
}

static void parts_have_distinct_names(void **unused) {
    (void)unused;
    assert_true(bench_count() > 0);
    for (size_t i = 0; i < bench_count(); i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(bench_part(i), bench_part(j));
    assert_null(bench_part(bench_count()));
    assert_false(bench_run(bench_count(), 0, &(struct bench_row){0}, NULL));
}

static void more_passes_give_the_same_signature(void **unused) {
    (void)unused;
    struct bench_row once = run("tictactoe.perft", 0), more = run("tictactoe.perft", 0.2);
    assert_int_equal(once.count, 255168); /* all games of tic-tac-toe */
    assert_int_equal(more.count, once.count);
    assert_int_equal(more.signature, once.signature);
}

static void copies_of_a_search_agree(void **unused) {
    (void)unused;
    struct bench_row generic = run("tiles.expand", 0), specialised = run("tiles.specialised", 0);
    assert_int_equal(generic.count, specialised.count);
    assert_int_equal(generic.signature, specialised.signature);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_distinct_names),
        cmocka_unit_test(more_passes_give_the_same_signature),
        cmocka_unit_test(copies_of_a_search_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
