/* Games that are played move by move: how many iterations and how much time each move gets. The clock of this program
 * advances by one second per reading, so nothing here waits or measures time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "any_network.h"
#include "domain/domain.h"
#include "search/exploration.h"
#include "search/move_budget.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static _Atomic int64_t readings;

/* Takes the place of the library's function for the whole program. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    *now = (struct timespec){.tv_sec = atomic_fetch_add(&readings, 1)};
    return 0;
}

struct game {
    size_t moves;
    uint64_t iterations;
    soloist_stop stopped;
};

/* Plays games with so many iterations in all. */
static struct game play_within(uint64_t iterations, const char *method, int threads) {
    static const char *const board = "31221\n12332\n23113\n31212\n13321\n12123\n";
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    struct any_network any;
    soloist_limits limits = {.iterations = iterations, .threads = threads, .seed = 1};
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1, .name = ""};
    limits.network = any_network_open(&any, &samegame_domain);
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    struct game game = {result.move_count, result.iterations, result.stopped};
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return game;
}

static struct game play(const char *method, int threads) { return play_within(1000000, method, threads); }

/* Each move gets half of the iterations of the move before it, but at least one. */
static void iterations_fall_from_move_to_move(void **unused) {
    (void)unused;
    static const char *const methods[] = {
        "marocchi-uct:per_move=64,move_decay=0.5,keep=false,games=1",
        "policy-mcts:per_move=64,move_decay=0.5,games=1,in_flight=1,eliminate=false,parallel=tree,ask_visits=0"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct game game = play(methods[m], 1);
        uint64_t expected = 0;
        for (size_t move = 0; move < game.moves; move++)
            expected += move < 6 ? 64u >> move : 1;
        assert_true(game.moves > 6);
        assert_int_equal(game.iterations, expected);
    }
}

/* The clock is read at least once per iteration, so a move of four seconds has at most four iterations; with a decay of
 * 0 only the first move has more than one. */
static void time_ends_a_move(void **unused) {
    (void)unused;
    static const struct {
        const char *method;
        int later; /* the most iterations of a later move */
    } rows[] = {{"uct:per_move=0,move_time=4,games=1", 4},
                {"uct:per_move=0,move_time=4,move_decay=0,games=1", 1},
                {"uct:per_move=2,move_time=100,games=1", 2},
                {"uct:per_move=0,move_time=4,parallel=root,merge=true,games=1", 8},
                {"policy-mcts:per_move=0,move_time=4,games=1,in_flight=1", 4},
                {"policy-mcts:per_move=0,move_time=4,move_decay=0,games=1,in_flight=1", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int threads = strstr(rows[i].method, "merge") ? 2 : 1;
        struct game game = play(rows[i].method, threads);
        uint64_t most = 4u * (unsigned)threads + (game.moves - 1) * (unsigned)rows[i].later;
        if (game.iterations > most || game.iterations < game.moves)
            fail_msg("%s: %llu iterations in %zu moves", rows[i].method, (unsigned long long)game.iterations,
                     game.moves);
    }
}

/* When the time of a move ends, threads have claimed iterations that they have not begun, and simulations that they
 * have begun wait for the network: the next moves get these iterations. */
static void every_iteration_is_made(void **unused) {
    (void)unused;
    enum { limit = 300 };
    static const char *const methods[] = {
        "uct:per_move=0,move_time=3", "uct:per_move=40,move_time=3",
        "policy-mcts:per_move=0,move_time=3,in_flight=4,eliminate=false,ask_visits=0,parallel=tree"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int threads = 1; threads <= 4; threads++) {
            struct game game = play_within(limit, methods[m], threads);
            assert_int_equal(game.iterations, limit);
            assert_int_equal(game.stopped, SOLOIST_STOP_ITERATIONS);
        }
}

/* If the first iteration of a new tree visits no child of the root, one iteration per move is too few to choose a move;
 * another one is made. */
static void every_move_is_chosen(void **unused) {
    (void)unused;
    static const char *const methods[] = {"seify-mcts:per_move=64,move_decay=0.1,keep=false,games=1,final=robust",
                                          "uct:per_move=1,expand_visits=3,keep=false,games=1,final=max",
                                          "uct:per_move=1,expand_visits=3,parallel=root,merge=true,games=1,final=max"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct game game = play(methods[m], m == 2 ? 2 : 1);
        assert_true(game.iterations >= game.moves && game.iterations < 64 + 5 * 2 * 20);
        assert_int_equal(game.stopped, SOLOIST_STOP_GOAL);
    }
}

static void shares_and_weights_are_their_formulas(void **unused) {
    (void)unused;
    assert_int_equal(search_move_iterations(1000, 1, 50), 1000);
    assert_int_equal(search_move_iterations(1000, 0.5, 3), 125);
    assert_int_equal(search_move_iterations(1000, 0, 0), 1000);
    assert_int_equal(search_move_iterations(1000, 0, 1), 1);
    assert_int_equal(search_move_iterations(0, 0.5, 1), 0);
    assert_true(search_exploration(1.25, 0, 1e6) == 1.25);
    double grown = search_exploration(1.25, 19652, 19651); /* c + ln 2 */
    assert_true(grown > 1.25 + 0.693147 && grown < 1.25 + 0.693148);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(iterations_fall_from_move_to_move),
                                       cmocka_unit_test(time_ends_a_move), cmocka_unit_test(every_iteration_is_made),
                                       cmocka_unit_test(every_move_is_chosen),
                                       cmocka_unit_test(shares_and_weights_are_their_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
