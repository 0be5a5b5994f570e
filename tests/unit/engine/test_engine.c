/* The engine: tables checked, texts recognised, puzzles owned, solutions confirmed by a referee, misuse answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/engine.h"
#include "toy.h"

#include "domain/domain.h"

#define NUMBER(macro) DIGITS(macro)
#define DIGITS(number) #number

static soloist *toy_engine(void) {
    soloist *engine = soloist_new();
    assert_non_null(engine);
    assert_int_equal(soloist_add_domain(engine, &toy_graph_domain, NULL), SOLOIST_OK);
    assert_int_equal(soloist_add_domain(engine, &toy_row_domain, NULL), SOLOIST_OK);
    return engine;
}

static void domains_are_found_by_name_and_number(void **unused) {
    (void)unused;
    soloist *engine = toy_engine();
    size_t count = 0, builtin = 0;
    while (domain_builtin[builtin])
        builtin++;
    while (soloist_domain_at(engine, count))
        count++;
    assert_int_equal(count, builtin + 2);
    assert_ptr_equal(soloist_find_domain(engine, "graph"), &toy_graph_domain);
    assert_ptr_equal(soloist_domain_at(engine, builtin + 1), &toy_row_domain);
    assert_null(soloist_find_domain(engine, "grap"));
    soloist_free(engine);
}

static void builtin_tables_pass_the_check(void **unused) {
    (void)unused;
    for (size_t i = 0; domain_builtin[i]; i++) {
        soloist_error error = {0};
        if (!engine_check_domain(domain_builtin[i], &error))
            fail_msg("%s", error.text);
    }
}

static void texts_are_recognised(void **unused) {
    (void)unused;
    soloist *engine = toy_engine();
    assert_ptr_equal(soloist_recognise(engine, "graph 2 0 1 1", 13), &toy_graph_domain);
    assert_ptr_equal(soloist_recognise(engine, "row 1 2", 7), &toy_row_domain);
    assert_null(soloist_recognise(engine, "", 0));
    soloist_free(engine);
}

static void refuse(const soloist_domain *domain, const char *sentence) {
    soloist_error error = {0};
    soloist *engine = toy_engine();
    assert_int_equal(soloist_add_domain(engine, domain, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, sentence);
    soloist_free(engine);
}

static void wrong_tables_are_refused(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    refuse(&domain, "there is already a domain graph");
    domain.name = "other";
    domain.abi = 99;
    refuse(&domain,
           "the domain was built for version 99 of the domain table, this engine uses version " NUMBER(SOLOIST_ABI));
    domain.abi = SOLOIST_ABI;
    domain.core = NULL;
    refuse(&domain, "domain other lacks the group core");
    soloist_core core = toy_graph_core;
    core.expand = NULL;
    domain.core = &core;
    refuse(&domain, "domain other lacks the function core.expand");
    domain.core = &toy_graph_core;
    domain.players = 3;
    refuse(&domain, "domain other: players must be 1 or 2");
    domain.players = 1;
    soloist_option rows[] = {{SOLOIST_OPTION_INT, "far", 8, 0, 0, 1, NULL, ""}, {0}};
    domain.options = rows;
    domain.options_size = 8;
    refuse(&domain, "domain other: option row 0 does not fit its struct");
    domain.options = NULL;
    soloist_pack pack = {sizeof(soloist_pack), toy_pack, NULL};
    domain.pack = &pack;
    refuse(&domain, "domain other lacks the function pack.unpack");
    domain.pack = NULL;
    domain.name = "Other name";
    refuse(&domain, "a domain's name consists of at most 63 characters from a-z, 0-9, - and _");
}

/* Tables as an earlier header of the same ABI number would have made them: groups end before their optional functions.
 * Each stands in a block of exactly its size, so that the address sanitizer notices a read past its end. */
static void *shortened(const void *group, size_t size) {
    char *copy = malloc(size);
    memcpy(copy, group, size);
    memcpy(copy, &size, sizeof size);
    return copy;
}

