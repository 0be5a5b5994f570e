/* The run's budget: counted limits hold exactly, cancel and time are noticed, pauses come
 * where they should, memory never passes its limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/budget.h"

#include <string.h>

/* ---- counted limits ---- */

static void stops_at_exactly_the_node_limit(void **state) {
    (void)state;
    static const uint64_t limits[] = {1, 2, 3, 100, 4095, 4096, 4097, 100000, 1234567};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct budget budget;
        budget_open(&budget, &(soloist_limits){.nodes = limits[i]}, NULL);
        while (!budget_spent(&budget, NULL))
            (i % 2 ? budget_count_nodes : budget_count_nodes_alone)(&budget, 1);
        assert_true(atomic_load(&budget.nodes) == limits[i]);
        assert_int_equal(atomic_load(&budget.stop), SOLOIST_STOP_NODES);
        assert_true(budget_spent(&budget, NULL));
    }
}

static void stops_at_exactly_the_iteration_limit(void **state) {
    (void)state;
    static const uint64_t limits[] = {1, 7, 5000, 300000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct budget budget;
        uint64_t done = 0;
        budget_open(&budget, &(soloist_limits){.iterations = limits[i], .nodes = UINT64_MAX}, NULL);
        for (; !budget_spent(&budget, NULL); done++) {
            atomic_fetch_add(&budget.iterations, 1);
            budget_count_nodes(&budget, done % 3); /* an iteration adds no, one or two nodes */
        }
        assert_true(done == limits[i]);
        assert_int_equal(atomic_load(&budget.stop), SOLOIST_STOP_ITERATIONS);
    }
}

/* Both limits: whichever comes first ends the run, exactly. */
static void the_nearer_limit_ends_the_run(void **state) {
    (void)state;
    struct budget budget;
    budget_open(&budget, &(soloist_limits){.iterations = 20000, .nodes = 30001}, NULL);
    for (uint64_t i = 0; !budget_spent(&budget, NULL); i++) {
        atomic_fetch_add(&budget.iterations, 1);
        budget_count_nodes(&budget, 2);
    }
    assert_true(atomic_load(&budget.iterations) == 15001);
    assert_int_equal(atomic_load(&budget.stop), SOLOIST_STOP_NODES);
}

/* With a limit on nodes alone, iterations that add none end the run, always at the same one. */
static void idle_iterations_end_the_run(void **state) {
    (void)state;
    uint64_t done[2];
    for (int i = 0; i < 2; i++) {
        struct budget budget;
        budget_open(&budget, &(soloist_limits){.nodes = 1000}, NULL);
        uint64_t patience = budget_patience(&budget.limits);
        for (done[i] = 0; !budget_spent(&budget, NULL); done[i]++) {
            atomic_fetch_add(&budget.iterations, 1);
            budget_count_nodes(&budget, done[i] % 500 == 0 && done[i] < 100000); /* 200 nodes, with long gaps */
        }
        assert_true(budget.idle);
        assert_int_equal(atomic_load(&budget.stop), SOLOIST_STOP_EXHAUSTED);
        assert_true(done[i] >= 99500 + patience && done[i] <= 99500 + 2 * patience);
    }
    assert_true(done[0] == done[1]);
    static const soloist_limits others[] = {
        {.nodes = 5, .iterations = 9}, {.nodes = 5, .time_s = 1}, {.iterations = 5}};
    for (int i = 0; i < 3; i++)
        assert_true(budget_patience(&others[i]) == 0);
}

/* A batch that jumps over the limit is noticed at the next question. */
static void batches_are_noticed(void **state) {
    (void)state;
    struct budget budget;
    budget_open(&budget, &(soloist_limits){.nodes = 1000}, NULL);
    int batches = 0;
    for (; !budget_spent(&budget, NULL); batches++)
        budget_count_nodes(&budget, 7);
    assert_int_equal(batches, 143);
}

/* ---- the other reasons ---- */

static void no_limit_goes_on(void **state) {
    (void)state;
    struct budget budget;
    budget_open(&budget, &(soloist_limits){0}, NULL);
    for (int i = 0; i < 100000; i++) {
        assert_false(budget_spent(&budget, NULL));
        budget_count_nodes(&budget, 1);
    }
    assert_true(budget_elapsed(&budget) >= 0);
    assert_int_equal(atomic_load(&budget.stop), -1);
}

