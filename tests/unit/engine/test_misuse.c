/* Misuse of the library: every public function is called with NULL for each pointer that must not be NULL, and with a
 * puzzle that was freed. It answers with an error, NULL, false or 0, or does nothing. Functions that are inline in the
 * headers are left out: they are called for every move, and check nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "any_network.h"
#include "domain/domain.h"
#include "soloist_method.h"
#include "soloist_picture.h"
#include "soloist_tools.h"

#include <stdio.h>
#include <string.h>

static const char *call_text; /* the call that is made; printed if the test fails, even by a crash */

#define NOTHING(call) (call_text = #call, assert_true(!(call)))
#define MISUSE(call) (call_text = #call, assert_int_equal(call, SOLOIST_MISUSE))
#define QUIET(call) (call_text = #call, (call))

static soloist *engine;
static soloist_puzzle puzzle;
static const soloist_puzzle freed;
/* Each call with a puzzle is made with these. */
static const soloist_puzzle *const unread[] = {NULL, &freed};
enum { unread_count = 2 };
static const soloist_limits limits = {.nodes = 10, .threads = 1};
static soloist_error error;
static soloist_result result;
static uint64_t state[64];
static soloist_move moves[8];

static int open_all(void **unused) {
    (void)unused;
    static const char text[] = "3 1 2 4 0 5 6 7 8";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    engine = soloist_new();
    if (soloist_puzzle_read(&tiles_domain, NULL, &chunk, &puzzle, NULL) != SOLOIST_OK)
        return -1;
    puzzle.domain->life->root(puzzle.instance, state);
    puzzle.domain->core->moves(puzzle.instance, state, moves);
    return 0;
}

static int close_all(void **unused) {
    (void)unused;
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return 0;
}

static int show_call(void **unused) {
    (void)unused;
    if (call_text)
        print_message("the last call was not passed: %s\n", call_text);
    return 0;
}

static void write_nothing(void *to, const char *text, size_t length) { (void)to, (void)text, (void)length; }

static void texts_and_options(void **unused) {
    (void)unused;
    const soloist_sink sink = {write_nothing, NULL};
    soloist_cursor cursor = soloist_cursor_open("a\nb\n", 4);
    soloist_chunk chunk;
    const char *line;
    size_t length;
    int64_t options[64];
    QUIET(soloist_put(NULL, "text"));
    QUIET(soloist_put(&sink, NULL));
    QUIET(soloist_print(NULL, "%d", 1));
    QUIET(soloist_print(&sink, NULL));
    NOTHING(soloist_fail(NULL, 0, 0, "%d", 1));
    NOTHING(soloist_fail(&error, 0, 0, NULL));
    QUIET(soloist_rng_seed(NULL, 1, 1));
    QUIET(soloist_options_reset(NULL, options));
    QUIET(soloist_options_reset(tiles_domain.options, NULL));
    MISUSE(soloist_options_parse(tiles_domain.options, NULL, "bound=none", &error));
    call_text = "soloist_options_parse without text or rows";
    assert_int_equal(soloist_options_parse(tiles_domain.options, options, NULL, NULL), SOLOIST_OK);
    assert_int_equal(soloist_options_parse(NULL, options, "bound=none", NULL), SOLOIST_BAD_INPUT);
    soloist_cursor none = QUIET(soloist_cursor_open(NULL, 4));
    assert_ptr_equal(none.at, none.end);
    NOTHING(soloist_cursor_line(NULL, &line, &length));
    NOTHING(soloist_cursor_line(&cursor, NULL, &length));
    NOTHING(soloist_cursor_line(&cursor, &line, NULL));
    NOTHING(soloist_next_line(NULL, &chunk));
    NOTHING(soloist_next_line(&cursor, NULL));
    NOTHING(soloist_next_block(NULL, &chunk));
    NOTHING(soloist_next_block(&cursor, NULL));
    QUIET(soloist_stop_token_free(NULL));
    QUIET(soloist_stop_token_cancel(NULL));
    QUIET(soloist_stop_token_deadline(NULL, 1));
    NOTHING(soloist_stopped(NULL));
    call_text = NULL;
}

