/* Computes one slice of positions through all layers. */
#include "net/cpu/cpu.h"

#include <string.h>

/* ---- convolutions ---- */

/* Number of tiles per round: so many that their transformed values, their products and a layer's weights fit into the
 * second-level cache. */
#define WINOGRAD_TILES 56

int cpu_winograd_tiles(const struct cpu_runner *runner) {
    (void)runner;
    return WINOGRAD_TILES;
}

/* Transforms the tiles `from` .. `to` - 1 of all images, image by image. */
static void winograd_pass(const struct cpu_winograd *pattern, void (*transform)(const struct cpu_winograd *task),
                          const float *in, float *out, int tiles, int from, int to) {
    size_t in_size = (size_t)pattern->in_height * (size_t)pattern->in_width * (size_t)pattern->in_channels;
    size_t out_size = (size_t)pattern->out_height * (size_t)pattern->out_width * (size_t)pattern->out_channels;
    for (int at = from; at < to;) {
        struct cpu_winograd task = *pattern;
        int image = at / tiles;
        task.first = at % tiles;
        task.count = tiles - task.first < to - at ? tiles - task.first : to - at;
        task.in = in + (size_t)image * in_size;
        task.out = out + (size_t)image * out_size;
        task.spread += (ptrdiff_t)(at - from) * task.in_channels;
        task.products += (ptrdiff_t)(at - from) * task.out_channels;
        transform(&task);
        at += task.count;
    }
}

void cpu_winograd_run(struct cpu_worker *worker, const struct cpu_winograd_plan *plan, const float *in, int count,
                      float *out) {
    const struct cpu_kernel *kernel = worker->runner->kernel;
    const int step = CPU_WINOGRAD_OUT;
    int across = (plan->out.width + step - 1) / step, tiles = across * ((plan->out.height + step - 1) / step);
    struct cpu_winograd pattern = {
        .in_height = plan->in.height,
        .in_width = plan->in.width,
        .in_channels = plan->in.channels,
        .out_height = plan->out.height,
        .out_width = plan->out.width,
        .out_channels = plan->out.channels,
        .pad = plan->pad,
        .tiles_across = across,
        .spread = worker->spread,
        .products = worker->products,
        .bias = plan->bias,
        .activation = plan->activation,
        .zeros = worker->runner->zeros,
    };
    for (int from = 0; from < count * tiles; from += WINOGRAD_TILES) {
        int run = count * tiles - from < WINOGRAD_TILES ? count * tiles - from : WINOGRAD_TILES;
        pattern.point = (ptrdiff_t)WINOGRAD_TILES * plan->in.channels;
        winograd_pass(&pattern, kernel->winograd_input, in, out, tiles, from, from + run);
        for (int point = 0; point < CPU_WINOGRAD_POINTS; point++)
            kernel->product(&(struct cpu_product){
                .rows = run,
                .columns = plan->out.channels,
                .depth = plan->in.channels,
                .a = worker->spread + point * pattern.point,
                .a_row = plan->in.channels,
                .a_step = 1,
                .b = plan->weights + (ptrdiff_t)point * plan->in.channels * plan->out.channels,
                .c = worker->products + (ptrdiff_t)point * WINOGRAD_TILES * plan->out.channels,
                .c_row = plan->out.channels,
            });
        pattern.point = (ptrdiff_t)WINOGRAD_TILES * plan->out.channels;
        winograd_pass(&pattern, kernel->winograd_output, in, out, tiles, from, from + run);
    }
}

