/* Every kernel of SameGame against the plain reference: moves, boards, scores, keys, bounds, and the play-outs'
 * distributions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "domain/samegame/samegame_reference.h"

static const soloist_domain *const game = &samegame_domain;

static soloist_instance *make(const struct samegame_board *board, int scoring) {
    struct samegame_options options = {.scoring = scoring, .tabu = 0};
    soloist_instance *instance = samegame_instance_make(board, &options);
    assert_non_null(instance);
    return instance;
}

/* The sizes that matter: both kinds of board, their edges, both numbers of planes. */
static const struct {
    int width, height, colours;
} sizes[] = {{1, 1, 1},   {1, 7, 2},   {9, 1, 2},   {4, 4, 3},   {7, 7, 5},   {15, 15, 5}, {16, 16, 7}, {16, 16, 8},
             {15, 15, 9}, {16, 16, 2}, {17, 3, 4},  {3, 17, 4},  {20, 20, 5}, {32, 32, 5}, {32, 32, 9}, {32, 32, 2},
             {32, 1, 2},  {1, 32, 2},  {16, 16, 1}, {30, 30, 1}, {25, 31, 8}, {8, 16, 3}};
#define SIZES (sizeof sizes / sizeof *sizes)

typedef void kernel_check(soloist_instance *instance, soloist_rng *rng);

/* Runs a check for every size of board, full and partly filled, and every kernel that this machine has. */
static void for_all_kernels(kernel_check *check, int rounds) {
    for (int variant = 0; variant < SAMEGAME_VARIANTS; variant++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, 7, 0);
        for (int i = 0; i < (int)SIZES * rounds; i++) {
            struct samegame_board board;
            int s = i % (int)SIZES;
            reference_random_board(&rng, sizes[s].width, sizes[s].height, sizes[s].colours, i / (int)SIZES % 2 == 0,
                                   &board);
            soloist_instance *instance = make(&board, i % 5);
            instance->kernel = samegame_kernel_variant(variant, instance->wide, instance->planes);
            if (instance->kernel)
                check(instance, &rng);
            game->life->destroy(instance);
        }
    }
}

static void assert_same_board(const soloist_instance *instance, const void *state, const struct reference *expected) {
    struct reference board = reference_of(instance, state);
    assert_memory_equal(&board, expected, sizeof board);
}

/* One game of random moves by the core, compared after each move. */
static void check_core(soloist_instance *instance, soloist_rng *rng) {
    struct samegame_wide state, before, undo;
    soloist_move moves[512], expected[512];
    int blocks[512], steps = 0;
    int32_t last = 0;
    soloist_shape shape;
    game->life->shape(instance, &shape);
    game->life->root(instance, &state);
    struct reference board = reference_of(instance, &state);
    for (;;) {
        int count = game->core->moves(instance, &state, moves);
        assert_int_equal(count, reference_moves(&board, expected, blocks));
        assert_true(count <= shape.most_moves);
        assert_memory_equal(moves, expected, (size_t)count * sizeof *moves);
        assert_int_equal(game->core->ended(instance, &state, &last), count == 0);
        if (!count)
            break;
        int i = (int)soloist_rng_below(rng, (uint32_t)count);
        memcpy(&before, &state, shape.state_size);
        int32_t step = game->core->apply(instance, &state, moves[i], &undo);
        assert_int_equal(step, reference_step(instance->scoring, blocks[i]));
        game->core->undo(instance, &state, moves[i], &undo);
        assert_memory_equal(&state, &before, shape.state_size);
        game->core->apply(instance, &state, moves[i], NULL);
        assert_int_equal(reference_play(&board, samegame_column(moves[i]), samegame_row(moves[i])), blocks[i]);
        assert_same_board(instance, &state, &board);
        assert_true(game->core->key(instance, &state) == game->core->key_from_scratch(instance, &state));
        steps++;
    }
    assert_int_equal(last, reference_last(&board, instance->scoring));
    assert_true(steps <= shape.most_steps);
}

static void test_core_equals_reference(void **unused) {
    (void)unused;
    for_all_kernels(check_core, 4);
}

/* Expand against moves, apply, key and bound along a game. */
static void check_expand(soloist_instance *instance, soloist_rng *rng) {
    struct samegame_wide state, child;
    soloist_move moves[512];
    soloist_child children[512];
    game->life->root(instance, &state);
    for (;;) {
        int count = game->core->moves(instance, &state, moves);
        unsigned want = SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND;
        assert_int_equal(game->core->expand(instance, &state, SOLOIST_NO_MOVE, want, children), count);
        for (int i = 0; i < count; i++) {
            memcpy(&child, &state, instance->state_size);
            int32_t step = game->core->apply(instance, &child, moves[i], NULL);
            assert_int_equal(children[i].move, moves[i]);
            assert_int_equal(children[i].step, step);
            assert_true(children[i].key == game->core->key(instance, &child));
            assert_int_equal(children[i].bound, game->bound->value(instance, &child));
            assert_true(game->bound->value(instance, &state) >= step + children[i].bound);
        }
        if (!count)
            break;
        assert_int_equal(game->core->expand(instance, &state, SOLOIST_NO_MOVE, 0, children), count);
        game->core->apply(instance, &state, moves[soloist_rng_below(rng, (uint32_t)count)], NULL);
    }
}