static bool find_network(void *user, const soloist_puzzle *one, bool valued, soloist_network **network,
                         soloist_error *why) {
    (void)user, (void)one, (void)valued, (void)network, (void)why;
    return false;
}

static void engines_and_puzzles(void **unused) {
    (void)unused;
    static const char text[] = "1 0 2 3 4 5 6 7 8";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1}, empty = {.length = 4};
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_puzzle one;
    soloist_code code;
    QUIET(soloist_free(NULL));
    MISUSE(soloist_add_domain(NULL, &tiles_domain, &error));
    MISUSE(soloist_add_domain(engine, NULL, &error));
    MISUSE(soloist_add_method(NULL, NULL, &error));
    MISUSE(soloist_add_method(engine, NULL, NULL));
    NOTHING(soloist_find_domain(NULL, "tiles"));
    NOTHING(soloist_find_domain(engine, NULL));
    NOTHING(soloist_domain_at(NULL, 0));
    NOTHING(soloist_recognise(NULL, text, 1));
    NOTHING(soloist_recognise(engine, NULL, 1));
    MISUSE(soloist_puzzle_read(NULL, NULL, &chunk, &one, &error));
    MISUSE(soloist_puzzle_read(&tiles_domain, NULL, NULL, &one, &error));
    MISUSE(soloist_puzzle_read(&tiles_domain, NULL, &empty, &one, NULL));
    MISUSE(soloist_puzzle_read(&tiles_domain, NULL, &chunk, NULL, NULL));
    MISUSE(soloist_puzzle_read_within(NULL, NULL, &chunk, NULL, &one, NULL));
    QUIET(soloist_puzzle_free(NULL));
    NOTHING(soloist_next_puzzle(NULL, NULL, &cursor, &one, &code, &error));
    NOTHING(soloist_next_puzzle(&tiles_domain, NULL, NULL, &one, NULL, &error));
    NOTHING(soloist_next_puzzle(&tiles_domain, NULL, &cursor, NULL, &code, NULL));
    QUIET(soloist_find_networks(NULL, find_network, NULL));
    NOTHING(soloist_method_at(NULL, 0, NULL, NULL, NULL));
    QUIET(soloist_method_at(engine, 0, NULL, NULL, NULL));
    NOTHING(soloist_method_ignores(NULL, "astar", "seed"));
    NOTHING(soloist_method_ignores(engine, NULL, "seed"));
    NOTHING(soloist_method_ignores(engine, "astar", NULL));
    NOTHING(soloist_method_proves(NULL, &tiles_domain, "astar"));
    NOTHING(soloist_method_proves(engine, NULL, "astar"));
    QUIET(soloist_method_proves(engine, &tiles_domain, NULL));
    for (int i = 0; i < unread_count; i++) {
        NOTHING(soloist_validate(unread[i], 1, 1, 1, NULL));
        NOTHING(soloist_check(unread[i], "U", 1, NULL, NULL));
    }
    NOTHING(soloist_check(&puzzle, NULL, 1, NULL, NULL));
    QUIET(soloist_status_name((soloist_status)99));
    QUIET(soloist_stop_name((soloist_stop)99));
    QUIET(soloist_picture_name((soloist_picture_kind)99));
    QUIET(soloist_axis_name((soloist_axis)99));
    call_text = NULL;
}

