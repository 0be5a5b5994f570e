/* The graphics card against the processor, which the unit tests hold against plain loops: outputs, gradients, losses of
 * a training, on every network of data/networks and some odd ones; and many runners at once.
 * bfloat16 keeps eight bits, so numbers are compared by the length of their difference. The exit status carries the
 * verdict; without a card it says so and is 0. */
#include "base/budget.h"
#include "net/back_end.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { steps = 10 };

struct pair {
    struct net net;
    const struct net_back_end *ends[2]; /* processor, card */
    struct net_runner *runners[2];
    float *parameters, *planes, *policy, *value, *marks;
    struct net_drawn *drawn;
    int count;
    size_t batch; /* a few more than `count` */
    int failed, passed;
};

static void verdict(struct pair *p, const char *what, double found, double allowed) {
    bool good = found <= allowed; /* false for NaN */
    printf("  %-28s %9.2e of %9.2e%s\n", what, found, allowed, good ? "" : "  WRONG");
    p->passed += good;
    p->failed += !good;
}

static void broken(struct pair *p, const soloist_error *error) {
    printf("  FAILED: %s\n", error->text);
    p->failed++;
}

/* The length of the difference beside the length of what is right. */
static double distance(const float *right, const float *got, size_t n) {
    double off = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        off += ((double)got[i] - (double)right[i]) * ((double)got[i] - (double)right[i]);
        all += (double)right[i] * (double)right[i];
    }
    return sqrt(off / (all > 0 ? all : 1));
}

static float *room(size_t n) { return calloc(n + 1, sizeof(float)); }

/* Of a third of the actions each move that is to be had has one, the drawn one two. */
static void draw_moves(struct pair *p, soloist_rng *rng) {
    size_t actions = (size_t)net_actions(&p->net);
    for (size_t i = 0; actions && i < p->batch; i++) {
        float *marks = p->marks + i * actions;
        for (size_t k = 0; k < actions; k++)
            marks[k] = soloist_rng_below(rng, 3) == 0;
        for (int k = 0; k < 2; k++)
            marks[soloist_rng_below(rng, (uint32_t)actions)] = -0.5f;
        p->drawn[i] = (struct net_drawn){3.0f / (float)actions, (float)(soloist_rng_unit(rng) * 4 - 1)};
    }
}

static void draw_batch(struct pair *p) {
    size_t planes = net_shape_size(net_input(&p->net)), actions = (size_t)net_actions(&p->net);
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    p->planes = room(p->batch * planes);
    p->policy = room(p->batch * actions);
    p->value = room(p->batch);
    p->marks = room(p->batch * actions);
    p->drawn = calloc(p->batch, sizeof *p->drawn);
    for (size_t i = 0; i < p->batch * planes; i++)
        p->planes[i] = soloist_rng_below(&rng, 5) == 0;
    for (size_t i = 0; i < p->batch; i++) {
        if (actions)
            p->policy[i * actions + soloist_rng_below(&rng, (uint32_t)actions)] = 1;
        p->value[i] = (float)soloist_rng_unit(&rng);
    }
    draw_moves(p, &rng);
}

static bool open_pair(struct pair *p, const char *text, size_t length, const char *optimiser) {
    soloist_error error = {0};
    struct net_runner_options options = {.batch = (int)p->batch, .train = true};
    soloist_options_reset(optimiser_options_rows, &options.optimiser);
    if (soloist_options_parse(optimiser_options_rows, &options.optimiser, optimiser, &error) != SOLOIST_OK ||
        !net_read(&p->net, text, length, &error) ||
        (net_is_any_size(&p->net) && !net_choose_size(&p->net, 9, 11, &error)))
        return broken(p, &error), false;
    p->parameters = room(p->net.parameters);
    net_initialise(&p->net, 5, p->parameters);
    draw_batch(p);
    for (int i = 0; i < 2; i++) {
        p->runners[i] = p->ends[i]->open(&p->net, &options, &error);
        if (!p->runners[i] || !p->ends[i]->set(p->runners[i], p->parameters, &error))
            return broken(p, &error), false;
    }
    return true;
}

