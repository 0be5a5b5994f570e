/* Every method stops soon after its deadline. The clock jumps past the deadline at its k-th reading, and from then on
 * each call of a domain's function is counted: only a few may follow. Nothing here waits or measures time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "any_network.h"
#include "base/sanitizer.h"
#include "domain/domain.h"
#include "engine/make.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- the clock ---- */

static _Atomic long readings, jump_at; /* jump_at: the reading at which the clock jumps; 0: it does not */
static _Atomic bool jumped;

/* Takes the place of the library's function for the whole program. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock != CLOCK_MONOTONIC || !jump_at)
        return result;
    if (atomic_fetch_add(&readings, 1) + 1 >= jump_at)
        atomic_store(&jumped, true);
    if (jumped)
        now->tv_sec += 1000000;
    return result;
}

/* ---- a domain whose calls are counted ---- */

static const soloist_domain *real;
static _Atomic long calls; /* since the jump */

static void count(long more) {
    if (atomic_load_explicit(&jumped, memory_order_relaxed))
        atomic_fetch_add_explicit(&calls, more, memory_order_relaxed);
}

#define I const soloist_instance *instance

#define COUNTED_CORE(NAME, CORE)                                                                                       \
    static int NAME##_moves(I, const void *state, soloist_move *moves) {                                               \
        count(1);                                                                                                      \
        return (CORE)->moves(instance, state, moves);                                                                  \
    }                                                                                                                  \
    static int32_t NAME##_apply(I, void *state, soloist_move move, void *undo) {                                       \
        count(1);                                                                                                      \
        return (CORE)->apply(instance, state, move, undo);                                                             \
    }                                                                                                                  \
    static int NAME##_expand(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {        \
        count(1);                                                                                                      \
        return (CORE)->expand(instance, state, last, want, children);                                                  \
    }                                                                                                                  \
    static soloist_core NAME##_core(void) {                                                                            \
        soloist_core core = *(CORE);                                                                                   \
        core.moves = NAME##_moves;                                                                                     \
        core.apply = NAME##_apply;                                                                                     \
        core.expand = NAME##_expand;                                                                                   \
        return core;                                                                                                   \
    }
COUNTED_CORE(forward, real->core)
COUNTED_CORE(backward, real->reverse->core)

static int32_t counted_value(I, const void *state) {
    count(1);
    return real->bound->value(instance, state);
}
static soloist_playout counted_playout(I, void *state, int policy, int limit, soloist_rng *rng, soloist_move *trace,
                                       soloist_stop_token *stop) {
    bool before = jumped;
    soloist_playout playout = real->sample->playout(instance, state, policy, limit, rng, trace, stop);
    count(1 + (before ? playout.length : 0));
    return playout;
}
static int counted_walk(I, void *walk, int chosen) {
    count(1);
    return real->walk->play(instance, walk, chosen);
}
static int counted_list(I, void *guide, const void *state, soloist_prospect *prospects) {
    count(1);
    return real->features->list(instance, guide, state, prospects);
}

struct counted {
    soloist_domain domain;
    soloist_core core, backward;
    soloist_bound bound;
    soloist_reverse reverse;
    soloist_sample sample;
    soloist_walk walk;
    soloist_features features;
};

static void count_domain(struct counted *c, const soloist_domain *domain) {
    real = domain;
    c->domain = *domain;
    c->core = forward_core();
    c->domain.core = &c->core;
    if (domain->bound) {
        c->bound = *domain->bound;
        c->bound.value = counted_value;
        c->domain.bound = &c->bound;
    }
    if (domain->reverse) {
        c->reverse = *domain->reverse;
        c->backward = backward_core();
        c->reverse.core = &c->backward;
        c->domain.reverse = &c->reverse;
    }
    if (domain->sample) {
        c->sample = *domain->sample;
        c->sample.playout = counted_playout;
        c->domain.sample = &c->sample;
    }
    if (domain->walk) {
        c->walk = *domain->walk;
        c->walk.play = counted_walk;
        c->domain.walk = &c->walk;
    }
    if (domain->features) {
        c->features = *domain->features;
        c->features.list = counted_list;
        c->domain.features = &c->features;
    }
}

/* ---- the check ---- */

