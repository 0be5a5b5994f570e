/* A whole training step against PyTorch, where python3-torch is installed: logits, values, every gradient and the
 * losses of ten steps, from numbers that tests/parity/torch_step.py writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/back_end.h"
#include "net/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { count = 6, steps = 10 };

struct parity {
    char folder[64];
    struct net net;
    float *parameters, *planes, *policy, *value, *theirs;
    size_t plane_count, actions, their_count;
    struct net_runner *runner;
};

static void path_of(const struct parity *p, const char *name, char out[128]) {
    snprintf(out, 128, "%s/%s", p->folder, name);
}

static void read_network(struct parity *p, const char *name) {
    char path[512], text[8192];
    snprintf(path, sizeof path, SOLOIST_SOURCE "/data/networks/%s.net", name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    size_t length = fread(text, 1, sizeof text, stream);
    fclose(stream);
    assert_true(net_read(&p->net, text, length, NULL));
}

/* Planes of one bit each, and targets as a search would give them. */
static void draw_batch(struct parity *p) {
    soloist_rng rng;
    soloist_rng_seed(&rng, 21, 0);
    p->planes = malloc(count * p->plane_count * sizeof(float));
    p->policy = calloc(count * p->actions, sizeof(float));
    p->value = malloc(count * sizeof(float));
    for (size_t i = 0; i < count * p->plane_count; i++)
        p->planes[i] = soloist_rng_below(&rng, 4) == 0;
    for (size_t i = 0; i < count; i++) {
        p->policy[i * p->actions + soloist_rng_below(&rng, (uint32_t)p->actions)] += 0.75f;
        p->policy[i * p->actions + soloist_rng_below(&rng, (uint32_t)p->actions)] += 0.25f;
        p->value[i] = (float)(4 * soloist_rng_unit(&rng) - 2);
    }
}

static void save_batch(const struct parity *p, const char *path) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fwrite(p->planes, sizeof(float), count * p->plane_count, stream);
    fwrite(p->policy, sizeof(float), count * p->actions, stream);
    fwrite(p->value, sizeof(float), count, stream);
    assert_int_equal(fclose(stream), 0);
}

static void remove_folder(const struct parity *p) {
    static const char *const names[] = {"net", "batch", "out"};
    char path[128];
    for (size_t i = 0; i < 3; i++) {
        path_of(p, names[i], path);
        unlink(path);
    }
    rmdir(p->folder);
}

/* Runs the script by the first Python that has PyTorch; false: none has. */
static bool ask_torch(struct parity *p, const char *arguments) {
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    char command[1024], net[128], batch[128], out[128];
    path_of(p, "net", net), path_of(p, "batch", batch), path_of(p, "out", out);
    assert_true(net_file_save(net, &p->net, p->parameters, NULL, NULL));
    save_batch(p, batch);
    int status = -1;
    for (size_t i = 0; i < 2 && status != 0; i++) {
        snprintf(command, sizeof command, "%s " SOLOIST_SOURCE "/tests/parity/torch_step.py %s %s %s %d %s", pythons[i],
                 net, batch, out, count, arguments);
        status = system(command);
        if (status != 0 && WEXITSTATUS(status) != 77 && WEXITSTATUS(status) != 127)
            fail_msg("the script failed: %s", command);
    }
    if (status != 0)
        return false;
    size_t most = p->net.parameters + count * (p->actions + 1) + steps + 1;
    p->theirs = malloc(most * sizeof(float));
    FILE *stream = fopen(out, "rb");
    assert_non_null(stream);
    p->their_count = fread(p->theirs, sizeof(float), most, stream);
    fclose(stream);
    return true;
}

/* Numbers that are small beside the others of their kind may be off by as much as the others' rounding. */
static const float *compare(const char *what, const float *ours, const float *theirs, size_t n, double tolerance) {
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += (double)theirs[i] * (double)theirs[i];
    double scale = sqrt(square / (double)n);
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)ours[i] - (double)theirs[i]) <= tolerance * (scale + fabs((double)theirs[i]))))
            fail_msg("%s %zu: %.8g, PyTorch has %.8g", what, i, (double)ours[i], (double)theirs[i]);
    return theirs + n;
}