static void solves(void **unused) {
    (void)unused;
    soloist_advice advice;
    soloist_shortening how = {.size = sizeof how};
    soloist_details details = {.size = sizeof details};
    soloist_watcher watcher = {.size = sizeof watcher};
    for (int i = 0; i < unread_count; i++) {
        MISUSE(soloist_solve(engine, unread[i], "astar", &limits, NULL, &result, &error));
        MISUSE(soloist_method_suits(engine, unread[i], "astar", &limits, &error));
        NOTHING(soloist_session_open(engine, unread[i], &limits, NULL, &error));
        MISUSE(soloist_hint(engine, unread[i], "astar", &limits, NULL, &advice, NULL));
        MISUSE(soloist_explain(engine, unread[i], false, &limits, NULL, &advice, NULL));
        MISUSE(soloist_optimize(engine, unread[i], "U", 1, NULL, &limits, NULL, &result, NULL));
        MISUSE(soloist_shorten(unread[i], &limits, NULL, &how, &result, NULL));
        MISUSE(soloist_describe(unread[i], &result, &details));
    }
    MISUSE(soloist_solve(NULL, &puzzle, "astar", &limits, NULL, &result, &error));
    MISUSE(soloist_solve(engine, &puzzle, "astar", &limits, NULL, NULL, NULL));
    MISUSE(soloist_solve_text(NULL, "tiles", "1 0 2 3", "astar", &limits, &result, &error));
    MISUSE(soloist_solve_text(engine, "tiles", NULL, "astar", &limits, &result, &error));
    MISUSE(soloist_solve_text(engine, "tiles", "1 0 2 3", "astar", &limits, NULL, NULL));
    QUIET(soloist_result_free(NULL));
    MISUSE(soloist_watch(engine, &puzzle, "astar", &limits, NULL, &result, NULL));
    MISUSE(soloist_watch(engine, &puzzle, "astar", &limits, &watcher, NULL, NULL));
    NOTHING(soloist_look(NULL, NULL, 0));
    NOTHING(soloist_session_open(NULL, &puzzle, NULL, NULL, NULL));
    MISUSE(soloist_session_solve(NULL, "astar", &limits, NULL, &result, NULL));
    QUIET(soloist_session_close(NULL));
    MISUSE(soloist_method_suits(NULL, &puzzle, "astar", &limits, NULL));
    MISUSE(soloist_method_suits(engine, &puzzle, "astar", NULL, NULL));
    MISUSE(soloist_hint(NULL, &puzzle, "astar", &limits, NULL, &advice, NULL));
    MISUSE(soloist_hint(engine, &puzzle, "astar", &limits, NULL, NULL, NULL));
    MISUSE(soloist_explain(NULL, &puzzle, true, &limits, NULL, &advice, NULL));
    MISUSE(soloist_explain(engine, &puzzle, true, &limits, NULL, NULL, NULL));
    QUIET(soloist_advice_free(NULL));
    MISUSE(soloist_optimize(NULL, &puzzle, "U", 1, NULL, &limits, NULL, &result, NULL));
    MISUSE(soloist_optimize(engine, &puzzle, NULL, 1, NULL, &limits, NULL, &result, NULL));
    MISUSE(soloist_optimize(engine, &puzzle, "U", 1, NULL, &limits, NULL, NULL, NULL));
    MISUSE(soloist_shorten(&puzzle, NULL, NULL, NULL, &result, NULL));
    MISUSE(soloist_shorten(&puzzle, NULL, NULL, &how, NULL, NULL));
    MISUSE(soloist_describe(&puzzle, NULL, &details));
    MISUSE(soloist_describe(&puzzle, &result, NULL));
    call_text = NULL;
}

static void tools(void **unused) {
    (void)unused;
    char *text;
    size_t length;
    QUIET(soloist_text_free(NULL));
    for (int i = 0; i < unread_count; i++) {
        NOTHING(soloist_state_text(unread[i], state));
        NOTHING(soloist_move_text(unread[i], state, moves[0]));
        NOTHING(soloist_line_text(unread[i], moves, 1));
        NOTHING(soloist_root_text(engine, unread[i]));
        NOTHING(soloist_draw(engine, unread[i], state, 20));
        NOTHING(soloist_draw(engine, unread[i], NULL, 20));
        MISUSE(soloist_film(engine, unread[i], "U", 1, 1, 20, &text, &error));
    }
    NOTHING(soloist_state_text(&puzzle, NULL));
    NOTHING(soloist_move_text(&puzzle, NULL, moves[0]));
    NOTHING(soloist_line_text(&puzzle, NULL, 1));
    NOTHING(soloist_root_text(NULL, &puzzle));
    NOTHING(soloist_draw(NULL, &puzzle, NULL, 20));
    MISUSE(soloist_film(NULL, &puzzle, "U", 1, 1, 20, &text, NULL));
    MISUSE(soloist_film(engine, &puzzle, NULL, 1, 1, 20, &text, NULL));
    MISUSE(soloist_film(engine, &puzzle, "U", 1, 1, 20, NULL, NULL));
    MISUSE(soloist_make(NULL, NULL, 1, 0, &text, NULL));
    MISUSE(soloist_make(&tiles_domain, NULL, 1, 0, NULL, NULL));
    MISUSE(soloist_level_set(NULL, NULL, &text, &length));
    MISUSE(soloist_level_set("microban", NULL, NULL, &length));
    MISUSE(soloist_level_set("microban", NULL, &text, NULL));
    MISUSE(soloist_level_sets(NULL, NULL, NULL));
    call_text = NULL;
}

