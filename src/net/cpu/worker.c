/* A worker: it has the buffers of one slice and computes its share of a batch. */
#include "net/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* If layers share a buffer, the first of them owns it, and the buffer has the size of the largest layer. */
static bool open_values(struct cpu_worker *worker) {
    const struct cpu_runner *runner = worker->runner;
    const struct net *net = runner->head.net;
    int owner[NET_MOST_LAYERS + 1];
    size_t sizes[NET_MOST_LAYERS + 1] = {0}, slice = (size_t)runner->slice;
    net_share_buffers(net, owner);
    for (int i = 1; i <= net->count; i++) {
        owner[i] = runner->head.options.train ? i : owner[i];
        sizes[owner[i]] = larger(sizes[owner[i]], runner->layers[i].out_size);
    }
    for (int i = 1; i <= net->count; i++) {
        worker->values[i] = owner[i] == i ? cpu_take(sizes[i] * slice) : worker->values[owner[i]];
        worker->gradients[i] = runner->head.options.train ? cpu_take(runner->layers[i].out_size * slice) : NULL;
        if (!worker->values[i] || (runner->head.options.train && !worker->gradients[i]))
            return false;
    }
    return true;
}

bool cpu_worker_open(struct cpu_worker *worker, struct cpu_runner *runner) {
    size_t windows = 1, spread = 1, packed = 1, spare = 1;
    bool train = runner->head.options.train;
    worker->runner = runner;
    for (int i = 1; i <= runner->head.net->count; i++) {
        const struct cpu_layer *plan = &runner->layers[i];
        size_t places = (size_t)(plan->layer->out.height * plan->layer->out.width);
        spare = larger(spare, plan->out_size * (size_t)runner->slice);
        if (plan->way == CPU_NO_WEIGHTS)
            continue;
        bool whole = plan->way == CPU_DIRECT;
        if (plan->way == CPU_TABLE)
            continue;
        size_t group = train ? (size_t)plan->group : 1;
        packed = larger(packed, plan->out_size * group);
        if (plan->way == CPU_WINOGRAD)
            packed = larger(packed, (size_t)(plan->out_channels * cpu_winograd_tiles(runner)));
        else if (!whole)
            windows = larger(windows, places * (size_t)plan->depth * group);
        if (plan->way == CPU_WINOGRAD)
            spread = larger(spread, larger((size_t)plan->in_channels, (size_t)plan->out_channels));
    }
    spread *= CPU_WINOGRAD_POINTS * (size_t)cpu_winograd_tiles(runner);
    worker->windows = cpu_take(windows);
    worker->spread = cpu_take(spread);
    worker->products = cpu_take(spread);
    worker->packed = train ? cpu_take(packed) : NULL;
    worker->spare = train ? cpu_take(spare) : NULL;
    worker->sums = train ? cpu_take(runner->sums) : NULL;
    struct net_shape input = net_input(runner->head.net);
    worker->classes = malloc((size_t)(input.height * input.width) * sizeof *worker->classes);
    bool trains = !train || (worker->packed && worker->spare && worker->sums);
    return worker->windows && worker->spread && worker->products && worker->classes && trains && open_values(worker);
}

void cpu_worker_close(struct cpu_worker *worker) {
    for (int i = 1; worker->runner && i <= worker->runner->head.net->count; i++) {
        bool owned = true;
        for (int k = 1; k < i; k++)
            owned &= worker->values[k] != worker->values[i];
        if (owned)
            free(worker->values[i]);
        free(worker->gradients[i]);
    }
    free(worker->windows);
    free(worker->spread);
    free(worker->products);
    free(worker->packed);
    free(worker->spare);
    free(worker->sums);
    free(worker->classes);
}

/* ---- a share of a batch ---- */

/* Copies an output without the padding of its channels, channels first. */
static void copy_output(const struct cpu_layer *plan, const float *from, int count, float *to) {
    size_t real = (size_t)plan->layer->out.channels, places = net_shape_size(plan->layer->out) / real;
    for (size_t i = 0; i < (size_t)count; i++, to += real * places)
        for (size_t place = 0; place < places; place++, from += plan->out_channels)
            for (size_t c = 0; c < real; c++)
                to[c * places + place] = from[c];
}

