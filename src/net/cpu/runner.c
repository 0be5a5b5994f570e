/* The CPU as a back end: opens and closes runners, and gives jobs to the worker threads. The calling thread is the
 * first worker. */
#include "net/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

/* Positions per slice: so many that it pays to read the last layer's weights once for all of them, and so few that
 * their values fit into the cache. */
#define SLICE 16

static struct cpu_runner *of(struct net_runner *runner) { return (struct cpu_runner *)runner; }

/* ---- threads ---- */

static void *worker_thread(void *argument) {
    struct cpu_worker *worker = argument;
    struct cpu_runner *runner = worker->runner;
    uint64_t done = 0;
    for (;;) {
        pthread_mutex_lock(&runner->lock);
        while (runner->jobs == done)
            pthread_cond_wait(&runner->begin, &runner->lock);
        done = runner->jobs;
        enum cpu_job job = runner->job;
        pthread_mutex_unlock(&runner->lock);
        if (job == CPU_QUIT)
            return NULL;
        cpu_worker_work(worker);
        pthread_mutex_lock(&runner->lock);
        if (--runner->busy == 0)
            pthread_cond_signal(&runner->end);
        pthread_mutex_unlock(&runner->lock);
    }
}

static void begin_job(struct cpu_runner *runner, enum cpu_job job) {
    pthread_mutex_lock(&runner->lock);
    runner->job = job;
    runner->jobs++;
    runner->busy = runner->threads - 1;
    pthread_cond_broadcast(&runner->begin);
    pthread_mutex_unlock(&runner->lock);
}

static void do_job(struct cpu_runner *runner, enum cpu_job job, bool alone) {
    if (alone)
        runner->job = job;
    else
        begin_job(runner, job);
    cpu_worker_work(&runner->workers[0]);
    if (alone)
        return;
    pthread_mutex_lock(&runner->lock);
    while (runner->busy)
        pthread_cond_wait(&runner->end, &runner->lock);
    pthread_mutex_unlock(&runner->lock);
}

/* Computes a batch; results go to logits and outputs. A single position is computed by the calling thread alone,
 * because waking another thread would take longer. */
static void do_batch(struct cpu_runner *runner, enum cpu_job job, const struct net_batch *batch, float *logits,
                     float *outputs) {
    runner->batch = batch;
    runner->logits = logits;
    runner->outputs = outputs;
    do_job(runner, job, runner->threads == 1 || (batch->count == 1 && job == CPU_FORWARD));
}

static void pack_all(struct cpu_runner *runner) {
    bool roomy = runner->head.options.train && runner->block_size <= runner->sums;
    if (roomy && runner->threads > 1)
        do_job(runner, CPU_PACK, false);
    else
        for (int i = 1; i <= runner->head.net->count; i++)
            cpu_layers_pack(runner, i, runner->block);
}

/* ---- life ---- */

static const char *cpu_absent(void) { return NULL; }
static const char *cpu_about(void) { return cpu_kernel_best()->name; }

static void cpu_close(struct net_runner *base) {
    struct cpu_runner *runner = of(base);
    if (!runner)
        return;
    if (runner->locks && runner->workers && runner->threads > 1)
        begin_job(runner, CPU_QUIT);
    for (int i = 0; runner->workers && i < runner->threads; i++)
        if (runner->workers[i].running)
            pthread_join(runner->workers[i].thread, NULL);
    for (int i = 0; runner->workers && i < runner->threads; i++)
        cpu_worker_close(&runner->workers[i]);
    if (runner->locks) {
        pthread_mutex_destroy(&runner->lock);
        pthread_cond_destroy(&runner->begin);
        pthread_cond_destroy(&runner->end);
    }
    cpu_layers_close(runner);
    optimiser_close(&runner->optimiser);
    free(runner->workers);
    free(runner->parameters);
    free(runner->gradients);
    free(runner->planes);
    free(runner->zeros);
    free(runner);
}

static bool open_workers(struct cpu_runner *runner) {
    runner->workers = calloc((size_t)runner->threads, sizeof *runner->workers);
    if (!runner->workers)
        return false;
    for (int i = 0; i < runner->threads; i++) {
        runner->workers[i].number = i;
        if (!cpu_worker_open(&runner->workers[i], runner))
            return false;
    }
    for (int i = 1; i < runner->threads; i++) {
        struct cpu_worker *worker = &runner->workers[i];
        worker->running = pthread_create(&worker->thread, NULL, worker_thread, worker) == 0;
        if (!worker->running)
            return false;
    }
    return true;
}

static bool open_buffers(struct cpu_runner *runner) {
    const struct net *net = runner->head.net;
    bool train = runner->head.options.train;
    int widest = 1;
    for (int i = 0; i <= net->count; i++)
        widest = net->layers[i].out.channels > widest ? net->layers[i].out.channels : widest;
    runner->zeros = cpu_take((size_t)cpu_padded(widest));
    runner->parameters = cpu_take(net->parameters);
    runner->planes = cpu_take((size_t)runner->head.options.batch * net_shape_size(net_input(net)));
    runner->gradients = train ? cpu_take(net->parameters) : NULL;
    if (train && !optimiser_open(&runner->optimiser, &runner->head.options.optimiser, net->parameters))
        return false;
    return runner->zeros && runner->parameters && runner->planes && (!train || runner->gradients);
}

