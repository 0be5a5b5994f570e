/* Positions without a solution: breadth-first search under no rules confirms every label; the area under the curve
 * against its definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "learn/dead/dead_states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const levels[] = {
    "#######\n#     #\n# .$  #\n#  $. #\n#  @  #\n#######\n",
    "########\n#  .   #\n# $ #$ #\n#  @. .#\n#   $  #\n########\n",
    "######\n#.   #\n# $  #\n#  @ #\n######\n",
};
enum { level_count = sizeof levels / sizeof *levels, seeds = 12 };

static struct dead_maker maker_for(const soloist *engine, int64_t most) {
    return (struct dead_maker){.engine = engine,
                               .domain = soloist_find_domain(engine, "sokoban"),
                               .plain = "rules=none",
                               .strict = "rules=none,bound=matching-manhattan,deadlock_tables=true",
                               .most = most,
                               .method = "astar",
                               .nodes = 100000};
}

static soloist_status solve_plainly(const soloist *engine, const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_result result;
    assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, "sokoban"), "rules=none", &chunk, &puzzle, NULL),
                     SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "bfs", NULL, NULL, &result, NULL), SOLOIST_OK);
    soloist_status status = result.status;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return status;
}

static void positions_by_rules_are_dead(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    struct dead_maker maker = maker_for(engine, 200);
    char *first = NULL;
    int others = 0;
    for (int i = 0; i < level_count; i++)
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            struct dead_pair pair, again;
            soloist_error error;
            assert_true(dead_by_rules(&maker, levels[i], strlen(levels[i]), seed, &pair, &error));
            assert_true(dead_by_rules(&maker, levels[i], strlen(levels[i]), seed, &again, &error));
            assert_non_null(pair.dead);
            assert_null(pair.live);
            assert_string_equal(pair.dead, again.dead);
            assert_int_equal(solve_plainly(engine, pair.dead), SOLOIST_IMPOSSIBLE);
            if (!first)
                first = strdup(pair.dead);
            others += strcmp(first, pair.dead) != 0;
            dead_pair_free(&pair);
            dead_pair_free(&again);
        }
    assert_true(others > level_count * seeds / 2);
    free(first);
    soloist_free(engine);
}

/* Two positions after one push each from the same position differ in at most six cells: a box and the player left their
 * squares in both, and came to others. */
static int difference(const char *a, const char *b) {
    int count = 0;
    assert_int_equal(strlen(a), strlen(b));
    for (size_t i = 0; a[i]; i++)
        count += a[i] != b[i];
    return count;
}

static void positions_by_search_are_what_they_are_called(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    struct dead_maker maker = maker_for(engine, 15);
    int found = 0;
    for (int i = 0; i < level_count; i++)
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            struct dead_pair pair;
            soloist_error error;
            assert_true(dead_by_search(&maker, levels[i], strlen(levels[i]), seed, &pair, &error));
            assert_int_equal(!pair.dead, !pair.live);
            if (!pair.dead)
                continue; /* the walk came to an end before */
            assert_int_equal(solve_plainly(engine, pair.dead), SOLOIST_IMPOSSIBLE);
            assert_int_equal(solve_plainly(engine, pair.live), SOLOIST_SOLVED);
            assert_in_range(difference(pair.dead, pair.live), 1, 6);
            found++;
            dead_pair_free(&pair);
        }
    assert_true(found > level_count * seeds / 2);
    soloist_free(engine);
}

/* A search that may not look at anything decides nothing. */
static void what_is_not_decided_is_left_out(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    struct dead_maker maker = maker_for(engine, 15);
    struct dead_pair pair;
    soloist_error error;
    maker.nodes = 1;
    assert_true(dead_by_search(&maker, levels[1], strlen(levels[1]), 1, &pair, &error));
    assert_null(pair.dead);
    assert_null(pair.live);
    assert_false(dead_by_search(&maker, "no level", 8, 1, &pair, &error));
    assert_true(*error.text);
    maker.strict = "no_such_option=1";
    assert_false(dead_by_rules(&maker, levels[0], strlen(levels[0]), 1, &pair, &error));
    assert_non_null(strstr(error.text, "no_such_option"));
    soloist_free(engine);
}

static void the_area_counts_pairs(void **unused) {
    (void)unused;
    soloist_rng rng;
    float dead[40], live[30];
    soloist_rng_seed(&rng, 2, 0);
    for (int round = 0; round < 50; round++) {
        size_t dead_count = 1 + soloist_rng_below(&rng, 40), live_count = 1 + soloist_rng_below(&rng, 30);
        double pairs = 0;
        for (size_t i = 0; i < dead_count; i++)
            dead[i] = (float)soloist_rng_below(&rng, 10) / 10;
        for (size_t i = 0; i < live_count; i++)
            live[i] = (float)soloist_rng_below(&rng, 14) / 10;
        for (size_t i = 0; i < dead_count; i++)
            for (size_t k = 0; k < live_count; k++)
                pairs += dead[i] < live[k] ? 1 : dead[i] == live[k] ? 0.5 : 0;
        double area = dead_area(dead, dead_count, live, live_count);
        assert_true(fabs(area - pairs / ((double)dead_count * (double)live_count)) < 1e-12);
    }
    assert_true(isnan(dead_area(dead, 0, live, 1)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_by_rules_are_dead),
        cmocka_unit_test(positions_by_search_are_what_they_are_called),
        cmocka_unit_test(what_is_not_decided_is_left_out),
        cmocka_unit_test(the_area_counts_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
