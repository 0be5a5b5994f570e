/* Lines in other orders: on small boards whose best games are known by exhaustive search, every move that is said to be
 * able to come first is a best move, and the value is what the best game still brings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"
#include "learn/train/games.h"
#include "learn/train/reorderings.h"

#include <stdlib.h>
#include <string.h>

enum { width = 5, height = 4, cells = width * height, boards = 12, passes = 3 };

static int32_t best_of(const soloist *engine, const soloist_puzzle *puzzle, soloist_result *result) {
    soloist_error error = {0};
    soloist_limits limits = {.threads = 1};
    assert_int_equal(soloist_solve(engine, puzzle, "bestfirst", &limits, NULL, result, &error), SOLOIST_OK);
    assert_true(result->optimal);
    return result->verdict.value;
}

static int32_t best_of_text(const soloist *engine, const char *text) {
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    assert_true(game_puzzle_read(&samegame_domain, NULL, text, strlen(text), &puzzle, &error));
    int32_t best = best_of(engine, &puzzle, &result);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return best;
}

/* The board that planes show, as a file has it. */
static void text_of(const float *planes, char *text) {
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            for (int colour = 0; colour < 6; colour++)
                if (planes[colour * cells + y * width + x] > 0)
                    *text++ = (char)('0' + colour);
        *text++ = '\n';
    }
    *text = 0;
}

/* Plays every move that has a part in the policy; returns how many there were. */
static int check_moves(const soloist *engine, const char *text, const float *policy, int32_t best) {
    soloist_puzzle puzzle;
    soloist_error error = {0};
    uint64_t root[128], state[128];
    soloist_move moves[cells];
    float shares[cells];
    int fronts = 0;
    assert_true(game_puzzle_read(&samegame_domain, NULL, text, strlen(text), &puzzle, &error));
    samegame_domain.life->root(puzzle.instance, root);
    int count = samegame_domain.core->moves(puzzle.instance, root, moves);
    samegame_domain.learn->priors(puzzle.instance, root, moves, count, policy, shares);
    for (int i = 0; i < count; i++) {
        struct buffer after;
        int32_t last;
        if (!(shares[i] > 0))
            continue;
        fronts++;
        memcpy(state, root, sizeof state);
        int32_t gain = samegame_domain.core->apply(puzzle.instance, state, moves[i], NULL);
        if (samegame_domain.core->ended(puzzle.instance, state, &last)) {
            assert_int_equal(gain + last, best);
            continue;
        }
        buffer_open(&after);
        soloist_sink sink = buffer_sink(&after);
        samegame_domain.text->print(puzzle.instance, state, &sink);
        assert_int_equal(gain + best_of_text(engine, after.text), best);
        buffer_close(&after);
    }
    soloist_puzzle_free(&puzzle);
    return fronts;
}

static int check_samples(const soloist *engine, const struct samples *samples) {
    struct sample_viewer *viewer = sample_viewer_open(samples);
    float planes[6 * cells], policy[cells], value;
    char text[cells + height + 1];
    int fronts = 0;
    for (size_t i = 0; i < samples_count(samples); i++) {
        samples_show(samples, viewer, i, 0, planes, policy, &value, NULL);
        text_of(planes, text);
        assert_int_equal((int32_t)value, best_of_text(engine, text));
        fronts += check_moves(engine, text, policy, (int32_t)value);
    }
    sample_viewer_close(viewer);
    return fronts;
}

static void what_can_come_first_is_best(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    struct game_source source;
    soloist_error error = {0};
    soloist_rng rng;
    int positions = 0, fronts = 0;
    soloist_rng_seed(&rng, 1, 1);
    assert_true(game_source_open(&source, &samegame_domain, NULL, "width=5,height=4,colours=3", 3, &error));
    for (uint64_t number = 0; number < boards; number++) {
        soloist_puzzle puzzle;
        soloist_result result;
        assert_true(game_source_make(&source, number, &puzzle, &error));
        int32_t best = best_of(engine, &puzzle, &result);
        struct samples *samples = samples_open(&samegame_domain, puzzle.instance, 0, 1000, 16, &error);
        unsigned char *records = malloc((result.move_count + 1) * samples_record_size(samples));
        for (int pass = 0; pass < passes; pass++) {
            assert_true(reorderings_samples(samples, &puzzle, result.moves, result.move_count, best, &rng, records));
            samples_add(samples, records, result.move_count);
        }
        positions += (int)samples_count(samples);
        fronts += check_samples(engine, samples);
        free(records);
        samples_close(samples);
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    assert_true(positions > boards * passes * 3);
    assert_true(fronts > positions * 5 / 4); /* most positions have several */
    game_source_close(&source);
    soloist_free(engine);
}

/* A line that the walk does not know is refused: the caller takes it as it stands. */
static void a_line_of_another_board_is_refused(void **unused) {
    (void)unused;
    struct game_source source;
    soloist_puzzle puzzle;
    soloist_error error = {0};
    soloist_rng rng;
    soloist_move moves[1] = {SOLOIST_NO_MOVE};
    soloist_rng_seed(&rng, 1, 1);
    assert_true(game_source_open(&source, &samegame_domain, NULL, "width=5,height=4,colours=3", 3, &error));
    assert_true(game_source_make(&source, 0, &puzzle, &error));
    struct samples *samples = samples_open(&samegame_domain, puzzle.instance, 0, 10, 16, &error);
    void *records = malloc(samples_record_size(samples));
    assert_false(reorderings_samples(samples, &puzzle, moves, 1, 0, &rng, records));
    free(records);
    samples_close(samples);
    soloist_puzzle_free(&puzzle);
    game_source_close(&source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_come_first_is_best),
        cmocka_unit_test(a_line_of_another_board_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
