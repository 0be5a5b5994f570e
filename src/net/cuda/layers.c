/* Layers on the GPU, forward and backward. A linear layer or a 1x1 convolution is one matrix product by cuBLAS. cuBLAS
 * stores matrices column by column, so our rows are its columns. */
#include "net/cuda/cuda.h"

bool cuda_check(cudaError_t status, const char *what, soloist_error *error) {
    return status == cudaSuccess || soloist_fail(error, 0, 0, "cuda: %s: %s", what, cudaGetErrorString(status));
}

bool cuda_check_blas(cublasStatus_t status, const char *what, soloist_error *error) {
    return status == CUBLAS_STATUS_SUCCESS ||
           soloist_fail(error, 0, 0, "cuBLAS: %s: %s", what, cublasGetStatusString(status));
}

bool cuda_check_dnn(cudnnStatus_t status, const char *what, soloist_error *error) {
    return status == CUDNN_STATUS_SUCCESS ||
           soloist_fail(error, 0, 0, "cuDNN: %s: %s", what, cudnnGetErrorString(status));
}

bool cuda_cast_parameters(struct cuda_runner *runner, soloist_error *error) {
    for (int i = 1; i <= runner->head.net->count; i++) {
        const struct cuda_layer *plan = &runner->layers[i];
        if (!plan->layer->weight_count || i <= runner->tower_last)
            continue;
        if (plan->table.rows)
            cuda_table_make(plan->table, runner->parameters + plan->layer->weight, runner->stream);
        else
            cuda_cast_weights(runner->parameters + plan->layer->weight, plan->weights, plan->filter, runner->stream);
        cuda_cast_bias(runner->parameters + plan->layer->bias, plan->bias, plan->layer->out.channels,
                       plan->out_channels, runner->stream);
    }
    cuda_cast_tower(runner);
    return cuda_check(cudaGetLastError(), "weights", error);
}

/* ---- products ---- */

