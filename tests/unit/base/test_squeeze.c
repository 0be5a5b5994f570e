/* Squeezed records come back unchanged; damaged ones are refused, never read past their end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/squeeze.h"
#include "soloist.h"

#include <stdlib.h>
#include <string.h>

static void comes_back(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 2);
    for (int round = 0; round < 300; round++) {
        size_t size = 1 + soloist_rng_below(&rng, 40), length = soloist_rng_below(&rng, 2000);
        uint32_t zeros = (uint32_t)soloist_rng_below(&rng, 4);
        unsigned char *bytes = malloc(length + 1), *again = malloc(length + 1), *out = malloc(squeeze_room(length));
        for (size_t i = 0; i < length; i++)
            bytes[i] = soloist_rng_below(&rng, 3) < zeros ? 0 : (unsigned char)soloist_rng_next(&rng);
        size_t written = squeeze(bytes, size, length, out);
        assert_true(written <= squeeze_room(length));
        assert_true(unsqueeze(out, written, size, again, length));
        assert_memory_equal(bytes, again, length);
        assert_false(written && unsqueeze(out, written - 1, size, again, length));
        assert_false(length && unsqueeze(out, written, size, again, length - 1));
        free(bytes), free(again), free(out);
    }
}

/* By hand: 7 stays; then come the three zeros of the first record, four of the second, which is the same, and two of
 * the third. */
static void is_short(void **state) {
    (void)state;
    const unsigned char bytes[] = {7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 9, 0};
    const unsigned char right[] = {7, 0, 8, 9, 0, 0};
    unsigned char out[32];
    assert_int_equal(squeeze(bytes, 4, sizeof bytes, out), sizeof right);
    assert_memory_equal(out, right, sizeof right);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back), cmocka_unit_test(is_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
