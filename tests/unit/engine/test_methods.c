/* Methods that are added to an engine. The example, A* as a plugin, must do exactly what the built-in A* does; wrong
 * tables are refused; and a method that breaks its promises is answered with a sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "search_fixture.h"

#include <math.h>
#include <stdio.h>

#include "../../examples/a_star.c"

#define NUMBER(macro) DIGITS(macro)
#define DIGITS(number) #number

/* At least one of every domain of least cost that has a bound; the last of some is impossible. */
static const struct board {
    const char *domain, *options, *text;
} boards[] = {
    {"sokoban", NULL, "#######\n#@ $ .#\n#######"},
    {"sokoban", NULL, "########\n#   #  #\n#  $   #\n# .#$  #\n##.#  ##\n#     #\n# @   #\n#######"},
    {"sokoban", NULL, " #######\n##  .  #\n#  $#$ #\n# .@ . #\n#  $   #\n####  ##\n   ####"},
    {"sokoban", "pairs=on,penalties=sound", "########\n#      #\n# $$$  #\n# .@.  #\n# .$   #\n#  .   #\n########"},
    {"sokoban", NULL, "#####\n#.$@#\n#$  #\n#  .#\n#####"},
    {"sokoban-moves", NULL, "######\n#.   #\n# $  #\n#  @ #\n######"},
    {"sokoban-moves", NULL, "########\n#   #  #\n#  $   #\n# .#$  #\n##.#  ##\n#     #\n# @   #\n#######"},
    {"tiles", NULL, "0 3 2 7 1 4 8 6 5"},
    {"tiles", NULL, "8 6 7 2 5 4 3 0 1"},
    {"tiles", NULL, "4 1 2 3 5 6 7 11 8 9 10 15 12 13 14 0"},
    {"tiles", NULL, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"},
    {"pancake", NULL, "7 8 2 5 4 3 1 6"},
    {"pancake", NULL, "3 1 8 5 10 2 7 4 9 6"},
};
enum { board_count = sizeof boards / sizeof *boards };

static soloist *open_engine(void) {
    soloist *engine = soloist_new();
    assert_non_null(engine);
    assert_int_equal(soloist_add_method(engine, soloist_plugin_method(), NULL), SOLOIST_OK);
    return engine;
}

static void read_board(const soloist *engine, const struct board *board, soloist_puzzle *puzzle) {
    soloist_chunk chunk = {.text = board->text, .length = strlen(board->text), .line = 1};
    soloist_error error;
    if (soloist_puzzle_read(soloist_find_domain(engine, board->domain), board->options, &chunk, puzzle, &error))
        fail_msg("%s: %s", board->domain, error.text);
}

static void expect_equal_results(const soloist_result *a, const soloist_result *b) {
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->stopped, b->stopped);
    assert_int_equal(a->optimal, b->optimal);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->expanded, b->expanded);
    assert_int_equal(a->has_expanded, b->has_expanded);
    assert_int_equal(a->verdict.value, b->verdict.value);
    assert_int_equal(!a->solution, !b->solution);
    if (a->solution)
        assert_string_equal(a->solution, b->solution);
}

static void compare(const soloist *engine, const struct board *board, const char *options, uint64_t nodes) {
    char built_in[64], added[64];
    soloist_limits limits = {.nodes = nodes};
    soloist_result a, b;
    soloist_puzzle puzzle;
    snprintf(built_in, sizeof built_in, "astar%s", options);
    snprintf(added, sizeof added, "my-astar%s", options);
    read_board(engine, board, &puzzle);
    assert_int_equal(soloist_solve(engine, &puzzle, built_in, &limits, NULL, &a, NULL), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, added, &limits, NULL, &b, NULL), SOLOIST_OK);
    expect_equal_results(&a, &b);
    assert_string_equal(b.method, added);
    if (nodes)
        assert_true(b.nodes <= nodes && (b.stopped != SOLOIST_STOP_NODES || b.nodes == nodes));
    soloist_result_free(&a);
    soloist_result_free(&b);
    soloist_puzzle_free(&puzzle);
}

static void the_example_does_what_a_star_does(void **unused) {
    (void)unused;
    static const char *const options[] = {"", ":weight=0.5", ":weight=2.5"};
    static const uint64_t limits[] = {1, 2, 17, 300, 30000};
    soloist *engine = open_engine();
    for (size_t b = 0; b < board_count; b++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++)
            for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
                compare(engine, &boards[b], options[o], limits[l]);
    soloist_free(engine);
}

