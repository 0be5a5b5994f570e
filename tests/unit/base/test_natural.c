/* Names in the order in which people sort them. */
#include "base/natural.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int order(const char *a, const char *b) {
    int found = natural_compare(a, strlen(a), b, strlen(b));
    return (found > 0) - (found < 0);
}

/* Each name is before all names that follow it. */
static void numbers_are_compared_by_value(void **state) {
    (void)state;
    static const char *const names[] = {"",      "0",       "0.005", "0.01", "0.25",        "0.251",        "0.29",
                                        "0.5",   "1",       "01",    "2",    "2.5",         "16",           "T4",
                                        "T4-2",  "T4-10",   "T10",   "a",    "a 2 threads", "a 16 threads", "a2b10",
                                        "a10b2", "\303\244"};
    const int count = sizeof names / sizeof *names;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            assert_int_equal(order(names[i], names[k]), (i > k) - (i < k));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_compared_by_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
