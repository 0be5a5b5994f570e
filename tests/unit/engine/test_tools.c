/* What soloist_tools.h promises: texts, pictures, new instances, level sets, shortening. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "soloist_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static soloist_puzzle read_puzzle(const soloist_domain *domain, const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error;
    if (soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    return puzzle;
}

static void expect_text(char *text, const char *expected) {
    assert_non_null(text);
    assert_string_equal(text, expected);
    soloist_text_free(text);
}

static void texts_are_those_of_the_domain(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(&tiles_domain, "3 1 2 4 0 5 6 7 8");
    uint64_t state[64];
    soloist_move moves[8];
    puzzle.domain->life->root(puzzle.instance, state);
    int count = puzzle.domain->core->moves(puzzle.instance, state, moves);
    assert_int_equal(count, 4);
    expect_text(soloist_state_text(&puzzle, state), "3 1 2 4 0 5 6 7 8\n");
    expect_text(soloist_move_text(&puzzle, state, moves[0]), "slide tile 1 down");
    expect_text(soloist_line_text(&puzzle, moves, 1), "U");
    soloist_puzzle_free(&puzzle);
    /* States of `sokoban` do not hold the player's square, but its root's text does. */
    const char *level = "#######\n#  @$.#\n#######\n";
    puzzle = read_puzzle(&sokoban_domain, level);
    expect_text(soloist_root_text(engine, &puzzle), level);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static size_t occurrences(const char *text, const char *part) {
    size_t count = 0;
    while ((text = strstr(text, part)))
        count++, text++;
    return count;
}

