/* Bi-directional Monte-Carlo tree search: lines that replay, on one goal and on several; both ways to end; one tree or
 * two; exact limits; the same run for the same seed; every option's effect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 3x3 tiles, blank first: nine moves at least. */
static const char *const nine = "2 0 5 1 4 8 3 6 7\n";
static const char *const stack = "4 2 5 1 3 6\n";
static const char *const one_box = "######\n#    #\n# $. #\n#@   #\n######\n";
/* Solved, the box parts the corridor: the player stands on either side of it. */
static const char *const corridor = "########\n#@ $ . #\n########\n";
static const char *const two_boxes = "#######\n#  .  #\n# $#$ #\n#  .  #\n#  @  #\n#######\n";

static soloist_result solve_watched(const soloist_domain *domain, const char *text, const char *method,
                                    soloist_limits limits, const soloist_callbacks *callbacks) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    if (soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", text, error.text);
    if (soloist_solve(engine, &puzzle, method, &limits, callbacks, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

static soloist_result solve(const soloist_domain *domain, const char *text, const char *method, soloist_limits limits) {
    return solve_watched(domain, text, method, limits, NULL);
}

/* ---- lines ---- */

static const struct {
    const soloist_domain *domain;
    const char *text;
} puzzles[] = {{&tiles_domain, "1 0 2 3 4 5 6 7 8\n"},
               {&tiles_domain, nine},
               {&pancake_domain, stack},
               {&pancake_domain, "2 1 3\n"},
               {&sokoban_domain, one_box},
               {&sokoban_domain, corridor},
               {&sokoban_domain, two_boxes}};
enum { puzzle_count = sizeof puzzles / sizeof puzzles[0] };

/* The engine has had the referee replay each line; none may be cheaper than the best there is. */
static void lines_are_found_and_replay(void **unused) {
    (void)unused;
    static const char *const methods[] = {"bimcts",
                                          "bimcts:direction=down",
                                          "bimcts:direction=up",
                                          "bimcts:side=up",
                                          "bimcts:prune,siblings=1",
                                          "bimcts:playout_solves",
                                          "bimcts:direction=up,playout_solves"};
    for (int p = 0; p < puzzle_count; p++) {
        soloist_result best = solve(puzzles[p].domain, puzzles[p].text, "bfs", (soloist_limits){0});
        assert_true(best.optimal);
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
            for (uint64_t seed = 0; seed < 3; seed++) {
                soloist_limits limits = {.iterations = 200000, .seed = seed};
                soloist_result result = solve(puzzles[p].domain, puzzles[p].text, methods[m], limits);
                if (result.status != SOLOIST_SOLVED)
                    fail_msg("puzzle %d: %s finds nothing", p, methods[m]);
                assert_true(result.verdict.value >= best.verdict.value);
                assert_true(!result.optimal || result.verdict.value == best.verdict.value);
                soloist_result_free(&result);
            }
        soloist_result_free(&best);
    }
}

/* Random walks from the goal, many of them. */
static void walks_back_to_the_goal_are_found(void **unused) {
    (void)unused;
    static const struct {
        const soloist_domain *domain;
        const char *options;
    } made[] = {{&tiles_domain, "width=3,height=3,walk=9"}, {&pancake_domain, "n=6,flips=4"}};
    for (size_t d = 0; d < 2; d++)
        for (uint64_t i = 0; i < 20; i++) {
            const soloist_generate *generate = made[d].domain->generate;
            struct buffer buffer;
            soloist_rng rng;
            soloist_rng_seed(&rng, 3, i);
            buffer_open(&buffer);
            soloist_sink sink = buffer_sink(&buffer);
            void *options = calloc(1, generate->options_size);
            soloist_options_reset(generate->options, options);
            assert_int_equal(soloist_options_parse(generate->options, options, made[d].options, NULL), SOLOIST_OK);
            assert_int_equal(generate->make(options, &rng, &sink, NULL), SOLOIST_OK);
            char *text = buffer_take(&buffer);
            const char *instance = *text == ';' ? strchr(text, '\n') + 1 : text;
            soloist_result result = solve(made[d].domain, instance, "bimcts", (soloist_limits){.iterations = 200000});
            assert_int_equal(result.status, SOLOIST_SOLVED);
            soloist_result_free(&result);
            free(text);
            free(options);
        }
}

/* From the goals alone, a level is only solved if the right one of them is among the roots. */
static void every_goal_is_a_root(void **unused) {
    (void)unused;
    static const char *const levels[] = {"########\n#@ $ . #\n########\n", "########\n# . $ @#\n########\n"};
    for (int i = 0; i < 2; i++) {
        soloist_chunk chunk = {.text = levels[i], .length = strlen(levels[i]), .line = 1, .name = ""};
        soloist_puzzle puzzle;
        soloist_shape shape;
        assert_int_equal(soloist_puzzle_read(&sokoban_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
        sokoban_domain.life->shape(puzzle.instance, &shape);
        void *state = calloc(1, shape.state_size);
        assert_true(sokoban_domain.reverse->goal(puzzle.instance, 1, state));
        free(state);
        soloist_puzzle_free(&puzzle);
        soloist_result result =
            solve(&sokoban_domain, levels[i], "bimcts:direction=up", (soloist_limits){.iterations = 20000});
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_int_equal(result.verdict.value, 2);
        soloist_result_free(&result);
    }
}

/* ---- how it ends ---- */

static void keep_flag(void *user, const char *text) { snprintf(user, 32, "%s", text); }

static void assert_ends(const char *text, const char *method, const char *expected) {
    char flag[32] = "";
    soloist_callbacks callbacks = {.log = keep_flag, .user = flag};
    soloist_limits limits = {.iterations = 200000};
    soloist_result result = solve_watched(&tiles_domain, text, method, limits, &callbacks);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_string_equal(flag, expected);
    soloist_result_free(&result);
}

static void both_flags_occur(void **unused) {
    (void)unused;
    assert_ends(nine, "bimcts", "MET_IN_THE_MIDDLE");
    assert_ends(nine, "bimcts:direction=down", "SOLVED_IN_TREE");
    assert_ends(nine, "bimcts:direction=up", "SOLVED_IN_TREE");
    assert_ends(nine, "bimcts:playout_solves", "solved by a play-out");
}

/* With one leaf a move away the down-tree may step onto the goal itself before the up-tree moves. */
static void the_goal_can_be_a_leaf_of_two_trees(void **unused) {
    (void)unused;
    int solved = 0, met = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        char flag[32] = "";
        soloist_callbacks callbacks = {.log = keep_flag, .user = flag};
        soloist_limits limits = {.iterations = 1000, .seed = seed};
        soloist_result result = solve_watched(&tiles_domain, "1 0 2 3 4 5 6 7 8\n", "bimcts", limits, &callbacks);
        solved += !strcmp(flag, "SOLVED_IN_TREE");
        met += !strcmp(flag, "MET_IN_THE_MIDDLE");
        soloist_result_free(&result);
    }
    assert_int_equal(solved + met, 20);
    assert_true(solved > 0 && met > 0);
}

/* The published gain, at the least: over ten seeds two trees need fewer iterations than one. */
static void two_trees_meet_sooner(void **unused) {
    (void)unused;
    uint64_t both = 0, down = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        soloist_limits limits = {.iterations = 1000000, .seed = seed};
        soloist_result first = solve(&tiles_domain, nine, "bimcts:length=25", limits);
        soloist_result second = solve(&tiles_domain, nine, "bimcts:length=25,direction=down", limits);
        both += first.iterations;
        down += second.iterations;
        soloist_result_free(&first);
        soloist_result_free(&second);
    }
    assert_true(both < down);
}

static void limits_are_exact(void **unused) {
    (void)unused;
    soloist_result result = solve(&tiles_domain, nine, "bimcts", (soloist_limits){.iterations = 77});
    assert_int_equal(result.iterations, 77);
    assert_int_equal(result.playouts, 77);
    assert_int_equal(result.stopped, SOLOIST_STOP_ITERATIONS);
    soloist_result_free(&result);
    for (uint64_t nodes = 1; nodes < 40; nodes += 3) {
        result = solve(&tiles_domain, nine, "bimcts", (soloist_limits){.nodes = nodes});
        assert_int_equal(result.nodes, nodes);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        soloist_result_free(&result);
    }
    result = solve(&tiles_domain, nine, "bimcts", (soloist_limits){.memory = 1 << 20, .iterations = 100000});
    assert_int_equal(result.stopped, SOLOIST_STOP_MEMORY);
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    soloist_result_free(&result);
    result = solve(&sokoban_domain, corridor, "bimcts", (soloist_limits){.nodes = 1});
    assert_int_equal(result.nodes, 1);
    soloist_result_free(&result);
}

/* The blank in a corner: two children at once, which a large c visits in turn. Each has one sibling and itself, so they
 * have been visited twenty times each after forty iterations, and the next one expands. */
static void leaves_expand_after_ten_visits_a_sibling(void **unused) {
    (void)unused;
    static const uint64_t iterations[] = {1, 40, 41};
    for (int i = 0; i < 3; i++) {
        soloist_limits limits = {.iterations = iterations[i]};
        soloist_result result = solve(&tiles_domain, "3 1 2 6 4 5 0 7 8\n", "bimcts:direction=down,c=1000000", limits);
        assert_int_equal(result.nodes, i < 2 ? 2 : 2 + 3);
        assert_int_equal(result.expanded, i < 2 ? 1 : 2);
        soloist_result_free(&result);
    }
}

/* ---- seeds and options ---- */

static void fingerprint(const soloist_domain *domain, const char *text, const char *method, uint64_t seed, char *out) {
    soloist_result result = solve(domain, text, method, (soloist_limits){.iterations = 3000, .seed = seed});
    snprintf(out, 200, "%d %d %llu %llu %llu %.120s", (int)result.status, (int)result.verdict.value,
             (unsigned long long)result.nodes, (unsigned long long)result.iterations,
             (unsigned long long)result.playouts, result.solution ? result.solution : "");
    soloist_result_free(&result);
}

static void a_seed_decides_the_trees(void **unused) {
    (void)unused;
    char first[200], again[200], other[200];
    for (int p = 1; p < 3; p++) {
        fingerprint(puzzles[p].domain, puzzles[p].text, "bimcts", 1, first);
        fingerprint(puzzles[p].domain, puzzles[p].text, "bimcts", 1, again);
        fingerprint(puzzles[p].domain, puzzles[p].text, "bimcts", 2, other);
        assert_string_equal(first, again);
        assert_string_not_equal(first, other);
    }
}

static void every_option_does_something(void **unused) {
    (void)unused;
    static const char *const changed[] = {
        "bimcts:direction=down", "bimcts:direction=up",     "bimcts:side=up",   "bimcts:c=3",
        "bimcts:log_factor=9",   "bimcts:siblings=2",       "bimcts:length=13", "bimcts:prune",
        "bimcts:playout_solves", "bimcts:log_visits=parent"};
    char base[200], with[200];
    fingerprint(&tiles_domain, nine, "bimcts", 1, base);
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) {
        fingerprint(&tiles_domain, nine, changed[i], 1, with);
        if (!strcmp(base, with))
            fail_msg("%s changes nothing: %s", changed[i], base);
    }
}

/* No line of either tree is longer than asked for, so two of length 4 cannot span nine moves. */
static void the_length_limits_both_trees(void **unused) {
    (void)unused;
    soloist_result result = solve(&tiles_domain, nine, "bimcts:length=4", (soloist_limits){.iterations = 50000});
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    soloist_result_free(&result);
    result = solve(&tiles_domain, nine, "bimcts:length=5", (soloist_limits){.iterations = 50000});
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_int_equal(result.verdict.value, 9);
    soloist_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_found_and_replay),
        cmocka_unit_test(walks_back_to_the_goal_are_found),
        cmocka_unit_test(every_goal_is_a_root),
        cmocka_unit_test(both_flags_occur),
        cmocka_unit_test(the_goal_can_be_a_leaf_of_two_trees),
        cmocka_unit_test(two_trees_meet_sooner),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(leaves_expand_after_ten_visits_a_sibling),
        cmocka_unit_test(a_seed_decides_the_trees),
        cmocka_unit_test(every_option_does_something),
        cmocka_unit_test(the_length_limits_both_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
