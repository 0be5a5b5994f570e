/* Random numbers, keys and bit sets: known answers that hold on every machine, and sanity of what is random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bitset.h"
#include "base/hash.h"
#include "soloist.h"

/* The generator's own published sequence for the state 1, 2, 3, 4. */
static void rng_is_xoshiro(void **state) {
    (void)state;
    soloist_rng rng = {{1, 2, 3, 4}};
    assert_true(soloist_rng_next(&rng) == 11520 && soloist_rng_next(&rng) == 0);
    assert_true(soloist_rng_next(&rng) == 1509978240 && soloist_rng_next(&rng) == UINT64_C(1215971899390074240));
}

static void rng_known_answers(void **state) {
    (void)state;
    static const struct {
        uint64_t seed, stream, next[4];
    } cases[] = {
        {0, 0, {0x32fd8c67c3b1badd, 0x11afc8210eb14f42, 0x949416874589078f, 0x02da3c42b9954523}},
        {1, 0, {0x68b02a87b58ad621, 0x5153de78d62694ca, 0x66c6d2b92073a542, 0xa4d9f154ea82b748}},
        {1, 1, {0x53c348ec4a13cd28, 0xe64574869784a4aa, 0xf96ce61c6738584d, 0x57487a584fd95382}},
        {UINT64_MAX, 7, {0x7334023b99a1933d, 0xa4c141cb481299a3, 0xe28c169adb65f51a, 0xc618afb1b1d8ff23}},
    };
    soloist_rng rng;
    for (int i = 0; i < 4; i++) {
        soloist_rng_seed(&rng, cases[i].seed, cases[i].stream);
        for (int j = 0; j < 4; j++)
            assert_true(soloist_rng_next(&rng) == cases[i].next[j]);
    }
    static const uint32_t below[] = {166, 760, 648, 833, 460, 359, 68, 392, 859, 715};
    soloist_rng_seed(&rng, 42, 0);
    for (int i = 0; i < 10; i++)
        assert_int_equal(soloist_rng_below(&rng, 1000), below[i]);
    assert_true(soloist_rng_unit(&rng) == 0x1.22935014be67p-5);
}

/* With n = 3 * 2^30, a multiplication without rejection would give the multiples of 3 twice as often as the others. */
static void below_is_unbiased(void **state) {
    (void)state;
    enum { draws = 120000 };
    soloist_rng rng;
    int thirds[3] = {0}, faces[6] = {0};
    soloist_rng_seed(&rng, 1, 0);
    for (int i = 0; i < draws; i++) {
        thirds[soloist_rng_below(&rng, UINT32_C(3) << 30) % 3]++;
        faces[soloist_rng_below(&rng, 6)]++;
        assert_int_equal(soloist_rng_below(&rng, 1), 0);
    }
    for (int i = 0; i < 3; i++) /* six standard deviations */
        assert_in_range(thirds[i], draws / 3 - 1000, draws / 3 + 1000);
    for (int i = 0; i < 6; i++)
        assert_in_range(faces[i], draws / 6 - 800, draws / 6 + 800);
}

static void unit_is_in_range(void **state) {
    (void)state;
    soloist_rng rng;
    double sum = 0, least = 1, most = 0;
    soloist_rng_seed(&rng, 3, 0);
    for (int i = 0; i < 100000; i++) {
        double u = soloist_rng_unit(&rng);
        assert_true(u >= 0 && u < 1);
        sum += u;
        least = u < least ? u : least;
        most = u > most ? u : most;
    }
    assert_true(sum > 49400 && sum < 50600 && least < 0.001 && most > 0.999);
}

static void streams_differ(void **state) {
    (void)state;
    enum { count = 1000 };
    uint64_t first[count];
    soloist_rng rng;
    for (uint32_t i = 0; i < count; i++) {
        soloist_rng_seed(&rng, i % 2 ? 5 : i, i % 2 ? i : 5);
        first[i] = soloist_rng_next(&rng);
        for (uint32_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static void hash_known_answers(void **state) {
    (void)state;
    static const uint64_t bytes[] = {0xe220a8397b1dcdaf, 0x5c77a9fe75918c01, 0x126a9ee06efbeea1, 0xa3aee4afa3c46342};
    assert_true(hash_mix(1) == 0x5692161d100b05e5 && hash_mix(0) == 0);
    assert_true(hash_zobrist(0, 0) == 0xa706dd2f4d197e6f && hash_zobrist(3, 17) == 0x10b6559e4c2113c9);
    for (size_t i = 0; i < 4; i++)
        assert_true(hash_bytes("Sokoban pushes", i * 4) == bytes[i]);
    assert_true(hash_bytes("\0", 1) != hash_bytes("\0\0", 2));
}

static void bitset_holds_what_was_added(void **state) {
    (void)state;
    static const unsigned members[] = {0, 1, 63, 64, 127, 130, 191};
    uint64_t set[BITSET_WORDS(192)] = {0};
    assert_int_equal(BITSET_WORDS(192), 3);
    assert_int_equal(bitset_next(set, 3, 0), -1);
    for (int i = 0; i < 7; i++)
        bitset_add(set, members[i]);
    assert_int_equal(bitset_count(set, 3), 7);
    int seen = 0;
    for (BITSET_EACH(i, set, 3)) {
        assert_int_equal(i, members[seen++]);
        assert_true(bitset_has(set, (unsigned)i));
    }
    assert_int_equal(seen, 7);
    assert_int_equal(bitset_next(set, 3, 131), 191);
    assert_int_equal(bitset_next(set, 3, 192), -1);
    bitset_remove(set, 63);
    assert_false(bitset_has(set, 63));
    assert_int_equal(bitset_next(set, 3, 2), 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rng_is_xoshiro),
        cmocka_unit_test(rng_known_answers),
        cmocka_unit_test(below_is_unbiased),
        cmocka_unit_test(unit_is_in_range),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(hash_known_answers),
        cmocka_unit_test(bitset_holds_what_was_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
