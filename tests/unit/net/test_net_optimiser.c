/* Optimisers and losses against the formulas written out in doubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/loss.h"
#include "net/optimiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { size = 5, steps = 40 };

static struct optimiser_options options_of(const char *text) {
    struct optimiser_options options;
    soloist_error error = {0};
    soloist_options_reset(optimiser_options_rows, &options);
    assert_int_equal(soloist_options_parse(optimiser_options_rows, &options, text, &error), SOLOIST_OK);
    return options;
}

/* A bowl with unequal sides: gradient a_i (x_i - i). */
static double slope(int i, double x) { return (i + 1) * 0.7 * (x - i); }

/* One step of the formulas as the papers and PyTorch have them. */
static void plain_step(const struct optimiser_options *o, int step, double *x, double *mean, double *square) {
    double g[size], length = 0;
    for (int i = 0; i < size; i++) {
        g[i] = slope(i, x[i]);
        length += g[i] * g[i];
    }
    double scale = o->clip > 0 && sqrt(length) > o->clip ? o->clip / sqrt(length) : 1;
    for (int i = 0; i < size; i++) {
        double d = g[i] * scale + o->l2 * x[i];
        mean[i] = o->momentum * mean[i] + (1 - o->momentum) * d;
        square[i] = o->squares * square[i] + (1 - o->squares) * d * d;
        if (o->optimiser == OPTIMISER_ADAM)
            x[i] -= o->rate * (mean[i] / (1 - pow(o->momentum, step))) /
                    (sqrt(square[i] / (1 - pow(o->squares, step))) + o->epsilon);
        else if (o->optimiser == OPTIMISER_RMSPROP)
            x[i] -= o->rate * d / (sqrt(square[i]) + o->epsilon);
        else if (o->optimiser == OPTIMISER_RMSPROP_TF)
            x[i] -= o->rate * d / sqrt(square[i] + o->epsilon);
        else
            x[i] -= o->rate * d;
    }
}

static void follows_the_formulas(const char *text) {
    struct optimiser_options options = options_of(text);
    struct optimiser optimiser;
    float x[size] = {3, -2, 0.5f, 4, 9};
    double plain[size] = {3, -2, 0.5, 4, 9}, mean[size] = {0}, square[size] = {0};
    double first = options.optimiser == OPTIMISER_RMSPROP_TF;
    for (int i = 0; i < size; i++)
        square[i] = first;
    assert_true(optimiser_open(&optimiser, &options, size));
    for (int step = 1; step <= steps; step++) {
        float gradient[size];
        for (int i = 0; i < size; i++)
            gradient[i] = (float)slope(i, (double)x[i]);
        optimiser_step(&optimiser, x, gradient);
        plain_step(&options, step, plain, mean, square);
        for (int i = 0; i < size; i++)
            assert_true(fabs((double)x[i] - plain[i]) < 1e-4 * (1 + fabs(plain[i])));
    }
    optimiser_reset(&optimiser);
    assert_true(optimiser.steps == 0 && optimiser.mean[0] == 0 && (double)optimiser.square[size - 1] == first);
    optimiser_close(&optimiser);
}

static void every_optimiser_follows_its_formulas(void **state) {
    (void)state;
    follows_the_formulas("rate=0.05");
    follows_the_formulas("rate=0.1,momentum=0,squares=0.9,l2=0.1,epsilon=1e-3");
    follows_the_formulas("rate=0.05,clip=0.5,l2=1e-2");
    follows_the_formulas("optimiser=rmsprop,rate=0.02,squares=0.99,epsilon=1e-5");
    follows_the_formulas("optimiser=rmsprop,rate=0.02,squares=0.9,clip=2");
    follows_the_formulas("optimiser=rmsprop-tf,rate=0.02,squares=0.99,epsilon=1e-5,clip=0.5");
    follows_the_formulas("optimiser=rmsprop-tf,rate=0.2,squares=0.9,epsilon=0.5,l2=0.01");
    follows_the_formulas("optimiser=sgd,rate=0.1,l2=0.01,clip=3");
}

static void a_long_gradient_is_told_and_cut(void **state) {
    (void)state;
    struct optimiser_options options = options_of("optimiser=sgd,rate=1,clip=1");
    struct optimiser optimiser;
    float x[2] = {0, 0}, gradient[2] = {3, 4};
    assert_true(optimiser_open(&optimiser, &options, 2));
    assert_true(optimiser_step(&optimiser, x, gradient) == 5);
    assert_true(fabsf(x[0] + 0.6f) < 1e-6f && fabsf(x[1] + 0.8f) < 1e-6f);
    optimiser_close(&optimiser);
}

/* ---- losses ---- */

