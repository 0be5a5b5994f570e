/* The transposition table: what each replacement scheme keeps; growth; and the walk of IDA* over tables of any size,
 * down to a single entry, exact on graphs with cycles and steps of any cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/ida_star/ida_star.h"
#include "toy.h"

enum { packed_size = 8 };

static const enum transposition_scheme schemes[] = {TRANSPOSITION_TWO_LEVEL, TRANSPOSITION_DEEP, TRANSPOSITION_NEW,
                                                    TRANSPOSITION_OLD, TRANSPOSITION_BIG};
enum { scheme_count = sizeof schemes / sizeof schemes[0] };

static size_t entry_size(void) {
    struct memory memory;
    struct transposition table;
    memory_open(&memory, 0);
    transposition_open(&table, &memory, TRANSPOSITION_NEW, 1000, packed_size);
    size_t size = table.entry_size;
    transposition_close(&table);
    return size;
}

static void put(struct transposition *table, uint64_t state, int32_t score, int32_t depth, uint32_t iteration,
                uint32_t size) {
    transposition_put(table, hash_mix(state), &state, &(struct transposition_fact){score, depth, iteration, size});
}

/* What the table holds of a state, until the next call; NULL: nothing. */
static const struct transposition_fact *find(const struct transposition *table, uint64_t state) {
    static struct transposition_fact fact;
    return transposition_find(table, hash_mix(state), &state, &fact) ? &fact : NULL;
}

/* Offers state 1, then state 2, to a table of one place, and says which of them are left: bit 0 and bit 1. */
static int left_of_two(enum transposition_scheme scheme, struct transposition_fact one, struct transposition_fact two) {
    struct memory memory;
    struct transposition table;
    memory_open(&memory, 0);
    assert_true(transposition_open(&table, &memory, scheme, 2 * entry_size(), packed_size));
    if (scheme != TRANSPOSITION_TWO_LEVEL) {
        transposition_close(&table);
        assert_true(transposition_open(&table, &memory, scheme, entry_size(), packed_size));
    }
    assert_int_equal(table.places, 1);
    put(&table, 1, one.score, one.depth, 1, one.size);
    put(&table, 2, two.score, two.depth, 1, two.size);
    int left = (find(&table, 1) ? 1 : 0) | (find(&table, 2) ? 2 : 0);
    transposition_close(&table);
    assert_int_equal(memory_used(&memory), 0);
    return left;
}

static void schemes_keep_what_they_say(void **unused) {
    (void)unused;
    struct transposition_fact deep_small = {.depth = 9, .size = 10}, flat_big = {.depth = 3, .size = 90};
    assert_int_equal(left_of_two(TRANSPOSITION_DEEP, deep_small, flat_big), 1);
    assert_int_equal(left_of_two(TRANSPOSITION_DEEP, flat_big, deep_small), 2);
    assert_int_equal(left_of_two(TRANSPOSITION_DEEP, flat_big, flat_big), 2);
    assert_int_equal(left_of_two(TRANSPOSITION_BIG, deep_small, flat_big), 2);
    assert_int_equal(left_of_two(TRANSPOSITION_BIG, flat_big, deep_small), 1);
    assert_int_equal(left_of_two(TRANSPOSITION_NEW, deep_small, flat_big), 2);
    assert_int_equal(left_of_two(TRANSPOSITION_NEW, flat_big, deep_small), 2);
    assert_int_equal(left_of_two(TRANSPOSITION_OLD, deep_small, flat_big), 1);
    assert_int_equal(left_of_two(TRANSPOSITION_OLD, flat_big, deep_small), 1);
    assert_int_equal(left_of_two(TRANSPOSITION_TWO_LEVEL, deep_small, flat_big), 3);
    assert_int_equal(left_of_two(TRANSPOSITION_TWO_LEVEL, flat_big, deep_small), 3);
}

/* The deepest stays in the first level whatever comes; the second holds the last that was turned away or driven out. */
static void two_levels_keep_the_deepest_and_the_newest(void **unused) {
    (void)unused;
    struct memory memory;
    struct transposition table;
    memory_open(&memory, 0);
    assert_true(transposition_open(&table, &memory, TRANSPOSITION_TWO_LEVEL, 2 * entry_size(), packed_size));
    put(&table, 1, 5, 9, 1, 1);
    put(&table, 2, 5, 3, 1, 1);
    put(&table, 3, 5, 4, 1, 1);
    assert_true(find(&table, 1) && !find(&table, 2) && find(&table, 3));
    put(&table, 4, 5, 20, 1, 1);
    assert_true(find(&table, 1) && !find(&table, 3) && find(&table, 4));
    put(&table, 1, 5, 30, 2, 1); /* from the second level to the first, and in one of them only */
    assert_true(find(&table, 1) && find(&table, 4));
    put(&table, 5, 5, 1, 2, 1);
    assert_true(find(&table, 1) && !find(&table, 4) && find(&table, 5));
    transposition_close(&table);
    assert_int_equal(memory_used(&memory), 0);
}

