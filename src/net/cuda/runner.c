/* The GPU as a back end. The first job of each batch size runs directly, so that the libraries have loaded everything
 * that they load on first use. Then the job is recorded as a graph, which later jobs of that size replay. */
#include "net/cuda/cuda.h"
#include "net/module.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct net_back_end net_cuda;

/* While one thread records a graph, calls by other threads that allocate memory or load kernels can fail. So only one
 * thread at a time opens or closes a runner, takes or gives memory, runs a job directly or records it; recordings are
 * replayed without the lock. */
static pthread_mutex_t preparing = PTHREAD_MUTEX_INITIALIZER;

static struct cuda_runner *of(struct net_runner *runner) { return (struct cuda_runner *)runner; }

static const char *cuda_absent(void) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || !count)
        return "no graphics card was found";
    return cudnnGetVersion() / 10000 == CUDNN_MAJOR ? NULL
                                                    : "the installed cuDNN is not the one that Soloist was built with";
}

static const char *cuda_about(void) { return "cuDNN and cuBLAS, bfloat16"; }

/* ---- life ---- */

static int padded(int channels) { return (channels + CUDA_CHANNELS - 1) / CUDA_CHANNELS * CUDA_CHANNELS; }

bool cuda_take(void *pointer, size_t size, soloist_error *error) {
    void **at = pointer;
    return cuda_check(cudaMalloc(at, size ? size : 1), "memory of the graphics card", error) &&
           cuda_check(cudaMemset(*at, 0, size ? size : 1), "memory of the graphics card", error);
}

/* Allocates pinned host memory, which the GPU reads directly. */
static bool take_pinned(void *pointer, size_t size, soloist_error *error) {
    return cuda_check(cudaMallocHost((void **)pointer, size ? size : 1), "pinned memory", error);
}

/* The number of cells that give logits: one for a linear layer, all cells for a convolution. */
static int policy_places(const struct net *net) {
    const struct net_shape *out = &net->layers[net->policy].out;
    return net->policy ? out->height * out->width : 1;
}

static int policy_row(const struct net *net) {
    return net->policy ? padded(net->layers[net->policy].out.channels) * policy_places(net) : 0;
}

static void plan_layer(struct cuda_runner *runner, int index) {
    const struct net_layer *layer = &runner->head.net->layers[index];
    struct cuda_layer *plan = &runner->layers[index];
    plan->layer = layer;
    plan->in_channels = padded(layer->in.channels);
    plan->out_channels = padded(layer->out.channels);
    plan->in_size = (size_t)plan->in_channels * (size_t)(layer->in.height * layer->in.width);
    plan->out_size = (size_t)plan->out_channels * (size_t)(layer->out.height * layer->out.width);
    if (layer->kind == NET_SPRITES)
        plan->out_size = 0; /* never painted */
    if (!layer->weight_count)
        return;
    bool linear = layer->kind == NET_LINEAR;
    bool point = layer->kernel_height * layer->kernel_width * layer->stride == 1 && !layer->pad;
    int places = linear ? layer->in.height * layer->in.width : layer->kernel_height * layer->kernel_width;
    plan->filter =
        (struct cuda_filter){layer->out.channels, plan->out_channels, layer->in.channels, plan->in_channels, places};
    plan->depth = places * plan->in_channels;
    plan->convolves = !linear && !point;
    if (net_reads_sprites(runner->head.net, layer))
        plan->depth = 0; /* a table instead of weights */
}