void cpu_winograd_sums(struct cpu_worker *worker, const struct cpu_layer *plan, const float *in, const float *gradient,
                       int count) {
    const struct cpu_kernel *kernel = worker->runner->kernel;
    const struct net_layer *layer = plan->layer;
    const int step = CPU_WINOGRAD_OUT;
    int across = (layer->out.width + step - 1) / step, tiles = across * ((layer->out.height + step - 1) / step);
    ptrdiff_t inputs = plan->in_channels, outputs = plan->out_channels;
    struct cpu_winograd values = {.in_height = layer->in.height,
                                  .in_width = layer->in.width,
                                  .in_channels = plan->in_channels,
                                  .pad = layer->pad,
                                  .tiles_across = across,
                                  .point = WINOGRAD_TILES * inputs,
                                  .spread = worker->spread,
                                  .products = worker->products,
                                  .zeros = worker->runner->zeros};
    struct cpu_winograd slopes = {.in_height = layer->out.height,
                                  .in_width = layer->out.width,
                                  .in_channels = plan->out_channels,
                                  .tiles_across = across,
                                  .point = WINOGRAD_TILES * outputs,
                                  .spread = worker->products,
                                  .products = worker->products,
                                  .zeros = worker->runner->zeros};
    for (int from = 0; from < count * tiles; from += WINOGRAD_TILES) {
        int run = count * tiles - from < WINOGRAD_TILES ? count * tiles - from : WINOGRAD_TILES;
        winograd_pass(&values, kernel->winograd_input, in, worker->products, tiles, from, from + run);
        winograd_pass(&slopes, kernel->winograd_gradient, gradient, worker->products, tiles, from, from + run);
        for (int point = 0; point < CPU_WINOGRAD_POINTS; point++) {
            cpu_pack(kernel, worker->products + point * slopes.point, outputs, 1, run, plan->out_channels,
                     worker->packed);
            kernel->product(&(struct cpu_product){
                .rows = plan->in_channels,
                .columns = plan->out_channels,
                .depth = run,
                .a = worker->spread + point * values.point,
                .a_row = 1,
                .a_step = inputs,
                .b = worker->packed,
                .c = worker->sums + plan->sums + point * inputs * outputs,
                .c_row = outputs,
                .add = true,
            });
        }
    }
}

/* Gathers windows of the input planes, one channel after the other. */
static void windows_of_planes(const struct net_layer *layer, const float *in, float *windows) {
    int height = layer->in.height, width = layer->in.width;
    for (int y = 0; y < layer->out.height; y++)
        for (int x = 0; x < layer->out.width; x++)
            for (int c = 0; c < layer->in.channels; c++)
                for (int r = 0; r < layer->kernel_height; r++)
                    for (int s = 0; s < layer->kernel_width; s++) {
                        int row = y * layer->stride + r - layer->pad, column = x * layer->stride + s - layer->pad;
                        bool inside = row >= 0 && row < height && column >= 0 && column < width;
                        *windows++ =
                            inside ? in[((size_t)c * (size_t)height + (size_t)row) * (size_t)width + (size_t)column]
                                   : 0;
                    }
}

void cpu_windows(const struct cpu_layer *plan, const float *in, float *windows) {
    const struct net_layer *layer = plan->layer;
    size_t channels = (size_t)plan->in_channels;
    if (plan->way == CPU_PLANES) {
        windows_of_planes(layer, in, windows);
        return;
    }
    for (int y = 0; y < layer->out.height; y++)
        for (int x = 0; x < layer->out.width; x++)
            for (int r = 0; r < layer->kernel_height; r++)
                for (int s = 0; s < layer->kernel_width; s++, windows += channels) {
                    int row = y * layer->stride + r - layer->pad, column = x * layer->stride + s - layer->pad;
                    if (row >= 0 && row < layer->in.height && column >= 0 && column < layer->in.width)
                        memcpy(windows, in + (size_t)(row * layer->in.width + column) * channels,
                               channels * sizeof(float));
                    else
                        memset(windows, 0, channels * sizeof(float));
                }
}

/* ---- layers ---- */

static void forward_product(struct cpu_worker *worker, const struct cpu_layer *plan, const float *matrix, int rows,
                            float *out) {
    worker->runner->kernel->product(&(struct cpu_product){
        .rows = rows,
        .columns = plan->out_channels,
        .depth = plan->depth,
        .a = matrix,
        .a_row = plan->depth,
        .a_step = 1,
        .b = plan->forward,
        .c = out,
        .c_row = plan->out_channels,
        .bias = plan->bias,
        .activation = plan->layer->activation,
    });
}

static void forward_winograd(struct cpu_worker *worker, const struct cpu_layer *plan, const float *in, int count,
                             float *out) {
    struct cpu_winograd_plan winograd = {.in = plan->layer->in,
                                         .out = plan->layer->out,
                                         .pad = plan->layer->pad,
                                         .weights = plan->forward,
                                         .bias = plan->bias,
                                         .activation = plan->layer->activation};
    winograd.in.channels = plan->in_channels;
    winograd.out.channels = plan->out_channels;
    cpu_winograd_run(worker, &winograd, in, count, out);
}

