/* The processor's back end against plain loops of doubles: kernels of every instruction set, every kind of layer
 * forwards, and gradients against finite differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/back_end.h"
#include "net/cpu/kernel.h"
#include "unit/net/net_reference.h"

#include <stdio.h>

static float uniform(soloist_rng *rng) { return (float)(2 * soloist_rng_unit(rng) - 1); }

static float *draw(size_t count, uint64_t seed) {
    float *numbers = malloc((count + 16) * sizeof *numbers);
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < count; i++)
        numbers[i] = uniform(&rng);
    return numbers;
}

/* ---- kernels ---- */

static void check_product(const struct cpu_kernel *kernel, int rows, int columns, int depth, bool transposed, bool add,
                          enum net_activation activation) {
    size_t a_size = (size_t)(rows * depth), b_size = (size_t)(depth * columns), c_size = (size_t)(rows * columns);
    float *a = draw(a_size, 1), *b = draw(b_size, 2), *c = draw(c_size, 3), *before = draw(c_size, 3);
    float *bias = draw((size_t)columns, 4), *packed = malloc(b_size * sizeof *packed);
    cpu_pack(kernel, b, columns, 1, depth, columns, packed);
    struct cpu_product product = {.rows = rows,
                                  .columns = columns,
                                  .depth = depth,
                                  .a = a,
                                  .a_row = transposed ? 1 : depth,
                                  .a_step = transposed ? rows : 1,
                                  .b = packed,
                                  .c = c,
                                  .c_row = columns,
                                  .add = add,
                                  .bias = add ? NULL : bias,
                                  .activation = activation};
    kernel->product(&product);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = add ? (double)before[i * columns + j] : (double)bias[j];
            for (int k = 0; k < depth; k++)
                sum += (double)a[i * product.a_row + k * product.a_step] * (double)b[k * columns + j];
            double right = reference_activation(activation, sum), off = (double)c[i * columns + j] - right;
            if (fabs(off) > 1e-6 * (4 + sqrt(depth)))
                fail_msg("%s %dx%dx%d: %g instead of %g", kernel->name, rows, columns, depth,
                         (double)c[i * columns + j], right);
        }
    free(a), free(b), free(c), free(before), free(bias), free(packed);
}

static void products_agree_with_plain_sums(void **state) {
    (void)state;
    static const int sizes[][3] = {{1, 16, 1},   {3, 32, 7},    {14, 48, 64},  {15, 80, 257},
                                   {29, 64, 64}, {250, 16, 33}, {27, 240, 600}};
    for (int variant = 0; variant < CPU_VARIANTS; variant++) {
        const struct cpu_kernel *kernel = cpu_kernel_variant(variant);
        for (size_t i = 0; kernel && i < sizeof sizes / sizeof *sizes; i++)
            for (int way = 0; way < 4; way++)
                check_product(kernel, sizes[i][0], sizes[i][1], sizes[i][2], way & 1, way & 2,
                              way & 2 ? NET_NO_ACTIVATION : (enum net_activation)(i % 3));
        for (int rows = 1; kernel && rows < 30; rows++)
            check_product(kernel, rows, 48, 5, false, false, NET_ELU);
    }
}

static void slopes_are_those_of_the_activations(void **state) {
    (void)state;
    for (int variant = 0; variant < CPU_VARIANTS; variant++) {
        const struct cpu_kernel *kernel = cpu_kernel_variant(variant);
        for (int activation = 0; kernel && activation < 3; activation++) {
            float *given = draw(64, 5), *gradient = draw(64, 6), *before = draw(64, 6);
            kernel->slope((enum net_activation)activation, given, gradient, 64);
            for (int i = 0; i < 64; i++) {
                double slope = activation == NET_NO_ACTIVATION || given[i] > 0 ? 1
                               : activation == NET_RELU                        ? 0
                                                                               : (double)given[i] + 1;
                assert_true(fabs((double)gradient[i] - slope * (double)before[i]) < 1e-6);
            }
            free(given), free(gradient), free(before);
        }
    }
}

/* ---- whole networks ---- */