static size_t filter_size(const struct cuda_layer *plan) { return (size_t)plan->depth * (size_t)plan->out_channels; }

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static bool open_layers(struct cuda_runner *runner, soloist_error *error) {
    const struct net *net = runner->head.net;
    bool train = runner->head.options.train;
    size_t batch = (size_t)runner->head.options.batch, sums = 1, spare = 1, widest = 1;
    size_t sizes[NET_MOST_LAYERS + 1] = {0};
    net_share_buffers(net, runner->owner);
    runner->owner[0] = 0;
    for (int i = 0; i <= net->count; i++) {
        struct cuda_layer *plan = &runner->layers[i];
        plan_layer(runner, i);
        runner->owner[i] = train ? i : runner->owner[i];
        sizes[runner->owner[i]] = larger(sizes[runner->owner[i]], plan->out_size);
        spare = larger(spare, plan->out_size * batch);
        sums = larger(sums, filter_size(plan));
        widest = larger(widest, (size_t)plan->out_channels);
        if (plan->layer->weight_count && (!cuda_take(&plan->weights, filter_size(plan) * sizeof(bfloat), error) ||
                                          !cuda_take(&plan->bias, (size_t)plan->out_channels * sizeof(float), error)))
            return false;
        if (net_reads_sprites(net, plan->layer) && !cuda_open_table(runner, plan, error))
            return false;
    }
    for (int i = 0; i <= net->count; i++) {
        if (runner->owner[i] != i)
            runner->values[i] = runner->values[runner->owner[i]];
        else if (!cuda_take(&runner->values[i], sizes[i] * batch * sizeof(bfloat), error))
            return false;
        if (train && i && !cuda_take(&runner->gradients[i], runner->layers[i].out_size * batch * sizeof(bfloat), error))
            return false;
    }
    if (!cuda_open_tower(runner, error))
        return false;
    return !train || (cuda_take(&runner->spare, spare * sizeof(bfloat), error) &&
                      cuda_take(&runner->short_sums, sums * sizeof(bfloat), error) &&
                      cuda_take(&runner->wide_sums, sums * sizeof(float), error) &&
                      cuda_take(&runner->partial, widest * CUDA_PARTS * sizeof(float), error));
}

static bool open_buffers(struct cuda_runner *runner, soloist_error *error) {
    const struct net *net = runner->head.net;
    size_t batch = (size_t)runner->head.options.batch, planes = batch * net_shape_size(net_input(net));
    size_t actions = batch * (size_t)policy_row(net), flat = net->parameters * sizeof(float);
    size_t cells = net->sprites.classes ? (size_t)(net_input(net).height * net_input(net).width) : 0;
    if (!cuda_take(&runner->planes, planes * sizeof(float), error) ||
        !cuda_take(&runner->classes, batch * cells, error) ||
        !cuda_take(&runner->wide_policy, actions * sizeof(float), error) ||
        !cuda_take(&runner->wide_value, batch * CUDA_CHANNELS * sizeof(float), error) ||
        !cuda_take(&runner->policy, actions * sizeof(float), error) ||
        !cuda_take(&runner->value, batch * sizeof(float), error) || !cuda_take(&runner->parameters, flat, error) ||
        !cuda_take(&runner->workspace, CUDA_WORKSPACE, error) ||
        !cuda_take(&runner->blas_workspace, CUDA_BLAS_WORKSPACE, error) ||
        !take_pinned(&runner->host_planes, planes * sizeof(float), error))
        return false;
    return !runner->head.options.train ||
           (cuda_take(&runner->slopes, flat, error) && cuda_take(&runner->mean, flat, error) &&
            cuda_take(&runner->square, flat, error) && cuda_take(&runner->step, sizeof *runner->step, error) &&
            cuda_take(&runner->policy_targets, actions * sizeof(float), error) &&
            cuda_take(&runner->value_targets, batch * sizeof(float), error) &&
            cuda_take(&runner->drawn, batch * sizeof(struct net_drawn), error) &&
            cuda_take(&runner->losses, batch * 3 * sizeof(float), error) &&
            cuda_take(&runner->sums, 4 * sizeof(float), error) &&
            cuda_take(&runner->weights, 6 * sizeof(float), error) &&
            cuda_take(&runner->has_targets, 3 * sizeof(int), error) &&
            take_pinned(&runner->host_sums, 4 * sizeof(float), error) &&
            take_pinned(&runner->host_weights, 6 * sizeof(float), error) &&
            take_pinned(&runner->host_has, 3 * sizeof(int), error));
}

