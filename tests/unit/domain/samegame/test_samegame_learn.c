/* How networks see SameGame, against plain boards: planes, actions, groups' shares, colours renamed,
 * boards mirrored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "domain/samegame/samegame.h"
#include "unit/domain/samegame/samegame_reference.h"

#include <math.h>
#include <stdlib.h>

static const soloist_learn *learn(void) { return samegame_domain.learn; }

static soloist_instance *make(const char *text, void *state) {
    struct samegame_board board;
    struct samegame_options options;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_options_reset(samegame_options_rows, &options);
    assert_true(samegame_board_parse(&chunk, &board, NULL));
    soloist_instance *instance = samegame_instance_make(&board, &options);
    samegame_state_from_board(instance, &board, state);
    return instance;
}

static int channels_of(const soloist_instance *instance) {
    int channels, height, width;
    learn()->planes(instance, &channels, &height, &width);
    return channels;
}

static void a_small_board_as_planes(void **unused) {
    (void)unused;
    uint64_t state[128];
    float slot[6 * 6];
    int channels, height, width;
    soloist_instance *instance = make("1.\n12\n33\n", state); /* two wide, three high */
    learn()->planes(instance, &channels, &height, &width);
    assert_int_equal(channels, 6); /* five colours whatever the board holds */
    assert_int_equal(height, 3);
    assert_int_equal(width, 2);
    assert_int_equal(learn()->actions(instance), 6);
    learn()->encode(instance, state, channels_of(instance), slot);
    static const char *const planes[6] = {"010000", "101000", "000100", "000011", "000000", "000000"};
    for (int p = 0; p < 6; p++)
        for (int i = 0; i < 6; i++)
            assert_true(slot[p * 6 + i] == (float)(planes[p][i] - '0'));
    soloist_move moves[3];
    assert_int_equal(samegame_domain.core->moves(instance, state, moves), 2);
    assert_int_equal(learn()->action(instance, state, moves[0]), 4); /* the lower left 3 */
    assert_int_equal(learn()->action(instance, state, moves[1]), 2); /* the lower 1 */
    samegame_domain.life->destroy(instance);
}

static void priors_add_up_over_groups(void **unused) {
    (void)unused;
    uint64_t state[128];
    float policy[25] = {0}, priors[12];
    int sizes[12];
    soloist_move moves[12], plain[12];
    struct reference board = {.width = 5, .height = 5};
    const char *text = "11233\n12233\n44213\n41112\n55512\n";
    soloist_instance *instance = make(text, state);
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++)
            board.cell[c][4 - r] = text[r * 6 + c] - '0';
    int count = samegame_domain.core->moves(instance, state, moves);
    assert_int_equal(count, reference_moves(&board, plain, sizes));
    for (int i = 0; i < 25; i++)
        policy[i] = 1;
    learn()->priors(instance, state, moves, count, policy, priors);
    for (int i = 0; i < count; i++) {
        assert_int_equal(moves[i], plain[i]);
        assert_true(priors[i] == (float)sizes[i]);
        float shared[25] = {0};
        bool group[32][32] = {{false}};
        reference_flood(&board, samegame_column(moves[i]), samegame_row(moves[i]),
                        board.cell[samegame_column(moves[i])][samegame_row(moves[i])], group);
        learn()->share(instance, state, &moves[i], &(float){0.5f}, 1, shared);
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 5; c++) {
                float right = group[c][4 - r] ? 0.5f / (float)sizes[i] : 0;
                assert_true(fabsf(shared[r * 5 + c] - right) < 1e-7f);
            }
    }
    samegame_domain.life->destroy(instance);
}

/* The 120 ways without the mirror differ, each is the encoding of the board with its colours renamed, and games score
 * the same in it. */
