/* Positions per second that a back end evaluates and learns from: speed BACK_END NETWORK [BATCH...]. NETWORK is the
 * name of a description in data/networks, or "all" for those that docs/MEASURED.md reports; boards of any size are
 * 10x10. Inputs travel to the back end and results come back in every call, as in a training. */
#include "base/budget.h"
#include "net/back_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct measured {
    const struct net_back_end *back_end;
    struct net net;
    float *parameters, *planes, *policy, *value, *logits, *values;
};

static bool open_net(struct measured *m, const char *name) {
    char path[512], text[16384];
    soloist_error error = {0};
    snprintf(path, sizeof path, SOLOIST_SOURCE "/data/networks/%s.net", name);
    FILE *stream = fopen(path, "rb");
    size_t length = stream ? fread(text, 1, sizeof text, stream) : 0;
    if (stream)
        fclose(stream);
    if (!stream || !net_read(&m->net, text, length, &error) ||
        (net_is_any_size(&m->net) && !net_choose_size(&m->net, 10, 10, &error))) {
        fprintf(stderr, "speed: %s: %s\n", path, stream ? error.text : "cannot be read");
        return false;
    }
    return true;
}

static float *take(const struct measured *m, size_t count) {
    float *memory = m->back_end->take((count + 1) * sizeof(float));
    if (memory)
        memset(memory, 0, (count + 1) * sizeof(float));
    return memory;
}

static bool draw(struct measured *m, int batch) {
    size_t planes = (size_t)batch * net_shape_size(net_input(&m->net)), actions = (size_t)net_actions(&m->net);
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 0);
    m->parameters = malloc(m->net.parameters * sizeof(float));
    m->planes = take(m, planes);
    m->policy = take(m, (size_t)batch * actions);
    m->logits = take(m, (size_t)batch * actions);
    m->value = take(m, (size_t)batch);
    m->values = take(m, (size_t)batch);
    if (!m->parameters || !m->planes || !m->policy || !m->value || !m->logits || !m->values)
        return false;
    for (size_t i = 0; i < planes; i++)
        m->planes[i] = soloist_rng_below(&rng, 6) == 0;
    for (size_t i = 0; actions && i < (size_t)batch; i++)
        m->policy[i * actions + soloist_rng_below(&rng, (uint32_t)actions)] = 1;
    return net_initialise(&m->net, 1, m->parameters);
}

static void drop(struct measured *m) {
    m->back_end->give(m->planes), m->back_end->give(m->policy), m->back_end->give(m->logits);
    m->back_end->give(m->value), m->back_end->give(m->values);
    free(m->parameters);
}

/* On the processor, one thread works, and its own time counts, however busy the machine is. */
static double seconds_of(const struct measured *m) {
    return m->back_end == &net_cpu ? (double)clock() / CLOCKS_PER_SEC : clock_seconds();
}

/* Calls for at least a second, after three that do not count. */
static double measure(struct measured *m, int batch, bool learn, soloist_error *error) {
    struct net_runner_options options = {.batch = batch, .train = learn};
    soloist_options_reset(optimiser_options_rows, &options.optimiser);
    struct net_runner *runner = m->back_end->open(&m->net, &options, error);
    bool good = runner && m->back_end->set(runner, m->parameters, error);
    struct net_batch b = {
        batch, m->planes, {m->net.policy ? m->policy : NULL, m->net.value ? m->value : NULL, NULL}, NET_PLAIN_LOSS};
    struct net_losses losses;
    double start = 0, seconds = 0;
    int rounds = 0;
    for (int round = -3; good && seconds < 1; round++) {
        if (round == 0)
            start = seconds_of(m);
        good = learn ? m->back_end->step(runner, &b, &losses, error)
                     : m->back_end->forward(runner, m->planes, batch, m->logits, m->values, error);
        if (round >= 0) {
            rounds = round + 1;
            seconds = seconds_of(m) - start;
        }
    }
    if (runner)
        m->back_end->close(runner);
    return good ? rounds * batch / seconds : 0;
}

static int show(const struct net_back_end *back_end, const char *name, const char *const *batches) {
    static const char *const usual[] = {"1", "16", "128", "256", "1024", "4096", NULL};
    struct measured m = {.back_end = back_end};
    int failed = 0;
    if (!open_net(&m, name))
        return 1;
    for (batches = *batches ? batches : usual; *batches; batches++) {
        int batch = atoi(*batches);
        soloist_error error = {0};
        if (batch < 1 || !draw(&m, batch))
            return 1;
        double judged = measure(&m, batch, false, &error), learned = measure(&m, batch, true, &error);
        printf("%-28s %-5s batch %5d: %9.0f evaluated/s, %9.0f learned/s %s\n", name, back_end->name, batch, judged,
               learned, error.text);
        fflush(stdout);
        failed += judged <= 0 || learned <= 0;
        drop(&m);
    }
    net_free(&m.net);
    return failed;
}

int main(int count, char **words) {
    static const char *const named[] = {"sokoban-imitation",   "sokoban-actor-critic", "sokoban-moves-first",
                                        "sokoban-moves-tower", "sokoban-tower",        "samegame-tower-15"};
    soloist_error error = {0};
    const struct net_back_end *back_end = count > 2 ? net_back_end_find(words[1], &error) : NULL;
    if (!back_end) {
        fprintf(stderr, "usage: speed cpu|cuda NETWORK|all [BATCH...]\n%s\n", error.text);
        return 2;
    }
    int failed = 0;
    if (strcmp(words[2], "all"))
        return show(back_end, words[2], (const char *const *)words + 3);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        failed += show(back_end, named[i], (const char *const *)words + 3);
    return failed != 0;
}