static bool open_handles(struct cuda_runner *runner, soloist_error *error) {
    return cuda_check(cudaStreamCreateWithFlags(&runner->stream, cudaStreamNonBlocking), "stream", error) &&
           cuda_check_dnn(cudnnCreate(&runner->dnn), "start", error) &&
           cuda_check_dnn(cudnnSetStream(runner->dnn, runner->stream), "stream", error) &&
           cuda_check_dnn(cudnnCreateTensorDescriptor(&runner->in), "start", error) &&
           cuda_check_dnn(cudnnCreateTensorDescriptor(&runner->out), "start", error) &&
           cuda_check_dnn(cudnnCreateFilterDescriptor(&runner->filter), "start", error) &&
           cuda_check_dnn(cudnnCreateConvolutionDescriptor(&runner->convolution), "start", error) &&
           cuda_check_blas(cublasCreate(&runner->blas), "start", error) &&
           cuda_check_blas(cublasSetStream(runner->blas, runner->stream), "stream", error) &&
           cuda_check_blas(cublasSetWorkspace(runner->blas, runner->blas_workspace, CUDA_BLAS_WORKSPACE), "workspace",
                           error);
}

static void close_buffers(struct cuda_runner *runner) {
    void *card[] = {runner->spare,          runner->short_sums,    runner->wide_policy,   runner->wide_value,
                    runner->wide_sums,      runner->partial,       runner->parameters,    runner->slopes,
                    runner->mean,           runner->square,        runner->step,          runner->workspace,
                    runner->blas_workspace, runner->planes,        runner->losses,        runner->sums,
                    runner->policy_targets, runner->value_targets, runner->weights,       runner->has_targets,
                    runner->policy,         runner->value,         runner->tower_weights, runner->tower_bias,
                    runner->back_weights,   runner->drawn,         runner->classes};
    void *pinned[] = {runner->host_planes, runner->host_sums, runner->host_weights, runner->host_has};
    for (size_t i = 0; i < sizeof card / sizeof *card; i++)
        cudaFree(card[i]);
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
        cudaFreeHost(pinned[i]);
    for (int i = 0; i <= runner->head.net->count; i++) {
        if (runner->owner[i] == i)
            cudaFree(runner->values[i]);
        cudaFree(runner->gradients[i]);
        cudaFree(runner->layers[i].weights);
        cudaFree(runner->layers[i].bias);
        cuda_close_table(&runner->layers[i].table);
    }
}

static void destroy(struct cuda_runner *runner) {
    for (int i = 0; i < runner->recorded; i++)
        cudaGraphExecDestroy(runner->recordings[i].graph);
    if (runner->convolution)
        cudnnDestroyConvolutionDescriptor(runner->convolution);
    if (runner->filter)
        cudnnDestroyFilterDescriptor(runner->filter);
    if (runner->in)
        cudnnDestroyTensorDescriptor(runner->in);
    if (runner->out)
        cudnnDestroyTensorDescriptor(runner->out);
    if (runner->dnn)
        cudnnDestroy(runner->dnn);
    if (runner->blas)
        cublasDestroy(runner->blas);
    close_buffers(runner);
    if (runner->stream)
        cudaStreamDestroy(runner->stream);
    free(runner);
}

static void cuda_close(struct net_runner *base) {
    if (!base)
        return;
    pthread_mutex_lock(&preparing);
    destroy(of(base));
    pthread_mutex_unlock(&preparing);
}

static struct net_runner *cuda_open(const struct net *net, const struct net_runner_options *options,
                                    soloist_error *error) {
    struct cuda_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return soloist_fail(error, 0, 0, "no memory for a network"), NULL;
    runner->head = (struct net_runner){&net_cuda, net, *options};
    runner->head.options.batch = options->batch > 0 ? options->batch : 64;
    pthread_mutex_lock(&preparing);
    bool open = open_buffers(runner, error) && open_layers(runner, error) && open_handles(runner, error) &&
                /* The memory is zeroed in the default stream. */
                cuda_check(cudaStreamSynchronize(NULL), "start", error);
    if (!open)
        destroy(runner);
    pthread_mutex_unlock(&preparing);
    return open ? &runner->head : NULL;
}

