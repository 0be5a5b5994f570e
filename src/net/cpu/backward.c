/* Computes the gradients of one slice, from the last layer to the first. When the pass reaches a layer, the gradient of
 * its values is complete, because only later layers contribute to it. */
#include "net/cpu/cpu.h"

#include <string.h>

struct backward {
    struct cpu_worker *worker;
    int count; /* number of positions */
    /* Whether a layer's gradient has been written; further contributions must then be added to it. */
    bool written[NET_MOST_LAYERS + 1];
};

/* Where to compute the gradient with respect to a layer's values: in place, or in a second buffer that is then added.
 */
static float *target_of(const struct backward *b, int layer) {
    return b->written[layer] ? b->worker->spare : b->worker->gradients[layer];
}

static void target_done(struct backward *b, int layer) {
    size_t size = b->worker->runner->layers[layer].out_size * (size_t)b->count;
    float *to = b->worker->gradients[layer];
    for (size_t i = 0; b->written[layer] && i < size; i++)
        to[i] += b->worker->spare[i];
    b->written[layer] = true;
}

/* ---- parameters ---- */

/* Adds matrix^T x gradient to the layer's sums. */
static void weight_sums(struct backward *b, const struct cpu_layer *plan, const float *matrix, const float *gradient,
                        int rows) {
    const struct cpu_kernel *kernel = b->worker->runner->kernel;
    cpu_pack(kernel, gradient, plan->out_channels, 1, rows, plan->out_channels, b->worker->packed);
    kernel->product(&(struct cpu_product){
        .rows = plan->depth,
        .columns = plan->out_channels,
        .depth = rows,
        .a = matrix,
        .a_row = 1,
        .a_step = plan->depth,
        .b = b->worker->packed,
        .c = b->worker->sums + plan->sums,
        .c_row = plan->out_channels,
        .add = true,
    });
}

static void bias_sums(struct backward *b, const struct cpu_layer *plan, const float *gradient, int rows) {
    size_t columns = (size_t)plan->out_channels;
    float *sums = b->worker->sums + plan->sums + plan->sum_rows * columns;
    for (int i = 0; i < rows; i++, gradient += columns)
        for (size_t j = 0; j < columns; j++)
            sums[j] += gradient[j];
}

/* Adds the gradients of a table's rows. */
static void table_sums(struct backward *b, const struct cpu_layer *plan, float *gradient) {
    struct cpu_worker *worker = b->worker;
    struct cpu_table task = {.looks = &plan->looks,
                             .columns = plan->out_channels,
                             .classes = worker->runner->head.net->sprites.classes,
                             .class_of = worker->classes,
                             .table = worker->sums + plan->sums};
    for (int i = 0; i < b->count; i++) {
        cpu_classes(worker, i);
        task.out = gradient + (size_t)i * plan->out_size;
        worker->runner->kernel->table_add(&task);
    }
}

static void parameter_sums(struct backward *b, const struct cpu_layer *plan, const float *in, float *gradient) {
    int places = plan->layer->out.height * plan->layer->out.width;
    bias_sums(b, plan, gradient, b->count * places);
    if (plan->way == CPU_TABLE) {
        table_sums(b, plan, gradient);
        return;
    }
    if (plan->way == CPU_WINOGRAD) {
        cpu_winograd_sums(b->worker, plan, in, gradient, b->count);
        return;
    }
    if (plan->way == CPU_DIRECT) {
        weight_sums(b, plan, in, gradient, b->count * places);
        return;
    }
    size_t windows = (size_t)places * (size_t)plan->depth;
    for (int first = 0; first < b->count; first += plan->group) {
        int group = b->count - first < plan->group ? b->count - first : plan->group;
        for (int i = 0; i < group; i++)
            cpu_windows(plan, in + (size_t)(first + i) * plan->in_size, b->worker->windows + (size_t)i * windows);
        weight_sums(b, plan, b->worker->windows, gradient + (size_t)first * plan->out_size, group * places);
    }
}

/* ---- inputs of a layer ---- */

static void backward_product(struct backward *b, const struct cpu_layer *plan, const float *gradient, int rows,
                             float *to) {
    b->worker->runner->kernel->product(&(struct cpu_product){
        .rows = rows,
        .columns = plan->depth,
        .depth = plan->out_channels,
        .a = gradient,
        .a_row = plan->out_channels,
        .a_step = 1,
        .b = plan->backward,
        .c = to,
        .c_row = plan->depth,
    });
}

/* Adds the gradient of each window to the cells from which the window was gathered. */
static void scatter_windows(const struct cpu_layer *plan, const float *windows, float *to) {
    const struct net_layer *layer = plan->layer;
    size_t channels = (size_t)plan->in_channels;
    memset(to, 0, plan->in_size * sizeof(float));
    for (int y = 0; y < layer->out.height; y++)
        for (int x = 0; x < layer->out.width; x++)
            for (int r = 0; r < layer->kernel_height; r++)
                for (int s = 0; s < layer->kernel_width; s++, windows += channels) {
                    int row = y * layer->stride + r - layer->pad, column = x * layer->stride + s - layer->pad;
                    if (row < 0 || row >= layer->in.height || column < 0 || column >= layer->in.width)
                        continue;
                    float *cell = to + (size_t)(row * layer->in.width + column) * channels;
                    for (size_t c = 0; c < channels; c++)
                        cell[c] += windows[c];
                }
}

