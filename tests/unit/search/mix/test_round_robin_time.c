/* Which limit ended a mix whose members take turns. The clock of this program stands still until `random` has made its
 * iterations, and then advances by one second per reading, so nothing here waits or measures time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "soloist_extra.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { iterations = 3 };

static _Atomic int64_t readings;
static _Atomic int playouts;

/* Takes the place of the library's function for the whole program. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    *now = (struct timespec){.tv_sec = atomic_fetch_add(&readings, atomic_load(&playouts) >= iterations)};
    return 0;
}

/* Only `random` makes play-outs; the second member works in no iterations. */
static const soloist_member members[] = {{"random", "random", .share = 1},
                                         {"bestfirst", "bestfirst:games=0", .share = 1}};
static const soloist_mix mix = {.size = sizeof mix, .members = members, .count = 2, .round_robin = true};
static const soloist_mix *choose(const soloist_instance *instance, const soloist_limits *limits) {
    (void)instance, (void)limits;
    return &mix;
}

static soloist_playout count_playout(const soloist_instance *instance, void *state, int policy, int limit,
                                     soloist_rng *rng, soloist_move *trace, soloist_stop_token *stop) {
    soloist_playout playout = samegame_domain.sample->playout(instance, state, policy, limit, rng, trace, stop);
    atomic_fetch_add(&playouts, 1);
    return playout;
}

static void time_ends_what_goes_on_after_the_iterations(void **unused) {
    (void)unused;
    static const soloist_hints hints = {.size = sizeof hints, .mix = choose};
    static const char row[] = "122333112332213\n";
    char board[15 * (sizeof row - 1) + 1];
    for (size_t y = 0; y < 15; y++) /* each row is shifted, so that the board is no trivial one */
        for (size_t x = 0; x < sizeof row - 1; x++)
            board[y * (sizeof row - 1) + x] = x == 15 ? '\n' : row[(x + y * y) % 15];
    board[sizeof board - 1] = 0;
    soloist_domain domain = samegame_domain;
    soloist_sample sample = *domain.sample;
    sample.playout = count_playout;
    domain.sample = &sample;
    domain.hints = &hints;
    for (int threads = 1; threads <= 2; threads++) {
        soloist *engine = soloist_new();
        soloist_puzzle puzzle;
        soloist_result result;
        soloist_error error;
        soloist_limits limits = {.iterations = iterations, .time_s = 200, .threads = threads, .seed = 1};
        soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1, .name = ""};
        atomic_store(&playouts, 0);
        assert_int_equal(soloist_puzzle_read(&domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
        assert_int_equal(soloist_solve(engine, &puzzle, "auto", &limits, NULL, &result, &error), SOLOIST_OK);
        assert_int_equal(result.iterations, iterations);
        assert_int_equal(result.stopped, SOLOIST_STOP_TIME);
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
        soloist_free(engine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(time_ends_what_goes_on_after_the_iterations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