static const char *const networks[] = {
    /* Winograd with every padding, 1x1, residual block, two heads */
    "input 3x6x7\nconv 5 3x3 pad 2 elu\nconv 18 3x3 pad 1 relu\nmark a\nconv 18 3x3 pad 1\nadd a elu\nconv 4 3x3 elu\n"
    "conv 7 1x1 elu\nconv 9 3x3 pad 2\npool elu\nmark b\nlinear 6 elu\nlinear 1\nvalue\nfrom b\nlinear 5 relu\n"
    "linear 8\npolicy\n",
    /* strides, kernels that are not square, a padded 1x1 */
    "input 2x13x11\nconv 6 5x3 stride 2 relu\nconv 20 2x3 pad 1 stride 2 elu\nconv 3 1x1 pad 1\nlinear 17 relu\n"
    "linear 4\npolicy\n",
    /* no convolution at all, and a trunk that both heads and itself read */
    "input 2x3x4\nlinear 20 elu\nmark a\nlinear 20 elu\nadd a\nmark c\nadd c relu\nlinear 1\nvalue\nfrom c\nlinear "
    "5\npolicy\n",
    /* wider than a tile row, tiles left over on both sides */
    "input 1x5x19\nconv 16 3x3 pad 1 elu\nconv 33 3x3 pad 1 elu\nlinear 3\npolicy\n",
    /* a 1x1 layer that reads the planes */
    "input 4x4x4\nconv 8 1x1 elu\nconv 8 3x3 pad 1 elu\npool\nlinear 1\nvalue\n",
    /* a policy of one filter: a logit a cell */
    "input 3x4x5\nconv 10 3x3 pad 1 elu\nmark a\nconv 1 1x1\npolicy\nfrom a\npool\nlinear 1\nvalue\n",
    "input 2x3x3\nconv 9 3x3 pad 1 elu\nconv 1 3x3 pad 1\npolicy\n",
    /* every layer that reads a board of any size: at a plane, mean and maximum; several logits a cell */
    "input 3x4x5\nconv 10 3x3 pad 1 elu\nmark a\nconv 5 1x1\npolicy\nfrom a\npool relu\nlinear 6\nmark b\nfrom a\n"
    "pool max elu\nlinear 6\nadd b\nmark b\nfrom a\nat 2 elu\nlinear 6\nadd b relu\nlinear 1\nvalue\n",
    /* sprites: windows that lie on one, two and four cells; a kernel, a stride and a padding that divide nothing */
    "input 2x5x4\ncolour a 1 0.5 0.25\ncolour b 0 1 0.125\nsprites 4\npicture 10 abab baba aaaa bbbb\n"
    "picture 01 aaaa bbbb abba baab\npicture 11 bbbb abab abab aaab\nconv 6 4x4 stride 2 relu\nconv 5 3x3 elu\n"
    "linear 4\npolicy\n",
    "input 1x3x4\ncolour a 1 0.5 0.25\nsprites 3\npicture 1 aaa aaa aaa\nconv 20 5x2 pad 2 stride 4 elu\nmark a\n"
    "linear 4\npolicy\nfrom a\nlinear 1\nvalue\n",
    /* one place, larger kernel than picture before padding */
    "input 2x2x2\nconv 6 3x3 pad 1 elu\nconv 6 3x3 pad 1\npool\nlinear 4\npolicy\n",
};
#define NETWORKS (sizeof networks / sizeof *networks)

/* A network with everything that a test wants of it. */
struct trial {
    struct net net;
    float *parameters, *planes, *policy, *value;
    double *exact; /* the parameters as doubles */
    int count;
    struct net_runner *runner;
    struct net_reference reference;
};

static void open_trial(struct trial *t, const char *text, int count, int threads) {
    soloist_error error = {0};
    memset(t, 0, sizeof *t);
    if (!net_read(&t->net, text, strlen(text), &error))
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    size_t planes = net_shape_size(net_input(&t->net)), actions = (size_t)net_actions(&t->net);
    t->count = count;
    t->parameters = draw(t->net.parameters, 9);
    t->exact = malloc(t->net.parameters * sizeof *t->exact);
    assert_true(net_initialise(&t->net, 9, t->parameters));
    soloist_rng rng;
    soloist_rng_seed(&rng, 11, 0);
    for (int i = 1; i <= t->net.count; i++) /* biases count too */
        for (size_t j = 0; j < t->net.layers[i].bias_count; j++)
            t->parameters[t->net.layers[i].bias + j] = 0.3f * uniform(&rng);
    for (size_t i = 0; i < t->net.parameters; i++)
        t->exact[i] = (double)t->parameters[i];
    t->planes = draw(planes * (size_t)count, 12);
    for (size_t i = 0; t->net.sprites.classes && i < planes * (size_t)count; i++)
        t->planes[i] = t->planes[i] > 0;
    t->policy = draw(actions * (size_t)count + 1, 13);
    t->value = draw((size_t)count, 14);
    struct net_runner_options options = {.batch = count, .threads = threads, .train = true};
    soloist_options_reset(optimiser_options_rows, &options.optimiser);
    t->runner = net_cpu.open(&t->net, &options, &error);
    assert_non_null(t->runner);
    assert_true(net_cpu.set(t->runner, t->parameters, &error));
    net_reference_open(&t->reference, &t->net);
}

