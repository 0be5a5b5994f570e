/* The example of the cube of 3 x 3 x 3: it keeps the contract, its numbers and its stickers say the same, and it
 * refuses what no turns lead to. */
#include "domain/validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../examples/cube3.c"

static void test_contract(void **unused) {
    (void)unused;
    static const char *const cubes[] = {"3x3x3: R U2 F' D L2 B", "3x3x3: U D R2", "3x3x3:"};
    for (size_t i = 0; i < sizeof cubes / sizeof *cubes; i++) {
        soloist_chunk chunk = {.text = cubes[i], .length = strlen(cubes[i]), .line = 1};
        soloist_puzzle puzzle;
        soloist_error error = {0};
        assert_int_equal(soloist_puzzle_read(soloist_plugin(), NULL, &chunk, &puzzle, &error), SOLOIST_OK);
        if (!domain_validate(soloist_plugin(), &puzzle, 1, 3, 40, &error))
            fail_msg("%s", error.text);
        soloist_puzzle_free(&puzzle);
    }
}

/* Random turns, played on the stickers and on the numbers. */
static void test_numbers_follow_the_stickers(void **unused) {
    (void)unused;
    soloist_chunk chunk = {.text = "3x3x3:", .length = 6, .line = 1};
    struct cube3_options options = {.rest = 10};
    soloist_error error = {0};
    soloist_instance *cube = parse(&chunk, &options, &error);
    char stickers[STICKERS], painted[STICKERS];
    soloist_rng rng;
    assert_non_null(cube);
    struct cube_state state = cube->start;
    soloist_rng_seed(&rng, 2, 0);
    paint_solved(stickers);
    for (int i = 0; i < 200; i++) {
        int turn = (int)soloist_rng_below(&rng, TURNS);
        turn_stickers(stickers, turn);
        state = after(cube, &state, (soloist_move)turn);
        struct pieces pieces = pieces_of_state(&state), found;
        paint(&pieces, painted);
        assert_memory_equal(stickers, painted, STICKERS);
        assert_true(find_pieces(stickers, &found));
        struct cube_state again = state_of_pieces(&found);
        again.last = state.last;
        assert_memory_equal(&again, &state, sizeof state);
        assert_int_equal(is_solved(&state), each_face_is_plain(stickers));
    }
    destroy(cube);
}

/* Half turns of four faces and any turns of two keep the cube in the second phase; any other turn leads out of it. */
static void test_phases(void **unused) {
    (void)unused;
    soloist_chunk chunk = {.text = "3x3x3:", .length = 6, .line = 1};
    struct cube3_options options = {.rest = 10};
    soloist_error error = {0};
    soloist_instance *cube = parse(&chunk, &options, &error);
    assert_non_null(cube);
    struct cube_state state = cube->start;
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    for (int i = 0; i < 100; i++) {
        for (soloist_move turn = 0; turn < TURNS; turn++) {
            struct cube_state next = after(cube, &state, turn);
            assert_int_equal(first_phase_is_over(&next), is_second_turn(turn));
        }
        state = after(cube, &state, (soloist_move)second_turns[soloist_rng_below(&rng, SECOND_TURNS)]);
    }
    destroy(cube);
}

static void test_refused(void **unused) {
    (void)unused;
    static const char *const wrong[] = {
        "3x3x3: R x",
        "3x3x3: UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB/X",
        "3x3x3: UUUUUUURURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", /* ten R */
        "3x3x3: UUUUURUUURURRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", /* a flipped edge */
        "3x3x3: RRRRRRRRRUUUUUUUUUFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", /* the centres have changed places */
        "3x3x3: UUUUURUFUURRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", /* two edges have changed places */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        soloist_chunk chunk = {.text = wrong[i], .length = strlen(wrong[i]), .line = 4};
        struct cube3_options options = {.rest = 10};
        soloist_error error = {0};
        assert_null(parse(&chunk, &options, &error));
        assert_int_equal(error.line, 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_numbers_follow_the_stickers),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