/* The same state again: scores only rise, the depth is the newest iteration's. */
static void facts_of_one_state_are_joined(void **unused) {
    (void)unused;
    for (int i = 0; i < scheme_count; i++) {
        struct memory memory;
        struct transposition table;
        memory_open(&memory, 0);
        assert_true(transposition_open(&table, &memory, schemes[i], 10 * entry_size(), packed_size));
        put(&table, 7, 12, 8, 1, 5);
        put(&table, 7, 10, 6, 1, 5);
        assert_int_equal(find(&table, 7)->score, 12);
        assert_int_equal(find(&table, 7)->depth, 8);
        put(&table, 7, 14, 6, 2, 5);
        assert_int_equal(find(&table, 7)->score, 14);
        assert_int_equal(find(&table, 7)->depth, 6);
        assert_int_equal(find(&table, 7)->iteration, 2);
        transposition_close(&table);
    }
}

/* Two states of one key are told apart. */
static void whole_states_are_compared(void **unused) {
    (void)unused;
    struct memory memory;
    struct transposition table;
    uint64_t one = 1, two = 2;
    memory_open(&memory, 0);
    assert_true(transposition_open(&table, &memory, TRANSPOSITION_NEW, 10 * entry_size(), packed_size));
    transposition_put(&table, 99, &one, &(struct transposition_fact){3, 3, 1, 1});
    struct transposition_fact fact;
    assert_true(transposition_find(&table, 99, &one, &fact));
    assert_false(transposition_find(&table, 99, &two, &fact));
    transposition_close(&table);
}

/* Growth loses nothing that was there, and ends at the size given. */
static void it_grows(void **unused) {
    (void)unused;
    for (int i = 0; i < scheme_count; i++) {
        struct memory memory;
        struct transposition table;
        memory_open(&memory, 0);
        assert_true(transposition_open(&table, &memory, schemes[i], (size_t)16 << 20, packed_size));
        uint64_t places = table.places, state = 0;
        assert_true(memory_used(&memory) <= 1 << 20);
        while (state < 20000 && table.places < 8 * places) {
            put(&table, state, (int32_t)state, 1, 1, 1);
            assert_non_null(find(&table, schemes[i] == TRANSPOSITION_OLD ? 0 : state));
            state++;
        }
        uint64_t kept = 0, before = table.count;
        for (uint64_t s = 0; s < state; s++) {
            kept += find(&table, s) != NULL;
            assert_true(!find(&table, s) || find(&table, s)->score == (int32_t)s);
        }
        assert_int_equal(kept, before);
        assert_true(table.places > places && kept > state * 9 / 10);
        for (; state < 2000000; state++)
            put(&table, state, (int32_t)state, 1, 1, 1);
        assert_true(memory_used(&memory) <= (size_t)16 << 20 && memory_used(&memory) > (size_t)15 << 20);
        transposition_close(&table);
        assert_int_equal(memory_used(&memory), 0);
    }
}

/* Where memory ends, so does growth, and the table goes on. */
static void it_stays_within_memory(void **unused) {
    (void)unused;
    struct memory memory;
    struct transposition table;
    memory_open(&memory, 3 << 20);
    assert_true(transposition_open(&table, &memory, TRANSPOSITION_NEW, (size_t)64 << 20, packed_size));
    for (uint64_t state = 0; state < 200000; state++) {
        put(&table, state, 1, 1, 1, 1);
        assert_non_null(find(&table, state));
    }
    assert_true(memory_peak(&memory) <= 3 << 20);
    transposition_close(&table);
    assert_int_equal(memory_used(&memory), 0);
    memory_open(&memory, 1000);
    assert_false(transposition_open(&table, &memory, TRANSPOSITION_NEW, 2000, packed_size));
    transposition_close(&table);
    assert_true(transposition_open(&table, &memory, TRANSPOSITION_NEW, entry_size() - 1, packed_size));
    put(&table, 1, 1, 1, 1, 1);
    assert_null(find(&table, 1));
    transposition_close(&table);
}

/* ---- the walk over tables of any size ------------------------------------------------------------------ */