static void renamed_colours_are_the_same_game(void **unused) {
    (void)unused;
    uint64_t state[128], other[128];
    float slot[6 * 12], seen[6 * 12], again[6 * 12], all[120][6 * 12];
    const char *text = "1123\n2345\n5112\n";
    soloist_instance *instance = make(text, state);
    soloist_rng rng;
    learn()->encode(instance, state, channels_of(instance), slot);
    assert_int_equal(learn()->symmetries(instance), 240);
    for (int s = 0; s < 120; s++) {
        learn()->reflect(instance, s, channels_of(instance), slot, NULL, seen, NULL);
        char renamed[16];
        memcpy(renamed, text, 16);
        for (int i = 0; i < 12; i++)
            for (int k = 1; k <= 5; k++)
                if (seen[k * 12 + i] == 1)
                    renamed[i / 4 * 5 + i % 4] = (char)('0' + k);
        soloist_instance *twin = make(renamed, other);
        learn()->encode(twin, other, channels_of(twin), again);
        assert_memory_equal(seen, again, sizeof seen);
        memcpy(all[s], seen, sizeof seen);
        for (int k = 0; k < s; k++)
            assert_memory_not_equal(all[k], seen, sizeof seen);
        for (uint64_t seed = 0; seed < 4; seed++) {
            uint64_t a[128], b[128];
            memcpy(a, state, sizeof a), memcpy(b, other, sizeof b);
            soloist_rng_seed(&rng, seed, 0);
            soloist_playout here = samegame_domain.sample->playout(instance, a, 0, 100, &rng, NULL, NULL);
            soloist_rng_seed(&rng, seed, 0);
            soloist_playout there = samegame_domain.sample->playout(twin, b, 0, 100, &rng, NULL, NULL);
            assert_int_equal(here.value, there.value);
            assert_int_equal(here.length, there.length);
        }
        samegame_domain.life->destroy(twin);
    }
    samegame_domain.life->destroy(instance);
}

/* The board that planes show, and the cells that a policy marks, both as plain boards. */
static struct reference board_of(const soloist_instance *instance, const float *slot) {
    int cells = instance->width * instance->height;
    struct reference board = {.width = instance->width, .height = instance->height};
    for (int p = 0; p < 6; p++)
        for (int i = 0; i < cells; i++)
            if (slot[p * cells + i] == 1)
                board.cell[i % instance->width][instance->height - 1 - i / instance->width] = p;
    return board;
}

/* A move played on a board, and its reflection on the reflected one, lead to boards that are reflections again. */
static void the_mirrored_game_is_the_same_game(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    for (int game = 0; game < 200; game++) {
        uint64_t state[128];
        struct samegame_board board;
        struct samegame_options options;
        soloist_move moves[64];
        float slot[6 * 42], seen[6 * 42], after[6 * 42], policy[42], mirrored[42];
        int symmetry = (int)soloist_rng_below(&rng, 240), count;
        soloist_options_reset(samegame_options_rows, &options);
        reference_random_board(&rng, 7, 6, 5, game % 2, &board);
        soloist_instance *instance = samegame_instance_make(&board, &options);
        samegame_state_from_board(instance, &board, state);
        while ((count = samegame_domain.core->moves(instance, state, moves))) {
            soloist_move move = moves[soloist_rng_below(&rng, (uint32_t)count)];
            memset(policy, 0, sizeof policy);
            learn()->encode(instance, state, channels_of(instance), slot);
            learn()->share(instance, state, &move, &(float){1}, 1, policy);
            learn()->reflect(instance, symmetry, channels_of(instance), slot, policy, seen, mirrored);
            struct reference twin = board_of(instance, seen);
            int cell = 0, size = 0;
            for (int i = 0; i < 42; i++)
                if (mirrored[i] > 0)
                    cell = i, size++;
            assert_int_equal(reference_play(&twin, cell % 7, 5 - cell / 7), size);
            samegame_domain.core->apply(instance, state, move, NULL);
            learn()->encode(instance, state, channels_of(instance), slot);
            learn()->reflect(instance, symmetry, channels_of(instance), slot, NULL, after, NULL);
            struct reference next = board_of(instance, after);
            assert_memory_equal(&next, &twin, sizeof next);
        }
        samegame_domain.life->destroy(instance);
    }
}

static int colour_beside(const struct reference *board, int c, int r) {
    return c >= 0 && r >= 0 && c < board->width && r < board->height ? board->cell[c][r] : 0;
}

