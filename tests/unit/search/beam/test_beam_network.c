/* Beams that a network ranks: the pool that does the work, states judged once, the same result from any number of
 * threads, what priors and siblings leave out, and passes that use their limit up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/policy/policy_reference.h"
#include "search/beam/thread_pool.h"

#include <stdio.h>

/* ---- the pool ---- */

enum { most_items = 300 };

struct chores {
    _Atomic int done[most_items];
    _Atomic int highest; /* member */
};

static void do_chore(void *user, int member, size_t item) {
    struct chores *chores = user;
    int highest = atomic_load(&chores->highest);
    atomic_fetch_add(&chores->done[item], 1);
    while (member > highest && !atomic_compare_exchange_weak(&chores->highest, &highest, member)) {
    }
}

static void every_item_is_done_once(void **unused) {
    (void)unused;
    struct memory memory;
    memory_open(&memory, 0);
    for (int members = 1; members <= 6; members += 5) {
        struct thread_pool *pool = thread_pool_open(&memory, members);
        assert_non_null(pool);
        assert_in_range(thread_pool_size(pool), 1, members);
        for (size_t count = 0; count <= most_items; count = count * 2 + (count < 3)) {
            struct chores chores = {.highest = 0};
            thread_pool_run(pool, do_chore, &chores, count);
            for (size_t i = 0; i < most_items; i++)
                assert_int_equal(chores.done[i], i < count);
            assert_true(chores.highest < members);
        }
        thread_pool_close(pool);
    }
    thread_pool_close(NULL);
    assert_int_equal(memory_used(&memory), 0);
    memory_open(&memory, 16);
    assert_null(thread_pool_open(&memory, 2));
}

/* ---- solving with the fake ---- */

static const char *const small = "1212\n2312\n3121\n1233\n";
static const char *const large =
    "112312213\n231233112\n312123321\n123321231\n213213132\n331122312\n123131223\n312231132\n";

