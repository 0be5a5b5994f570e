/* Priority queues against sorting, and the arena. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/heap.h"
#include "soloist.h"

#include <stdlib.h>
#include <string.h>

/* ---- heap ---- */

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void heap_sorts(void **state) {
    (void)state;
    enum { count = 5000 };
    uint64_t sorted[count];
    struct memory memory;
    struct heap heap;
    soloist_rng rng;
    soloist_rng_seed(&rng, 7, 0);
    memory_open(&memory, 0);
    heap_open(&heap, &memory);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = i % 2 ? soloist_rng_next(&rng) : soloist_rng_below(&rng, 50);
        assert_true(heap_push(&heap, sorted[i], (uint32_t)(sorted[i] * 3)));
    }
    qsort(sorted, count, sizeof *sorted, by_number);
    uint64_t priority;
    uint32_t item;
    for (int i = 0; i < count; i++) {
        assert_true(heap_pop(&heap, &priority, &item));
        assert_true(priority == sorted[i]);
        assert_int_equal(item, (uint32_t)(priority * 3));
    }
    assert_false(heap_pop(&heap, &priority, &item));
    heap_close(&heap);
    assert_int_equal(memory_used(&memory), 0);
}

static void heap_mixes_push_and_pop(void **state) {
    (void)state;
    enum { most = 60 };
    uint64_t kept[most];
    int count = 0;
    struct memory memory;
    struct heap heap;
    soloist_rng rng;
    soloist_rng_seed(&rng, 8, 0);
    memory_open(&memory, 0);
    heap_open(&heap, &memory);
    for (int i = 0; i < 20000; i++) {
        uint64_t priority;
        uint32_t item;
        if (count < most && soloist_rng_below(&rng, 2)) {
            kept[count++] = priority = soloist_rng_below(&rng, 20);
            assert_true(heap_push(&heap, priority, 1));
        } else {
            assert_int_equal(heap_pop(&heap, &priority, &item), count > 0);
            if (!count)
                continue;
            qsort(kept, (size_t)count, sizeof *kept, by_number);
            assert_true(priority == kept[0]);
            kept[0] = kept[--count];
        }
    }
    heap_close(&heap);
    assert_int_equal(memory_used(&memory), 0);
}

static void heap_stops_at_the_budget(void **state) {
    (void)state;
    struct memory memory;
    struct heap heap;
    uint64_t priority;
    uint32_t item, pushed = 0;
    memory_open(&memory, 200 * sizeof(struct heap_entry));
    heap_open(&heap, &memory);
    while (heap_push(&heap, 1000 - pushed, pushed))
        pushed++;
    assert_true(pushed > 190 && pushed <= 200); /* doubling ends at 128; the rest comes in smaller steps */
    assert_true(heap_pop(&heap, &priority, &item));
    assert_int_equal(item, pushed - 1);
    assert_true(heap_push(&heap, 0, 500));
    heap_close(&heap);
    assert_int_equal(memory_used(&memory), 0);
}

/* ---- buckets ---- */

struct entry {
    uint32_t major, minor, order;
};

/* Least major, least minor, last pushed. */
static int by_entry(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return x->order > y->order ? -1 : 1;
}

static void check_pop(struct bucket_queue *queue, struct entry expected) {
    uint32_t major, minor, item;
    assert_true(bucket_queue_least(queue, &major));
    assert_int_equal(major, expected.major);
    assert_true(bucket_queue_pop(queue, &major, &minor, &item));
    assert_int_equal(major, expected.major);
    assert_int_equal(minor, expected.minor);
    assert_int_equal(item, expected.order);
}

static void buckets_sort(void **state) {
    (void)state;
    enum { count = 4000 };
    static const uint32_t base[] = {0, 1000000, UINT32_MAX - 9};
    struct entry entries[count];
    struct memory memory;
    struct bucket_queue queue;
    uint32_t major, minor, item;
    soloist_rng rng;
    soloist_rng_seed(&rng, 9, 0);
    memory_open(&memory, 0);
    bucket_queue_open(&queue, &memory);
    for (int round = 0; round < 3; round++) { /* minors far from zero cost no memory; the queue is used again */
        for (uint32_t i = 0; i < count; i++) {
            entries[i] = (struct entry){soloist_rng_below(&rng, 40), base[round] + soloist_rng_below(&rng, 10), i};
            assert_true(bucket_queue_push(&queue, entries[i].major, entries[i].minor, i));
        }
        assert_int_equal(queue.count, count);
        qsort(entries, count, sizeof *entries, by_entry);
        for (int i = 0; i < count; i++)
            check_pop(&queue, entries[i]);
        assert_false(bucket_queue_pop(&queue, &major, &minor, &item));
        assert_false(bucket_queue_least(&queue, &major));
    }
    assert_true(memory_peak(&memory) < 1 << 20);
    bucket_queue_close(&queue);
    assert_int_equal(memory_used(&memory), 0);
}

