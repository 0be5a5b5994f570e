/* Numbers as people type them. */
#include "base/quantity.h"
#include "base/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_counts(void **state) {
    (void)state;
    uint64_t value;
    assert_true(quantity_count("500", &value) && value == 500);
    assert_true(quantity_count("1e6", &value) && value == 1000000);
    assert_true(quantity_count("20k", &value) && value == 20000);
    assert_true(quantity_count("2.5M", &value) && value == 2500000);
    assert_true(quantity_count("18446744073709551615", &value) && value == UINT64_MAX);
    static const char *const wrong[] = {"", "x", "-1", "1.5", "5_", "5kk", "1e30", "18446744073709551616", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(quantity_count(wrong[i], &value));
}

static void test_seconds_and_sizes(void **state) {
    (void)state;
    double seconds;
    size_t size;
    assert_true(quantity_seconds("0.5", &seconds) && seconds == 0.5);
    assert_true(quantity_seconds("90s", &seconds) && seconds == 90);
    assert_true(quantity_seconds("1.5m", &seconds) && seconds == 90);
    assert_true(quantity_seconds("2h", &seconds) && seconds == 7200);
    assert_false(quantity_seconds("2d", &seconds) || quantity_seconds("-1", &seconds));
    assert_true(quantity_size("500M", &size) && size == (size_t)500 << 20);
    assert_true(quantity_size("2GB", &size) && size == (size_t)2 << 30);
    assert_true(quantity_size("1.5k", &size) && size == 1536);
    assert_false(quantity_size("1e30", &size) || quantity_size("M", &size));
}

static void test_ranges(void **state) {
    (void)state;
    assert_true(ranges_valid("1,5-9,20-") && ranges_hold("1,5-9,20-", 7) && ranges_hold("1,5-9,20-", 99));
    assert_false(ranges_hold("1,5-9,20-", 10) || ranges_valid("9-5") || ranges_valid("0") || ranges_valid("1,"));
    assert_true(ranges_hold(NULL, 3));
    assert_int_equal(ranges_beyond("1,5-9,20-", 20), 0);
    assert_int_equal(ranges_beyond("1,5-9,20-", 8), 20);
    assert_int_equal(ranges_beyond(NULL, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_seconds_and_sizes),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