/* out [rows][out channels] = in [rows][depth] x weights^T. */
static bool multiply(struct cuda_runner *runner, const struct cuda_layer *plan, const bfloat *in, int rows, void *out,
                     cudaDataType_t type, soloist_error *error) {
    const float one = 1, none = 0;
    return cuda_check_blas(cublasGemmEx(runner->blas, CUBLAS_OP_T, CUBLAS_OP_N, plan->out_channels, rows, plan->depth,
                                        &one, plan->weights, CUDA_R_16BF, plan->depth, in, CUDA_R_16BF, plan->depth,
                                        &none, out, type, plan->out_channels, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                           plan->layer->name, error);
}

/* to [rows][depth] = gradient [rows][out channels] x weights. */
static bool multiply_back(struct cuda_runner *runner, const struct cuda_layer *plan, const bfloat *gradient, int rows,
                          bfloat *to, soloist_error *error) {
    const float one = 1, none = 0;
    return cuda_check_blas(cublasGemmEx(runner->blas, CUBLAS_OP_N, CUBLAS_OP_N, plan->depth, rows, plan->out_channels,
                                        &one, plan->weights, CUDA_R_16BF, plan->depth, gradient, CUDA_R_16BF,
                                        plan->out_channels, &none, to, CUDA_R_16BF, plan->depth, CUBLAS_COMPUTE_32F,
                                        CUBLAS_GEMM_DEFAULT),
                           plan->layer->name, error);
}

/* wide_sums [out channels][depth] = gradient^T x in. */
static bool multiply_sums(struct cuda_runner *runner, const struct cuda_layer *plan, const bfloat *in,
                          const bfloat *gradient, int rows, soloist_error *error) {
    const float one = 1, none = 0;
    return cuda_check_blas(cublasGemmEx(runner->blas, CUBLAS_OP_N, CUBLAS_OP_T, plan->depth, plan->out_channels, rows,
                                        &one, in, CUDA_R_16BF, plan->depth, gradient, CUDA_R_16BF, plan->out_channels,
                                        &none, runner->wide_sums, CUDA_R_32F, plan->depth, CUBLAS_COMPUTE_32F,
                                        CUBLAS_GEMM_DEFAULT),
                           plan->layer->name, error);
}

/* ---- convolutions ---- */

static bool describe(struct cuda_runner *runner, const struct cuda_layer *plan, int count, soloist_error *error) {
    const struct net_layer *layer = plan->layer;
    return cuda_check_dnn(cudnnSetTensor4dDescriptor(runner->in, CUDNN_TENSOR_NHWC, CUDNN_DATA_BFLOAT16, count,
                                                     plan->in_channels, layer->in.height, layer->in.width),
                          layer->name, error) &&
           cuda_check_dnn(cudnnSetTensor4dDescriptor(runner->out, CUDNN_TENSOR_NHWC, CUDNN_DATA_BFLOAT16, count,
                                                     plan->out_channels, layer->out.height, layer->out.width),
                          layer->name, error) &&
           cuda_check_dnn(cudnnSetFilter4dDescriptor(runner->filter, CUDNN_DATA_BFLOAT16, CUDNN_TENSOR_NHWC,
                                                     plan->out_channels, plan->in_channels, layer->kernel_height,
                                                     layer->kernel_width),
                          layer->name, error) &&
           cuda_check_dnn(cudnnSetConvolution2dDescriptor(runner->convolution, layer->pad, layer->pad, layer->stride,
                                                          layer->stride, 1, 1, CUDNN_CROSS_CORRELATION,
                                                          CUDNN_DATA_FLOAT),
                          layer->name, error) &&
           cuda_check_dnn(cudnnSetConvolutionMathType(runner->convolution, CUDNN_TENSOR_OP_MATH), layer->name, error);
}

#define MOST_WAYS 10

static bool no_way(const struct cuda_layer *plan, soloist_error *error) {
    return soloist_fail(error, 0, 0, "cuDNN has no way to compute %s in %zu MiB", plan->layer->name,
                        CUDA_WORKSPACE >> 20);
}

/* Uses the first of cuDNN's proposed algorithms that fits into memory and is deterministic. */
static bool convolve(struct cuda_runner *runner, const struct cuda_layer *plan, const bfloat *in, int count,
                     bfloat *out, soloist_error *error) {
    const float one = 1, none = 0;
    cudnnConvolutionFwdAlgoPerf_t ways[MOST_WAYS];
    int found = 0, way = 0;
    if (!describe(runner, plan, count, error) ||
        !cuda_check_dnn(cudnnGetConvolutionForwardAlgorithm_v7(runner->dnn, runner->in, runner->filter,
                                                               runner->convolution, runner->out, MOST_WAYS, &found,
                                                               ways),
                        plan->layer->name, error))
        return false;
    while (way < found && (ways[way].status != CUDNN_STATUS_SUCCESS || ways[way].memory > CUDA_WORKSPACE))
        way++;
    if (way == found)
        return no_way(plan, error);
    return cuda_check_dnn(cudnnConvolutionForward(runner->dnn, &one, runner->in, in, runner->filter, plan->weights,
                                                  runner->convolution, ways[way].algo, runner->workspace,
                                                  CUDA_WORKSPACE, &none, runner->out, out),
                          plan->layer->name, error);
}

static bool convolve_back(struct cuda_runner *runner, const struct cuda_layer *plan, const bfloat *gradient, int count,
                          bfloat *to, soloist_error *error) {
    const float one = 1, none = 0;
    cudnnConvolutionBwdDataAlgoPerf_t ways[MOST_WAYS];
    int found = 0, way = 0;
    if (!describe(runner, plan, count, error) ||
        !cuda_check_dnn(cudnnGetConvolutionBackwardDataAlgorithm_v7(runner->dnn, runner->filter, runner->out,
                                                                    runner->convolution, runner->in, MOST_WAYS, &found,
                                                                    ways),
                        plan->layer->name, error))
        return false;
    while (way < found && (ways[way].status != CUDNN_STATUS_SUCCESS || ways[way].memory > CUDA_WORKSPACE ||
                           ways[way].determinism != CUDNN_DETERMINISTIC))
        way++;
    if (way == found)
        return no_way(plan, error);
    return cuda_check_dnn(cudnnConvolutionBackwardData(runner->dnn, &one, runner->filter, plan->weights, runner->out,
                                                       gradient, runner->convolution, ways[way].algo, runner->workspace,
                                                       CUDA_WORKSPACE, &none, runner->in, to),
                          plan->layer->name, error);
}

static bool convolve_sums(struct cuda_runner *runner, const struct cuda_layer *plan, const bfloat *in,
                          const bfloat *gradient, int count, soloist_error *error) {
    const float one = 1, none = 0;
    cudnnConvolutionBwdFilterAlgoPerf_t ways[MOST_WAYS];
    int found = 0, way = 0;
    if (!describe(runner, plan, count, error) ||
        !cuda_check_dnn(cudnnGetConvolutionBackwardFilterAlgorithm_v7(runner->dnn, runner->in, runner->out,
                                                                      runner->convolution, runner->filter, MOST_WAYS,
                                                                      &found, ways),
                        plan->layer->name, error))
        return false;
    while (way < found && (ways[way].status != CUDNN_STATUS_SUCCESS || ways[way].memory > CUDA_WORKSPACE ||
                           ways[way].determinism != CUDNN_DETERMINISTIC))
        way++;
    if (way == found)
        return no_way(plan, error);
    return cuda_check_dnn(cudnnConvolutionBackwardFilter(runner->dnn, &one, runner->in, in, runner->out, gradient,
                                                         runner->convolution, ways[way].algo, runner->workspace,
                                                         CUDA_WORKSPACE, &none, runner->filter, runner->short_sums),
                          plan->layer->name, error);
}

/* ---- forwards ---- */

static float *wide_output(const struct cuda_runner *runner, int index) {
    return index == runner->head.net->policy  ? runner->wide_policy
           : index == runner->head.net->value ? runner->wide_value
                                              : NULL;
}

static bool forward_weights(struct cuda_runner *runner, const struct cuda_layer *plan, int index, int count,
                            soloist_error *error) {
    const struct net_layer *layer = plan->layer;
    const bfloat *in = runner->values[layer->from];
    bfloat *out = runner->values[index];
    float *wide = plan->convolves ? NULL : wide_output(runner, index);
    size_t size = plan->out_size * (size_t)count;
    int rows = count * layer->out.height * layer->out.width;
    if (plan->table.rows) {
        cuda_table_sums(plan->table, runner->classes, plan->bias, layer->activation, out, count, runner->stream);
        return true;
    }
    if (plan->convolves
            ? !convolve(runner, plan, in, count, out, error)
            : !multiply(runner, plan, in, rows, wide ? (void *)wide : out, wide ? CUDA_R_32F : CUDA_R_16BF, error))
        return false;
    if (wide)
        cuda_finish_output(wide, out, plan->bias, size, plan->out_channels, layer->activation, runner->stream);
    else
        cuda_activate(out, plan->bias, size, plan->out_channels, layer->activation, runner->stream);
    return true;
}

static bool forward_layer(struct cuda_runner *runner, int index, int count, soloist_error *error) {
    const struct cuda_layer *plan = &runner->layers[index];
    const struct net_layer *layer = plan->layer;
    size_t size = plan->out_size * (size_t)count;
    bfloat *out = runner->values[index];
    if (layer->weight_count && !forward_weights(runner, plan, index, count, error))
        return false;
    struct net_shape input = net_input(runner->head.net);
    int places = layer->in.height * layer->in.width;
    if (layer->kind == NET_POOL)
        (layer->maximum ? cuda_maximum : cuda_pool)(runner->values[layer->from], out, count, places, plan->out_channels,
                                                    layer->activation, runner->stream);
    if (layer->kind == NET_AT)
        cuda_at(runner->values[layer->from], runner->planes + layer->plane * places, net_shape_size(input), out, count,
                places, plan->out_channels, layer->activation, runner->stream);
    if (layer->kind == NET_SPRITES)
        cuda_classes(runner->planes, runner->classes, count, input.channels, places, runner->stream);
    if (layer->kind == NET_ADD)
        cuda_add(runner->values[layer->from], runner->values[layer->other], out, size, layer->activation,
                 runner->stream);
    float *wide = wide_output(runner, index);
    if (wide && (!layer->weight_count || plan->convolves || plan->table.rows))
        cuda_widen(out, wide, size, runner->stream);
    return cuda_check(cudaGetLastError(), *layer->name ? layer->name : "pool or add", error);
}

bool cuda_forward(struct cuda_runner *runner, int count, soloist_error *error) {
    const struct net *net = runner->head.net;
    struct net_shape input = net_input(net);
    if (!net->sprites.classes && (!runner->tower.count || runner->head.options.train))
        cuda_spread_planes(runner->planes, runner->values[0], count, input.channels, runner->layers[0].out_channels,
                           input.height * input.width, runner->stream);
    if (runner->tower.count)
        cuda_run_tower(runner, count);
    for (int i = runner->tower_last + 1; i <= net->count; i++)
        if (!forward_layer(runner, i, count, error))
            return false;
    return true;
}

/* ---- backwards ---- */

struct backward {
    struct cuda_runner *runner;
    int count;
    soloist_error *error;
    /* Whether a layer's gradient has been written; further contributions must then be added to it. */
    bool written[NET_MOST_LAYERS + 1];
};

static bfloat *target_of(const struct backward *b, int layer) {
    return b->written[layer] ? b->runner->spare : b->runner->gradients[layer];
}

static void target_done(struct backward *b, int layer) {
    if (b->written[layer])
        cuda_sum(b->runner->gradients[layer], b->runner->spare, b->runner->layers[layer].out_size * (size_t)b->count,
                 b->runner->stream);
    b->written[layer] = true;
}

static bool parameter_sums(struct backward *b, const struct cuda_layer *plan, const bfloat *gradient) {
    struct cuda_runner *runner = b->runner;
    const struct net_layer *layer = plan->layer;
    const bfloat *in = runner->values[layer->from];
    int rows = b->count * layer->out.height * layer->out.width;
    cuda_bias_sums(gradient, runner->partial, runner->slopes + layer->bias, (size_t)rows, plan->out_channels,
                   layer->out.channels, runner->stream);
    if (plan->table.rows) {
        cuda_table_gradients(plan->table, runner->classes, gradient, runner->slopes + layer->weight, b->count,
                             runner->stream);
        return true;
    }
    if (plan->convolves) {
        if (!convolve_sums(runner, plan, in, gradient, b->count, b->error))
            return false;
        cuda_uncast_weights(runner->short_sums, runner->slopes + layer->weight, plan->filter, runner->stream);
        return true;
    }
    if (!multiply_sums(runner, plan, in, gradient, rows, b->error))
        return false;
    cuda_uncast_wide_weights(runner->wide_sums, runner->slopes + layer->weight, plan->filter, runner->stream);
    return true;
}

static bool backward_weights(struct backward *b, const struct cuda_layer *plan, const bfloat *gradient) {
    const struct net_layer *layer = plan->layer;
    if (!parameter_sums(b, plan, gradient))
        return false;
    if (!layer->from || plan->table.rows)
        return true;
    bfloat *to = target_of(b, layer->from);
    int rows = b->count * layer->out.height * layer->out.width;
    if (plan->convolves ? !convolve_back(b->runner, plan, gradient, b->count, to, b->error)
                        : !multiply_back(b->runner, plan, gradient, rows, to, b->error))
        return false;
    target_done(b, layer->from);
    return true;
}

static void backward_add(struct backward *b, const struct cuda_layer *plan, const bfloat *gradient) {
    int sources[2] = {plan->layer->from, plan->layer->other};
    for (int i = 0; i < 2; i++) {
        cudaMemcpyAsync(target_of(b, sources[i]), gradient, plan->out_size * (size_t)b->count * sizeof *gradient,
                        cudaMemcpyDeviceToDevice, b->runner->stream);
        target_done(b, sources[i]);
    }
}

/* The gradient of the values over which a layer without weights pools, or from which it takes one cell. */
static void backward_cells(struct backward *b, const struct cuda_layer *plan, const bfloat *gradient) {
    struct cuda_runner *runner = b->runner;
    const struct net_layer *layer = plan->layer;
    int places = layer->in.height * layer->in.width;
    bfloat *to = target_of(b, layer->from);
    if (layer->kind == NET_AT)
        cuda_unat(gradient, runner->planes + layer->plane * places, net_shape_size(net_input(runner->head.net)), to,
                  b->count, places, plan->out_channels, runner->stream);
    else if (layer->maximum)
        cuda_unmaximum(runner->values[layer->from], gradient, to, b->count, places, plan->out_channels, runner->stream);
    else
        cuda_unpool(gradient, to, b->count, places, plan->out_channels, runner->stream);
    target_done(b, layer->from);
}

static bool backward_layer(struct backward *b, int index) {
    struct cuda_runner *runner = b->runner;
    const struct cuda_layer *plan = &runner->layers[index];
    bfloat *gradient = runner->gradients[index];
    if (plan->layer->kind == NET_SPRITES)
        return true;
    cuda_slope(runner->values[index], gradient, plan->out_size * (size_t)b->count, plan->layer->activation,
               runner->stream);
    if (plan->layer->weight_count)
        return backward_weights(b, plan, gradient);
    if (plan->layer->kind == NET_ADD)
        backward_add(b, plan, gradient);
    else
        backward_cells(b, plan, gradient);
    return cuda_check(cudaGetLastError(), "gradients", b->error);
}

bool cuda_backward(struct cuda_runner *runner, int count, soloist_error *error) {
    const struct net *net = runner->head.net;
    struct backward b = {.runner = runner, .count = count, .error = error};
    b.written[net->policy] = b.written[net->value] = true;
    for (int i = net->count; i > runner->tower_last; i--)
        if (!backward_layer(&b, i))
            return false;
    if (runner->tower.count)
        cuda_run_tower_back(runner, count);
    for (int i = runner->tower.count - 1; i >= 0; i--)
        if (!parameter_sums(&b, &runner->layers[runner->steps[i].conv], runner->gradients[runner->steps[i].out]))
            return false;
    return cuda_check(cudaGetLastError(), "gradients", error);
}