/* ---- work ---- */

static bool up(struct cuda_runner *runner, void *to, const void *from, size_t size, soloist_error *error) {
    return cuda_check(cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, runner->stream), "copy to the card",
                      error);
}

static bool down(struct cuda_runner *runner, void *to, const void *from, size_t size, soloist_error *error) {
    return cuda_check(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost, runner->stream), "copy from the card",
                      error);
}

static bool wait(struct cuda_runner *runner, soloist_error *error) {
    return cuda_check(cudaStreamSynchronize(runner->stream), "waiting", error);
}

/* Computes loss and gradients of the batch that is on the GPU. */
static bool put_gradients(struct cuda_runner *runner, int count, soloist_error *error) {
    const struct net *net = runner->head.net;
    struct cuda_loss loss = {
        .count = count,
        .actions = net_actions(net),
        .row = policy_row(net),
        .places = policy_places(net),
        .padded = net->policy ? padded(net->layers[net->policy].out.channels) : 1,
        .logits = runner->wide_policy,
        .values = net->value ? runner->wide_value : NULL,
        .policy_targets = runner->policy_targets,
        .value_targets = runner->value_targets,
        .drawn = runner->drawn,
        .has_targets = runner->has_targets,
        .weights = runner->weights,
        .logit_gradients = net->policy ? runner->gradients[net->policy] : NULL,
        .value_gradients = net->value ? runner->gradients[net->value] : NULL,
        .losses = runner->losses,
    };
    if (!up(runner, runner->weights, runner->host_weights, 6 * sizeof(float), error) ||
        !up(runner, runner->has_targets, runner->host_has, 3 * sizeof(int), error))
        return false;
    cuda_lose(loss, runner->sums, runner->stream);
    return cuda_check(cudaGetLastError(), "losses", error) && cuda_backward(runner, count, error) &&
           down(runner, runner->host_sums, runner->sums, 4 * sizeof(float), error);
}

static bool put_step(struct cuda_runner *runner, soloist_error *error) {
    const struct optimiser_options *o = &runner->head.options.optimiser;
    struct cuda_rule rule = {o->optimiser, runner->weights + 4, o->momentum, o->squares, o->epsilon, o->l2, o->clip};
    cuda_take_step(rule, runner->step, runner->parameters, runner->slopes, runner->mean, runner->square,
                   runner->partial, runner->head.net->parameters, runner->stream);
    return cuda_check(cudaGetLastError(), "step", error) && cuda_cast_parameters(runner, error);
}

/* Puts all work of a job on the stream; its inputs are already on the GPU. */
static bool put_job(struct cuda_runner *runner, enum cuda_job job, int count, soloist_error *error) {
    const struct net *net = runner->head.net;
    int actions = net_actions(net), places = policy_places(net);
    if (!cuda_forward(runner, count, error))
        return false;
    if (job != CUDA_FORWARD)
        return put_gradients(runner, count, error) && (job != CUDA_STEP || put_step(runner, error));
    if (net->policy)
        cuda_close_up(runner->wide_policy, runner->policy, count, places, padded(actions / places), actions / places,
                      runner->stream);
    if (net->value)
        cuda_close_up(runner->wide_value, runner->value, count, 1, CUDA_CHANNELS, 1, runner->stream);
    return cuda_check(cudaGetLastError(), "outputs", error);
}

/* Records the work of a job as a graph. If that fails, the runner continues without recordings. */
static void record(struct cuda_runner *runner, enum cuda_job job, int count) {
    struct cuda_recording *recording = &runner->recordings[runner->recorded];
    cudaGraph_t graph = NULL;
    bool made = cudaStreamBeginCapture(runner->stream, cudaStreamCaptureModeRelaxed) == cudaSuccess;
    if (made) {
        bool put = put_job(runner, job, count, NULL);
        made = cudaStreamEndCapture(runner->stream, &graph) == cudaSuccess && put &&
               cudaGraphInstantiate(&recording->graph, graph, 0) == cudaSuccess;
    }
    if (graph)
        cudaGraphDestroy(graph);
    recording->job = job;
    recording->count = count;
    runner->recorded += made;
    runner->plain |= !made;
    if (!made)
        cudaGetLastError(); /* this call also clears the error */
}