/* Pushes below the least, between pops, as an inconsistent bound makes them. */
static void buckets_mix_push_and_pop(void **state) {
    (void)state;
    enum { most = 50 };
    struct entry kept[most];
    int count = 0;
    struct memory memory;
    struct bucket_queue queue;
    soloist_rng rng;
    soloist_rng_seed(&rng, 10, 0);
    memory_open(&memory, 0);
    bucket_queue_open(&queue, &memory);
    for (uint32_t i = 0; i < 20000; i++) {
        if (count < most && (!count || soloist_rng_below(&rng, 2))) {
            kept[count] = (struct entry){soloist_rng_below(&rng, 12), 100 + soloist_rng_below(&rng, 60), i};
            assert_true(bucket_queue_push(&queue, kept[count].major, kept[count].minor, i));
            count++;
        } else {
            qsort(kept, (size_t)count, sizeof *kept, by_entry);
            check_pop(&queue, kept[0]);
            kept[0] = kept[--count];
        }
    }
    bucket_queue_close(&queue);
    assert_int_equal(memory_used(&memory), 0);
}

static void buckets_stop_at_the_budget(void **state) {
    (void)state;
    struct memory memory;
    struct bucket_queue queue;
    uint32_t major, minor, item, pushed = 0;
    memory_open(&memory, 20000);
    bucket_queue_open(&queue, &memory);
    assert_false(bucket_queue_push(&queue, UINT32_MAX, 0, 0));
    assert_false(bucket_queue_push(&queue, 1000000, 0, 0));
    assert_int_equal(queue.count, 0);
    while (bucket_queue_push(&queue, 3, 5, pushed))
        pushed++;
    assert_true(pushed >= 1000);
    for (uint32_t i = pushed; i--;) {
        assert_true(bucket_queue_pop(&queue, &major, &minor, &item));
        assert_int_equal(item, i);
    }
    assert_false(bucket_queue_pop(&queue, &major, &minor, &item));
    /* Passing the empty row gives its memory back, so another row fits. */
    assert_true(bucket_queue_push(&queue, 4, 0, 1));
    assert_true(bucket_queue_push(&queue, 3, 9, 2));
    assert_true(bucket_queue_pop(&queue, &major, &minor, &item) && item == 2);
    assert_true(bucket_queue_pop(&queue, &major, &minor, &item) && item == 1);
    assert_true(memory_used(&memory) < 4000);
    bucket_queue_close(&queue);
    assert_int_equal(memory_used(&memory), 0);
}

/* ---- arena ---- */

static void arena_gives_zeroed_aligned_distinct_bytes(void **state) {
    (void)state;
    struct memory memory;
    struct arena arena;
    unsigned char *blocks[300];
    memory_open(&memory, 0);
    arena_open(&arena, &memory);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 300; i++) {
            blocks[i] = arena_take(&arena, i * 7);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % 16, 0);
            for (size_t b = 0; b < i * 7; b++)
                assert_int_equal(blocks[i][b], 0);
            memset(blocks[i], (int)i + 1, i * 7);
        }
        for (size_t i = 0; i < 300; i++)
            for (size_t b = 0; b < i * 7; b++)
                assert_int_equal(blocks[i][b], (i + 1) & 255);
        arena_close(&arena); /* may be used again */
        assert_int_equal(memory_used(&memory), 0);
    }
}

static void arena_stops_at_the_budget(void **state) {
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_open(&memory, 10000);
    arena_open(&arena, &memory);
    assert_null(arena_take(&arena, SIZE_MAX));
    assert_null(arena_take(&arena, SIZE_MAX / 2));
    assert_null(arena_take(&arena, 10000));
    assert_non_null(arena_take(&arena, 5000));
    assert_non_null(arena_take(&arena, 3000)); /* no room for a block of 8192, but for this */
    assert_null(arena_take(&arena, 3000));
    assert_non_null(arena_take(&arena, 1000));
    arena_close(&arena);
    assert_int_equal(memory_used(&memory), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_sorts),
        cmocka_unit_test(heap_mixes_push_and_pop),
        cmocka_unit_test(heap_stops_at_the_budget),
        cmocka_unit_test(buckets_sort),
        cmocka_unit_test(buckets_mix_push_and_pop),
        cmocka_unit_test(buckets_stop_at_the_budget),
        cmocka_unit_test(arena_gives_zeroed_aligned_distinct_bytes),
        cmocka_unit_test(arena_stops_at_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