static void compare_all(struct parity *p, struct net_loss loss) {
    float *logits = malloc(count * p->actions * sizeof(float)), values[count], losses[steps];
    float *gradients = malloc(p->net.parameters * sizeof(float));
    struct net_losses found;
    soloist_error error = {0};
    struct net_batch batch = {count, p->planes, {p->policy, p->net.value ? p->value : NULL, NULL}, loss};
    assert_int_equal(p->their_count, count * (p->actions + (p->net.value != 0)) + p->net.parameters + steps);
    assert_true(net_cpu.forward(p->runner, p->planes, count, logits, values, &error));
    const float *theirs = compare("logit", logits, p->theirs, count * p->actions, 1e-4);
    if (p->net.value)
        theirs = compare("value", values, theirs, count, 1e-4);
    assert_true(net_cpu.gradients(p->runner, &batch, gradients, &found, &error));
    for (int i = 1; i <= p->net.count; i++) {
        const struct net_layer *layer = &p->net.layers[i];
        if (layer->weight_count) {
            theirs = compare(layer->name, gradients + layer->weight, theirs, layer->weight_count, 1e-3);
            theirs = compare(layer->name, gradients + layer->bias, theirs, layer->bias_count, 1e-3);
        }
    }
    for (int i = 0; i < steps; i++) {
        assert_true(net_cpu.step(p->runner, &batch, &found, &error));
        losses[i] = (float)found.total;
    }
    compare("loss", losses, theirs, steps, 2e-3);
    assert_true(losses[steps - 1] < losses[0]);
    free(logits), free(gradients);
}

static void trains_as_torch(const char *network, const char *optimiser, const char *arguments, struct net_loss loss) {
    struct parity p = {.folder = "/tmp/soloist-torch-XXXXXX"};
    soloist_error error = {0};
    struct net_runner_options options = {.batch = count, .train = true};
    soloist_options_reset(optimiser_options_rows, &options.optimiser);
    assert_int_equal(soloist_options_parse(optimiser_options_rows, &options.optimiser, optimiser, &error), SOLOIST_OK);
    assert_non_null(mkdtemp(p.folder));
    read_network(&p, network);
    p.plane_count = net_shape_size(net_input(&p.net));
    p.actions = (size_t)net_actions(&p.net);
    p.parameters = malloc(p.net.parameters * sizeof(float));
    assert_true(net_initialise(&p.net, 4, p.parameters));
    draw_batch(&p);
    bool asked = ask_torch(&p, arguments);
    if (asked) {
        p.runner = net_cpu.open(&p.net, &options, &error);
        assert_non_null(p.runner);
        assert_true(net_cpu.set(p.runner, p.parameters, &error));
        compare_all(&p, loss);
        net_cpu.close(p.runner);
    }
    remove_folder(&p);
    net_free(&p.net);
    free(p.parameters), free(p.planes), free(p.policy), free(p.value), free(p.theirs);
    if (!asked) {
        printf("SKIP needs python3-torch: a training step against PyTorch\n");
        skip();
    }
}

static void policy_and_value_of_samegame(void **state) {
    (void)state;
    trains_as_torch("samegame-paper-policy-value-7", "rate=5e-4,l2=1e-4", "adam 5e-4 0.999 1e-8 1e-4 0 0.25 0.5 2 0",
                    (struct net_loss){0.25f, 0.5f, 2, 0, 0});
}

static void actor_critic_of_sokoban(void **state) {
    (void)state;
    trains_as_torch("sokoban-actor-critic", "optimiser=rmsprop,rate=7e-5,squares=0.99,epsilon=1e-5,clip=0.5",
                    "rmsprop 7e-5 0.99 1e-5 0 0.5 0.5 1 1 0.01", (struct net_loss){0.5f, 1, 1, 0.01f, 0});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policy_and_value_of_samegame),
        cmocka_unit_test(actor_critic_of_sokoban),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