static void close_trial(struct trial *t) {
    net_reference_close(&t->reference);
    net_cpu.close(t->runner);
    net_free(&t->net);
    free(t->parameters), free(t->planes), free(t->policy), free(t->value), free(t->exact);
}

static struct net_batch batch_of(const struct trial *t, struct net_loss loss) {
    return (struct net_batch){.count = t->count,
                              .planes = t->planes,
                              .targets = {t->net.policy ? t->policy : NULL, t->net.value ? t->value : NULL, NULL},
                              .loss = loss};
}

static void close_to(const char *what, size_t place, double got, double right, double tolerance) {
    if (fabs(got - right) > tolerance * (1 + fabs(right)))
        fail_msg("%s %zu: %.9g instead of %.9g", what, place, got, right);
}

static void check_outputs(struct trial *t, struct net_runner *runner) {
    int actions = net_actions(&t->net);
    float *logits = malloc(sizeof(float) * (size_t)(t->count * actions + 1)),
          *values = malloc(sizeof(float) * (size_t)t->count);
    soloist_error error = {0};
    assert_true(net_cpu.forward(runner, t->planes, t->count, logits, values, &error));
    for (int b = 0; b < t->count; b++) {
        net_reference_forward(&t->reference, t->exact, t->planes + (size_t)b * net_shape_size(net_input(&t->net)));
        for (int i = 0; i < actions; i++)
            close_to("logit", (size_t)i, (double)logits[b * actions + i], t->reference.values[t->net.policy][i], 2e-5);
        if (t->net.value)
            close_to("value", (size_t)b, (double)values[b], t->reference.values[t->net.value][0], 2e-5);
    }
    free(logits), free(values);
}

static void outputs_are_those_of_plain_loops(void **state) {
    (void)state;
    for (size_t n = 0; n < NETWORKS; n++)
        for (int count = 1; count <= 12; count += 11) { /* more than a slice of the batch */
            struct trial t;
            soloist_error error = {0};
            open_trial(&t, networks[n], count, 1);
            check_outputs(&t, t.runner);
            /* A runner that only predicts shares buffers between layers. */
            struct net_runner *lean =
                net_cpu.open(&t.net, &(struct net_runner_options){.batch = count, .threads = 3}, &error);
            assert_non_null(lean);
            assert_true(net_cpu.set(lean, t.parameters, &error));
            check_outputs(&t, lean);
            net_cpu.close(lean);
            close_trial(&t);
        }
}

/* Every parameter, or every so many of a larger layer, against (f(w + h) - f(w - h)) / 2h of the plain network. */
static void check_gradients(struct trial *t, struct net_loss loss) {
    float *gradients = malloc(t->net.parameters * sizeof *gradients);
    struct net_losses losses;
    soloist_error error = {0};
    struct net_batch batch = batch_of(t, loss);
    assert_true(net_cpu.gradients(t->runner, &batch, gradients, &losses, &error));
    double right = net_reference_loss(&t->reference, t->exact, t->planes, t->count, &batch.targets, &loss);
    close_to("loss", 0, losses.total, right, 1e-5);
    for (int i = 1; i <= t->net.count; i++) {
        const struct net_layer *layer = &t->net.layers[i];
        size_t all = layer->weight_count + layer->bias_count, step = all / 12 + 1;
        for (size_t k = 0; k < all; k += step) {
            double *parameter = &t->exact[layer->weight + k], before = *parameter, h = 1e-5;
            *parameter = before + h;
            double above = net_reference_loss(&t->reference, t->exact, t->planes, t->count, &batch.targets, &loss);
            *parameter = before - h;
            double below = net_reference_loss(&t->reference, t->exact, t->planes, t->count, &batch.targets, &loss);
            *parameter = before;
            close_to(layer->name, k, (double)gradients[layer->weight + k], (above - below) / (2 * h), 1e-4);
        }
    }
    free(gradients);
}

