/* Pool and table: against naive counterparts, under tight budgets, and nothing left allocated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/table.h"
#include "soloist.h"

#include <string.h>

/* ---- pool ---- */

static void pool_gives_distinct_stable_items(void **state) {
    (void)state;
    enum { count = 100000 };
    struct memory memory;
    struct pool pool;
    memory_open(&memory, 0);
    pool_open(&pool, &memory, 12);
    assert_int_equal(pool.item_size, 16);
    uint32_t first = pool_take(&pool);
    void *address = pool_at(&pool, first);
    assert_int_equal(first, 1);
    memcpy(address, &first, sizeof first);
    for (uint32_t i = 2; i <= count; i++) {
        assert_int_equal(pool_take(&pool), i);
        memcpy(pool_at(&pool, i), &i, sizeof i);
    }
    assert_ptr_equal(pool_at(&pool, first), address);
    assert_int_equal(pool.used, count + 1);
    for (uint32_t i = 1; i <= count; i++)
        assert_memory_equal(pool_at(&pool, i), &i, sizeof i);
    pool_close(&pool);
    assert_int_equal(memory_used(&memory), 0);
}

static void pool_begins_again(void **state) {
    (void)state;
    struct memory memory;
    struct pool pool;
    memory_open(&memory, 0);
    pool_open(&pool, &memory, 1);
    for (uint32_t i = 1; i <= 10; i++)
        pool_take(&pool);
    size_t used = memory_used(&memory);
    pool_reset(&pool);
    assert_int_equal(pool_take(&pool), 1);
    assert_int_equal(memory_used(&memory), used);
    pool_close(&pool);
    assert_int_equal(memory_used(&memory), 0);
}

static void pool_stops_at_the_budget(void **state) {
    (void)state;
    struct memory memory;
    struct pool pool;
    memory_open(&memory, 3 * POOL_STEP_BYTES + 100);
    pool_open(&pool, &memory, 1024);
    uint32_t taken = 0;
    while (pool_take(&pool) != POOL_NONE)
        taken++;
    assert_int_equal(taken, 3 * (POOL_STEP_BYTES / 1024) - 1); /* index 0 is nobody's */
    assert_int_equal(pool_take(&pool), POOL_NONE);
    pool_close(&pool);
    assert_int_equal(memory_used(&memory), 0);
}

/* Items larger than a step are booked one by one. */
static void pool_takes_large_items(void **state) {
    (void)state;
    struct memory memory;
    struct pool pool;
    memory_open(&memory, 0);
    pool_open(&pool, &memory, POOL_STEP_BYTES + 1);
    for (uint32_t i = 1; i < 20; i++) {
        assert_int_equal(pool_take(&pool), i);
        memset(pool_at(&pool, i), (int)i, pool.item_size);
    }
    for (uint32_t i = 1; i < 20; i++)
        assert_int_equal(((unsigned char *)pool_at(&pool, i))[pool.item_size - 1], i);
    pool_close(&pool);
    assert_int_equal(memory_used(&memory), 0);
}

/* ---- table ---- */

/* A weak key on purpose: many strings share it, so only comparing whole strings keeps them apart. */
static uint64_t weak_key(const unsigned char *string) { return string[0] % 7; }
static uint64_t good_key(const unsigned char *string) { return hash_bytes(string, 5); }

static void make_string(unsigned char *string, uint32_t n) {
    memset(string, (int)(n % 3), 5);
    for (int i = 0; i < 3; i++)
        string[i] = (unsigned char)(n >> 8 * i);
}

/* The naive set: the index of each of `range` strings, 0 if absent. */
static void against_naive(uint64_t (*key)(const unsigned char *), uint32_t range, int steps) {
    static const uint32_t none = POOL_NONE;
    uint32_t index_of[5000];
    struct memory memory;
    struct table table;
    soloist_rng rng;
    unsigned char string[5];
    for (uint32_t i = 0; i < range; i++)
        index_of[i] = none;
    soloist_rng_seed(&rng, 6, range);
    memory_open(&memory, 0);
    assert_true(table_open(&table, &memory, sizeof string, 9));
    for (int i = 0; i < steps; i++) {
        uint32_t n = soloist_rng_below(&rng, range), before = table_count(&table);
        bool added;
        make_string(string, n);
        table_prefetch(&table, key(string));
        assert_int_equal(table_find(&table, key(string), string), index_of[n]);
        uint32_t index = table_put(&table, key(string), string, &added);
        assert_int_equal(added, index_of[n] == none);
        if (added) {
            assert_int_equal(index, before + 1);
            for (int b = 0; b < 9; b++)
                assert_int_equal(((unsigned char *)table_extra(&table, index))[b], 0);
            memset(table_extra(&table, index), (int)n, 9);
            index_of[n] = index;
        }
        assert_int_equal(index, index_of[n]);
        assert_memory_equal(table_string(&table, index), string, sizeof string);
        assert_int_equal(((unsigned char *)table_extra(&table, index))[8], n & 255);
    }
    table_close(&table);
    assert_int_equal(memory_used(&memory), 0);
}