static void close_pair(struct pair *p) {
    for (int i = 0; i < 2; i++) {
        if (p->runners[i])
            p->ends[i]->close(p->runners[i]);
        p->runners[i] = NULL;
    }
    net_free(&p->net);
    free(p->parameters), free(p->planes), free(p->policy), free(p->value), free(p->marks), free(p->drawn);
    p->parameters = p->planes = p->policy = p->value = p->marks = NULL;
    p->drawn = NULL;
}

static struct net_batch batch_of(const struct pair *p, bool drawn) {
    return (struct net_batch){p->count,
                              p->planes,
                              {p->net.policy ? drawn ? p->marks : p->policy : NULL, p->net.value ? p->value : NULL,
                               drawn && p->net.policy ? p->drawn : NULL},
                              {0.5f, 0.5f, 2, 0.01f, 0.5f}};
}

/* Twice each, for the second time plays a recording; and a single position, which is filled up otherwise. */
static void compare_outputs(struct pair *p) {
    size_t actions = (size_t)net_actions(&p->net);
    float *logits[2], *values[2];
    soloist_error error = {0};
    for (int i = 0; i < 2; i++)
        logits[i] = room(p->batch * actions), values[i] = room(p->batch);
    for (int round = 0; round < 4; round++) {
        int n = round % 2 ? 1 : p->count;
        for (int i = 0; i < 2; i++)
            if (!p->ends[i]->forward(p->runners[i], p->planes, n, logits[i], values[i], &error))
                broken(p, &error);
        if (p->net.policy)
            verdict(p, n == 1 ? "logits of one position" : "logits",
                    distance(logits[0], logits[1], (size_t)n * actions), 0.02);
        if (p->net.value)
            verdict(p, n == 1 ? "value of one position" : "values", distance(values[0], values[1], (size_t)n),
                    n == 1 ? 0.15 : 0.03);
    }
    for (int i = 0; i < 2; i++)
        free(logits[i]), free(values[i]);
}

/* Chooses the probabilities at which moves were drawn so that no ratio is near an edge of the clip range, where a
 * rounding decides whether there is a gradient at all. */
static void keep_off_the_edges(struct pair *p) {
    static const double ratios[] = {0.25, 0.8, 1.2, 2};
    int actions = net_actions(&p->net);
    float *logits = room((size_t)p->count * (size_t)actions);
    soloist_error error = {0};
    if (!p->ends[0]->forward(p->runners[0], p->planes, p->count, logits, NULL, &error))
        broken(p, &error);
    for (int i = 0; i < p->count; i++) {
        double own = 0, sum = 0;
        for (int k = 0; k < actions; k++) {
            float mark = p->marks[i * actions + k];
            double part = mark != 0 ? exp((double)logits[i * actions + k]) : 0;
            sum += part;
            own += mark < 0 ? part : 0;
        }
        p->drawn[i].probability = (float)(own / sum / ratios[i % 4]);
    }
    free(logits);
}

static void compare_gradients(struct pair *p, bool drawn) {
    float *gradients[2];
    struct net_losses losses[2] = {{0}};
    soloist_error error = {0};
    if (drawn)
        keep_off_the_edges(p);
    struct net_batch b = batch_of(p, drawn);
    for (int i = 0; i < 2; i++) {
        gradients[i] = room(p->net.parameters);
        if (!p->ends[i]->gradients(p->runners[i], &b, gradients[i], &losses[i], &error))
            broken(p, &error);
    }
    /* The losses of drawn moves have both signs and may nearly cancel, so a small total has no relative precision. */
    double size = fmax(1, fabs(losses[0].total));
    verdict(p, drawn ? "loss of drawn moves" : "loss", fabs(losses[1].total - losses[0].total) / size, 0.01);
    for (int i = 1; i <= p->net.count; i++) {
        const struct net_layer *layer = &p->net.layers[i];
        char what[64];
        if (!layer->weight_count)
            continue;
        snprintf(what, sizeof what, "gradient of %s", layer->name);
        verdict(p, what, distance(gradients[0] + layer->weight, gradients[1] + layer->weight, layer->weight_count),
                0.1);
        snprintf(what, sizeof what, "gradient of %s's bias", layer->name);
        if (i == p->net.policy && layer->bias_count == 1) { /* the same to all logits: a softmax does not see it */
            verdict(p, what, fabs((double)gradients[1][layer->bias]), 1e-3);
            continue;
        }
        /* A sum of many numbers that nearly cancel. */
        verdict(p, what, distance(gradients[0] + layer->bias, gradients[1] + layer->bias, layer->bias_count), 0.15);
    }
    free(gradients[0]), free(gradients[1]);
}