static void gradients_are_finite_differences(void **state) {
    (void)state;
    for (size_t n = 0; n < NETWORKS; n++) {
        struct trial t;
        open_trial(&t, networks[n], 2, 1);
        check_gradients(&t, NET_PLAIN_LOSS);
        close_trial(&t);
    }
}

/* ---- sprites and sizes ---- */

static size_t read_named(const char *name, char *text, size_t most) {
    char path[512];
    snprintf(path, sizeof path, SOLOIST_SOURCE "/data/networks/%s.net", name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    size_t length = fread(text, 1, most - 1, stream);
    text[length] = 0;
    fclose(stream);
    return length;
}

/* The description without its sprites, for the painted picture as input. */
static void without_sprites(const char *text, char *out) {
    *out = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        size_t length = (size_t)(strchr(line, '\n') + 1 - line);
        if (!strncmp(line, "input", 5))
            strcat(out, "input 3x80x80\n");
        else if (strncmp(line, "colour", 6) && strncmp(line, "sprites", 7) && strncmp(line, "picture", 7))
            strncat(out, line, length);
    }
}

/* The document's network on sprites, and the same network on pictures that were painted before. */
static void sprites_are_the_painted_picture(void **state) {
    (void)state;
    char text[8192], bare[8192];
    struct trial t, painted;
    soloist_error error = {0};
    read_named("sokoban-imitation", text, sizeof text);
    without_sprites(text, bare);
    open_trial(&t, text, 5, 2);
    open_trial(&painted, bare, 5, 1);
    assert_int_equal(t.net.parameters, painted.net.parameters);
    assert_true(net_cpu.set(painted.runner, t.parameters, &error));
    double *picture = malloc(3 * 80 * 80 * sizeof *picture), planes[400];
    for (int i = 0; i < t.count; i++) {
        for (int k = 0; k < 400; k++)
            planes[k] = (double)t.planes[i * 400 + k];
        reference_paint(&t.net, planes, picture);
        for (int k = 0; k < 3 * 80 * 80; k++)
            painted.planes[i * 3 * 80 * 80 + k] = (float)picture[k];
    }
    size_t count = t.net.parameters;
    float *one = malloc(count * sizeof *one), *other = malloc(count * sizeof *other), logits[2][20], values[2][5];
    struct net_losses a, b;
    struct net_batch batch = batch_of(&t, NET_PLAIN_LOSS), painted_batch = batch_of(&painted, NET_PLAIN_LOSS);
    assert_true(net_cpu.forward(t.runner, t.planes, 5, logits[0], values[0], &error));
    assert_true(net_cpu.forward(painted.runner, painted.planes, 5, logits[1], values[1], &error));
    for (size_t i = 0; i < 20; i++)
        close_to("logit", i, (double)logits[0][i], (double)logits[1][i], 1e-5);
    for (size_t i = 0; i < 5; i++)
        close_to("value", i, (double)values[0][i], (double)values[1][i], 1e-5);
    assert_true(net_cpu.gradients(t.runner, &batch, one, &a, &error));
    assert_true(net_cpu.gradients(painted.runner, &painted_batch, other, &b, &error));
    close_to("loss", 0, a.total, b.total, 1e-5);
    for (size_t i = 0; i < count; i++)
        close_to("gradient", i, (double)one[i], (double)other[i], 1e-4);
    free(picture), free(one), free(other);
    close_trial(&t);
    close_trial(&painted);
}