static soloist_result solve_with(const soloist_domain *domain, const char *text, const char *method,
                                 soloist_limits limits, struct fake *fake) {
    soloist_network network = {domain, &fake->evaluator};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    uint64_t before = (uint64_t)fake->judged;
    limits.network = &network;
    assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    assert_int_equal(result.evaluations, fake->judged - before);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* ---- states are judged once ---- */

enum { most_plain = 20000 };

/* States with their best values, in plain lists. */
struct plain_states {
    int count;
    struct {
        _Alignas(8) unsigned char state[PLAIN_STATE];
        int32_t value;
    } * list;
};

static int plain_find(const struct plain_states *states, const unsigned char *state, size_t size) {
    for (int i = 0; i < states->count; i++)
        if (!memcmp(states->list[i].state, state, size))
            return i;
    return -1;
}

/* Puts a state or raises its value; false if it was there with as much. */
static bool plain_put(struct plain_states *states, const unsigned char *state, size_t size, int32_t value) {
    int at = plain_find(states, state, size);
    if (at >= 0 && states->list[at].value >= value)
        return false;
    if (at < 0) {
        at = states->count++;
        assert_true(at < most_plain);
    }
    memcpy(states->list[at].state, state, size);
    states->list[at].value = value;
    return true;
}

/* How many judgements a beam needs that drops nothing: of each layer the distinct states that go on and were not kept
 * before with as much. */
static int plain_judgements(const soloist_instance *instance) {
    struct plain_states layer = {0, calloc(most_plain, sizeof *layer.list)}, next = layer, seen = layer;
    soloist_shape shape;
    int judged = 0;
    next.list = calloc(most_plain, sizeof *next.list), seen.list = calloc(most_plain, sizeof *seen.list);
    samegame_domain.life->shape(instance, &shape);
    samegame_domain.life->root(instance, layer.list[0].state);
    layer.count = 1;
    while (layer.count) {
        next.count = 0;
        for (int i = 0; i < layer.count; i++) {
            soloist_move moves[PLAIN_MOVES];
            int count = samegame_domain.core->moves(instance, layer.list[i].state, moves);
            for (int m = 0; m < count; m++) {
                _Alignas(8) unsigned char child[PLAIN_STATE] = {0};
                memcpy(child, layer.list[i].state, sizeof child);
                int32_t gain = samegame_domain.core->apply(instance, child, moves[m], NULL), last;
                if (!samegame_domain.core->ended(instance, child, &last))
                    plain_put(&next, child, shape.state_size, layer.list[i].value + gain);
            }
        }
        layer.count = 0;
        for (int i = 0; i < next.count; i++)
            if (plain_put(&seen, next.list[i].state, shape.state_size, next.list[i].value))
                layer.list[layer.count++] = next.list[i];
        judged += layer.count;
    }
    free(layer.list), free(next.list), free(seen.list);
    return judged;
}

static void a_state_is_judged_once(void **unused) {
    (void)unused;
    soloist_domain plain = samegame_domain;
    soloist_puzzle puzzle;
    soloist_chunk chunk = {.text = small, .length = strlen(small), .line = 1};
    plain.bound = NULL; /* so that nothing is left out */
    assert_int_equal(soloist_puzzle_read(&plain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    int expected = plain_judgements(puzzle.instance);
    soloist_puzzle_free(&puzzle);
    for (int threads = 1; threads <= 3; threads += 2) {
        struct fake fake = fake_open(64);
        soloist_result result = solve_with(&plain, small, "beam:score=values,width=100000,widen=false",
                                           (soloist_limits){.threads = threads}, &fake);
        assert_true(result.optimal);
        assert_int_equal(fake.judged, expected);
        assert_true(result.nodes > 2 * (uint64_t)expected); /* there was something to be merged */
        soloist_result_free(&result);
    }
}

/* ---- threads, priors, siblings ---- */

static void threads_change_nothing(void **unused) {
    (void)unused;
    static const char *const methods[] = {"beam:score=values,width=300,widen=false",
                                          "beam:score=values,width=700,least_prior=0.5,siblings=3,widen=false",
                                          "beam:score=priors,width=300,widen=false", "beam:score=values,width=20"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        char first[400] = "";
        int judged = 0;
        for (int threads = 1; threads <= 5; threads += 2) {
            struct fake fake = fake_open(48);
            fake.evaluator.apart = threads == 3;
            soloist_result result = solve_with(&samegame_domain, large, methods[m],
                                               (soloist_limits){.threads = threads, .nodes = 60000}, &fake);
            char own[400];
            snprintf(own, sizeof own, "%d %llu %.300s", (int)result.verdict.value, (unsigned long long)result.nodes,
                     result.solution);
            if (threads == 1)
                memcpy(first, own, sizeof own), judged = fake.judged;
            assert_string_equal(first, own);
            assert_int_equal(judged, fake.judged);
            soloist_result_free(&result);
        }
    }
}

/* Of each state only the likeliest move is left. */
static int32_t plain_likeliest(const soloist_instance *instance) {
    unsigned char state[PLAIN_STATE];
    soloist_move moves[PLAIN_MOVES];
    float priors[PLAIN_MOVES];
    int32_t score = 0, last = 0;
    samegame_domain.life->root(instance, state);
    while (!samegame_domain.core->ended(instance, state, &last)) {
        int count = samegame_domain.core->moves(instance, state, moves), best = 0;
        fake_priors(instance, state, count, priors);
        for (int i = 1; i < count; i++)
            best = priors[i] > priors[best] ? i : best;
        score += samegame_domain.core->apply(instance, state, moves[best], NULL);
    }
    return score + last;
}

static void unlikely_children_are_left_out(void **unused) {
    (void)unused;
    struct fake fake = fake_open(16), fewer = fake_open(16), all = fake_open(16);
    soloist_domain plain = samegame_domain;
    soloist_puzzle puzzle;
    soloist_chunk chunk = {.text = large, .length = strlen(large), .line = 1};
    plain.bound = NULL;
    assert_int_equal(soloist_puzzle_read(&plain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    soloist_result alone =
        solve_with(&plain, large, "beam:score=values,width=50,least_prior=1,widen=false", (soloist_limits){0}, &fake);
    assert_int_equal(alone.verdict.value, plain_likeliest(puzzle.instance));
    assert_false(alone.optimal);
    assert_int_equal(fake.judged, 2 * alone.move_count - 1); /* each state with its priors, each child but the last */
    soloist_result some = solve_with(&plain, large, "beam:score=values,width=50,least_prior=0.7,widen=false",
                                     (soloist_limits){0}, &fewer);
    soloist_result any = solve_with(&plain, large, "beam:score=values,width=50,widen=false", (soloist_limits){0}, &all);
    assert_true(fewer.judged < all.judged * 3 / 4);
    soloist_result_free(&alone), soloist_result_free(&some), soloist_result_free(&any);
    soloist_puzzle_free(&puzzle);
}

/* One child a state: however wide, a layer has one state. */
static void siblings_are_limited(void **unused) {
    (void)unused;
    struct fake fake = fake_open(16);
    soloist_result wide = solve_with(&samegame_domain, large, "beam:score=values,width=50,siblings=1,widen=false",
                                     (soloist_limits){0}, &fake);
    soloist_result narrow =
        solve_with(&samegame_domain, large, "beam:score=values,width=1,widen=false", (soloist_limits){0}, &fake);
    soloist_result two = solve_with(&samegame_domain, large, "beam:score=values,width=50,siblings=2,widen=false",
                                    (soloist_limits){0}, &fake);
    assert_string_equal(wide.solution, narrow.solution);
    assert_false(wide.optimal);
    assert_true(two.nodes > 5 * wide.nodes);
    soloist_result_free(&wide), soloist_result_free(&narrow), soloist_result_free(&two);
}

/* ---- limits ---- */

static void limits_are_used_up(void **unused) {
    (void)unused;
    for (uint64_t nodes = 3000; nodes < 200000; nodes *= 3) {
        struct fake fake = fake_open(16);
        soloist_result result =
            solve_with(&samegame_domain, large, "beam:score=values", (soloist_limits){.nodes = nodes}, &fake);
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_in_range(result.nodes, nodes / 100 * 75, nodes);
        soloist_result_free(&result);
    }
    for (uint64_t nodes = 1; nodes < 200; nodes = nodes * 3 + 1) { /* too few for any line */
        struct fake fake = fake_open(16);
        soloist_result result =
            solve_with(&samegame_domain, large, "beam:score=values", (soloist_limits){.nodes = nodes}, &fake);
        assert_int_equal(result.nodes, nodes);
        assert_int_equal(result.stopped, SOLOIST_STOP_NODES);
        soloist_result_free(&result);
    }
}

static void without_memory_it_ends(void **unused) {
    (void)unused;
    bool ended = false, solved = false;
    for (size_t bytes = 1000; bytes < 100000000; bytes *= 3) {
        struct fake fake = fake_open(16);
        soloist_result result =
            solve_with(&samegame_domain, large, "beam:score=values,siblings=4,least_prior=0.1,width=500,widen=false",
                       (soloist_limits){.memory = bytes, .threads = 2}, &fake);
        assert_true(result.peak_bytes <= bytes);
        ended |= result.stopped == SOLOIST_STOP_MEMORY;
        solved |= result.stopped != SOLOIST_STOP_MEMORY && result.status == SOLOIST_SOLVED;
        soloist_result_free(&result);
    }
    assert_true(ended && solved);
}

/* ---- the mix ---- */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once), cmocka_unit_test(a_state_is_judged_once),
        cmocka_unit_test(threads_change_nothing),  cmocka_unit_test(unlikely_children_are_left_out),
        cmocka_unit_test(siblings_are_limited),    cmocka_unit_test(limits_are_used_up),
        cmocka_unit_test(without_memory_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
