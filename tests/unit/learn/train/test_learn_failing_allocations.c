/* Where memory runs out while samples are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "fault/wrap_alloc.h"
#include "learn/train/games.h"

#include <stdlib.h>
#include <string.h>

enum { cells = 9, planes = 6 * cells };

/* Samples of one position, whose values are 1, 2, 3, ... */
static struct samples *open_samples(const soloist_puzzle *puzzle, size_t capacity, int count) {
    soloist_error error = {0};
    struct samples *samples = samples_open(&samegame_domain, puzzle->instance, 6, capacity, 1, &error);
    soloist_shape shape = {0};
    assert_non_null(samples);
    samples_shape(samples, &shape);
    void *record = malloc(samples_record_size(samples)), *state = malloc(shape.state_size);
    samegame_domain.life->root(puzzle->instance, state);
    for (int i = 1; i <= count; i++) {
        assert_true(samples_write(samples, record, puzzle->instance, state, (float)i, NULL, 0));
        samples_add(samples, record, 1);
    }
    free(record);
    free(state);
    return samples;
}

/* The samples have the values from `first` to `last`, in this order. */
static void expect_values(const struct samples *samples, int first, int last) {
    struct sample_viewer *viewer = sample_viewer_open(samples);
    assert_int_equal(samples_count(samples), last - first + 1);
    for (int i = first; i <= last; i++) {
        float seen[planes], policy[cells], value;
        samples_show(samples, viewer, (size_t)(i - first), 0, seen, policy, &value, NULL);
        assert_true(value == (float)i);
    }
    sample_viewer_close(viewer);
}

/* Keeping all samples needs no memory, except to bring those of a full ring into order. */
static void samples_are_kept_without_memory(void **unused) {
    (void)unused;
    static const char text[] = "123\n122\n333\n";
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_true(game_puzzle_read(&samegame_domain, NULL, text, strlen(text), &puzzle, &error));
    struct samples *few = open_samples(&puzzle, 10, 6), *full = open_samples(&puzzle, 10, 13);
    wrap_alloc_begin(1, true);
    bool more = samples_keep(few, 7), as_many = samples_keep(few, 6), fewer = samples_keep(few, 5);
    wrap_alloc_end();
    assert_true(more && as_many && !fewer);
    expect_values(few, 1, 6);
    assert_true(samples_keep(few, 5));
    expect_values(few, 2, 6);
    assert_true(samples_keep(full, 10));
    expect_values(full, 4, 13);
    samples_close(few);
    samples_close(full);
    soloist_puzzle_free(&puzzle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_kept_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