static void networks(void **unused) {
    (void)unused;
    struct any_network any;
    soloist_network *network = any_network_open(&any, &tiles_domain);
    float values[1], priors[8];
    NOTHING(soloist_network_open(NULL, "x.net", NULL));
    NOTHING(soloist_network_open(&tiles_domain, NULL, NULL));
    QUIET(soloist_network_close(NULL));
    for (int i = 0; i < unread_count; i++) {
        NOTHING(soloist_network_fits(network, unread[i], NULL));
        call_text = "soloist_network_evaluate";
        assert_int_not_equal(soloist_network_evaluate(network, unread[i], state, 1, priors, values, NULL), SOLOIST_OK);
    }
    NOTHING(soloist_network_fits(NULL, &puzzle, NULL));
    NOTHING(soloist_network_write(NULL, "x.safetensors", NULL));
    NOTHING(soloist_network_write(network, NULL, NULL));
    MISUSE(soloist_network_evaluate(NULL, &puzzle, state, 1, priors, values, NULL));
    MISUSE(soloist_network_evaluate(network, &puzzle, NULL, 1, priors, values, NULL));
    MISUSE(soloist_network_evaluate(network, &puzzle, state, 1, priors, NULL, NULL));
    call_text = NULL;
}

static void boards(void **unused) {
    (void)unused;
    soloist_boards_plan plan = {.size = sizeof plan, .boards = 1, .levels = 1};
    soloist_boards_arrays arrays = {.size = sizeof arrays};
    soloist_chunk chunk = {.text = "1 0 2 3", .length = 7, .line = 1}, empty = {.length = 4};
    int shape[4] = {1, 1, 1, 1};
    uint8_t bytes[8];
    const soloist_sink sink = {write_nothing, NULL};
    NOTHING(soloist_boards_open(NULL, &plan, NULL));
    NOTHING(soloist_boards_open(&tiles_domain, NULL, NULL));
    soloist_boards *opened = soloist_boards_open(&tiles_domain, &plan, &error);
    assert_non_null(opened);
    QUIET(soloist_boards_close(NULL));
    MISUSE(soloist_boards_put(NULL, 0, &chunk, NULL));
    MISUSE(soloist_boards_put(opened, 0, NULL, NULL));
    MISUSE(soloist_boards_put(opened, 0, &empty, NULL));
    MISUSE(soloist_boards_fill(NULL, NULL, 1, NULL));
    QUIET(soloist_boards_shape(NULL, shape));
    assert_int_equal(shape[0], 0);
    QUIET(soloist_boards_shape(opened, NULL));
    MISUSE(soloist_boards_bind(NULL, &arrays, NULL));
    MISUSE(soloist_boards_bind(opened, NULL, NULL));
    MISUSE(soloist_boards_bind(opened, &arrays, NULL));
    QUIET(soloist_boards_reseed(NULL, 1));
    MISUSE(soloist_boards_reset(NULL));
    MISUSE(soloist_boards_reset(opened));
    MISUSE(soloist_boards_begin(NULL, 0, 0));
    MISUSE(soloist_boards_begin(opened, 0, 0));
    call_text = "steps and slots";
    assert_int_equal(soloist_boards_step(NULL), -1);
    assert_int_equal(soloist_boards_step(opened), -1);
    assert_int_equal(soloist_boards_step_into(NULL, bytes), -1);
    assert_int_equal(soloist_boards_step_into(opened, NULL), -1);
    assert_int_equal(soloist_boards_slot(NULL, 0), -1);
    MISUSE(soloist_boards_print(NULL, 0, &sink));
    MISUSE(soloist_boards_print(opened, 0, NULL));
    soloist_boards_close(opened);
    call_text = NULL;
}