static void test_expand_equals_primitives(void **unused) {
    (void)unused;
    for_all_kernels(check_expand, 2);
}

static void check_pack(soloist_instance *instance, soloist_rng *rng) {
    struct samegame_wide state, again;
    unsigned char packed[sizeof state];
    soloist_shape shape;
    game->life->shape(instance, &shape);
    for (int length = 0; length < 12; length += 3) {
        game->life->root(instance, &state);
        game->sample->playout(instance, &state, SAMEGAME_RANDOM, length, rng, NULL, NULL);
        game->pack->pack(instance, &state, packed);
        memset(&again, 0xaa, sizeof again);
        game->pack->unpack(instance, packed, &again);
        assert_true(shape.packed_size < shape.state_size);
        assert_memory_equal(&state, &again, shape.state_size);
    }
}

static void test_pack_round_trip(void **unused) {
    (void)unused;
    for_all_kernels(check_pack, 1);
}

/* Play-outs of both policies: every move legal, the end, the value, the length and the state as the reference has it;
 * the tabu colour only where nothing else is left; the same with and without a trace, and when cut short. */
static void check_playout(soloist_instance *instance, soloist_rng *rng) {
    for (int policy = 0; policy < 2; policy++) {
        struct samegame_wide root, state, other;
        soloist_move trace[512], moves[512];
        int blocks[512], value = 0;
        game->life->root(instance, &root);
        memcpy(&state, &root, instance->state_size);
        memcpy(&other, &root, instance->state_size);
        soloist_rng silent = *rng;
        soloist_playout played = game->sample->playout(instance, &state, policy, 1000, rng, trace, NULL);
        soloist_playout again = game->sample->playout(instance, &other, policy, 1000, &silent, NULL, NULL);
        assert_memory_equal(&state, &other, instance->state_size);
        assert_memory_equal(rng, &silent, sizeof silent);
        assert_true(again.value == played.value && again.length == played.length && again.ended && played.ended);
        struct reference board = reference_of(instance, &root);
        for (int i = 0; i < played.length; i++) {
            int count = reference_moves(&board, moves, blocks), at = 0, others = 0;
            while (at < count && moves[at] != trace[i])
                at++;
            assert_true(at < count);
            for (int m = 0; m < count; m++)
                others += board.cell[samegame_column(moves[m])][samegame_row(moves[m])] != instance->tabu;
            int colour = board.cell[samegame_column(trace[i])][samegame_row(trace[i])];
            assert_true(policy == SAMEGAME_RANDOM || colour != instance->tabu || !others);
            value += reference_step(instance->scoring, blocks[at]);
            reference_play(&board, samegame_column(trace[i]), samegame_row(trace[i]));
        }
        assert_int_equal(reference_moves(&board, moves, blocks), 0);
        assert_int_equal(played.value, value + reference_last(&board, instance->scoring));
        assert_same_board(instance, &state, &board);
        assert_true(game->core->key(instance, &state) == game->core->key_from_scratch(instance, &state));
        if (played.length > 1) {
            memcpy(&other, &root, instance->state_size);
            again = game->sample->playout(instance, &other, policy, 1, &silent, NULL, NULL);
            assert_true(again.length == 1 && !again.ended);
        }
    }
}

static void test_playouts_follow_the_rules(void **unused) {
    (void)unused;
    for_all_kernels(check_playout, 6);
}

/* Every kernel plays the same games from the same seed. */
static void test_kernels_agree(void **unused) {
    (void)unused;
    for (int i = 0; i < (int)SIZES * 8; i++) {
        struct samegame_board board;
        soloist_rng rng;
        int s = i % (int)SIZES, policy = i / (int)SIZES % 2;
        soloist_rng_seed(&rng, 11, (uint64_t)i);
        reference_random_board(&rng, sizes[s].width, sizes[s].height, sizes[s].colours, true, &board);
        soloist_instance *instance = make(&board, SAMEGAME_STANDARD);
        struct samegame_wide expected;
        soloist_playout first = {0, 0, false};
        for (int variant = 0; variant < SAMEGAME_VARIANTS; variant++) {
            instance->kernel = samegame_kernel_variant(variant, instance->wide, instance->planes);
            if (!instance->kernel)
                continue;
            struct samegame_wide state;
            soloist_rng same = rng;
            game->life->root(instance, &state);
            soloist_playout played = game->sample->playout(instance, &state, policy, 1000, &same, NULL, NULL);
            if (!variant) {
                memcpy(&expected, &state, instance->state_size);
                first = played;
            }
            assert_memory_equal(&state, &expected, instance->state_size);
            assert_true(played.value == first.value && played.length == first.length);
        }
        game->life->destroy(instance);
    }
}

/* ---- distributions -------------------------------------------------------------------------------------------------
 */

static soloist_instance *read_board(const char *text, const char *option_text) {
    struct samegame_options options;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_options_reset(game->options, &options);
    assert_int_equal(soloist_options_parse(game->options, &options, option_text, &error), SOLOIST_OK);
    soloist_instance *instance = game->life->parse(&chunk, &options, &error);
    assert_non_null(instance);
    return instance;
}