/* Runs a job directly and records it for the next time. */
static bool do_first_job(struct cuda_runner *runner, enum cuda_job job, int count, soloist_error *error) {
    pthread_mutex_lock(&preparing);
    bool records = !runner->plain && runner->recorded < CUDA_RECORDINGS;
    bool done = put_job(runner, job, count, error) && (!records || wait(runner, error));
    if (done && records)
        record(runner, job, count);
    pthread_mutex_unlock(&preparing);
    return done;
}

/* Replays the recording of a job or, if there is none, makes one. The work may still be in progress when this
 * returns. */
static bool do_job(struct cuda_runner *runner, enum cuda_job job, int count, soloist_error *error) {
    for (int i = 0; i < runner->recorded; i++)
        if (runner->recordings[i].job == job && runner->recordings[i].count == count)
            return cuda_check(cudaGraphLaunch(runner->recordings[i].graph, runner->stream), "playing", error);
    return do_first_job(runner, job, count, error);
}

static bool cuda_set(struct net_runner *base, const float *parameters, soloist_error *error) {
    struct cuda_runner *runner = of(base);
    size_t size = base->net->parameters * sizeof(float);
    bool done = up(runner, runner->parameters, parameters, size, error) && cuda_cast_parameters(runner, error);
    bool ones = base->options.optimiser.optimiser == OPTIMISER_RMSPROP_TF;
    if (done && base->options.train)
        cuda_fill(runner->square, ones ? 1 : 0, base->net->parameters, runner->stream);
    if (done && base->options.train)
        done = cuda_check(cudaMemsetAsync(runner->mean, 0, size, runner->stream), "reset", error) &&
               cuda_check(cudaMemsetAsync(runner->step, 0, sizeof *runner->step, runner->stream), "reset", error);
    return done && wait(runner, error);
}

static bool cuda_get(struct net_runner *base, float *parameters, soloist_error *error) {
    struct cuda_runner *runner = of(base);
    return down(runner, parameters, runner->parameters, base->net->parameters * sizeof(float), error) &&
           wait(runner, error);
}

/* Batches are rounded up to a power of two, so that a few recordings serve all sizes. */
static int rounded(const struct cuda_runner *runner, int count) {
    int size = 1;
    while (size < count)
        size *= 2;
    return size < runner->head.options.batch ? size : runner->head.options.batch;
}

static bool get_memory(struct net_runner *base, struct net_memory *memory, soloist_error *error) {
    struct cuda_runner *runner = of(base);
    size_t size = base->net->parameters * sizeof(float);
    struct cuda_step step = {0};
    if (!down(runner, memory->mean, runner->mean, size, error) ||
        !down(runner, memory->square, runner->square, size, error) ||
        !down(runner, &step, runner->step, sizeof step, error) || !wait(runner, error))
        return false;
    memory->steps = (uint64_t)step.steps;
    return true;
}

static bool set_memory(struct net_runner *base, const struct net_memory *memory, soloist_error *error) {
    struct cuda_runner *runner = of(base);
    size_t size = base->net->parameters * sizeof(float);
    struct cuda_step step = {.steps = (double)memory->steps};
    return up(runner, runner->mean, memory->mean, size, error) &&
           up(runner, runner->square, memory->square, size, error) &&
           up(runner, runner->step, &step, sizeof step, error) && wait(runner, error);
}

static void *take_pinned_memory(size_t size) {
    void *memory = NULL;
    pthread_mutex_lock(&preparing);
    bool taken = cudaMallocHost(&memory, size ? size : 1) == cudaSuccess;
    pthread_mutex_unlock(&preparing);
    return taken ? memory : NULL;
}

static void give_pinned_memory(void *memory) {
    pthread_mutex_lock(&preparing);
    cudaFreeHost(memory);
    pthread_mutex_unlock(&preparing);
}