/* A network of any size, given a size, computes the same bits as the description of that size. */
static void any_size_has_the_bits_of_a_fixed_one(void **state) {
    (void)state;
    static const char rest[] = "conv 20 3x3 pad 1 elu\nmark a\nconv 20 3x3 pad 1\nadd a elu\nmark a\nconv 4 1x1\n"
                               "policy\nfrom a\npool\nlinear 9\nmark b\nfrom a\npool max\nlinear 9\nadd b\nmark b\n"
                               "from a\nat 3\nlinear 9\nadd b relu\nlinear 1\nvalue\n";
    static const int sizes[][2] = {{10, 10}, {3, 11}, {1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char text[512];
        struct trial t;
        struct net any, net;
        soloist_error error = {0};
        struct net_runner_options options = {.batch = 3};
        snprintf(text, sizeof text, "input 3x%dx%d\n%s", sizes[i][0], sizes[i][1], rest);
        open_trial(&t, text, 3, 1);
        snprintf(text, sizeof text, "input 3x?x?\n%s", rest);
        assert_true(net_read(&any, text, strlen(text), &error));
        assert_true(net_at_size(&any, sizes[i][0], sizes[i][1], &net, &error));
        struct net_runner *runner = net_cpu.open(&net, &options, &error);
        assert_true(net_cpu.set(runner, t.parameters, &error));
        size_t actions = (size_t)net_actions(&net);
        float *logits[2] = {calloc(3 * actions, sizeof(float)), calloc(3 * actions, sizeof(float))}, values[2][3];
        assert_true(net_cpu.forward(t.runner, t.planes, 3, logits[0], values[0], &error));
        assert_true(net_cpu.forward(runner, t.planes, 3, logits[1], values[1], &error));
        assert_memory_equal(logits[0], logits[1], 3 * actions * sizeof(float));
        assert_memory_equal(values[0], values[1], sizeof values[0]);
        free(logits[0]), free(logits[1]);
        net_cpu.close(runner);
        net_free(&any), net_free(&net);
        close_trial(&t);
    }
}

static void gradients_of_weighted_losses(void **state) {
    (void)state;
    static const struct net_loss losses[] = {{0.7f, 2, 0.5f, 0, 0}, {0.3f, 0.5f, 2, 0, 0}, {1, 1, 1, 0.25f, 0}};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        struct trial t;
        open_trial(&t, networks[2], 11, 1);
        check_gradients(&t, losses[i]);
        close_trial(&t);
    }
}

static void threads_add_up_to_the_same_gradients(void **state) {
    (void)state;
    struct trial alone, together;
    soloist_error error = {0};
    open_trial(&alone, networks[0], 19, 1);
    open_trial(&together, networks[0], 19, 3);
    size_t count = alone.net.parameters;
    float *one = malloc(count * sizeof *one), *three = malloc(count * sizeof *three);
    struct net_losses a, b;
    struct net_batch batch = batch_of(&alone, NET_PLAIN_LOSS);
    assert_true(net_cpu.gradients(alone.runner, &batch, one, &a, &error));
    assert_true(net_cpu.gradients(together.runner, &batch, three, &b, &error));
    close_to("loss", 0, b.total, a.total, 1e-12);
    for (size_t i = 0; i < count; i++)
        close_to("gradient", i, (double)three[i], (double)one[i], 1e-5);
    check_outputs(&together, together.runner);
    free(one), free(three);
    close_trial(&alone);
    close_trial(&together);
}

/* ---- training ---- */

static void train(struct trial *t, int steps, double *losses) {
    soloist_error error = {0};
    struct net_batch batch = batch_of(t, NET_PLAIN_LOSS);
    for (int i = 0; i < steps; i++) {
        struct net_losses step;
        assert_true(net_cpu.step(t->runner, &batch, &step, &error));
        losses[i] = step.total;
    }
}

static void training_learns_and_repeats_exactly(void **state) {
    (void)state;
    enum { steps = 60 };
    double first[steps], again[steps];
    struct trial a, b;
    open_trial(&a, networks[0], 12, 1);
    open_trial(&b, networks[0], 12, 1);
    for (int i = 0; i < a.count; i++) /* one action each, a distribution as it should be */
        for (int k = 0; k < net_actions(&a.net); k++)
            a.policy[i * 8 + k] = b.policy[i * 8 + k] = k == i % 8;
    train(&a, steps, first);
    train(&b, steps, again);
    assert_memory_equal(first, again, sizeof first);
    assert_true(first[steps - 1] < first[0] * 0.8);
    float *left = malloc(a.net.parameters * sizeof(float)), *right = malloc(a.net.parameters * sizeof(float));
    assert_true(net_cpu.get(a.runner, left, NULL) && net_cpu.get(b.runner, right, NULL));
    assert_memory_equal(left, right, a.net.parameters * sizeof(float));
    free(left), free(right);
    close_trial(&a);
    close_trial(&b);
}