static void compare_training(struct pair *p) {
    struct net_losses losses;
    soloist_error error = {0};
    struct net_batch b = batch_of(p, false);
    double found[2][steps];
    for (int i = 0; i < 2; i++)
        for (int step = 0; step < steps; step++) {
            if (!p->ends[i]->step(p->runners[i], &b, &losses, &error))
                broken(p, &error);
            found[i][step] = losses.total;
        }
    double worst = 0;
    for (int step = 0; step < steps; step++)
        worst = fmax(worst, fabs(found[1][step] - found[0][step]) / fabs(found[0][0]));
    verdict(p, "losses of ten steps", worst, 0.1);
    verdict(p, "last loss beside the first", found[1][steps - 1] / found[1][0], 0.999);
    /* Parameters come back, and set starts anew: the first loss again. */
    struct net_memory memory = {room(p->net.parameters), room(p->net.parameters), 0};
    if (!p->ends[1]->get_memory(p->runners[1], &memory, &error) || memory.steps != steps ||
        !p->ends[1]->set_memory(p->runners[1], &memory, &error))
        broken(p, &error);
    free(memory.mean), free(memory.square);
    if (!p->ends[1]->get(p->runners[1], p->parameters, &error) ||
        !p->ends[1]->set(p->runners[1], p->parameters, &error) ||
        !p->ends[0]->set(p->runners[0], p->parameters, &error))
        broken(p, &error);
    compare_outputs(p);
}

static void compare_network(struct pair *p, const char *name, const char *text, size_t length, const char *optimiser,
                            int positions) {
    printf("%s, %d positions\n", name, positions);
    p->count = positions;
    p->batch = (size_t)positions + 3;
    if (open_pair(p, text, length, optimiser)) {
        compare_outputs(p);
        compare_gradients(p, false);
        if (p->net.policy)
            compare_gradients(p, true);
        compare_training(p);
    }
    close_pair(p);
}

static size_t read_named(const char *name, char *text, size_t most) {
    char path[512];
    snprintf(path, sizeof path, SOLOIST_SOURCE "/data/networks/%s.net", name);
    FILE *stream = fopen(path, "rb");
    size_t length = stream ? fread(text, 1, most, stream) : 0;
    if (stream)
        fclose(stream);
    return length;
}

/* One of many threads, which all open a runner, use it with batches of many sizes and close it, again and again. */
struct crowd {
    struct pair *pair;
    soloist_error error;
    int failed, rounds;
};

static bool one_round(const struct pair *p, int batch, soloist_error *error) {
    struct net_runner_options options = {.batch = batch, .train = true, .optimiser = p->runners[1]->options.optimiser};
    struct net_runner *runner = p->ends[1]->open(&p->net, &options, error);
    float *logits = p->ends[1]->take((size_t)batch * (size_t)net_actions(&p->net) * sizeof(float));
    struct net_batch all = batch_of(p, false);
    struct net_losses losses;
    all.count = batch;
    bool done = runner && logits && p->ends[1]->set(runner, p->parameters, error);
    for (int count = 1; done && count <= batch; count *= 2)
        done = p->ends[1]->forward(runner, p->planes, count, logits, NULL, error);
    for (int i = 0; done && i < 3; i++)
        done = p->ends[1]->step(runner, &all, &losses, error);
    p->ends[1]->close(runner);
    p->ends[1]->give(logits);
    return done;
}

static void *work_in_crowd(void *data) {
    struct crowd *crowd = data;
    for (int i = 0; i < crowd->rounds; i++)
        crowd->failed += !one_round(crowd->pair, crowd->pair->count - i % 8, &crowd->error);
    return NULL;
}

static void try_crowd(struct pair *p, const char *text, size_t length, int rounds) {
    enum { threads = 16 };
    struct crowd crowd[threads];
    pthread_t ids[threads];
    int failed = 0;
    p->count = 37;
    p->batch = 40;
    printf("%d threads, %d runners each\n", threads, rounds);
    if (!open_pair(p, text, length, "rate=1e-3"))
        rounds = 0;
    for (int i = 0; i < threads; i++) {
        crowd[i] = (struct crowd){.pair = p, .rounds = rounds};
        pthread_create(&ids[i], NULL, work_in_crowd, &crowd[i]);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        if (crowd[i].failed)
            printf("  %d rounds failed: %s\n", crowd[i].failed, crowd[i].error.text);
        failed += crowd[i].failed;
    }
    verdict(p, "rounds that failed", failed, 0);
    close_pair(p);
}