/* What a method of a plugin may call: outside a solve there is no run. */
static void methods_without_a_run(void **unused) {
    (void)unused;
    int32_t sum;
    NOTHING(soloist_run_domain(NULL));
    NOTHING(soloist_run_instance(NULL));
    NOTHING(soloist_run_shape(NULL));
    NOTHING(soloist_run_options(NULL));
    NOTHING(soloist_run_seed(NULL));
    NOTHING(soloist_run_threads(NULL));
    NOTHING(soloist_run_better(NULL, 1, 2));
    QUIET(soloist_run_spent(NULL));
    NOTHING(soloist_run_stop_token(NULL));
    NOTHING(soloist_run_count_nodes(NULL, 1));
    QUIET(soloist_run_count_expanded(NULL, 1));
    QUIET(soloist_run_count_iteration(NULL));
    NOTHING(soloist_run_take(NULL, 8));
    NOTHING(soloist_run_resize(NULL, NULL, 0, 8));
    QUIET(soloist_run_give(NULL, NULL, 0));
    MISUSE(soloist_run_full(NULL));
    NOTHING(soloist_run_packed_size(NULL));
    QUIET(soloist_run_pack(NULL, state, state));
    QUIET(soloist_run_unpack(NULL, state, state));
    NOTHING(soloist_run_add_cost(NULL, 1, 1, &sum));
    NOTHING(soloist_run_record(NULL, moves, 1, 1));
    NOTHING(soloist_run_found(NULL, &sum));
    QUIET(soloist_run_claim_optimal(NULL));
    QUIET(soloist_run_claim_impossible(NULL));
    NOTHING(soloist_run_is_optimal(NULL));
    QUIET(soloist_run_note(NULL, "%d", 1));
    MISUSE(soloist_run_fail(NULL, SOLOIST_MISUSE, "%d", 1));
    call_text = NULL;
}

/* The same within a run: a method that passes NULL. */
static soloist_code run_carelessly(soloist_run *run) {
    QUIET(soloist_run_pack(run, NULL, state));
    QUIET(soloist_run_pack(run, state, NULL));
    QUIET(soloist_run_unpack(run, NULL, state));
    QUIET(soloist_run_unpack(run, state, NULL));
    NOTHING(soloist_run_add_cost(run, 1, 1, NULL));
    NOTHING(soloist_run_record(run, NULL, 1, 1));
    NOTHING(soloist_run_found(run, NULL));
    QUIET(soloist_run_give(run, NULL, 0));
    QUIET(soloist_run_note(run, NULL));
    return QUIET(soloist_run_fail(run, SOLOIST_UNSUPPORTED, NULL));
}

static void methods_that_pass_null(void **unused) {
    (void)unused;
    static const soloist_method careless = {.abi = SOLOIST_ABI,
                                            .size = sizeof careless,
                                            .name = "careless",
                                            .summary = "passes NULL",
                                            .run = run_carelessly};
    assert_int_equal(soloist_add_method(engine, &careless, &error), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "careless", &limits, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    soloist_result_free(&result);
    call_text = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(texts_and_options, show_call),
        cmocka_unit_test_teardown(engines_and_puzzles, show_call),
        cmocka_unit_test_teardown(solves, show_call),
        cmocka_unit_test_teardown(tools, show_call),
        cmocka_unit_test_teardown(networks, show_call),
        cmocka_unit_test_teardown(boards, show_call),
        cmocka_unit_test_teardown(methods_without_a_run, show_call),
        cmocka_unit_test_teardown(methods_that_pass_null, show_call),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