static void pictures_show_every_piece(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(&sokoban_domain, "#######\n#@$ .*#\n#######\n");
    char *picture = soloist_draw(engine, &puzzle, NULL, 20);
    assert_non_null(picture);
    assert_int_equal(occurrences(picture, "href=\"#box\""), 1);
    assert_int_equal(occurrences(picture, "href=\"#stored\""), 1);
    assert_int_equal(occurrences(picture, "href=\"#wall\""), 16);
    assert_int_equal(occurrences(picture, "<svg "), 1);
    assert_true(strstr(picture, "width=\"160\" height=\"80\"") != NULL);
    soloist_text_free(picture);
    soloist_puzzle_free(&puzzle);
    /* A domain without a drawing of its own becomes text; so does any state. */
    puzzle = read_puzzle(&tictactoe_domain, "XO./.../...");
    uint64_t state[64];
    puzzle.domain->life->root(puzzle.instance, state);
    picture = soloist_draw(engine, &puzzle, state, 20);
    assert_non_null(picture);
    assert_int_equal(occurrences(picture, ">X</text>"), 1);
    soloist_text_free(picture);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void films_move_what_the_solution_moves(void **unused) {
    (void)unused;
    static const struct {
        const soloist_domain *domain;
        const char *text, *solution;
        size_t movers; /* things that move in the film */
    } rows[] = {
        {&sokoban_domain, "#######\n#@$ .*#\n#######\n", "RR", 2},
        {&tiles_domain, "1 2 0 3 4 5 6 7 8", "LL", 2},
        {&pancake_domain, "2 1 3", "[2]", 2},
        {&samegame_domain, "12\n12\n", "[[0,0],[0,0]]", 4},
    };
    soloist *engine = soloist_new();
    soloist_error error;
    char *film;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        soloist_puzzle puzzle = read_puzzle(rows[i].domain, rows[i].text);
        soloist_code code =
            soloist_film(engine, &puzzle, rows[i].solution, strlen(rows[i].solution), 0.5, 20, &film, &error);
        assert_int_equal(code, SOLOIST_OK);
        assert_int_equal(occurrences(film, "<animateTransform"), rows[i].movers);
        soloist_text_free(film);
        soloist_puzzle_free(&puzzle);
    }
    soloist_puzzle puzzle = read_puzzle(&sokoban_domain, rows[0].text);
    assert_int_equal(soloist_film(engine, &puzzle, "RRRR", 4, 0.5, 20, &film, &error), SOLOIST_BAD_INPUT);
    assert_null(film);
    assert_true(error.text[0] != 0);
    assert_int_equal(soloist_film(engine, &puzzle, NULL, 4, 0.5, 20, &film, &error), SOLOIST_MISUSE);
    assert_int_equal(soloist_film(engine, NULL, "RR", 2, 0.5, 20, &film, &error), SOLOIST_MISUSE);
    assert_int_equal(soloist_film(engine, &puzzle, "RR", 2, 0.5, 20, NULL, NULL), SOLOIST_MISUSE);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void instances_depend_on_seed_and_number_alone(void **unused) {
    (void)unused;
    char *first, *again, *second;
    soloist_error error;
    assert_int_equal(soloist_make(&pancake_domain, NULL, 7, 0, &first, &error), SOLOIST_OK);
    assert_int_equal(soloist_make(&pancake_domain, "", 7, 0, &again, &error), SOLOIST_OK);
    assert_int_equal(soloist_make(&pancake_domain, NULL, 7, 1, &second, &error), SOLOIST_OK);
    assert_string_equal(first, again);
    assert_string_not_equal(first, second);
    soloist_text_free(first);
    soloist_text_free(again);
    soloist_text_free(second);
    assert_int_equal(soloist_make(NULL, NULL, 7, 0, &first, &error), SOLOIST_MISUSE);
    assert_int_equal(soloist_make(&pancake_domain, NULL, 7, 0, NULL, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_make(&pancake_domain, "nothing=1", 7, 0, &first, &error), SOLOIST_BAD_INPUT);
    assert_null(first);
    assert_true(strstr(error.text, "nothing") != NULL);
    soloist_domain without = pancake_domain;
    without.generate = NULL;
    assert_int_equal(soloist_make(&without, NULL, 7, 0, &first, &error), SOLOIST_UNSUPPORTED);
}

static void note_first(void *user, const char *name, const char *folder) {
    (void)folder;
    *(bool *)user |= !strcmp(name, "first");
}

static void level_sets_are_found_in_the_folders(void **unused) {
    (void)unused;
    char *text;
    size_t length = 0;
    bool found = false;
    unsetenv("SOLOIST_LEVELS");
    unsetenv("SOLOIST_DATA");
    const char *folders = "/nowhere:" SOLOIST_SOURCE "/data";
    assert_int_equal(soloist_level_set("first", folders, &text, &length), SOLOIST_OK);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    soloist_text_free(text);
    assert_int_equal(soloist_level_set("no-such-set", folders, &text, &length), SOLOIST_OK);
    assert_null(text);
    assert_int_equal(soloist_level_sets(folders, note_first, &found), SOLOIST_OK);
    assert_true(found);
}

static void solutions_are_shortened(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(&sokoban_domain, "########\n#      #\n# @$  .#\n#      #\n########\n");
    soloist_result result = {.status = SOLOIST_SOLVED, .stopped = SOLOIST_STOP_GOAL, .nodes = 1000};
    result.solution = strdup("ulddruRRR"); /* takes a walk first */
    assert_non_null(result.solution);
    assert_true(soloist_check(&puzzle, result.solution, strlen(result.solution), &result.verdict, NULL));
    soloist_shortening how = {.size = sizeof how};
    soloist_error error;
    soloist_code code = soloist_shorten(&puzzle, NULL, NULL, &how, &result, &error);
    assert_int_equal(code, SOLOIST_OK);
    assert_string_equal(result.solution, "RRR");
    const soloist_limits negative = {.time_s = -1};
    assert_int_equal(soloist_shorten(&puzzle, &negative, NULL, &how, &result, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "limits must not be negative");
    assert_int_equal(result.verdict.moves, 3);
    assert_true(strstr(result.method, "+polish") != NULL);
    /* Nothing is spent on a solution that is proved optimal, and nothing without a solution. */
    result.optimal = true;
    assert_int_equal(soloist_shorten(&puzzle, NULL, NULL, &how, &result, &error), SOLOIST_OK);
    assert_int_equal(how.nodes, 0);
    soloist_result_free(&result);
    assert_int_equal(soloist_shorten(&puzzle, NULL, NULL, &how, &result, &error), SOLOIST_OK);
    assert_null(result.solution);
    how.objective = "beauty";
    assert_int_equal(soloist_shorten(&puzzle, NULL, NULL, &how, &result, &error), SOLOIST_MISUSE);
    how.size = 0;
    assert_int_equal(soloist_shorten(&puzzle, NULL, NULL, &how, &result, &error), SOLOIST_MISUSE);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

/* The fewest moves of this level take more pushes than the fewest pushes: a proof about moves is none about pushes. */
static void a_proof_is_about_its_own_count(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle = read_puzzle(
        &sokoban_domain, "#######\n# .####\n#.$ ###\n# $  ##\n# .  ##\n#$ ####\n#@$####\n#. ####\n#######\n");
    soloist_result result;
    soloist_error error;
    soloist_shortening how = {.size = sizeof how, .objective = "moves-pushes"};
    soloist_details details = {.size = sizeof details};
    assert_int_equal(soloist_solve(engine, &puzzle, "astar", NULL, NULL, &result, &error), SOLOIST_OK);
    assert_true(result.optimal);
    int32_t pushes = result.verdict.value;
    assert_int_equal(soloist_shorten(&puzzle, NULL, NULL, &how, &result, &error), SOLOIST_OK);
    assert_string_equal(how.optimal_for, "moves-pushes");
    assert_true(result.verdict.value > pushes);
    assert_false(result.optimal);
    assert_int_equal(soloist_describe(&puzzle, &result, &details), SOLOIST_OK);
    assert_string_equal(details.optimal_for, "");
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

/* If the block in the middle is removed first, the others join, and four blocks at once bring four points. */
static void games_are_improved(void **unused) {
    (void)unused;
    soloist_puzzle puzzle = read_puzzle(&samegame_domain, "121\n121\n");
    soloist_result result = {.status = SOLOIST_SOLVED, .stopped = SOLOIST_STOP_TIME, .nodes = 3};
    result.solution = strdup("[[0,0],[0,0],[0,0]]");
    assert_non_null(result.solution);
    assert_true(soloist_check(&puzzle, result.solution, strlen(result.solution), &result.verdict, NULL));
    assert_int_equal(result.verdict.value, 1000);
    soloist_shortening how = {.size = sizeof how};
    assert_int_equal(soloist_shorten(&puzzle, NULL, NULL, &how, &result, NULL), SOLOIST_OK); /* no seconds to spend */
    assert_int_equal(result.verdict.value, 1000);
    assert_int_equal(how.nodes, 0);
    how.seconds = 0.05;
    assert_int_equal(soloist_shorten(&puzzle, NULL, NULL, &how, &result, NULL), SOLOIST_OK);
    assert_int_equal(result.verdict.value, 1004);
    assert_string_equal(result.solution, "[[1,0],[0,0]]");
    assert_string_equal(result.method, "+polish");
    assert_true(how.nodes > 0 && how.time_s > 0 && result.nodes == 3);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
}

static void solutions_are_described(void **unused) {
    (void)unused;
    soloist_puzzle level = read_puzzle(&sokoban_domain, "########\n#      #\n# @$  .#\n#      #\n########\n");
    soloist_puzzle board = read_puzzle(&samegame_domain, "121\n121\n");
    soloist_result result = {.solution = "RRR", .verdict = {3, 3, 3}, .optimal = true};
    soloist_details details = {.size = sizeof details};
    assert_int_equal(soloist_describe(&level, &result, &details), SOLOIST_OK);
    assert_string_equal(details.optimal_for, "pushes");
    assert_int_equal(details.box_lines, 1);
    assert_int_equal(details.pushing_sessions, 1);
    assert_int_equal(details.blocks_left, -1);
    result = (soloist_result){.solution = "[[1,0]]"};
    assert_int_equal(soloist_describe(&board, &result, &details), SOLOIST_OK);
    assert_string_equal(details.optimal_for, "");
    assert_int_equal(details.box_lines, -1);
    assert_int_equal(details.blocks_left, 4);
    details.size = 0;
    assert_int_equal(soloist_describe(&board, &result, &details), SOLOIST_MISUSE);
    soloist_puzzle_free(&level);
    soloist_puzzle_free(&board);
}

static void ignored_arguments_are_known(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    assert_string_equal(soloist_method_ignores(engine, "astar", "iterations"), "does not work in iterations");
    assert_string_equal(soloist_method_ignores(engine, "astar:bound=domain", "network"), "asks no network");
    assert_string_equal(soloist_method_ignores(engine, "bnb", "iterations"), "does not work in iterations");
    assert_null(soloist_method_ignores(engine, "nrpa", "iterations"));
    assert_null(soloist_method_ignores(engine, "nothing", "seed"));
    assert_null(soloist_method_ignores(engine, NULL, "seed"));
    soloist_free(engine);
}

static void methods_that_prove_are_known(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    assert_true(soloist_method_proves(engine, &sokoban_domain, "astar"));
    assert_false(soloist_method_proves(engine, &sokoban_domain, "beam"));
    assert_false(soloist_method_proves(engine, &samegame_domain, "nrpa"));
    assert_true(soloist_cores() >= 1);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_those_of_the_domain),
        cmocka_unit_test(pictures_show_every_piece),
        cmocka_unit_test(films_move_what_the_solution_moves),
        cmocka_unit_test(instances_depend_on_seed_and_number_alone),
        cmocka_unit_test(level_sets_are_found_in_the_folders),
        cmocka_unit_test(solutions_are_shortened),
        cmocka_unit_test(a_proof_is_about_its_own_count),
        cmocka_unit_test(games_are_improved),
        cmocka_unit_test(solutions_are_described),
        cmocka_unit_test(ignored_arguments_are_known),
        cmocka_unit_test(methods_that_prove_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