static void every_domain_with_a_bound_is_among_the_boards(void **unused) {
    (void)unused;
    soloist *engine = open_engine();
    const soloist_domain *domain;
    for (size_t i = 0; (domain = soloist_domain_at(engine, i)); i++) {
        bool seen = domain->aim != SOLOIST_LEAST_COST || !domain->bound || domain->players == 2;
        for (size_t b = 0; b < board_count; b++)
            seen |= !strcmp(boards[b].domain, domain->name);
        if (!seen)
            fail_msg("no board of %s", domain->name);
    }
    soloist_free(engine);
}

static void memory_limits_are_kept(void **unused) {
    (void)unused;
    soloist *engine = open_engine();
    soloist_puzzle puzzle;
    soloist_result result;
    size_t full = 0, solved = 0;
    for (size_t b = 0; b < board_count; b++) {
        read_board(engine, &boards[b], &puzzle);
        for (size_t memory = 64; memory < (size_t)4 << 20; memory += memory / 3) {
            soloist_limits limits = {.memory = memory, .nodes = 20000};
            assert_int_equal(soloist_solve(engine, &puzzle, "my-astar", &limits, NULL, &result, NULL), SOLOIST_OK);
            assert_true(result.peak_bytes <= memory);
            full += result.stopped == SOLOIST_STOP_MEMORY;
            solved += result.status == SOLOIST_SOLVED;
            soloist_result_free(&result);
        }
        soloist_puzzle_free(&puzzle);
    }
    assert_true(full > 100 && solved > 100);
    soloist_free(engine);
}