static float *cuda_slot(struct net_runner *base) { return of(base)->host_planes; }

/* Copies the planes to the GPU. Memory that `take` allocated is read directly by the GPU; any other memory is first
 * copied by the driver. */
static bool put_planes(struct cuda_runner *runner, const float *planes, int count, soloist_error *error) {
    return up(runner, runner->planes, planes,
              (size_t)count * net_shape_size(net_input(runner->head.net)) * sizeof(float), error);
}

static bool cuda_forward_batch(struct net_runner *base, const float *planes, int count, float *logits, float *values,
                               soloist_error *error) {
    struct cuda_runner *runner = of(base);
    const struct net *net = base->net;
    size_t positions = (size_t)count, actions = (size_t)net_actions(net);
    return net_runner_check(base, count, error) && put_planes(runner, planes, count, error) &&
           do_job(runner, CUDA_FORWARD, rounded(runner, count), error) &&
           (!logits || !net->policy ||
            down(runner, logits, runner->policy, positions * actions * sizeof(float), error)) &&
           (!values || !net->value || down(runner, values, runner->value, positions * sizeof(float), error)) &&
           wait(runner, error);
}

static bool train(struct net_runner *base, enum cuda_job job, const struct net_batch *batch, struct net_losses *losses,
                  soloist_error *error) {
    struct cuda_runner *runner = of(base);
    const struct net *net = base->net;
    const struct net_targets *targets = &batch->targets;
    if (!net_runner_check_batch(base, batch, error))
        return false;
    size_t count = (size_t)batch->count;
    runner->host_weights[0] = batch->loss.value_weight;
    runner->host_weights[1] = batch->loss.under;
    runner->host_weights[2] = batch->loss.over;
    runner->host_weights[3] = batch->loss.entropy;
    runner->host_weights[4] = (float)base->options.optimiser.rate;
    runner->host_weights[5] = batch->loss.clip_range;
    runner->host_has[0] = targets->policy != NULL;
    runner->host_has[1] = targets->value != NULL;
    runner->host_has[2] = targets->drawn != NULL;
    if (!put_planes(runner, batch->planes, batch->count, error) ||
        (targets->policy && !up(runner, runner->policy_targets, targets->policy,
                                count * (size_t)net_actions(net) * sizeof(float), error)) ||
        (targets->value && !up(runner, runner->value_targets, targets->value, count * sizeof(float), error)) ||
        (targets->drawn && !up(runner, runner->drawn, targets->drawn, count * sizeof *targets->drawn, error)) ||
        !do_job(runner, job, batch->count, error) || !wait(runner, error))
        return false;
    *losses = (struct net_losses){(double)runner->host_sums[0], (double)runner->host_sums[1],
                                  (double)runner->host_sums[2], (double)runner->host_sums[3]};
    return true;
}

static bool cuda_gradients(struct net_runner *base, const struct net_batch *batch, float *gradients,
                           struct net_losses *losses, soloist_error *error) {
    struct cuda_runner *runner = of(base);
    return train(base, CUDA_GRADIENTS, batch, losses, error) &&
           down(runner, gradients, runner->slopes, base->net->parameters * sizeof(float), error) && wait(runner, error);
}

static bool cuda_step_batch(struct net_runner *base, const struct net_batch *batch, struct net_losses *losses,
                            soloist_error *error) {
    return train(base, CUDA_STEP, batch, losses, error);
}

static const struct net_back_end net_cuda = {
    .name = "cuda",
    .absent = cuda_absent,
    .about = cuda_about,
    .open = cuda_open,
    .close = cuda_close,
    .set = cuda_set,
    .get = cuda_get,
    .slot = cuda_slot,
    .take = take_pinned_memory,
    .give = give_pinned_memory,
    .get_memory = get_memory,
    .set_memory = set_memory,
    .forward = cuda_forward_batch,
    .gradients = cuda_gradients,
    .step = cuda_step_batch,
};

const struct net_back_end *soloist_net_module(const char *version) {
    return strcmp(version, SOLOIST_VERSION) ? NULL : &net_cuda;
}