static void table_matches_a_naive_set(void **state) {
    (void)state;
    against_naive(good_key, 5000, 40000);
    against_naive(weak_key, 400, 3000);
}

static void table_grows_and_keeps_indices(void **state) {
    (void)state;
    enum { count = 200000 };
    struct memory memory;
    struct table table;
    bool added;
    memory_open(&memory, 0);
    assert_true(table_open(&table, &memory, sizeof(uint64_t), 0));
    for (uint64_t i = 1; i <= count; i++) /* keys that differ in low bits only */
        assert_int_equal(table_put(&table, i, &i, &added), i);
    for (uint64_t i = 1; i <= count; i++)
        assert_int_equal(table_find(&table, i, &i), i);
    for (uint64_t i = count + 1; i <= 2 * count; i++)
        assert_int_equal(table_find(&table, i, &i), POOL_NONE);
    size_t used = memory_used(&memory);
    table_clear(&table);
    assert_int_equal(table_count(&table), 0);
    uint64_t seven = 7;
    assert_int_equal(table_find(&table, 7, &seven), POOL_NONE);
    assert_int_equal(table_put(&table, 7, &seven, &added), 1);
    assert_int_equal(memory_used(&memory), used);
    table_close(&table);
    assert_int_equal(memory_used(&memory), 0);
}

/* With no room for another eighth, the slots fill but for a sixteenth; everything in them is still found. */
static void table_fills_up_under_a_budget(void **state) {
    (void)state;
    struct memory memory;
    struct table table;
    bool added;
    uint64_t i = 0;
    /* 1024 items and slots: another 128 slots do not fit. */
    memory_open(&memory, 1024 * 16 + (1024 + 120) * sizeof(struct table_slot));
    assert_true(table_open(&table, &memory, sizeof i, 8));
    for (;; i++) {
        uint32_t index = table_put(&table, hash_mix(i), &i, &added);
        assert_int_equal(added, index != POOL_NONE);
        if (!added)
            break;
    }
    assert_int_equal(i, 1024 - 64);
    for (uint64_t j = 0; j < 2 * i; j++)
        assert_int_equal(table_find(&table, hash_mix(j), &j), j < i ? j + 1 : POOL_NONE);
    uint64_t old = 5;
    assert_int_equal(table_put(&table, hash_mix(old), &old, &added), 6);
    assert_false(added);
    memory.limit = 0; /* more memory: the table goes on */
    assert_int_equal(table_put(&table, hash_mix(i), &i, &added), i + 1);
    assert_true(added);
    table_close(&table);
    assert_int_equal(memory_used(&memory), 0);
}

static void table_without_memory(void **state) {
    (void)state;
    struct memory memory;
    struct table table;
    bool added;
    memory_open(&memory, 10);
    assert_false(table_open(&table, &memory, 8, 8));
    table_close(&table);
    memory_open(&memory, 1000); /* slots, but no items */
    assert_true(table_open(&table, &memory, 8, 8));
    assert_int_equal(table_put(&table, 1, "12345678", &added), POOL_NONE);
    assert_false(added);
    assert_int_equal(table_count(&table), 0);
    table_close(&table);
    assert_int_equal(memory_used(&memory), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool_gives_distinct_stable_items), cmocka_unit_test(pool_begins_again),
        cmocka_unit_test(pool_stops_at_the_budget),         cmocka_unit_test(pool_takes_large_items),
        cmocka_unit_test(table_matches_a_naive_set),        cmocka_unit_test(table_grows_and_keeps_indices),
        cmocka_unit_test(table_fills_up_under_a_budget),    cmocka_unit_test(table_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