/* A hall with many boxes: a single expansion or play-out takes long. */
static const char *hall(void) {
    enum { side = 40 };
    static char text[side * (side + 1) + 1];
    char *at = text;
    for (int y = 0; y < side; y++, *at++ = '\n')
        for (int x = 0; x < side; x++) {
            bool wall = !x || !y || x == side - 1 || y == side - 1, row = y % 4 == 2 && x > 1 && x < side - 2;
            *at++ = wall ? '#' : x == 1 && y == 1 ? '@' : row && x % 4 == 2 ? '$' : row && x % 4 == 0 ? '.' : ' ';
        }
    return text;
}

static const char *same_board(void) {
    enum { side = 15 };
    static char text[side * (side + 1) + 1];
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 0);
    char *at = text;
    for (int y = 0; y < side; y++, *at++ = '\n')
        for (int x = 0; x < side; x++)
            *at++ = (char)('1' + soloist_rng_below(&rng, 5));
    return text;
}

/* How many calls may follow. In a large hall each takes long. Of cheap calls a search may make as many as fit between
 * two looks at the clock: two milliseconds, and ten times as many on a slow machine under a sanitizer. */
enum { few_calls = 2000, cheap_calls = 400000 };

static void check_method(const soloist *engine, const soloist_puzzle *puzzle, const char *method, int threads, long at,
                         long most_calls) {
    soloist_limits limits = {.time_s = 1000, .seed = 1, .memory = (size_t)1 << 28, .threads = threads};
    soloist_result result;
    soloist_error error;
    struct any_network any;
    limits.network = any_network_open(&any, puzzle->domain);
    if (soloist_method_suits(engine, puzzle, method, &limits, &error) != SOLOIST_OK)
        return;
    atomic_store(&readings, 0), atomic_store(&jumped, false), atomic_store(&calls, 0);
    atomic_store(&jump_at, at);
    soloist_code code = soloist_solve(engine, puzzle, method, &limits, NULL, &result, &error);
    atomic_store(&jump_at, 0);
    if (code == SOLOIST_UNSUPPORTED) /* for want of a network */
        return;
    assert_int_equal(code, SOLOIST_OK);
    if (calls > most_calls)
        fail_msg("%s on %s: %ld calls after the clock's reading %ld", method, puzzle->domain->name, (long)calls, at);
    /* A method that plays one game of a few moves may have ended before the clock jumped. */
    bool one_game = !strcmp(method, "policy") || !strcmp(method, "exit-mcts");
    bool ended = one_game && result.stopped == SOLOIST_STOP_EXHAUSTED;
    if (jumped && result.status != SOLOIST_SOLVED && !ended && result.stopped != SOLOIST_STOP_TIME)
        fail_msg("%s on %s: stopped by %s", method, puzzle->domain->name, soloist_stop_name(result.stopped));
    soloist_result_free(&result);
}

/* Options that make a method ask a network, or do much between two nodes. */
static const struct {
    const char *method;
    int threads;
} variants[] = {
    {"astar:bound=network", 1},   {"astar:bound=both,batch=16", 1},
    {"levints:batch=16", 1},      {"phs:batch=16", 1},
    {"mm:bound=network", 1},      {"bhpa:bound=network", 1},
    {"uct:rollouts=10000", 1},    {"beam:score=playouts,playouts=1000000", 1},
    {"idastar:slice=1048576", 2},
};