/* One walk on a graph; the cost, SOLOIST_DEAD: proved impossible. Its line is replayed. */
static int32_t walk(const soloist_domain *domain, const soloist_instance *instance,
                    const struct ida_star_settings *settings, uint64_t *nodes) {
    struct budget budget;
    soloist_error error;
    budget_open(&budget, &(soloist_limits){.nodes = 50000000}, NULL);
    struct search_run run = {.domain = domain, .instance = instance, .budget = &budget, .threads = 1, .error = &error};
    domain->life->shape(instance, &run.shape);
    assert_int_equal(ida_star_walk(&run, settings), SOLOIST_OK);
    assert_int_equal(memory_used(&budget.memory), 0);
    assert_int_equal(atomic_load(&budget.stop), -1);
    assert_true(run.impossible ? !run.found : run.found && run.optimal);
    struct toy_state state;
    int32_t cost = 0, last;
    domain->life->root(instance, &state);
    for (size_t i = 0; i < run.best.count; i++)
        cost += domain->core->apply(instance, &state, run.best.moves[i], NULL);
    assert_true(run.impossible || (domain->core->ended(instance, &state, &last) && cost == run.best.value));
    free(run.best.moves);
    *nodes += atomic_load(&budget.nodes);
    return run.impossible ? SOLOIST_DEAD : cost;
}

/* A graph without a hint of how far the goal is, so that dead ends and unreachable goals must be searched out. */
static int32_t blind(const soloist_instance *instance, const void *state) {
    (void)instance, (void)state;
    return 0;
}

static int blind_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                        soloist_child *children) {
    int count = toy_expand(instance, state, last, want & ~SOLOIST_WANT_BOUND, children);
    for (int i = 0; i < count; i++)
        children[i].bound = 0;
    return count;
}

static const soloist_bound blind_bound = {
    .size = sizeof(soloist_bound), .value = blind, .admissible = toy_yes, .consistent = toy_yes};
/* A bound that jumps from nothing to the exact distance and back, so that the dear way to a state is often searched
 * before the cheap one. Nothing is known of states without a way to the goal. */
static int32_t jagged(const soloist_instance *instance, const void *state) {
    int64_t node = ((const struct toy_state *)state)->node;
    int32_t exact = toy_graph_of(instance)->to_goal[node];
    return exact == SOLOIST_DEAD ? 0 : node % 4 == 3 ? exact : node % 4 ? 0 : exact / 2;
}

static int jagged_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                         soloist_child *children) {
    int count = blind_expand(instance, state, last, want, children);
    for (int i = 0; i < count; i++) {
        struct toy_state child = {0, toy_graph_of(instance)->edge[children[i].move].to};
        children[i].bound = jagged(instance, &child);
    }
    return count;
}

static const soloist_bound jagged_bound = {
    .size = sizeof(soloist_bound), .value = jagged, .admissible = toy_yes, .consistent = toy_no};

/* The key of every state the same: one place for all, and the path's index one long chain. */
static uint64_t one_key(const soloist_instance *instance, const void *state) {
    (void)instance, (void)state;
    return 5;
}

static int one_key_expand(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                          soloist_child *children) {
    int count = toy_expand(instance, state, last, want, children);
    for (int i = 0; i < count; i++)
        children[i].key = 5;
    return count;
}

struct tally {
    int solved, impossible;
    uint64_t nodes;
};

/* Random graphs, cycles and steps of cost 0 included, against exact distances by plain relaxation. */
static void compare(const soloist_domain *domain, int graphs, int most_nodes, int least, int most, int order,
                    struct tally *tally) {
    static char text[20000];
    for (int seed = 0; seed < graphs; seed++) {
        soloist_rng rng;
        soloist_puzzle puzzle;
        soloist_rng_seed(&rng, (uint64_t)seed, (uint64_t)(most * 10 + most_nodes));
        int nodes = 2 + (int)soloist_rng_below(&rng, (uint32_t)most_nodes);
        int edges = (int)soloist_rng_below(&rng, (uint32_t)(3 * nodes));
        toy_random_graph(&rng, nodes, edges, least, most, text, sizeof text);
        assert_int_equal(toy_puzzle(domain, text, &puzzle), SOLOIST_OK);
        int32_t exact = toy_graph_of(puzzle.instance)->to_goal[0];
        struct ida_star_settings settings = {.weight = 100,
                                             .has_table = seed % 9 != 8,
                                             .scheme = schemes[seed % scheme_count],
                                             .table_bytes = soloist_rng_below(&rng, 12) * entry_size(),
                                             .order = order};
        if (seed % 4 == 3)
            settings.table_bytes = 1 << 16;
        int32_t found = walk(domain, puzzle.instance, &settings, &tally->nodes);
        if (found != exact)
            fail_msg("seed %d: %d, not %d: %s", seed, (int)found, (int)exact, text);
        tally->solved += found != SOLOIST_DEAD, tally->impossible += found == SOLOIST_DEAD;
        soloist_puzzle_free(&puzzle);
    }
}