static void forward_pool(const struct cpu_layer *plan, const float *in, int count, float *out) {
    int places = plan->layer->in.height * plan->layer->in.width, channels = plan->in_channels;
    for (int i = 0; i < count; i++, out += channels) {
        for (int c = 0; c < channels; c++)
            out[c] = 0;
        for (int place = 0; place < places; place++, in += channels)
            for (int c = 0; c < channels; c++)
                out[c] += in[c];
        for (int c = 0; c < channels; c++)
            out[c] /= (float)places;
    }
}

static void forward_maximum(const struct cpu_layer *plan, const float *in, int count, float *out) {
    int places = plan->layer->in.height * plan->layer->in.width, channels = plan->in_channels;
    for (int i = 0; i < count; i++, out += channels) {
        memcpy(out, in, (size_t)channels * sizeof(float));
        for (int place = 0; place < places; place++, in += channels)
            for (int c = 0; c < channels; c++)
                out[c] = in[c] > out[c] ? in[c] : out[c];
    }
}

/* The sum of the values at each cell, times the cell's number in an input plane. */
static void forward_at(const struct cpu_worker *worker, const struct cpu_layer *plan, const float *in, int count,
                       float *out) {
    struct net_shape input = net_input(worker->runner->head.net);
    int places = input.height * input.width, channels = plan->in_channels;
    const float *plane = worker->values[0] + (size_t)plan->layer->plane * (size_t)places;
    for (int i = 0; i < count; i++, out += channels, plane += net_shape_size(input)) {
        memset(out, 0, (size_t)channels * sizeof(float));
        for (int place = 0; place < places; place++, in += channels)
            for (int c = 0; plane[place] != 0 && c < channels; c++)
                out[c] += plane[place] * in[c];
    }
}

void cpu_classes(struct cpu_worker *worker, int position) {
    struct net_shape input = net_input(worker->runner->head.net);
    size_t cells = (size_t)(input.height * input.width);
    const float *planes = worker->values[0] + (size_t)position * net_shape_size(input);
    for (size_t cell = 0; cell < cells; cell++)
        worker->classes[cell] = net_class_at(planes, input.channels, cells, cell);
}

static void forward_table(struct cpu_worker *worker, const struct cpu_layer *plan, int count, float *out) {
    struct cpu_table task = {.looks = &plan->looks,
                             .columns = plan->out_channels,
                             .classes = worker->runner->head.net->sprites.classes,
                             .class_of = worker->classes,
                             .table = plan->forward,
                             .bias = plan->bias,
                             .activation = plan->layer->activation};
    for (int i = 0; i < count; i++) {
        cpu_classes(worker, i);
        task.out = out + (size_t)i * plan->out_size;
        worker->runner->kernel->table_sums(&task);
    }
}

static void forward_no_weights(struct cpu_worker *worker, const struct cpu_layer *plan, const float *in, int count,
                               float *out) {
    const float *other = NULL;
    switch (plan->layer->kind) {
    case NET_SPRITES: return;
    case NET_POOL: (plan->layer->maximum ? forward_maximum : forward_pool)(plan, in, count, out); break;
    case NET_AT: forward_at(worker, plan, in, count, out); break;
    default: other = worker->values[plan->layer->other]; /* NET_ADD */
    }
    worker->runner->kernel->add(plan->layer->activation, other ? in : out, other, out, plan->out_size * (size_t)count);
}

static void forward_layer(struct cpu_worker *worker, const struct cpu_layer *plan, int index, int count) {
    const struct net_layer *layer = plan->layer;
    const float *in = worker->values[layer->from];
    float *out = worker->values[index];
    int places = layer->out.height * layer->out.width;
    switch (plan->way) {
    case CPU_NO_WEIGHTS: forward_no_weights(worker, plan, in, count, out); break;
    case CPU_TABLE: forward_table(worker, plan, count, out); break;
    case CPU_DIRECT: forward_product(worker, plan, in, count * places, out); break;
    case CPU_WINOGRAD: forward_winograd(worker, plan, in, count, out); break;
    case CPU_PLANES:
    case CPU_WINDOWS:
        for (int i = 0; i < count; i++) {
            cpu_windows(plan, in + (size_t)i * plan->in_size, worker->windows);
            forward_product(worker, plan, worker->windows, places, out + (size_t)i * plan->out_size);
        }
        break;
    }
}

void cpu_forward(struct cpu_worker *worker, int count) {
    for (int i = 1; i <= worker->runner->head.net->count; i++)
        forward_layer(worker, &worker->runner->layers[i], i, count);
}