static void training_goes_on_where_it_stopped(void **state) {
    (void)state;
    enum { steps = 10 };
    double whole[steps], parts[steps], faster[1];
    struct trial a, b;
    open_trial(&a, networks[0], 12, 1);
    open_trial(&b, networks[0], 12, 1);
    size_t count = a.net.parameters;
    float *parameters = malloc(count * sizeof(float));
    struct net_memory memory = {.mean = malloc(count * sizeof(float)), .square = malloc(count * sizeof(float))};
    train(&a, steps, whole);
    train(&b, steps / 2, parts);
    assert_true(net_cpu.get(b.runner, parameters, NULL) && net_cpu.get_memory(b.runner, &memory, NULL));
    assert_int_equal(memory.steps, steps / 2);
    assert_true(net_cpu.set(b.runner, parameters, NULL) && net_cpu.set_memory(b.runner, &memory, NULL));
    train(&b, steps / 2, parts + steps / 2);
    assert_memory_equal(whole, parts, sizeof whole);
    b.runner->options.optimiser.rate *= 2; /* from the next step on */
    train(&a, 1, faster), train(&b, 1, faster);
    train(&a, 1, whole), train(&b, 1, faster);
    assert_true(whole[0] != faster[0]);
    free(parameters), free(memory.mean), free(memory.square);
    close_trial(&a);
    close_trial(&b);
}

/* Layers enough that the workers pack them side by side. */
static void threads_train_as_one_does(void **state) {
    (void)state;
    enum { steps = 6 };
    const char *deep = "input 2x5x5\nconv 16 3x3 pad 1 elu\nconv 16 3x3 pad 1 elu\nconv 16 3x3 pad 1 elu\n"
                       "conv 16 3x3 pad 1 elu\nconv 16 3x3 pad 1 elu\nconv 16 3x3 pad 1 elu\nlinear 7\npolicy\n";
    double one[steps], four[steps];
    struct trial alone, together;
    open_trial(&alone, deep, 9, 1);
    open_trial(&together, deep, 9, 4);
    train(&alone, steps, one);
    train(&together, steps, four);
    for (size_t i = 0; i < steps; i++)
        close_to("loss", i, four[i], one[i], 1e-4);
    assert_true(fabs(one[steps - 1] - one[0]) > 1e-3);
    close_trial(&alone);
    close_trial(&together);
}

static void misuse_is_refused(void **state) {
    (void)state;
    struct trial t;
    soloist_error error = {0};
    struct net_losses losses;
    open_trial(&t, networks[1], 4, 1);
    struct net_batch batch = batch_of(&t, NET_PLAIN_LOSS);
    batch.count = 5;
    assert_false(net_cpu.step(t.runner, &batch, &losses, &error));
    assert_string_equal(error.text, "a batch of 5 positions: expected 1 to 4");
    batch = batch_of(&t, NET_PLAIN_LOSS);
    batch.targets.value = t.value;
    assert_false(net_cpu.step(t.runner, &batch, &losses, &error));
    assert_string_equal(error.text, "a target for the value, which the network does not have");
    struct net_runner *lean = net_cpu.open(&t.net, &(struct net_runner_options){.batch = 4}, &error);
    batch = batch_of(&t, NET_PLAIN_LOSS);
    assert_false(net_cpu.step(lean, &batch, &losses, &error));
    assert_string_equal(error.text, "this runner was not opened for training");
    net_cpu.close(lean);
    close_trial(&t);
    assert_ptr_equal(net_back_end_find("cpu", &error), &net_cpu);
    assert_null(net_back_end_find("abacus", &error));
    assert_string_equal(error.text, "this build has no back end abacus");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree_with_plain_sums),      cmocka_unit_test(slopes_are_those_of_the_activations),
        cmocka_unit_test(outputs_are_those_of_plain_loops),    cmocka_unit_test(gradients_are_finite_differences),
        cmocka_unit_test(sprites_are_the_painted_picture),     cmocka_unit_test(any_size_has_the_bits_of_a_fixed_one),
        cmocka_unit_test(gradients_of_weighted_losses),        cmocka_unit_test(threads_add_up_to_the_same_gradients),
        cmocka_unit_test(training_learns_and_repeats_exactly), cmocka_unit_test(training_goes_on_where_it_stopped),
        cmocka_unit_test(threads_train_as_one_does),           cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