static void cancel_is_noticed(void **state) {
    (void)state;
    soloist_stop_token cancel = {0};
    struct budget budget;
    budget_open(&budget, &(soloist_limits){.stop = &cancel}, NULL);
    uint64_t after = 0;
    for (int i = 0; !budget_spent(&budget, NULL); i++) {
        if (i >= 50000) {
            soloist_stop_token_cancel(&cancel);
            after++;
        }
        budget_count_nodes(&budget, 1);
    }
    assert_in_range(after, 1, 10000);
    assert_int_equal(atomic_load(&budget.stop), SOLOIST_STOP_CANCEL);
    soloist_stop_token_cancel(&cancel);
    budget_open(&budget, &(soloist_limits){.stop = &cancel}, NULL);
    assert_true(budget_spent(&budget, NULL)); /* set before the start: at once */
}

static void time_is_noticed(void **state) {
    (void)state;
    struct budget budget;
    budget_open(&budget, &(soloist_limits){.time_s = 1e-9}, NULL);
    while (!budget_spent(&budget, NULL))
        budget_count_nodes(&budget, 1);
    assert_int_equal(atomic_load(&budget.stop), SOLOIST_STOP_TIME);
    assert_true(budget_elapsed(&budget) >= 1e-9);
}

static void the_first_reason_stays(void **state) {
    (void)state;
    struct budget budget;
    budget_open(&budget, &(soloist_limits){.nodes = 10}, NULL);
    assert_false(budget_spent(&budget, NULL));
    budget_stop(&budget, SOLOIST_STOP_MEMORY);
    budget_stop(&budget, SOLOIST_STOP_CANCEL);
    assert_true(budget_spent(&budget, NULL)); /* at once, though the next look was not due */
    budget_count_nodes(&budget, 20);
    assert_true(budget_spent(&budget, NULL));
    assert_int_equal(atomic_load(&budget.stop), SOLOIST_STOP_MEMORY);
}

static void keep_progress(void *user, const soloist_progress *progress) { *(soloist_progress *)user = *progress; }

static void count_best(void *user, const soloist_progress *progress) { *(int *)user += progress->has_best; }

/* The first solution is told at the next look, whether a report is due or not; the next one waits for its time. */
static void the_first_solution_is_told_at_once(void **state) {
    (void)state;
    struct budget budget;
    soloist_progress mine = {.best = 7};
    int told = 0;
    soloist_callbacks callbacks = {.progress = count_best, .user = &told};
    budget_open(&budget, &(soloist_limits){0}, &callbacks);
    budget.next_report_s = clock_seconds() + 1000;
    assert_false(budget_look(&budget, &mine));
    assert_int_equal(told, 0);
    mine.has_best = true;
    assert_false(budget_look(&budget, &mine));
    assert_int_equal(told, 1);
    budget.next_report_s = clock_seconds() + 1000;
    assert_false(budget_look(&budget, &mine));
    assert_int_equal(told, 1);
}

static void progress_is_told(void **state) {
    (void)state;
    struct budget budget;
    soloist_progress told = {0}, mine = {.best = 7, .has_best = true, .note = "depth 3"};
    soloist_callbacks callbacks = {.progress = keep_progress, .user = &told};
    budget_open(&budget, &(soloist_limits){0}, &callbacks);
    void *block = memory_take(&budget.memory, 100);
    budget_count_nodes(&budget, 5);
    budget.next_report_s = 0; /* due */
    assert_false(budget_look(&budget, &mine));
    assert_int_equal(told.best, 7);
    assert_true(told.has_best && told.nodes == 5 && told.memory == 100 && told.time_s >= 0);
    assert_string_equal(told.note, "depth 3");
    told.nodes = 99;
    assert_false(budget_look(&budget, &mine)); /* not due again */
    assert_int_equal(told.nodes, 99);
    budget.next_report_s = 0;
    assert_false(budget_look(&budget, NULL));
    assert_int_equal(told.nodes, 5);
    assert_false(told.has_best);
    memory_give(&budget.memory, block, 100);
    assert_int_equal(memory_used(&budget.memory), 0);
}

/* ---- memory ---- */