static void methods_belong_to_one_engine(void **unused) {
    (void)unused;
    soloist *engine = open_engine(), *other = soloist_new();
    const char *name = NULL, *last = NULL;
    size_t count = 0, other_count = 0;
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_limits limits = {0};
    while (soloist_method_at(engine, count, &name, NULL, NULL)) {
        last = name;
        count++;
    }
    while (soloist_method_at(other, other_count, NULL, NULL, NULL))
        other_count++;
    assert_string_equal(last, "my-astar");
    assert_int_equal(count, other_count + 1);
    read_board(engine, &boards[0], &puzzle);
    assert_int_equal(soloist_method_suits(engine, &puzzle, "my-astar:weight=2", &limits, &error), SOLOIST_OK);
    assert_int_equal(soloist_method_suits(engine, &puzzle, "my-astar:height=2", &limits, &error), SOLOIST_BAD_INPUT);
    assert_int_equal(soloist_method_suits(other, &puzzle, "my-astar", &limits, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "unknown method 'my-astar': did you mean astar?");
    assert_int_equal(soloist_method_suits(NULL, &puzzle, "my-astar", &limits, &error), SOLOIST_MISUSE);
    const soloist_limits negative = {.threads = -1};
    assert_int_equal(soloist_method_suits(engine, &puzzle, "my-astar", &negative, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "limits must not be negative");
    const soloist_limits no_number = {.time_s = NAN};
    assert_int_equal(soloist_method_suits(engine, &puzzle, "nrpa", &no_number, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "the time limit is not a number");
    soloist_puzzle_free(&puzzle);
    static const struct board score = {"samegame", NULL, "2112\n1112\n1212\n2121"};
    read_board(engine, &score, &puzzle);
    assert_int_equal(soloist_method_suits(engine, &puzzle, "my-astar", &limits, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "my-astar needs a domain that minimises cost; samegame maximises a score");
    soloist_puzzle_free(&puzzle);
    soloist_free(other);
    soloist_free(engine);
}

/* A method can be a member of a mix. */
static void parts_of_a_run_find_added_methods(void **unused) {
    (void)unused;
    struct search_added added = {{.name = "my-astar",
                                  .options = my_options_rows,
                                  .options_size = sizeof(struct my_options),
                                  .run = soloist_plugin_method()->run},
                                 NULL};
    struct fixture f;
    soloist_limits limits = {.nodes = 1000};
    open_fixture(&f, boards[1].text, 1, &limits);
    assert_int_equal(search_part(&f.run, "my-astar", 100), SOLOIST_MISUSE);
    f.run.added = &added;
    assert_int_equal(search_part(&f.run, "my-astar", 100), SOLOIST_OK);
    assert_true(f.run.found && f.run.best.value == 7);
    close_fixture(&f);
}

/* ---- tables ---- */

static void refuse(const soloist_method *table, const char *sentence) {
    soloist *engine = open_engine();
    soloist_error error = {0};
    assert_int_equal(soloist_add_method(engine, table, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, sentence);
    assert_int_equal(soloist_add_method(engine, table, NULL), SOLOIST_MISUSE);
    soloist_free(engine);
}

static void wrong_tables_are_refused(void **unused) {
    (void)unused;
    static const char *const names[] = {
        NULL, "", "Astar", "a star", "a:b", "a-name-of-more-than-sixty-three-characters-which-nobody-would-type"};
    const soloist_method good = *soloist_plugin_method();
    soloist_method table = good;
    refuse(NULL, "soloist_add_method needs an engine and a method");
    assert_int_equal(soloist_add_method(NULL, &good, NULL), SOLOIST_MISUSE);
    refuse(&good, "there is already a method my-astar");
    table.name = "astar";
    refuse(&table, "there is already a method astar");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        table.name = names[i];
        refuse(&table, "a method's name consists of at most 63 characters from a-z, 0-9, - and _");
    }
    table.name = "other";
    table.abi = 99;
    refuse(&table, "the method was built for version 99 of the contract, this engine uses " NUMBER(SOLOIST_ABI));
    table.abi = SOLOIST_ABI;
    table.size = 0;
    refuse(&table, "the method's table does not state its size");
    table.size = offsetof(soloist_method, run);
    refuse(&table, "the method's table does not state its size");
    table.size = sizeof table;
    table.summary = NULL;
    refuse(&table, "method other has no summary");
    table.summary = "";
    table.run = NULL;
    refuse(&table, "method other lacks the function run");
    table.run = good.run;
    table.needs = 1u << 12;
    refuse(&table, "method other needs something that this engine does not know (0x1000)");
    table.needs = 0;
    table.options_size = 7;
    refuse(&table, "method other: option row 0 does not fit its struct");
    soloist_option rows[] = {{SOLOIST_OPTION_CHOICE, "which", 0, 0, 0, 1, NULL, ""}, {0}};
    table.options = rows;
    refuse(&table, "method other: option which has no choices");
}

/* A table from a later header is longer; its end is ignored. */
static void longer_tables_are_accepted(void **unused) {
    (void)unused;
    struct {
        soloist_method known;
        void *later[4];
    } table = {.known = *soloist_plugin_method()};
    table.known.name = "later";
    table.known.size = sizeof table;
    soloist *engine = open_engine();
    assert_int_equal(soloist_add_method(engine, &table.known, NULL), SOLOIST_OK);
    soloist_free(engine);
}

/* ---- methods that break their promises ---- */

static soloist_code keep_memory(soloist_run *run) {
    void *block = soloist_run_take(run, 100);
    free(block); /* for the test's sake: the engine is told nothing of it */
    return SOLOIST_OK;
}

static soloist_code give_too_much(soloist_run *run) {
    soloist_run_give(run, malloc(40), 40);
    return SOLOIST_OK;
}

static soloist_code fail_silently(soloist_run *run) {
    (void)run;
    return SOLOIST_UNSUPPORTED;
}

static soloist_code fail_with_reason(soloist_run *run) {
    return soloist_run_fail(run, SOLOIST_UNSUPPORTED, "only boards of %d rows", 5);
}

static soloist_code record_wrong_value(soloist_run *run) {
    soloist_move move;
    soloist_child children[64];
    unsigned char state[1024];
    soloist_run_domain(run)->life->root(soloist_run_instance(run), state);
    if (soloist_run_shape(run)->most_moves <= 64 &&
        soloist_run_domain(run)->core->expand(soloist_run_instance(run), state, SOLOIST_NO_MOVE, 0, children)) {
        move = children[0].move;
        soloist_run_record(run, &move, 1, 1);
    }
    soloist_run_claim_optimal(run);
    return SOLOIST_OK;
}

static soloist_code record_illegal_moves(soloist_run *run) {
    static const soloist_move moves[] = {0xdeadbeef, 7};
    soloist_run_record(run, moves, 2, 2);
    soloist_run_claim_optimal(run);
    return SOLOIST_OK;
}

static soloist_code claim_without_line(soloist_run *run) {
    soloist_run_claim_optimal(run);
    assert_false(soloist_run_is_optimal(run));
    return SOLOIST_OK;
}

static void methods_that_break_their_promises(void **unused) {
    (void)unused;
    static const struct {
        soloist_code (*run)(soloist_run *run);
        soloist_code code;
        const char *sentence;
    } cases[] = {
        {keep_memory, SOLOIST_INTERNAL, "bad kept 100 bytes of memory that it must give back"},
        {give_too_much, SOLOIST_INTERNAL, "bad gave back 40 bytes of memory more than it took"},
        {fail_silently, SOLOIST_UNSUPPORTED, "bad failed without saying why"},
        {fail_with_reason, SOLOIST_UNSUPPORTED, "only boards of 5 rows"},
        {record_wrong_value, SOLOIST_INTERNAL, NULL},
        {record_illegal_moves, SOLOIST_INTERNAL, "bad recorded a line whose move number 1 is not legal"},
        {claim_without_line, SOLOIST_OK, ""},
    };
    static const size_t one_each[] = {0, 5, 7, 11}; /* boards of each domain */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soloist_method table = {.abi = SOLOIST_ABI, .size = sizeof table, .name = "bad", .summary = "-"};
        table.run = cases[i].run;
        soloist *engine = open_engine();
        soloist_puzzle puzzle;
        soloist_result result;
        soloist_error error = {0};
        assert_int_equal(soloist_add_method(engine, &table, NULL), SOLOIST_OK);
        for (size_t b = 0; b < sizeof one_each / sizeof *one_each; b++) {
            read_board(engine, &boards[one_each[b]], &puzzle);
            assert_int_equal(soloist_solve(engine, &puzzle, "bad", NULL, NULL, &result, &error), cases[i].code);
            assert_true(result.status == SOLOIST_UNSOLVED && !result.optimal && !result.solution);
            if (cases[i].sentence)
                assert_string_equal(error.text, cases[i].sentence);
            else
                assert_non_null(strstr(error.text, "referee"));
            soloist_result_free(&result);
            soloist_puzzle_free(&puzzle);
        }
        soloist_free(engine);
    }
}

/* What a run tells its method, and what comes of what the method tells. */
static soloist_code ask_everything(soloist_run *run) {
    const int *twice = soloist_run_options(run);
    assert_int_equal(*twice, 1);
    assert_int_equal(soloist_run_seed(run), 7);
    assert_int_equal(soloist_run_threads(run), 3);
    assert_true(soloist_run_better(run, 3, 4) && !soloist_run_better(run, 4, 3));
    assert_false(soloist_run_found(run, NULL));
    assert_false(soloist_run_spent(run));
    assert_false(soloist_stopped(soloist_run_stop_token(run)));
    assert_int_equal(soloist_run_count_nodes(run, 60), 60);
    assert_int_equal(soloist_run_count_nodes(run, 60), 40);
    soloist_run_count_expanded(run, 5);
    soloist_run_count_iteration(run);
    soloist_run_note(run, "depth %d", 14);
    assert_true(soloist_run_spent(run));
    assert_null(soloist_run_take(run, (size_t)2 << 20));
    unsigned char *block = soloist_run_take(run, 100);
    assert_true(block && !block[99]);
    block = soloist_run_resize(run, block, 100, 300);
    soloist_run_give(run, block, 300);
    int32_t sum = 0;
    assert_true(soloist_run_add_cost(run, 3, 4, &sum) && sum == 7);
    assert_false(soloist_run_add_cost(run, 3, -4, &sum));
    soloist_run_claim_impossible(run);
    return SOLOIST_OK;
}

static void runs_tell_and_are_told(void **unused) {
    (void)unused;
    static const soloist_option rows[] = {{SOLOIST_OPTION_CHOICE, "how", 0, 0, 0, 0, "once|twice", ""}, {0}};
    static const soloist_method table = {.abi = SOLOIST_ABI,
                                         .size = sizeof table,
                                         .name = "asks",
                                         .summary = "-",
                                         .options = rows,
                                         .options_size = sizeof(int),
                                         .run = ask_everything};
    soloist *engine = open_engine();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_limits limits = {.nodes = 100, .seed = 7, .threads = 3, .memory = (size_t)1 << 20};
    assert_int_equal(soloist_add_method(engine, &table, NULL), SOLOIST_OK);
    read_board(engine, &boards[7], &puzzle);
    assert_int_equal(soloist_solve(engine, &puzzle, "asks:how=twice", &limits, NULL, &result, NULL), SOLOIST_OK);
    assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
    assert_int_equal(result.nodes, 100);
    assert_true(result.has_expanded && result.expanded == 5 && result.has_iterations && result.iterations == 1);
    assert_string_equal(result.method, "asks:how=twice");
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_example_does_what_a_star_does),
                                       cmocka_unit_test(every_domain_with_a_bound_is_among_the_boards),
                                       cmocka_unit_test(memory_limits_are_kept),
                                       cmocka_unit_test(methods_belong_to_one_engine),
                                       cmocka_unit_test(parts_of_a_run_find_added_methods),
                                       cmocka_unit_test(wrong_tables_are_refused),
                                       cmocka_unit_test(longer_tables_are_accepted),
                                       cmocka_unit_test(methods_that_break_their_promises),
                                       cmocka_unit_test(runs_tell_and_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