static struct net_runner *cpu_open(const struct net *net, const struct net_runner_options *options,
                                   soloist_error *error) {
    struct cpu_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return soloist_fail(error, 0, 0, "no memory for a network"), NULL;
    runner->head = (struct net_runner){&net_cpu, net, *options};
    runner->head.options.batch = options->batch > 0 ? options->batch : 64;
    runner->threads = runner->head.options.threads = options->threads > 0 ? options->threads : 1;
    runner->kernel = cpu_kernel_best();
    runner->slice = runner->head.options.batch < SLICE ? runner->head.options.batch : SLICE;
    pthread_mutex_init(&runner->lock, NULL);
    pthread_cond_init(&runner->begin, NULL);
    pthread_cond_init(&runner->end, NULL);
    runner->locks = true;
    if (open_buffers(runner) && cpu_layers_open(runner) && open_workers(runner)) {
        pack_all(runner);
        return &runner->head;
    }
    soloist_fail(error, 0, 0, "no memory for a network of %zu parameters and batches of %d", net->parameters,
                 runner->head.options.batch);
    cpu_close(&runner->head);
    return NULL;
}

/* ---- work ---- */

static bool cpu_set(struct net_runner *base, const float *parameters, soloist_error *error) {
    struct cpu_runner *runner = of(base);
    (void)error;
    memcpy(runner->parameters, parameters, base->net->parameters * sizeof(float));
    pack_all(runner);
    if (base->options.train)
        optimiser_reset(&runner->optimiser);
    return true;
}

static bool cpu_get(struct net_runner *base, float *parameters, soloist_error *error) {
    (void)error;
    memcpy(parameters, of(base)->parameters, base->net->parameters * sizeof(float));
    return true;
}

static bool get_memory(struct net_runner *base, struct net_memory *memory, soloist_error *error) {
    const struct optimiser *optimiser = &of(base)->optimiser;
    (void)error;
    memcpy(memory->mean, optimiser->mean, optimiser->count * sizeof(float));
    memcpy(memory->square, optimiser->square, optimiser->count * sizeof(float));
    memory->steps = optimiser->steps;
    return true;
}

static bool set_memory(struct net_runner *base, const struct net_memory *memory, soloist_error *error) {
    struct optimiser *optimiser = &of(base)->optimiser;
    (void)error;
    memcpy(optimiser->mean, memory->mean, optimiser->count * sizeof(float));
    memcpy(optimiser->square, memory->square, optimiser->count * sizeof(float));
    optimiser->steps = memory->steps;
    return true;
}

static void *take_memory(size_t size) { return aligned_alloc(64, (size + 63) / 64 * 64 + 64); }
static void give_memory(void *memory) { free(memory); }

static float *cpu_slot(struct net_runner *base) { return of(base)->planes; }

static bool cpu_forward_batch(struct net_runner *base, const float *planes, int count, float *logits, float *values,
                              soloist_error *error) {
    struct net_batch batch = {.count = count, .planes = planes};
    if (!net_runner_check(base, count, error))
        return false;
    do_batch(of(base), CPU_FORWARD, &batch, base->net->policy ? logits : NULL, base->net->value ? values : NULL);
    return true;
}

/* Leaves the gradients in runner->gradients. */
static bool compute_gradients(struct cpu_runner *runner, const struct net_batch *batch, struct net_losses *losses,
                              soloist_error *error) {
    if (!net_runner_check_batch(&runner->head, batch, error))
        return false;
    size_t count = (size_t)batch->count;
    float *logits = cpu_take(count * (size_t)net_actions(runner->head.net)), *values = cpu_take(count);
    if (logits && values) {
        do_batch(runner, CPU_GRADIENTS, batch, runner->head.net->policy ? logits : NULL,
                 runner->head.net->value ? values : NULL);
        memset(runner->gradients, 0, runner->head.net->parameters * sizeof(float));
        if (runner->threads > 1)
            do_job(runner, CPU_REDUCE, false);
        cpu_layers_unpack(runner, runner->workers[0].sums);
        *losses = (struct net_losses){0};
        for (int i = 0; i < runner->threads; i++) {
            const struct net_losses *part = &runner->workers[i].losses;
            losses->policy += part->policy;
            losses->value += part->value;
            losses->entropy += part->entropy;
            losses->total += part->total;
        }
    }
    bool done = logits && values;
    free(logits);
    free(values);
    return done || soloist_fail(error, 0, 0, "no memory for a batch of %d", batch->count);
}

static bool cpu_gradients(struct net_runner *base, const struct net_batch *batch, float *gradients,
                          struct net_losses *losses, soloist_error *error) {
    if (!compute_gradients(of(base), batch, losses, error))
        return false;
    memcpy(gradients, of(base)->gradients, base->net->parameters * sizeof(float));
    return true;
}

static bool cpu_step(struct net_runner *base, const struct net_batch *batch, struct net_losses *losses,
                     soloist_error *error) {
    struct cpu_runner *runner = of(base);
    if (!compute_gradients(runner, batch, losses, error))
        return false;
    runner->optimiser.options.rate = base->options.optimiser.rate;
    optimiser_step(&runner->optimiser, runner->parameters, runner->gradients);
    pack_all(runner);
    return true;
}

const struct net_back_end net_cpu = {
    .name = "cpu",
    .absent = cpu_absent,
    .about = cpu_about,
    .open = cpu_open,
    .close = cpu_close,
    .set = cpu_set,
    .get = cpu_get,
    .slot = cpu_slot,
    .take = take_memory,
    .give = give_memory,
    .get_memory = get_memory,
    .set_memory = set_memory,
    .forward = cpu_forward_batch,
    .gradients = cpu_gradients,
    .step = cpu_step,
};