static void earlier_tables_are_completed(void **unused) {
    (void)unused;
    soloist_error error = {0};
    soloist *engine = soloist_new();
    soloist_life *life = shortened(&toy_graph_life, offsetof(soloist_life, impossible));
    soloist_core *core = shortened(&toy_graph_core, offsetof(soloist_core, turn));
    soloist_bound *bound = shortened(&toy_graph_bound, offsetof(soloist_bound, pruned));
    soloist_domain whole = toy_graph_domain;
    whole.life = life;
    whole.core = core;
    whole.bound = bound;
    size_t size = offsetof(soloist_domain, reverse);
    soloist_domain *domain = malloc(size);
    memcpy(domain, &whole, size);
    memcpy((char *)domain + offsetof(soloist_domain, size), &size, sizeof size);

    soloist_chunk chunk = {.text = "graph 2 0 1 5", .length = 13, .line = 1, .name = ""};
    soloist_puzzle puzzle;
    assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "the domain's table is an earlier one: pass what soloist_find_domain returns");
    assert_int_equal(soloist_add_domain(engine, domain, &error), SOLOIST_OK);
    const soloist_domain *found = soloist_find_domain(engine, "graph");
    assert_ptr_not_equal(found, domain);
    assert_null(found->reverse);
    assert_null(found->bound->pruned);
    assert_int_equal(soloist_puzzle_read(found, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    soloist_result result;
    assert_int_equal(soloist_solve(engine, &puzzle, "astar", NULL, NULL, &result, &error), SOLOIST_OK);
    assert_int_equal(result.verdict.value, 5);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    free(domain);
    free(bound);
    free(core);
    free(life);
}

static void a_group_without_its_size_is_refused(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    soloist_bound bound = toy_graph_bound;
    bound.size = 0;
    domain.bound = &bound;
    domain.name = "other";
    refuse(&domain, "the group bound does not begin with its size");
    domain = toy_graph_domain;
    domain.size = 0;
    refuse(&domain, "the group domain does not begin with its size");
}

static void a_text_is_solved_in_one_call(void **unused) {
    (void)unused;
    soloist *engine = toy_engine();
    soloist_result result;
    soloist_error error;
    assert_int_equal(soloist_solve_text(engine, NULL, "graph 2 0 1 5", "bfs", NULL, &result, &error), SOLOIST_OK);
    assert_int_equal(result.verdict.value, 5);
    soloist_result_free(&result);
    assert_int_equal(soloist_solve_text(engine, "graph", "graph x", NULL, NULL, &result, &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "expected a number of nodes");
    assert_int_equal(result.status, SOLOIST_INVALID);
    assert_int_equal(soloist_solve_text(engine, "nothing", "graph 2", NULL, NULL, &result, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "there is no domain nothing");
    assert_int_equal(soloist_solve_text(engine, NULL, "?", NULL, NULL, &result, &error), SOLOIST_BAD_INPUT);
    assert_string_equal(error.text, "no domain recognises the text");
    assert_int_equal(soloist_solve_text(engine, "graph", "", NULL, NULL, &result, &error), SOLOIST_BAD_INPUT);
    assert_int_equal(soloist_solve_text(NULL, NULL, "?", NULL, NULL, &result, &error), SOLOIST_MISUSE);
    soloist_free(engine);
}

static void puzzles_of_a_text_come_one_by_one(void **unused) {
    (void)unused;
    static const char text[] = "graph 2 0 1 5\ngraph x\ngraph 3 0 2 4\n";
    soloist_cursor cursor = soloist_cursor_open(text, sizeof text - 1);
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_code code;
    static const soloist_code codes[] = {SOLOIST_OK, SOLOIST_BAD_INPUT, SOLOIST_OK};
    for (int i = 0; i < 3; i++) {
        assert_true(soloist_next_puzzle(&toy_graph_domain, NULL, &cursor, &puzzle, &code, &error));
        assert_int_equal(code, codes[i]);
        if (code != SOLOIST_OK)
            assert_int_equal(error.line, 2);
        soloist_puzzle_free(&puzzle);
    }
    assert_false(soloist_next_puzzle(&toy_graph_domain, NULL, &cursor, &puzzle, &code, &error));
    assert_false(soloist_next_puzzle(NULL, NULL, &cursor, &puzzle, &code, &error));
    assert_int_equal(code, SOLOIST_MISUSE);
    soloist_chunk stack = {.text = "3 1 2", .length = 5, .line = 1};
    assert_int_equal(soloist_puzzle_read(&pancake_domain, NULL, &stack, &puzzle, &error), SOLOIST_OK);
    assert_true(soloist_validate(&puzzle, 1, 5, 10, &error));
    soloist_puzzle_free(&puzzle);
    assert_false(soloist_validate(NULL, 1, 5, 10, &error));
}

static void the_library_tells_its_version(void **unused) {
    (void)unused;
    assert_string_equal(soloist_version(), SOLOIST_VERSION);
    assert_int_equal(soloist_abi(), SOLOIST_ABI);
}

static void a_puzzle_owns_its_text(void **unused) {
    (void)unused;
    char text[] = "graph 2 0 1 5 trailing";
    soloist_chunk chunk = {.text = text, .length = 13, .line = 4, .name = "two"};
    soloist_puzzle puzzle;
    assert_int_equal(soloist_puzzle_read(&toy_graph_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    memset(text, 'x', sizeof text);
    assert_string_equal(puzzle.text, "graph 2 0 1 5");
    assert_ptr_equal(puzzle.chunk.text, puzzle.text);
    assert_string_equal(puzzle.chunk.name, "two");
    soloist_puzzle_free(&puzzle);
    assert_null(puzzle.instance);
    soloist_puzzle_free(&puzzle);
}

static void a_wrong_puzzle_says_where(void **unused) {
    (void)unused;
    soloist_chunk chunk = {.text = "graph x", .length = 7, .line = 4, .name = ""};
    soloist_puzzle puzzle;
    soloist_error error;
    assert_int_equal(soloist_puzzle_read(&toy_graph_domain, NULL, &chunk, &puzzle, &error), SOLOIST_BAD_INPUT);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 7);
    assert_null(puzzle.instance);
    chunk = (soloist_chunk){.text = "graph 2", .length = 7, .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(&toy_graph_domain, "speed=3", &chunk, &puzzle, &error), SOLOIST_BAD_INPUT);
    assert_non_null(strstr(error.text, "unknown option 'speed'"));
}

static void check_replays(void **unused) {
    (void)unused;
    soloist_puzzle puzzle;
    soloist_verdict verdict;
    soloist_error error;
    assert_int_equal(toy_puzzle(&toy_graph_domain, "graph 4 0 1 5 1 2 7 2 3 1 1 3 20", &puzzle), SOLOIST_OK);
    assert_true(soloist_check(&puzzle, "0 1 2", 5, &verdict, &error));
    assert_int_equal(verdict.value, 13);
    assert_int_equal(verdict.moves, 3);
    assert_int_equal(verdict.pushes, -1);
    assert_true(soloist_check(&puzzle, "0 3", 3, NULL, NULL));
    assert_false(soloist_check(&puzzle, "0 2", 3, &verdict, &error));
    assert_string_equal(error.text, "move 2 is not legal");
    assert_false(soloist_check(&puzzle, "0 1", 3, &verdict, &error));
    assert_string_equal(error.text, "the goal is not reached after 2 moves");
    assert_false(soloist_check(&puzzle, "0 z", 3, &verdict, &error));
    assert_int_equal(error.column, 3);
    assert_false(soloist_check(&puzzle, NULL, 0, &verdict, &error));
    soloist_puzzle_free(&puzzle);
}

static soloist_code solve(const soloist_domain *domain, const char *text, const char *method, uint64_t nodes,
                          soloist_result *result, soloist_error *error) {
    soloist *engine = toy_engine();
    soloist_puzzle puzzle;
    assert_int_equal(toy_puzzle(domain, text, &puzzle), SOLOIST_OK);
    soloist_limits limits = {.nodes = nodes};
    soloist_code code = soloist_solve(engine, &puzzle, method, &limits, NULL, result, error);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return code;
}

static void a_solution_is_confirmed(void **unused) {
    (void)unused;
    soloist_result result;
    assert_int_equal(solve(&toy_graph_domain, "graph 4 0 1 5 1 2 7 2 3 1 1 3 20", "bfs", 0, &result, NULL), SOLOIST_OK);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_int_equal(result.stopped, SOLOIST_STOP_GOAL);
    assert_string_equal(result.solution, "0 1 2");
    assert_int_equal(result.move_count, 3);
    assert_int_equal(result.verdict.value, 13);
    assert_true(result.optimal);
    assert_true(result.peak_bytes > 0);
    assert_string_equal(result.method, "bfs");
    soloist_result_free(&result);
    assert_null(result.solution);
    soloist_result_free(&result);
}

static void a_solved_root_needs_no_moves(void **unused) {
    (void)unused;
    soloist_result result;
    assert_int_equal(solve(&toy_graph_domain, "graph 1", NULL, 0, &result, NULL), SOLOIST_OK);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_string_equal(result.solution, "");
    assert_int_equal(result.move_count, 0);
    assert_true(result.optimal);
    soloist_result_free(&result);
}

static const char *never(const soloist_instance *instance) { return instance ? "it is written" : NULL; }

static void a_known_impossibility_is_told(void **unused) {
    (void)unused;
    soloist_life life = toy_graph_life;
    life.impossible = never;
    soloist_domain domain = toy_graph_domain;
    domain.life = &life;
    soloist_result result;
    assert_int_equal(solve(&domain, "graph 3 0 1 1", NULL, 5, &result, NULL), SOLOIST_OK);
    assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
    assert_int_equal(result.nodes, 0);
    soloist_result_free(&result);

    domain = toy_graph_domain; /* by the root's bound */
    domain.bound = &toy_graph_bound;
    assert_int_equal(solve(&domain, "graph 3 0 1 1", "greedy", 5, &result, NULL), SOLOIST_OK);
    assert_int_equal(result.status, SOLOIST_IMPOSSIBLE);
    soloist_result_free(&result);
}

static bool lying_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                          soloist_verdict *verdict, soloist_error *error) {
    (void)chunk, (void)options, (void)solution, (void)length, (void)error;
    *verdict = (soloist_verdict){12, 3, -1};
    return true;
}

static bool refusing_referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                             soloist_verdict *verdict, soloist_error *error) {
    (void)chunk, (void)options, (void)solution, (void)length, (void)verdict;
    return soloist_fail(error, 0, 3, "no such edge");
}

/* apply says less than it should: the search's count is wrong, and the replay finds out. */
static int32_t lying_apply(const soloist_instance *instance, void *state, soloist_move move, void *undo) {
    return toy_apply(instance, state, move, undo) + 1;
}

static void a_mismatch_is_never_shown(void **unused) {
    (void)unused;
    static const char graph[] = "graph 4 0 1 5 1 2 7 2 3 1 1 3 20";
    soloist_text text = toy_graph_text;
    soloist_domain domain = toy_graph_domain;
    soloist_result result;
    soloist_error error;
    domain.text = &text;
    text.referee = lying_referee;
    assert_int_equal(solve(&domain, graph, "bfs", 0, &result, &error), SOLOIST_INTERNAL);
    assert_string_equal(error.text, "bfs claims a value of 13, but the referee counts 12");
    assert_null(result.solution);
    assert_null(result.moves);
    assert_int_equal(result.status, SOLOIST_UNSOLVED);
    assert_false(result.optimal);

    text.referee = refusing_referee;
    assert_int_equal(solve(&domain, graph, "bfs", 0, &result, &error), SOLOIST_INTERNAL);
    assert_string_equal(error.text, "the referee rejects the line found by bfs: no such edge");
    assert_null(result.solution);

    soloist_core core = toy_graph_core;
    core.apply = lying_apply;
    domain = toy_graph_domain;
    domain.core = &core;
    assert_int_equal(solve(&domain, graph, "bfs", 0, &result, &error), SOLOIST_INTERNAL);
    assert_string_equal(error.text, "bfs claims a value of 13, but the referee counts 16");
}

static void methods_refuse_in_one_sentence(void **unused) {
    (void)unused;
    soloist_result result;
    soloist_error error;
    soloist_domain two = toy_graph_domain;
    two.players = 2;
    assert_int_equal(solve(&two, "graph 2 0 1 1", "bfs", 9, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "bfs needs a domain for one player; graph has two");
    assert_int_equal(solve(&toy_row_domain, "row 1 2", "bfs", 9, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "bfs needs a domain that minimises cost; row maximises a score");
    assert_int_equal(solve(&toy_row_domain, "row 1 2", "random", 0, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "random never ends by itself: give a time, node or iteration limit");
    assert_int_equal(solve(&toy_row_domain, "row 1 2", "random:policy=3", 9, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "row has no play-out policy 3: the last is 0");
    assert_int_equal(solve(&toy_row_domain, "row 1 2", "rando", 9, &result, &error), SOLOIST_MISUSE);
    assert_string_equal(error.text, "unknown method 'rando': did you mean random?");
    assert_int_equal(solve(&toy_row_domain, "row 1 2", "greedy:epsilon=2", 9, &result, &error), SOLOIST_BAD_INPUT);
    assert_int_equal(solve(&toy_graph_domain, "graph 3 0 1 1 1 2 -4", "bfs", 9, &result, &error), SOLOIST_UNSUPPORTED);
    assert_string_equal(error.text, "graph has a move of negative cost (-4)");
}

static void misuse_is_answered(void **unused) {
    (void)unused;
    soloist_result result;
    soloist_puzzle puzzle = {0};
    soloist_limits limits = {.time_s = -1};
    soloist *engine = toy_engine();
    assert_int_equal(soloist_add_domain(NULL, &toy_graph_domain, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_add_domain(engine, NULL, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_puzzle_read(NULL, NULL, NULL, NULL, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_solve(engine, NULL, NULL, NULL, NULL, &result, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_solve(engine, &puzzle, NULL, NULL, NULL, &result, NULL), SOLOIST_MISUSE);
    assert_int_equal(toy_puzzle(&toy_graph_domain, "graph 2 0 1 1", &puzzle), SOLOIST_OK);
    assert_int_equal(soloist_solve(NULL, &puzzle, NULL, NULL, NULL, &result, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_solve(engine, &puzzle, NULL, NULL, NULL, NULL, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_solve(engine, &puzzle, NULL, &limits, NULL, &result, NULL), SOLOIST_MISUSE);
    assert_int_equal(soloist_solve(engine, &puzzle, NULL, NULL, NULL, &result, NULL), SOLOIST_OK);
    soloist_result_free(&result);
    assert_false(soloist_check(NULL, "", 0, NULL, NULL));
    assert_null(soloist_domain_at(NULL, 0));
    assert_null(soloist_find_domain(engine, NULL));
    assert_null(soloist_recognise(engine, NULL, 0));
    soloist_free(NULL);
    soloist_puzzle_free(NULL);
    soloist_result_free(NULL);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void names_are_told(void **unused) {
    (void)unused;
    const char *name, *summary;
    const soloist_option *rows;
    assert_string_equal(soloist_status_name(SOLOIST_IMPOSSIBLE), "impossible");
    assert_string_equal(soloist_stop_name(SOLOIST_STOP_MEMORY), "memory");
    size_t count = 0;
    bool greedy = false;
    soloist *engine = soloist_new();
    for (; soloist_method_at(engine, count, &name, &summary, &rows); count++) {
        assert_true(*name && *summary);
        if (!strcmp(name, "greedy")) {
            greedy = true;
            assert_string_equal(rows[0].name, "epsilon");
        }
    }
    assert_true(greedy);
    assert_false(soloist_method_at(engine, count + 5, NULL, NULL, NULL));
    assert_false(soloist_method_at(NULL, 0, NULL, NULL, NULL));
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains_are_found_by_name_and_number),
        cmocka_unit_test(builtin_tables_pass_the_check),
        cmocka_unit_test(texts_are_recognised),
        cmocka_unit_test(wrong_tables_are_refused),
        cmocka_unit_test(earlier_tables_are_completed),
        cmocka_unit_test(a_group_without_its_size_is_refused),
        cmocka_unit_test(a_text_is_solved_in_one_call),
        cmocka_unit_test(puzzles_of_a_text_come_one_by_one),
        cmocka_unit_test(the_library_tells_its_version),
        cmocka_unit_test(a_puzzle_owns_its_text),
        cmocka_unit_test(a_wrong_puzzle_says_where),
        cmocka_unit_test(check_replays),
        cmocka_unit_test(a_solution_is_confirmed),
        cmocka_unit_test(a_solved_root_needs_no_moves),
        cmocka_unit_test(a_known_impossibility_is_told),
        cmocka_unit_test(a_mismatch_is_never_shown),
        cmocka_unit_test(methods_refuse_in_one_sentence),
        cmocka_unit_test(misuse_is_answered),
        cmocka_unit_test(names_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