/* The planes after those of the colours, of one block, by flooding from each block of its colour. */
static void plain_planes(struct reference *board, int column, int row, float right[10]) {
    int colour = board->cell[column][row], size = 0, left = 0, groups = 0, most = 0, counts[10] = {0};
    bool known[32][32] = {{false}};
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++) {
            bool group[32][32] = {{false}};
            counts[board->cell[c][r]] += board->cell[c][r] > 0;
            if (board->cell[c][r] != colour)
                continue;
            int n = reference_flood(board, c, r, colour, group);
            left++;
            groups += n > 1 && !known[c][r];
            size = group[column][row] ? n : size;
            for (int k = 0; k < 32 * 32; k++)
                known[k / 32][k % 32] |= group[k / 32][k % 32];
        }
    for (int k = 1; k < 10; k++)
        most = counts[k] > most ? counts[k] : most;
    right[0] = size > 1;
    right[1] = fminf((float)size / 8, 8);
    right[2] = size > 1 ? fminf((float)((size - 2) * (size - 2)) / 64, 16) : 0;
    right[3] = (float)left / 32;
    right[4] = (float)groups / 8;
    right[5] = left == most;
    right[6] = colour_beside(board, column - 1, row) == colour;
    right[7] = colour_beside(board, column + 1, row) == colour;
    right[8] = colour_beside(board, column, row - 1) == colour;
    right[9] = colour_beside(board, column, row + 1) == colour;
}

static void check_more(struct reference *board, const float *slot) {
    int cells = board->width * board->height;
    for (int i = 0; i < cells; i++) {
        float right[10] = {0};
        int c = i % board->width, r = board->height - 1 - i / board->width;
        if (board->cell[c][r])
            plain_planes(board, c, r, right);
        for (int k = 0; k < 10; k++)
            assert_true(fabsf(slot[(6 + k) * cells + i] - right[k]) < 1e-6f);
    }
}

/* Of boards as they are drawn and as games leave them, and of their reflections. */
static void more_planes_say_what_floods_find(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 6, 0);
    assert_int_equal(learn()->more_planes, 10);
    for (int game = 0; game < 30; game++) {
        uint64_t state[128];
        struct samegame_board board;
        struct samegame_options options;
        soloist_move moves[64];
        float slot[16 * 42], seen[16 * 42];
        int symmetry = (int)soloist_rng_below(&rng, 240), count = 1;
        soloist_options_reset(samegame_options_rows, &options);
        reference_random_board(&rng, 7, 6, 5, game % 2, &board);
        soloist_instance *instance = samegame_instance_make(&board, &options);
        samegame_state_from_board(instance, &board, state);
        while (count) {
            learn()->encode(instance, state, 16, slot);
            learn()->reflect(instance, symmetry, 16, slot, NULL, seen, NULL);
            struct reference plain = board_of(instance, slot), twin = board_of(instance, seen);
            check_more(&plain, slot);
            check_more(&twin, seen);
            count = samegame_domain.core->moves(instance, state, moves);
            if (count)
                samegame_domain.core->apply(instance, state, moves[soloist_rng_below(&rng, (uint32_t)count)], NULL);
        }
        samegame_domain.life->destroy(instance);
    }
}

static void large_boards_and_many_colours(void **unused) {
    (void)unused;
    uint64_t state[128];
    char text[33 * 32 + 1];
    int channels, height, width;
    for (int i = 0; i < 33 * 32; i++)
        text[i] = i % 33 == 32 ? '\n' : (char)('1' + i * 7 % 9);
    text[33 * 32] = 0;
    soloist_instance *instance = make(text, state);
    learn()->planes(instance, &channels, &height, &width);
    assert_int_equal(channels, 10);
    float *slot = malloc(sizeof(float) * 10 * 1024), *seen = malloc(sizeof(float) * 10 * 1024);
    learn()->encode(instance, state, channels_of(instance), slot);
    assert_int_equal(learn()->symmetries(instance), 725760);
    learn()->reflect(instance, 725759, channels_of(instance), slot, NULL, seen, NULL);
    for (int i = 0; i < 1024; i++) { /* one plane each, before and after */
        float sum = 0, after = 0;
        for (int p = 0; p < 10; p++)
            sum += slot[p * 1024 + i], after += seen[p * 1024 + i];
        assert_true(sum == 1 && after == 1);
    }
    free(slot), free(seen);
    samegame_domain.life->destroy(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_board_as_planes),           cmocka_unit_test(priors_add_up_over_groups),
        cmocka_unit_test(renamed_colours_are_the_same_game), cmocka_unit_test(the_mirrored_game_is_the_same_game),
        cmocka_unit_test(large_boards_and_many_colours),     cmocka_unit_test(more_planes_say_what_floods_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
