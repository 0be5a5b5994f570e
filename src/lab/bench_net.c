#include "lab/bench_net.h"

#include "base/hash.h"
#include "net/back_end.h"
#include "soloist_extra.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 64

/* The layers of data/networks/samegame-paper-policy-15.net, but with weights that can be generated quickly. */
static const char description[] = "input 6x15x15\n"
                                  "init uniform\n"
                                  "conv 64 3x3 pad 2 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 3x3 elu\n"
                                  "conv 64 3x3 elu\n"
                                  "conv 64 1x1 elu\n"
                                  "conv 64 3x3 pad 1 elu\n"
                                  "conv 64 1x1 elu\n"
                                  "linear 225\n"
                                  "policy\n";

struct network_bench {
    const soloist_domain *domain;
    const soloist_instance *instance;
    struct net net;
    struct net_runner *runner;
    float *parameters, *planes, *logits;
    void *state;
    soloist_move *moves;
    soloist_rng rng;
};

static bool open_bench(struct network_bench *bench, soloist_error *error) {
    soloist_shape shape = {0};
    struct net_runner_options options = {.batch = BATCH};
    bench->domain->life->shape(bench->instance, &shape);
    if (!net_read(&bench->net, description, sizeof description - 1, error))
        return false;
    bench->parameters = malloc(bench->net.parameters * sizeof(float));
    bench->planes = malloc(BATCH * net_shape_size(net_input(&bench->net)) * sizeof(float));
    bench->logits = malloc(BATCH * (size_t)net_actions(&bench->net) * sizeof(float));
    bench->state = malloc(shape.state_size);
    bench->moves = malloc(((size_t)shape.most_moves + 1) * sizeof *bench->moves);
    if (!bench->parameters || !bench->planes || !bench->logits || !bench->state || !bench->moves ||
        !net_initialise(&bench->net, 1, bench->parameters))
        return soloist_fail(error, 0, 0, "no memory for a network");
    bench->runner = net_cpu.open(&bench->net, &options, error);
    return bench->runner && net_cpu.set(bench->runner, bench->parameters, error);
}

static void close_bench(struct network_bench *bench) {
    if (bench->runner)
        net_cpu.close(bench->runner);
    net_free(&bench->net);
    free(bench->parameters);
    free(bench->planes);
    free(bench->logits);
    free(bench->state);
    free(bench->moves);
}

/* Writes the next state of a random game as planes. */
static void encode_next(struct network_bench *bench, float *slot) {
    int count = bench->domain->core->moves(bench->instance, bench->state, bench->moves);
    bench->domain->learn->encode(bench->instance, bench->state, net_input(&bench->net).channels, slot);
    if (count)
        bench->domain->core->apply(bench->instance, bench->state,
                                   bench->moves[soloist_rng_below(&bench->rng, (uint32_t)count)], NULL);
    else
        bench->domain->life->root(bench->instance, bench->state);
}

bool bench_network(const soloist_domain *domain, const soloist_instance *instance, int64_t positions, uint64_t *count,
                   uint64_t *signature, soloist_error *error) {
    struct network_bench bench = {.domain = domain, .instance = instance};
    bool good = open_bench(&bench, error);
    size_t size = good ? net_shape_size(net_input(&bench.net)) : 0;
    if (good) {
        soloist_rng_seed(&bench.rng, 4, 0);
        domain->life->root(instance, bench.state);
        *signature = hash_bytes(bench.parameters, bench.net.parameters * sizeof(float));
    }
    for (int64_t done = 0; good && done < positions; done += BATCH) {
        for (size_t i = 0; i < BATCH; i++)
            encode_next(&bench, bench.planes + i * size);
        *signature = hash_mix(*signature ^ hash_bytes(bench.planes, BATCH * size * sizeof(float)));
        good = net_cpu.forward(bench.runner, bench.planes, BATCH, bench.logits, NULL, error);
        *count += BATCH;
    }
    close_bench(&bench);
    return good;
}