/* The reverse; the padding stays zero. */
static void copy_gradient(const struct cpu_layer *plan, const float *from, int count, float *to) {
    size_t real = (size_t)plan->layer->out.channels, places = net_shape_size(plan->layer->out) / real;
    for (size_t i = 0; i < (size_t)count; i++, from += real * places)
        for (size_t place = 0; place < places; place++, to += plan->out_channels)
            for (size_t c = 0; c < real; c++)
                to[c] = from[c * places + place];
}

/* Computes the losses from position `first` on, and the gradients of the outputs. */
static void lose(struct cpu_worker *worker, int first, int count) {
    const struct cpu_runner *runner = worker->runner;
    const struct net_batch *batch = runner->batch;
    const struct net *net = runner->head.net;
    size_t actions = (size_t)net_actions(net), at = (size_t)first;
    float *logits = net->policy ? runner->logits + at * actions : NULL;
    float *values = net->value ? runner->outputs + at : NULL;
    struct net_targets targets = {batch->targets.policy ? batch->targets.policy + at * actions : NULL,
                                  batch->targets.value ? batch->targets.value + at : NULL,
                                  batch->targets.drawn ? batch->targets.drawn + at : NULL};
    /* The gradients overwrite the outputs, which are not needed any more. */
    net_loss_add(&batch->loss, &targets, count, batch->count, (int)actions, logits, values, logits, values,
                 &worker->losses);
    if (net->policy)
        copy_gradient(&runner->layers[net->policy], logits, count, worker->gradients[net->policy]);
    if (net->value)
        copy_gradient(&runner->layers[net->value], values, count, worker->gradients[net->value]);
}

static void work_slice(struct cpu_worker *worker, int first, int count) {
    struct cpu_runner *runner = worker->runner;
    const struct net *net = runner->head.net;
    size_t planes = net_shape_size(net_input(net)), at = (size_t)first;
    worker->values[0] = (float *)(uintptr_t)(runner->batch->planes + at * planes);
    cpu_forward(worker, count);
    if (runner->logits)
        copy_output(&runner->layers[net->policy], worker->values[net->policy], count,
                    runner->logits + at * (size_t)net_actions(net));
    if (runner->outputs)
        copy_output(&runner->layers[net->value], worker->values[net->value], count, runner->outputs + at);
    if (runner->job == CPU_GRADIENTS) {
        lose(worker, first, count);
        cpu_backward(worker, count);
    }
}

/* For this worker's range of the parameters, adds up the sums of all workers in a fixed order. */
static void reduce(struct cpu_worker *worker) {
    const struct cpu_runner *runner = worker->runner;
    size_t threads = (size_t)runner->threads, number = (size_t)worker->number;
    size_t from = runner->sums * number / threads, to = runner->sums * (number + 1) / threads;
    float *total = runner->workers[0].sums;
    for (size_t t = 1; t < threads; t++) {
        const float *part = runner->workers[t].sums;
        for (size_t i = from; i < to; i++)
            total[i] += part[i];
    }
}

/* Packs this worker's share of the layers. The memory of the sums, which are no longer needed, serves as scratch space;
 * it is large enough (see pack_all). */
static void pack(struct cpu_worker *worker) {
    struct cpu_runner *runner = worker->runner;
    for (int i = 1 + worker->number; i <= runner->head.net->count; i += runner->threads)
        cpu_layers_pack(runner, i, worker->sums);
}

static void work_share(struct cpu_worker *worker) {
    struct cpu_runner *runner = worker->runner;
    int count = runner->batch->count, shares = count < runner->threads ? count : runner->threads;
    worker->losses = (struct net_losses){0};
    if (runner->job == CPU_GRADIENTS)
        memset(worker->sums, 0, runner->sums * sizeof(float));
    if (worker->number >= shares)
        return;
    int from = (int)((int64_t)count * worker->number / shares);
    int to = (int)((int64_t)count * (worker->number + 1) / shares);
    for (int first = from; first < to; first += runner->slice)
        work_slice(worker, first, to - first < runner->slice ? to - first : runner->slice);
}

void cpu_worker_work(struct cpu_worker *worker) {
    switch (worker->runner->job) {
    case CPU_FORWARD:
    case CPU_GRADIENTS: work_share(worker); break;
    case CPU_REDUCE: reduce(worker); break;
    case CPU_PACK: pack(worker); break;
    case CPU_QUIT: break;
    }
}