static void memory_counts_exactly(void **state) {
    (void)state;
    struct memory memory;
    memory_open(&memory, 1000);
    unsigned char *a = memory_take(&memory, 600), *none = memory_take(&memory, 0);
    assert_non_null(a);
    assert_non_null(none);
    for (int i = 0; i < 600; i++)
        assert_int_equal(a[i], 0);
    assert_null(memory_take(&memory, 401));
    void *b = memory_take(&memory, 400);
    assert_non_null(b);
    assert_null(memory_take(&memory, 1));
    assert_int_equal(memory_used(&memory), 1000);
    memory_give(&memory, b, 400);
    memory_give(&memory, none, 0);
    memory_give(&memory, NULL, 50);
    assert_int_equal(memory_used(&memory), 600);
    assert_int_equal(memory_peak(&memory), 1000);
    memory_give(&memory, a, 600);
    assert_int_equal(memory_used(&memory), 0);
}

static void memory_resizes(void **state) {
    (void)state;
    struct memory memory;
    memory_open(&memory, 1000);
    char *block = memory_resize(&memory, NULL, 0, 10);
    assert_non_null(block);
    strcpy(block, "kept");
    block = memory_resize(&memory, block, 10, 1000);
    assert_non_null(block);
    assert_null(memory_resize(&memory, block, 1000, 1001));
    assert_int_equal(memory_used(&memory), 1000);
    assert_string_equal(block, "kept");
    block = memory_resize(&memory, block, 1000, 5);
    assert_string_equal(block, "kept");
    assert_int_equal(memory_used(&memory), 5);
    memory_give(&memory, block, 5);
    assert_int_equal(memory_used(&memory), 0);
}

/* Blocks on both sides of the size from which they are mapped: zeroed, and kept when they change sides. */
static void memory_grows_arrays(void **state) {
    (void)state;
    struct memory memory;
    uint64_t *array = NULL;
    uint32_t room = 0;
    memory_open(&memory, 4096);
    assert_true(memory_grow(&memory, &array, sizeof *array, &room, 1));
    assert_int_equal(room, 64);
    for (uint32_t i = 0; i < 300; i++) {
        assert_true(memory_grow(&memory, &array, sizeof *array, &room, (uint64_t)i + 1));
        array[i] = i;
    }
    assert_int_equal(room, 512);
    assert_int_equal(memory_used(&memory), 4096);
    assert_true(memory_grow(&memory, &array, sizeof *array, &room, 512));
    uint64_t *same = array; /* refused: all stays as it is */
    assert_false(memory_grow(&memory, &array, sizeof *array, &room, 513));
    assert_false(memory_grow(&memory, &array, sizeof *array, &room, UINT64_C(1) << 32));
    assert_ptr_equal(array, same);
    assert_int_equal(room, 512);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(array[i], i);
    memory_give(&memory, array, room * sizeof *array);
    assert_true(memory_grow(&memory, &(uint64_t *){NULL}, sizeof *array, &(uint32_t){500}, 400)); /* has it already */
    assert_int_equal(memory_used(&memory), 0);
}

static void memory_resizes_large_blocks(void **state) {
    (void)state;
    static const size_t sizes[] = {100, 1000, 200000, 3000000, 40000000, 150000, 127 << 10, 128 << 10, 10};
    struct memory memory;
    memory_open(&memory, 0);
    unsigned char *block = memory_take(&memory, 300000);
    for (size_t i = 0; i < 300000; i++)
        assert_int_equal(block[i], 0);
    memory_give(&memory, block, 300000);
    size_t size = 10;
    block = memory_take(&memory, size);
    memset(block, 7, size);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t kept = sizes[i] < size ? sizes[i] : size;
        block = memory_resize(&memory, block, size, sizes[i]);
        assert_non_null(block);
        size = sizes[i];
        assert_int_equal(memory_used(&memory), size);
        assert_true(block[0] == 7 && block[kept - 1] == 7);
        memset(block, 7, size);
    }
    memory_give(&memory, block, size);
    assert_int_equal(memory_used(&memory), 0);
    assert_int_equal(memory_peak(&memory), 40000000);
}

/* What is forgotten is gone, what is not is kept. */
static void memory_forgets_from_the_front(void **state) {
    (void)state;
    const size_t size = (size_t)9 << 20;
    unsigned char *block = memory_reserve(size);
    assert_non_null(block);
    memory_expect_random(block, size);
    for (size_t i = 0; i < size; i += 1000)
        assert_int_equal(block[i], 0);
    memset(block, 3, size);
    size_t at = memory_forget(block, 0, 1000);
    assert_int_equal(at, 0);
    at = memory_forget(block, at, (size_t)5 << 20);
    assert_true(at <= (size_t)5 << 20);
    for (size_t i = at; i < size; i += 1000)
        assert_int_equal(block[i], 3);
    memory_release(block, size);
    memory_release(NULL, size);
}