static void tiny_tables_are_exact(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    struct tally tally = {0};
    domain.bound = &toy_graph_bound;
    compare(&domain, 3000, 12, 0, 3, IDA_STAR_ORDER_NONE, &tally);
    compare(&domain, 3000, 12, 1, 1, IDA_STAR_ORDER_BOUND, &tally);
    compare(&domain, 1000, 25, 0, 30, IDA_STAR_ORDER_BOUND, &tally);
    domain.pack = &toy_graph_pack;
    compare(&domain, 1000, 12, 0, 1000, IDA_STAR_ORDER_NONE, &tally);
    soloist_core core = toy_graph_core;
    core.key = core.key_from_scratch = one_key;
    core.expand = one_key_expand;
    domain.core = &core;
    compare(&domain, 1000, 12, 0, 5, IDA_STAR_ORDER_NONE, &tally);
    assert_true(tally.solved > 2000);
}

static void blind_walks_are_exact(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    soloist_core core = toy_graph_core;
    struct tally tally = {0};
    domain.bound = &blind_bound;
    domain.core = &core;
    core.expand = blind_expand;
    compare(&domain, 3000, 9, 0, 3, IDA_STAR_ORDER_NONE, &tally);
    compare(&domain, 3000, 9, 1, 1, IDA_STAR_ORDER_NONE, &tally);
    compare(&domain, 1000, 9, 0, 40, IDA_STAR_ORDER_NONE, &tally);
    domain.pack = &toy_graph_pack;
    compare(&domain, 1000, 9, 1, 7, IDA_STAR_ORDER_NONE, &tally);
    assert_true(tally.solved > 1000 && tally.impossible > 1000);
}

static void jagged_walks_are_exact(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    soloist_core core = toy_graph_core;
    struct tally tally = {0};
    domain.bound = &jagged_bound;
    domain.core = &core;
    core.expand = jagged_expand;
    compare(&domain, 3000, 9, 0, 3, IDA_STAR_ORDER_NONE, &tally);
    compare(&domain, 3000, 9, 0, 12, IDA_STAR_ORDER_BOUND, &tally);
    assert_true(tally.solved > 1000 && tally.impossible > 1000);
}

/* A score found below a state on the way must not hide the way that goes through it. The dear way 0 1 2 comes first,
 * as the bound of 3 holds the cheap one back; 2 leads to 1 alone, which is then on the way. The best way is 0 3 2 1
 * and on from there, through more nodes and edges that chance adds. */
static void a_score_holds_whatever_the_way(void **unused) {
    (void)unused;
    soloist_domain domain = toy_graph_domain;
    soloist_core core = toy_graph_core;
    uint64_t nodes = 0;
    domain.bound = &jagged_bound;
    domain.core = &core;
    core.expand = jagged_expand;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        char text[400];
        soloist_rng rng;
        soloist_puzzle puzzle;
        soloist_rng_seed(&rng, seed, 8);
        int all = 5 + (int)soloist_rng_below(&rng, 8), extra = (int)(seed % 12), dear = 4 + (int)(seed % 9);
        int length = snprintf(text, sizeof text, "graph %d 0 1 %d 1 2 1 2 1 1 0 3 1 3 2 1 1 %d 7", all, dear, all - 1);
        for (int e = 0; e < extra; e++)
            length += snprintf(text + length, sizeof text - (size_t)length, " %d %d %d",
                               (int)soloist_rng_below(&rng, (uint32_t)all), (int)soloist_rng_below(&rng, (uint32_t)all),
                               (int)soloist_rng_below(&rng, 20));
        assert_int_equal(toy_puzzle(&domain, text, &puzzle), SOLOIST_OK);
        struct ida_star_settings settings = {.has_table = true,
                                             .scheme = schemes[seed % scheme_count],
                                             .table_bytes = 1 << 16,
                                             .order = IDA_STAR_ORDER_NONE,
                                             .weight = 100};
        assert_int_equal(walk(&domain, puzzle.instance, &settings, &nodes), toy_graph_of(puzzle.instance)->to_goal[0]);
        soloist_puzzle_free(&puzzle);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_keep_what_they_say),
        cmocka_unit_test(two_levels_keep_the_deepest_and_the_newest),
        cmocka_unit_test(facts_of_one_state_are_joined),
        cmocka_unit_test(whole_states_are_compared),
        cmocka_unit_test(it_grows),
        cmocka_unit_test(it_stays_within_memory),
        cmocka_unit_test(tiny_tables_are_exact),
        cmocka_unit_test(blind_walks_are_exact),
        cmocka_unit_test(jagged_walks_are_exact),
        cmocka_unit_test(a_score_holds_whatever_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