static void losses_are_what_the_document_writes(void **state) {
    (void)state;
    const struct net_loss loss = {0.25f, 0.5f, 2, 0, 0.2f}; /* likes low guesses */
    float logits[4] = {0, logf(3), 0, 0}, targets[4] = {0, 1, 0.5f, 0.5f}, values[2] = {5, 5}, wanted[2] = {7, 2};
    float logit_gradients[4], value_gradients[2];
    struct net_losses losses = {0};
    net_loss_add(&loss, &(struct net_targets){targets, wanted, NULL}, 2, 2, 2, logits, values, logit_gradients,
                 value_gradients, &losses);
    double cross = -log(0.75) + log(2), square = 0.5 * 4 + 2 * 9;
    assert_true(fabs(losses.policy - cross / 2) < 1e-6 && fabs(losses.value - square / 2) < 1e-6);
    assert_true(fabs(losses.total - (cross / 2 + 0.25 * square / 2)) < 1e-6);
    assert_true(fabsf(logit_gradients[0] - 0.125f) < 1e-6f && fabsf(logit_gradients[1] + 0.125f) < 1e-6f);
    assert_true(fabsf(logit_gradients[2]) < 1e-6f);
    assert_true(fabsf(value_gradients[0] + 0.25f) < 1e-6f && fabsf(value_gradients[1] - 1.5f) < 1e-6f);
}

static void a_target_of_zeros_teaches_nothing(void **state) {
    (void)state;
    float logits[3] = {1, -2, 0.5f}, targets[3] = {0}, gradients[3], values[1] = {3}, value_gradients[1] = {9};
    struct net_losses losses = {0};
    net_loss_add(&NET_PLAIN_LOSS, &(struct net_targets){targets, NULL, NULL}, 1, 1, 3, logits, values, gradients,
                 value_gradients, &losses);
    assert_true(losses.total == 0 && losses.entropy > 0);
    assert_true(gradients[0] == 0 && gradients[1] == 0 && gradients[2] == 0 && value_gradients[0] == 0);
}

/* -advantage * min(...) and the entropy of one drawn move, by the formula as it is printed. */
static double drawn_plainly(const struct net_loss *loss, const float *marks, struct net_drawn drawn,
                            const float *logits, int actions) {
    double sum = 0, own = 0, entropy = 0, advantage = (double)drawn.advantage;
    for (int i = 0; i < actions; i++) {
        double part = marks[i] != 0 ? exp((double)logits[i]) : 0;
        sum += part, own += marks[i] < 0 ? part : 0;
    }
    for (int i = 0; i < actions; i++) {
        double p = marks[i] != 0 ? exp((double)logits[i]) / sum : 1;
        entropy -= p * log(p);
    }
    double now = own / sum / (double)drawn.probability;
    double cut = fmin(fmax(now, 1 - (double)loss->clip_range), 1 + (double)loss->clip_range);
    return -fmin(advantage * now, advantage * cut) - (double)loss->entropy * entropy;
}

/* Pushed to either side, from near, and from so far to either side that one of the pushes ends. */
static void drawn_moves_are_pushed_as_the_formula_says(void **state) {
    (void)state;
    enum { actions = 6 };
    const struct net_loss loss = {1, 1, 1, 0.03f, 0.2f};
    const float marks[actions] = {0, -0.5f, 1, -0.5f, 0, 0.25f}, logits[actions] = {4, 0.5f, 0.2f, -1, 2, -0.3f};
    const struct net_drawn cases[] = {{0.5f, 2}, {0.5f, -1.5f}, {0.2f, 2}, {0.2f, -1.5f}, {0.9f, 2}, {0.9f, -1.5f}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        float gradients[actions], moved[actions];
        struct net_losses losses = {0};
        net_loss_add(&loss, &(struct net_targets){marks, NULL, &cases[k]}, 1, 1, actions, logits, NULL, gradients, NULL,
                     &losses);
        assert_true(fabs(losses.total - drawn_plainly(&loss, marks, cases[k], logits, actions)) < 1e-6);
        for (int i = 0; i < actions; i++) {
            double side[2];
            for (int s = 0; s < 2; s++) {
                memcpy(moved, logits, sizeof moved);
                moved[i] += s ? 1e-3f : -1e-3f;
                side[s] = drawn_plainly(&loss, marks, cases[k], moved, actions);
            }
            assert_true(fabs((side[1] - side[0]) / 2e-3 - (double)gradients[i]) < 1e-3);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_optimiser_follows_its_formulas),
        cmocka_unit_test(a_long_gradient_is_told_and_cut),
        cmocka_unit_test(losses_are_what_the_document_writes),
        cmocka_unit_test(a_target_of_zeros_teaches_nothing),
        cmocka_unit_test(drawn_moves_are_pushed_as_the_formula_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