/* The backward pass is a convolution with the kernel rotated by 180 degrees and the padding 2 - pad. */
static void backward_winograd(struct backward *b, const struct cpu_layer *plan, const float *gradient, float *to) {
    struct cpu_winograd_plan winograd = {
        .in = plan->layer->out, .out = plan->layer->in, .pad = 2 - plan->layer->pad, .weights = plan->backward};
    winograd.in.channels = plan->out_channels;
    winograd.out.channels = plan->in_channels;
    cpu_winograd_run(b->worker, &winograd, gradient, b->count, to);
}

static void backward_weights(struct backward *b, const struct cpu_layer *plan, const float *gradient, float *to) {
    int places = plan->layer->out.height * plan->layer->out.width;
    if (plan->way == CPU_WINOGRAD)
        backward_winograd(b, plan, gradient, to);
    else if (plan->way == CPU_DIRECT)
        backward_product(b, plan, gradient, b->count * places, to);
    else
        for (int i = 0; i < b->count; i++) {
            backward_product(b, plan, gradient + (size_t)i * plan->out_size, places, b->worker->windows);
            scatter_windows(plan, b->worker->windows, to + (size_t)i * plan->in_size);
        }
}

static void backward_pool(const struct cpu_layer *plan, const float *gradient, int count, float *to) {
    int places = plan->layer->in.height * plan->layer->in.width, channels = plan->in_channels;
    float share = 1.0f / (float)places;
    for (int i = 0; i < count; i++, gradient += channels)
        for (int place = 0; place < places; place++, to += channels)
            for (int c = 0; c < channels; c++)
                to[c] = gradient[c] * share;
}

/* The gradient goes to the cell that holds the maximum; to the first of them if there are several. */
static void backward_maximum(const struct cpu_layer *plan, const float *in, const float *gradient, int count,
                             float *to) {
    size_t channels = (size_t)plan->in_channels;
    size_t places = (size_t)(plan->layer->in.height * plan->layer->in.width), size = places * channels;
    memset(to, 0, size * (size_t)count * sizeof(float));
    for (int i = 0; i < count; i++, gradient += channels, in += size, to += size)
        for (size_t c = 0; c < channels; c++) {
            size_t most = c;
            for (size_t at = c; at < size; at += channels)
                most = in[at] > in[most] ? at : most;
            to[most] = gradient[c];
        }
}

static void backward_at(const struct cpu_worker *worker, const struct cpu_layer *plan, const float *gradient, int count,
                        float *to) {
    struct net_shape input = net_input(worker->runner->head.net);
    int places = input.height * input.width, channels = plan->in_channels;
    const float *plane = worker->values[0] + (size_t)plan->layer->plane * (size_t)places;
    for (int i = 0; i < count; i++, gradient += channels, plane += net_shape_size(input))
        for (int place = 0; place < places; place++, to += channels)
            for (int c = 0; c < channels; c++)
                to[c] = plane[place] * gradient[c];
}

static void backward_add(struct backward *b, const struct cpu_layer *plan, const float *gradient) {
    int sources[2] = {plan->layer->from, plan->layer->other};
    for (int i = 0; i < 2; i++) {
        memcpy(target_of(b, sources[i]), gradient, plan->out_size * (size_t)b->count * sizeof(float));
        target_done(b, sources[i]);
    }
}

static void backward_layer(struct backward *b, const struct cpu_layer *plan, int index) {
    const struct net_layer *layer = plan->layer;
    float *gradient = b->worker->gradients[index];
    b->worker->runner->kernel->slope(layer->activation, b->worker->values[index], gradient,
                                     plan->out_size * (size_t)b->count);
    if (layer->kind == NET_SPRITES)
        return;
    if (layer->kind == NET_ADD) {
        backward_add(b, plan, gradient);
        return;
    }
    if (plan->way != CPU_NO_WEIGHTS)
        parameter_sums(b, plan, b->worker->values[layer->from], gradient);
    if (!layer->from || plan->way == CPU_TABLE)
        return;
    float *to = target_of(b, layer->from);
    if (layer->kind == NET_AT)
        backward_at(b->worker, plan, gradient, b->count, to);
    else if (layer->kind == NET_POOL && layer->maximum)
        backward_maximum(plan, b->worker->values[layer->from], gradient, b->count, to);
    else if (layer->kind == NET_POOL)
        backward_pool(plan, gradient, b->count, to);
    else
        backward_weights(b, plan, gradient, to);
    target_done(b, layer->from);
}

void cpu_backward(struct cpu_worker *worker, int count) {
    const struct net *net = worker->runner->head.net;
    struct backward b = {.worker = worker, .count = count};
    b.written[net->policy] = b.written[net->value] = true;
    for (int i = net->count; i > 0; i--)
        backward_layer(&b, &worker->runner->layers[i], i);
}
