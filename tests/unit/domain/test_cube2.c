/* The example of the cube of 2 x 2 x 2: it keeps the contract, and its table has as many positions at each distance as
 * is known of this cube. */
#include "domain/validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../examples/cube2.c"

static soloist_instance *read_one(const char *text) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_error error = {0};
    soloist_instance *cube = parse(&chunk, NULL, &error);
    if (!cube)
        fail_msg("%s", error.text);
    return cube;
}

static void test_contract(void **unused) {
    (void)unused;
    static const char text[] = "2x2x2: R U2 F' D L2 B";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_int_equal(soloist_puzzle_read(soloist_plugin(), NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    if (!domain_validate(soloist_plugin(), &puzzle, 1, 5, 40, &error))
        fail_msg("%s", error.text);
    soloist_puzzle_free(&puzzle);
}

static void test_distances(void **unused) {
    (void)unused;
    static const int known[] = {1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644};
    int counts[256] = {0};
    soloist_instance *cube = read_one("2x2x2: R");
    soloist_work work = {.threads = 1};
    soloist_error error = {0};
    unsigned char *table = tables_open(cube, NULL, &work, &error);
    assert_non_null(table);
    for (int i = 0; i < POSITIONS; i++)
        counts[table[i]]++;
    for (int i = 0; i < 12; i++)
        assert_int_equal(counts[i], known[i]);
    /* The bound without the table never exceeds the distance. */
    for (int i = 0; i < POSITIONS; i += 97) {
        struct cube_state state = {(uint16_t)(i / TWISTS), (uint16_t)(i % TWISTS)};
        assert_true(bound_of(cube, state) <= table[i]);
    }
    tables_close(table);
    work.memory = 1000;
    assert_null(tables_open(cube, NULL, &work, &error));
    destroy(cube);
}

/* A cube is solved however it is held, and turns of opposite faces are a turn of the whole cube or not. */
static void test_solved_cubes(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        bool solved;
    } cubes[] = {
        {"2x2x2:", true},           {"2x2x2: R L'", true},           {"2x2x2: FFFFUUUURRRRBBBBDDDDLLLL", true},
        {"2x2x2: R L", false},      {"2x2x2: R L' U D' F B'", true}, {"2x2x2: R2", false},
        {"2x2x2: R U D' F'", true},
    };
    for (size_t i = 0; i < sizeof cubes / sizeof *cubes; i++) {
        soloist_instance *cube = read_one(cubes[i].text);
        struct cube_state state;
        int32_t last;
        root(cube, &state);
        assert_int_equal(ended(cube, &state, &last), cubes[i].solved);
        destroy(cube);
    }
}

static void test_refused(void **unused) {
    (void)unused;
    static const char *const wrong[] = {
        "2x2x2",
        "2x2x2: R x",
        "2x2x2: UUUURRRRFFFFDDDDLLLLBBBR", /* five R */
        "2x2x2: UUURURRRFFFFDDDDLLLLBBBB", /* a sticker of one corner changed with one of another */
        "2x2x2: UUUURRRRFFFFDDDDLLLLBBBB x",
        "2x2x2: UUURFURRUFFFDDDDLLLLBBBB", /* a twisted corner */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        soloist_chunk chunk = {.text = wrong[i], .length = strlen(wrong[i]), .line = 4};
        soloist_error error = {0};
        assert_null(parse(&chunk, NULL, &error));
        assert_int_equal(error.line, 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_solved_cubes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
