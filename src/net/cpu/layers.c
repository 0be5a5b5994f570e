/* Prepares each layer: chooses how it is computed, finds the order of its weights in a matrix product, and packs the
 * matrices. */
#include "net/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

float *cpu_take(size_t count) {
    size_t bytes = (count * sizeof(float) + 64 + 63) / 64 * 64;
    float *block = aligned_alloc(64, bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

static enum cpu_way way_of(const struct net *net, const struct net_layer *layer) {
    if (!layer->weight_count)
        return CPU_NO_WEIGHTS;
    if (net_reads_sprites(net, layer))
        return CPU_TABLE;
    bool point = layer->kernel_height * layer->kernel_width * layer->stride == 1 && !layer->pad;
    if (layer->kind == NET_LINEAR || (point && layer->from))
        return CPU_DIRECT;
    if (!layer->from)
        return CPU_PLANES;
    bool three = layer->kernel_height == 3 && layer->kernel_width == 3 && layer->stride == 1;
    return three && layer->pad <= 2 ? CPU_WINOGRAD : CPU_WINDOWS;
}

/* Finds the order of the weights that matches the layout of the values. A linear layer is treated as a convolution
 * whose window is as large as its input. */
static void fill_order(struct cpu_layer *plan) {
    const struct net_layer *layer = plan->layer;
    int channels = layer->in.channels, depth = 0;
    int window =
        layer->kind == NET_LINEAR ? layer->in.height * layer->in.width : layer->kernel_height * layer->kernel_width;
    if (!layer->from) {
        for (; depth < plan->depth; depth++)
            plan->order[depth] = depth;
        return;
    }
    for (int place = 0; place < window; place++)
        for (int channel = 0; channel < plan->in_channels; channel++)
            plan->order[depth++] = channel < channels ? channel * window + place : -1;
}

/* A convolution over sprites: the inner dimension is the rows of the table. */
static bool open_table(const struct cpu_runner *runner, struct cpu_layer *plan) {
    const struct net_sprites *sprites = &runner->head.net->sprites;
    if (!net_looks_open(&plan->looks, sprites, plan->layer))
        return false;
    plan->depth = plan->looks.row_parts * plan->looks.column_parts * sprites->classes;
    return true;
}

/* The gradients of the weights are read and written once per group of positions; a group's windows must fit into the
 * second-level cache. */
static int group_of(const struct cpu_runner *runner, const struct cpu_layer *plan) {
    size_t windows = (size_t)(plan->layer->out.height * plan->layer->out.width) * (size_t)plan->depth;
    size_t most = ((size_t)512 << 10) / sizeof(float) / windows, slice = (size_t)runner->slice;
    return plan->way == CPU_DIRECT || most >= slice ? (int)slice : most > 1 ? (int)most : 1;
}

static bool open_layer(struct cpu_runner *runner, int index) {
    const struct net_layer *layer = &runner->head.net->layers[index];
    struct cpu_layer *plan = &runner->layers[index];
    plan->layer = layer;
    plan->way = way_of(runner->head.net, layer);
    if (layer->kind == NET_SPRITES)
        return true; /* no values */
    plan->in_channels = layer->from ? cpu_padded(layer->in.channels) : layer->in.channels;
    plan->out_channels = cpu_padded(layer->out.channels);
    plan->in_size = (size_t)plan->in_channels * (size_t)(layer->in.height * layer->in.width);
    plan->out_size = (size_t)plan->out_channels * (size_t)(layer->out.height * layer->out.width);
    if (plan->way == CPU_NO_WEIGHTS)
        return true;
    plan->depth =
        layer->kind == NET_LINEAR ? (int)plan->in_size : plan->in_channels * layer->kernel_height * layer->kernel_width;
    bool table = plan->way == CPU_TABLE;
    if (table && !open_table(runner, plan))
        return false;
    plan->group = group_of(runner, plan);
    size_t weights = (size_t)plan->depth * (size_t)plan->out_channels;
    plan->sums = runner->sums;
    plan->sum_rows = (size_t)plan->depth;
    if (plan->way == CPU_WINOGRAD) {
        plan->sum_rows = (size_t)CPU_WINOGRAD_POINTS * (size_t)plan->in_channels;
        weights = plan->sum_rows * (size_t)plan->out_channels;
    }
    runner->sums += weights + (size_t)plan->out_channels;
    plan->order = malloc((size_t)plan->depth * sizeof *plan->order);
    plan->bias = cpu_take((size_t)plan->out_channels);
    plan->forward = cpu_take(weights);
    bool back = runner->head.options.train && layer->from && !table;
    plan->backward = back ? cpu_take(weights) : NULL;
    if (!plan->order || !plan->bias || !plan->forward || (back && !plan->backward))
        return false;
    if (!table)
        fill_order(plan);
    return true;
}

bool cpu_layers_open(struct cpu_runner *runner) {
    size_t most = 1;
    for (int i = 1; i <= runner->head.net->count; i++) {
        struct cpu_layer *plan = &runner->layers[i];
        if (!open_layer(runner, i))
            return false;
        size_t weights = (size_t)plan->depth * (size_t)plan->out_channels;
        if (plan->way == CPU_WINOGRAD)
            weights *= 4; /* a kernel of 9 weights becomes 36 points */
        most = weights > most ? weights : most;
    }
    runner->block_size = most;
    runner->block = cpu_take(most);
    return runner->block != NULL;
}

void cpu_layers_close(struct cpu_runner *runner) {
    for (int i = 1; i <= runner->head.net->count; i++) {
        struct cpu_layer *plan = &runner->layers[i];
        net_looks_close(&plan->looks);
        free(plan->order);
        free(plan->bias);
        free(plan->forward);
        free(plan->backward);
    }
    free(runner->block);
}

/* ---- packing ---- */

/* Winograd's matrix G. */
static const double g[6][3] = {{1.0 / 4, 0, 0},
                               {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                               {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                               {1.0 / 24, 1.0 / 12, 1.0 / 6},
                               {1.0 / 24, -1.0 / 12, 1.0 / 6},
                               {0, 0, 1}};

/* Computes G g G^T, the 36 points of a kernel. With `turn` the kernel is rotated by 180 degrees, for the gradient of
 * the input. */
static void winograd_points(const float *kernel, bool turn, double points[36]) {
    double half[6][3];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++) {
            half[i][j] = 0;
            for (int k = 0; k < 3; k++)
                half[i][j] += g[i][k] * (double)kernel[turn ? 8 - (k * 3 + j) : k * 3 + j];
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            points[i * 6 + j] = half[i][0] * g[j][0] + half[i][1] * g[j][1] + half[i][2] * g[j][2];
}

/* Packs 36 matrices of [in][out] channels; with `turn`, of [out][in]. */
static void pack_winograd(const struct cpu_runner *runner, const struct cpu_layer *plan, const float *weights,
                          bool turn, float *block, float *packed) {
    int rows = turn ? plan->out_channels : plan->in_channels, columns = turn ? plan->in_channels : plan->out_channels;
    size_t matrix = (size_t)rows * (size_t)columns;
    memset(block, 0, matrix * CPU_WINOGRAD_POINTS * sizeof(float));
    for (int out = 0; out < plan->layer->out.channels; out++)
        for (int in = 0; in < plan->layer->in.channels; in++) {
            double points[36];
            winograd_points(weights + (out * plan->layer->in.channels + in) * 9, turn, points);
            float *to = block + (turn ? out * columns + in : in * columns + out);
            for (int point = 0; point < 36; point++)
                to[(size_t)point * matrix] = (float)points[point];
        }
    for (size_t point = 0; point < CPU_WINOGRAD_POINTS; point++)
        cpu_pack(runner->kernel, block + point * matrix, columns, 1, rows, columns, packed + point * matrix);
}

static void pack_matrix(const struct cpu_runner *runner, const struct cpu_layer *plan, const float *weights,
                        float *block) {
    int outs = plan->layer->out.channels, columns = plan->out_channels;
    size_t fan = plan->layer->weight_count / (size_t)outs;
    memset(block, 0, (size_t)plan->depth * (size_t)columns * sizeof(float));
    for (int first = 0; first < outs; first += CPU_CHANNELS) /* few filters at a time, so that they stay in the cache */
        for (int k = 0; k < plan->depth; k++)
            for (int j = first; plan->order[k] >= 0 && j < outs && j < first + CPU_CHANNELS; j++)
                block[(size_t)k * (size_t)columns + (size_t)j] = weights[(size_t)j * fan + (size_t)plan->order[k]];
    cpu_pack(runner->kernel, block, columns, 1, plan->depth, columns, plan->forward);
    if (plan->backward)
        cpu_pack(runner->kernel, block, 1, columns, columns, plan->depth, plan->backward);
}

void cpu_layers_pack(struct cpu_runner *runner, int index, float *block) {
    const struct cpu_layer *plan = &runner->layers[index];
    if (plan->way == CPU_NO_WEIGHTS)
        return;
    const float *weights = runner->parameters + plan->layer->weight;
    memcpy(plan->bias, runner->parameters + plan->layer->bias, plan->layer->bias_count * sizeof(float));
    if (plan->way == CPU_TABLE) {
        net_table_make(&plan->looks, &runner->head.net->sprites, plan->layer, weights, plan->out_channels,
                       plan->forward);
        return;
    }
    if (plan->way != CPU_WINOGRAD) {
        pack_matrix(runner, plan, weights, block);
        return;
    }
    pack_winograd(runner, plan, weights, false, block, plan->forward);
    if (plan->backward)
        pack_winograd(runner, plan, weights, true, block, plan->backward);
}

/* Adds G^T m G, where m are the sums of a kernel's 36 points, to the gradients of the kernel's 9 weights. */
static void unpack_winograd(const struct cpu_layer *plan, const float *sums, float *weights) {
    int ins = plan->layer->in.channels, outs = plan->layer->out.channels;
    size_t columns = (size_t)plan->out_channels, matrix = (size_t)plan->in_channels * columns;
    for (int in = 0; in < ins; in++)
        for (int out = 0; out < outs; out++) {
            const float *from = sums + (size_t)in * columns + (size_t)out;
            float *to = weights + (out * ins + in) * 9;
            double half[3][6] = {{0}};
            for (int i = 0; i < 36; i++)
                for (int k = 0; k < 3; k++)
                    half[k][i % 6] += g[i / 6][k] * (double)from[(size_t)i * matrix];
            for (int i = 0; i < 9; i++)
                for (int k = 0; k < 6; k++)
                    to[i] += (float)(half[i / 3][k] * g[k][i % 3]);
        }
}

void cpu_layers_unpack(struct cpu_runner *runner, const float *sums) {
    for (int i = 1; i <= runner->head.net->count; i++) {
        const struct cpu_layer *plan = &runner->layers[i];
        if (plan->way == CPU_NO_WEIGHTS)
            continue;
        int outs = plan->layer->out.channels;
        size_t fan = plan->layer->weight_count / (size_t)outs, columns = (size_t)plan->out_channels;
        const float *from = sums + plan->sums;
        float *weights = runner->gradients + plan->layer->weight, *bias = runner->gradients + plan->layer->bias;
        if (plan->way == CPU_TABLE)
            net_table_unmake(&plan->looks, &runner->head.net->sprites, plan->layer, from, plan->out_channels, weights);
        if (plan->way == CPU_WINOGRAD)
            unpack_winograd(plan, from, weights);
        bool matrix = plan->way != CPU_TABLE && plan->way != CPU_WINOGRAD;
        for (int first = 0; matrix && first < outs; first += CPU_CHANNELS)
            for (int k = 0; k < plan->depth; k++)
                for (int j = first; plan->order[k] >= 0 && j < outs && j < first + CPU_CHANNELS; j++)
                    weights[(size_t)j * fan + (size_t)plan->order[k]] += from[(size_t)k * columns + (size_t)j];
        from += plan->sum_rows * columns;
        for (int j = 0; j < outs; j++)
            bias[j] += from[j];
    }
}