int main(int count, char **words) {
    static const char *const named[] = {
        "samegame-paper-policy-7", "samegame-paper-policy-15", "samegame-paper-policy-value-7", "samegame-residual-15",
        "sokoban-actor-critic",    "sokoban-imitation",        "sokoban-moves-first",           "sokoban-moves-tower",
        "sokoban-tower",           "sokoban-moves-rich-tower"};
    static const char odd[] = "input 3x6x7\nconv 5 3x3 pad 2 elu\nconv 18 3x3 pad 1 relu\nmark a\nconv 18 3x3 pad 1\n"
                              "add a elu\nconv 4 3x3 elu\nconv 7 1x1 elu\nconv 9 3x3 pad 2\npool elu\nmark b\n"
                              "linear 6 elu\nlinear 1\nvalue\nfrom b\nlinear 5 relu\nlinear 8\npolicy\n";
    static const char board[] =
        "input 4x?x?\nconv 64 3x3 pad 1 elu\nmark a\nconv 64 3x3 pad 1 elu\nconv 64 3x3 pad 1\nadd a elu\nmark a\n"
        "conv 64 3x3 pad 1 elu\nconv 64 3x3 pad 1\nadd a elu\nmark a\nconv 4 1x1\npolicy\nfrom a\npool\nlinear 9\n"
        "mark b\nfrom a\npool max\nlinear 9\nadd b\nmark b\nfrom a\nat 3\nlinear 9\nadd b relu\nlinear 1\nvalue\n";
    static const char sprites[] =
        "input 2x5x4\ncolour a 1 0.5 0.25\ncolour b 0 1 0.125\nsprites 4\npicture 10 abab baba aaaa bbbb\n"
        "picture 01 aaaa bbbb abba baab\npicture 11 bbbb abab abab aaab\nconv 35 5x3 pad 1 stride 3 relu\n"
        "conv 5 3x3 elu\nlinear 4\npolicy\n";
    static const char cells[] =
        "input 6x9x9\nconv 64 3x3 pad 1 elu\nconv 64 3x3 pad 1 elu\nmark a\nconv 1 1x1\npolicy\n"
        "from a\nconv 4 1x1 elu\nlinear 1\nvalue\n";
    soloist_error error = {0};
    struct pair p = {.ends = {&net_cpu, net_back_end_find("cuda", &error)}};
    char text[8192];
    if (!p.ends[1]) {
        printf("SKIP needs a graphics card: %s\n0 passed, 0 failed, 1 skipped\n", error.text);
        return 0;
    }
    compare_network(&p, "an odd one", odd, sizeof odd - 1, "rate=1e-3,l2=1e-4", 37);
    compare_network(&p, "a logit a cell", cells, sizeof cells - 1, "rate=1e-3", 37);
    compare_network(&p, "any size", board, sizeof board - 1, "rate=2e-4", 37);
    compare_network(&p, "sprites", sprites, sizeof sprites - 1,
                    "optimiser=rmsprop-tf,rate=1e-2,squares=0.99,epsilon=1e-5,clip=0.5", 37);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        compare_network(&p, named[i], text, read_named(named[i], text, sizeof text),
                        i % 2 ? "optimiser=rmsprop,rate=1e-4,squares=0.99,epsilon=1e-5,clip=0.5" : "rate=1e-4", 37);
    /* Batches in which a block computes one, two and three positions of the tower, the last block fewer. */
    compare_network(&p, "any size", board, sizeof board - 1, "rate=3e-4", 263);
    compare_network(&p, "any size", board, sizeof board - 1, "rate=3e-4", 1021);
    compare_network(&p, "any size", board, sizeof board - 1, "rate=3e-4", 2200);
    compare_network(&p, "sprites", sprites, sizeof sprites - 1, "rate=3e-4", 600);
    try_crowd(&p, odd, sizeof odd - 1, count > 1 ? atoi(words[1]) : 10);
    printf("%d passed, %d failed\n", p.passed, p.failed);
    return p.failed ? 1 : 0;
}