/* Sizes that would wrap around are refused, with and without a limit. */
static void memory_refuses_the_absurd(void **state) {
    (void)state;
    struct memory memory;
    for (size_t limit = 0; limit <= 1000; limit += 1000) {
        memory_open(&memory, limit);
        void *block = memory_take(&memory, 100);
        volatile size_t absurd = SIZE_MAX - 50;
        assert_null(memory_take(&memory, absurd));
        assert_null(memory_resize(&memory, block, 100, absurd));
        assert_int_equal(memory_used(&memory), 100);
        assert_int_equal(memory_peak(&memory), 100);
        memory_give(&memory, block, 100);
        assert_int_equal(memory_used(&memory), 0);
    }
}

/* ---- pauses ---- */

struct pauses {
    struct budget budget;
    int count;
};

/* The next one after twice as many nodes; at the third the run is cut short. */
static void note_pause(void *user) {
    struct pauses *pauses = user;
    assert_true(atomic_load(&pauses->budget.nodes) == pauses->budget.pause_at);
    pauses->budget.pause_at *= 2;
    if (++pauses->count == 3)
        pauses->budget.limits.nodes = atomic_load(&pauses->budget.nodes) + 3;
}

/* However fast nodes and iterations come, a pause comes at exactly its node; and limits that it changes hold. */
static void pauses_come_exactly(void **state) {
    (void)state;
    static const uint64_t firsts[] = {1, 7, 1000, 77777};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        struct pauses pauses = {.count = 0};
        struct budget *budget = &pauses.budget;
        budget_open(budget, &(soloist_limits){.nodes = 1000000}, NULL);
        budget->pause = note_pause;
        budget->pause_user = &pauses;
        budget->pause_at = firsts[i];
        for (uint64_t done = 0; !budget_spent(budget, NULL); done++) {
            atomic_fetch_add(&budget->iterations, done % 3);
            budget_count_nodes(budget, 1);
        }
        assert_int_equal(pauses.count, 3);
        assert_true(atomic_load(&budget->nodes) == 4 * firsts[i] + 3);
    }
}

/* By time: once the thread has used some. */
static void note_time(void *user) {
    struct pauses *pauses = user;
    pauses->budget.pause_at_s += 0.001;
    if (++pauses->count == 3)
        budget_stop(&pauses->budget, SOLOIST_STOP_CANCEL);
}

static void pauses_come_by_time(void **state) {
    (void)state;
    struct pauses pauses = {.count = 0};
    budget_open(&pauses.budget, &(soloist_limits){0}, NULL);
    pauses.budget.pause = note_time;
    pauses.budget.pause_user = &pauses;
    pauses.budget.pause_at_s = clock_cpu_seconds() + 0.001;
    while (!budget_spent(&pauses.budget, NULL))
        budget_count_nodes(&pauses.budget, 1);
    assert_int_equal(pauses.count, 3);
    assert_true(atomic_load(&pauses.budget.nodes) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_at_exactly_the_node_limit),
        cmocka_unit_test(stops_at_exactly_the_iteration_limit),
        cmocka_unit_test(the_nearer_limit_ends_the_run),
        cmocka_unit_test(idle_iterations_end_the_run),
        cmocka_unit_test(batches_are_noticed),
        cmocka_unit_test(no_limit_goes_on),
        cmocka_unit_test(cancel_is_noticed),
        cmocka_unit_test(time_is_noticed),
        cmocka_unit_test(the_first_reason_stays),
        cmocka_unit_test(the_first_solution_is_told_at_once),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(pauses_come_exactly),
        cmocka_unit_test(pauses_come_by_time),
        cmocka_unit_test(memory_counts_exactly),
        cmocka_unit_test(memory_resizes),
        cmocka_unit_test(memory_grows_arrays),
        cmocka_unit_test(memory_resizes_large_blocks),
        cmocka_unit_test(memory_forgets_from_the_front),
        cmocka_unit_test(memory_refuses_the_absurd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
