/* The tuner's ways to choose trials, on functions whose best point is known. */
#include "lab/tune.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct tune_space space = {
    .options = {{.name = "c", .least = 0.01, .most = 100, .logarithmic = true},
                {.name = "n", .least = 0, .most = 10, .whole = true},
                {.name = "rule", .choices = 3, .text = "uct|sp|puct"}},
    .count = 3,
};

/* Best, 0, at c = 1, n = 8, rule = sp. */
static double score(const struct tune_point *point) {
    double c = point->at[0] - 0.5, n = point->at[1] - 0.8;
    return -c * c - n * n - (point->at[2] == 1 ? 0 : 0.3);
}

static void test_points_as_text(void **state) {
    (void)state;
    char text[128];
    struct tune_point point = {{0.5, 0.76, 2}};
    tune_write(&space, &point, text, sizeof text);
    assert_string_equal(text, "c=1,n=8,rule=puct");
    for (size_t room = 1; room < 20; room++) {
        tune_write(&space, &point, text, room);
        assert_true(strlen(text) < room);
    }
}

static void test_grid(void **state) {
    (void)state;
    struct tune_point point;
    bool seen[4][4][3] = {0};
    uint64_t index = 0;
    for (; tune_grid(&space, 4, index, &point); index++) {
        bool *cell = &seen[lround(point.at[0] * 3)][lround(point.at[1] * 3)][(int)point.at[2]];
        assert_false(*cell);
        *cell = true;
    }
    assert_int_equal(index, 48);
}

/* The best score of `trials` trials. */
static double tune(char way, int count, uint64_t seed) {
    struct tune_trial *trials = calloc((size_t)count, sizeof *trials);
    struct tune_entropy entropy;
    double best = -1e9;
    tune_entropy_open(&space, &entropy);
    for (int i = 0; i < count; i++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, (uint64_t)i);
        if (way == 'r')
            tune_random(&space, &rng, &trials[i].point);
        else if (way == 'm')
            assert_true(tune_model(&space, trials, (size_t)i, &rng, &trials[i].point));
        else
            tune_entropy_draw(&space, &entropy, &rng, &trials[i].point);
        trials[i].scores[0] = score(&trials[i].point);
        trials[i].rungs = 1;
        best = trials[i].scores[0] > best ? trials[i].scores[0] : best;
        if (way == 'e' && i % 16 == 15) {
            const struct tune_trial *elite[16];
            for (int k = 0; k < 16; k++)
                elite[k] = &trials[i - 15 + k];
            for (int a = 0; a < 16; a++)
                for (int b = a + 1; b < 16; b++)
                    if (tune_compare(elite[b], elite[a]) < 0) {
                        const struct tune_trial *other = elite[a];
                        elite[a] = elite[b];
                        elite[b] = other;
                    }
            tune_entropy_learn(&space, elite, 4, &entropy);
        }
    }
    free(trials);
    return best;
}

static void test_search_beats_chance(void **state) {
    (void)state;
    double random = 0, model = 0, entropy = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random += tune('r', 64, seed) / 20;
        model += tune('m', 64, seed) / 20;
        entropy += tune('e', 64, seed) / 20;
    }
    assert_true(random < -0.005);
    assert_true(model > random / 2);
    assert_true(entropy > random / 2);
}

/* The scores say where the best place is; a trial of which no run has a value does not hide it. */
static void test_model_with_a_trial_without_a_score(void **state) {
    (void)state;
    static const struct tune_space line = {.options = {{.name = "x", .least = 0, .most = 1}}, .count = 1};
    enum { TRIALS = 30, DRAWS = 50 };
    for (int without = 0; without < 2; without++) {
        struct tune_trial trials[TRIALS] = {0};
        int near = 0;
        for (int i = 0; i < TRIALS; i++) {
            double x = trials[i].point.at[0] = (i + 0.5) / TRIALS;
            trials[i].rungs = 1;
            trials[i].scores[0] = -100 * (x - 0.3) * (x - 0.3);
        }
        if (without)
            trials[TRIALS - 1].scores[0] = TUNE_NO_SCORE;
        for (uint64_t seed = 0; seed < DRAWS; seed++) {
            struct tune_point point;
            soloist_rng rng;
            soloist_rng_seed(&rng, 1, seed);
            assert_true(tune_model(&line, trials, TRIALS, &rng, &point));
            near += fabs(point.at[0] - 0.3) < 0.1;
        }
        print_message("%d of %d near the best place\n", near, DRAWS);
        assert_true(near > DRAWS / 2);
    }
}

static void test_order_of_trials(void **state) {
    (void)state;
    struct tune_trial trials[] = {{.scores = {9}, .rungs = 1},
                                  {.scores = {1, 2}, .rungs = 2},
                                  {.scores = {1, 3}, .rungs = 2},
                                  {.scores = {0, 3}, .rungs = 2}};
    assert_true(tune_compare(&trials[1], &trials[0]) < 0);
    assert_true(tune_compare(&trials[2], &trials[1]) < 0);
    assert_true(tune_compare(&trials[2], &trials[3]) < 0); /* equal: the earlier */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_as_text),      cmocka_unit_test(test_grid),
        cmocka_unit_test(test_search_beats_chance), cmocka_unit_test(test_model_with_a_trial_without_a_score),
        cmocka_unit_test(test_order_of_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