/* Pearson's chi-square of first moves against weights; five standard deviations above its mean are allowed. */
static void assert_first_moves(const soloist_instance *instance, int policy, const int *weights, int count,
                               const soloist_move *moves, int draws) {
    int hits[512] = {0}, total = 0;
    double chi_square = 0;
    int degrees = -1;
    soloist_rng rng;
    soloist_rng_seed(&rng, 2026, 0);
    for (int i = 0; i < draws; i++) {
        struct samegame_wide state;
        soloist_move move;
        int at = 0;
        game->life->root(instance, &state);
        assert_int_equal(game->sample->playout(instance, &state, policy, 1, &rng, &move, NULL).length, 1);
        while (at < count && moves[at] != move)
            at++;
        assert_true(at < count);
        hits[at]++;
    }
    for (int i = 0; i < count; i++)
        total += weights[i];
    for (int i = 0; i < count; i++) {
        double expected = (double)draws * weights[i] / total, off = hits[i] - expected;
        if (!weights[i]) {
            assert_int_equal(hits[i], 0);
            continue;
        }
        chi_square += off * off / expected;
        degrees++;
    }
    double above = chi_square - degrees;
    assert_true(above < 0 || above * above < 25.0 * 2 * (degrees ? degrees : 1));
}

static void check_first_moves(soloist_instance *instance, int draws) {
    struct samegame_wide root;
    soloist_move moves[512];
    int blocks[512], ones[512] = {0}, cells[512], others = 0;
    game->life->root(instance, &root);
    struct reference board = reference_of(instance, &root);
    int count = reference_moves(&board, moves, blocks);
    for (int i = 0; i < count; i++) {
        ones[i] = 1;
        cells[i] = blocks[i];
        if (board.cell[samegame_column(moves[i])][samegame_row(moves[i])] == instance->tabu)
            cells[i] = 0;
        others += cells[i];
    }
    assert_first_moves(instance, SAMEGAME_RANDOM, ones, count, moves, draws);
    assert_first_moves(instance, SAMEGAME_TABU, others ? cells : blocks, count, moves, draws);
    game->life->destroy(instance);
}

static void test_first_moves_are_uniform(void **unused) {
    (void)unused;
    /* Groups with several cells that have nothing equal below or to the left: arms, hooks, a spiral. */
    check_first_moves(read_board("1212121\n"
                                 "1112221\n"
                                 "2313211\n"
                                 "2333221\n"
                                 "1131121\n",
                                 ""),
                      40000);
    check_first_moves(read_board("11111333\n"
                                 "21231333\n"
                                 "11131223\n"
                                 "13331323\n"
                                 "11111233\n",
                                 "tabu=3"),
                      40000);
    check_first_moves(read_board("2222\n2222\n", ""), 10);
    for (int wide = 0; wide < 2; wide++) {
        struct samegame_board board;
        soloist_rng rng;
        soloist_rng_seed(&rng, 5, (uint64_t)wide);
        reference_random_board(&rng, wide ? 28 : 15, wide ? 24 : 15, wide ? 3 : 4, true, &board);
        check_first_moves(make(&board, SAMEGAME_STANDARD), 60000);
    }
}

/* Uniform games on the standard positions take 63.8 moves on average, tabu games 59.8: what 100,000 games gave. */
static void test_standard_positions(void **unused) {
    (void)unused;
    FILE *file = fopen(SOLOIST_SHARED "/samegame/standard20.txt", "r");
    if (!file) {
        print_message("SKIP needs shared: samegame/standard20.txt\n");
        skip();
    }
    static char text[16384];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    struct samegame_options options = {0};
    int boards = 0, moves[2] = {0};
    assert_true(game->life->recognise(text, length) > 80);
    while (game->life->next(&cursor, &chunk)) {
        char name[32];
        snprintf(name, sizeof name, "position %d", ++boards);
        assert_string_equal(chunk.name, name);
        soloist_instance *instance = game->life->parse(&chunk, &options, NULL);
        assert_non_null(instance);
        assert_true(instance->width == 15 && instance->height == 15 && instance->colours == 5);
        soloist_rng rng;
        soloist_rng_seed(&rng, 1, (uint64_t)boards);
        for (int i = 0; i < 400; i++) {
            struct samegame_wide state;
            game->life->root(instance, &state);
            moves[i % 2] += game->sample->playout(instance, &state, i % 2, 1000, &rng, NULL, NULL).length;
        }
        game->life->destroy(instance);
    }
    assert_int_equal(boards, 20);
    assert_in_range(moves[0], 634 * 400, 642 * 400);
    assert_in_range(moves[1], 592 * 400, 604 * 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_core_equals_reference), cmocka_unit_test(test_expand_equals_primitives),
        cmocka_unit_test(test_pack_round_trip),       cmocka_unit_test(test_playouts_follow_the_rules),
        cmocka_unit_test(test_kernels_agree),         cmocka_unit_test(test_first_moves_are_uniform),
        cmocka_unit_test(test_standard_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