static void check_domain(const soloist_domain *domain, const char *text, long most_calls) {
#if HAS_THREAD_SANITIZER
    static const long jumps[] = {12}; /* the sanitizer is slow, and one is enough for it */
#else
    static const long jumps[] = {2, 3, 5, 12, 40};
#endif
    const char *method;
    struct counted counted;
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error;
    count_domain(&counted, domain);
    if (soloist_puzzle_read(&counted.domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", domain->name, error.text);
    for (size_t m = 0; soloist_method_at(engine, m, &method, NULL, NULL); m++)
        for (size_t j = 0; j < sizeof jumps / sizeof *jumps; j++)
            check_method(engine, &puzzle, method, 1, jumps[j], most_calls);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (size_t j = 0; j < sizeof jumps / sizeof *jumps; j++)
            check_method(engine, &puzzle, variants[v].method, variants[v].threads, jumps[j], most_calls);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void sokoban_stops(void **unused) {
    (void)unused;
    check_domain(&sokoban_domain, hall(), few_calls);
}
static void sokoban_moves_stops(void **unused) {
    (void)unused;
    check_domain(&sokoban_moves_domain, hall(), few_calls);
}
static void samegame_stops(void **unused) {
    (void)unused;
    check_domain(&samegame_domain, same_board(), cheap_calls);
}
static void tiles_stop(void **unused) {
    (void)unused;
    check_domain(&tiles_domain, "5x5: 17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11", cheap_calls);
}
static void pancakes_stop(void **unused) {
    (void)unused;
    check_domain(&pancake_domain, "9 2 23 4 25 6 17 8 1 30 11 22 13 14 15 26 7 28 19 20 21 12 3 24 5 16 27 18 29 10",
                 cheap_calls);
}

/* Reads a level again and again; the clock jumps past the deadline at its first reading, at its second, and so on,
 * until the level is read. Returns how often a whole reading reads the clock. */
static long read_until_the_jump_is_late(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                        soloist_stop_token *stop) {
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_code code;
    long at = 0, last = 0;
    do {
        soloist_stop_token_deadline(stop, 1000);
        atomic_store(&readings, 0), atomic_store(&jumped, false), atomic_store(&jump_at, ++at);
        code = soloist_puzzle_read_within(domain, options, chunk, stop, &puzzle, &error);
        last = readings;
        atomic_store(&jump_at, 0);
    } while (code == SOLOIST_STOPPED);
    assert_int_equal(code, SOLOIST_OK);
    assert_int_equal(at, last + 1); /* only the first jump that came after the last reading was too late */
    soloist_puzzle_free(&puzzle);
    return last;
}

/* Growing a goal room looks at the clock for each square. */
static void finding_a_goal_room_stops(void **unused) {
    (void)unused;
    static const char text[] = "############\n#...  @    #\n#    $     #\n# $  $     #\n#          #\n############\n";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_stop_token *stop = soloist_stop_token_new();
    long without = read_until_the_jump_is_late(&sokoban_domain, NULL, &chunk, stop);
    assert_true(read_until_the_jump_is_late(&sokoban_domain, "goal_macros=true", &chunk, stop) > without + 10);
    soloist_stop_token_free(stop);
}

/* Reading a level ends when the clock jumps past the deadline, at whichever reading of the clock that happens, or when
 * the token is cancelled. */
static void reading_stops(void **unused) {
    (void)unused;
    static const soloist_domain *const domains[] = {&sokoban_domain, &sokoban_moves_domain};
    soloist_chunk chunk = {.text = hall(), .length = strlen(hall()), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_stop_token *stop = soloist_stop_token_new();
    for (size_t d = 0; d < 2; d++)
        assert_true(read_until_the_jump_is_late(domains[d], NULL, &chunk, stop) > 4);
    soloist_stop_token_cancel(stop);
    assert_int_equal(soloist_puzzle_read_within(&sokoban_domain, NULL, &chunk, stop, &puzzle, &error), SOLOIST_STOPPED);
    assert_null(puzzle.instance);
    soloist_stop_token_free(stop);
}

/* Generating a level ends in the same way, whether reverse play is long or no room serves. */
static void generating_stops(void **unused) {
    (void)unused;
    static const char *const options[] = {"width=20,height=20,boxes=8", "walk_steps_factor=0,max_room_tries=1000000000",
                                          "max_action_depth=1,max_room_tries=1000000000"};
    soloist_stop_token *stop = soloist_stop_token_new();
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (long at = 2; at < 50; at += 5) {
            char *text;
            soloist_error error;
            soloist_stop_token_deadline(stop, 1000);
            atomic_store(&readings, 0), atomic_store(&jumped, false), atomic_store(&jump_at, at);
            soloist_code code = make_within(&sokoban_domain, options[i], 1, 0, stop, &text, &error);
            long last = readings;
            atomic_store(&jump_at, 0);
            assert_int_equal(code, SOLOIST_STOPPED);
            assert_null(text);
            assert_true(last <= at + 4); /* each loop reads the clock once more as it ends */
        }
    soloist_stop_token_free(stop);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sokoban_stops),    cmocka_unit_test(sokoban_moves_stops),
        cmocka_unit_test(samegame_stops),   cmocka_unit_test(tiles_stop),
        cmocka_unit_test(pancakes_stop),    cmocka_unit_test(reading_stops),
        cmocka_unit_test(generating_stops), cmocka_unit_test(finding_a_goal_room_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
