#include "net/cuda/sprites.h"

#include <cuda_bf16.h>

enum { BLOCK = 256, WARP = 32 };
enum { PLAIN, ELU, RELU }; /* a copy of enum net_activation, which is defined in a header for C only */

static int blocks(size_t count) { return (int)((count + BLOCK - 1) / BLOCK); }

__device__ static float widen(bfloat x) { return __bfloat162float(__ushort_as_bfloat16(x)); }
__device__ static bfloat narrow(float x) { return __bfloat16_as_ushort(__float2bfloat16(x)); }

__device__ static float activated(int activation, float x) {
    if (activation == PLAIN || x > 0)
        return x;
    return activation == RELU ? 0.0f : expm1f(x);
}

/* ---- forwards ---- */

__global__ static void find_classes(const float *planes, uint8_t *classes, size_t count, int channels, int cells) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    const float *at = planes + i / cells * channels * cells + i % cells;
    int found = 0;
    for (int plane = 0; plane < channels; plane++)
        found |= (at[(size_t)plane * cells] > 0.5f) << plane;
    classes[i] = (uint8_t)found;
}

extern "C" void cuda_classes(const float *planes, uint8_t *classes, int count, int channels, int cells,
                             cudaStream_t stream) {
    size_t all = (size_t)count * cells;
    find_classes<<<blocks(all), BLOCK, 0, stream>>>(planes, classes, all, channels, cells);
}

/* One thread per number of the table. */
__global__ static void make_table(struct cuda_table t, const float *weights) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= t.rows * t.columns)
        return;
    int k = i % t.columns, row = i / t.columns, part = row / t.classes, window = t.kernel_height * t.kernel_width;
    const float *picture = t.pictures + (size_t)(row % t.classes) * t.colours * t.side * t.side;
    struct cuda_part down = t.parts[part / t.column_parts], across = t.parts[t.row_parts + part % t.column_parts];
    float sum = 0;
    for (int c = 0; k < t.filters && c < t.colours; c++)
        for (int r = down.from; r < down.to; r++)
            for (int s = across.from; s < across.to; s++)
                sum += picture[(c * t.side + r + down.shift) * t.side + s + across.shift] *
                       weights[((size_t)k * t.colours + c) * window + r * t.kernel_width + s];
    t.table[i] = sum;
}

extern "C" void cuda_table_make(struct cuda_table table, const float *weights, cudaStream_t stream) {
    make_table<<<blocks((size_t)table.rows * table.columns), BLOCK, 0, stream>>>(table, weights);
}

struct __align__(16) eight {
    bfloat x[8];
};

/* Each thread computes eight channels of one output. */
__global__ static void sum_rows(struct cuda_table t, const uint8_t *classes, const float *bias, int activation,
                                struct eight *out, size_t count) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    int eights = t.columns / 8, column = (int)(i % eights) * 8, output = (int)(i / eights % t.outputs);
    const uint8_t *shown = classes + i / eights / t.outputs * t.cells;
    float sum[8];
    for (int k = 0; k < 8; k++)
        sum[k] = bias[column + k];
    for (int at = t.starts[output]; at < t.starts[output + 1]; at++) {
        struct cuda_look look = t.looks[at];
        const float4 *row =
            (const float4 *)(t.table + (size_t)(look.part * t.classes + shown[look.cell]) * t.columns + column);
        float4 low = row[0], high = row[1];
        sum[0] += low.x, sum[1] += low.y, sum[2] += low.z, sum[3] += low.w;
        sum[4] += high.x, sum[5] += high.y, sum[6] += high.z, sum[7] += high.w;
    }
    struct eight v;
    for (int k = 0; k < 8; k++)
        v.x[k] = narrow(activated(activation, sum[k]));
    out[i] = v;
}

extern "C" void cuda_table_sums(struct cuda_table table, const uint8_t *classes, const float *bias, int activation,
                                bfloat *out, int count, cudaStream_t stream) {
    size_t all = (size_t)count * table.outputs * (table.columns / 8);
    sum_rows<<<blocks(all), BLOCK, 0, stream>>>(table, classes, bias, activation, (struct eight *)out, all);
}

/* ---- backwards ---- */

/* Block (chunk, part, 32 columns) adds up the gradients of the outputs in which a part of a picture occurs, by class.
 * Each warp has sums of its own; a thread has one column. */
__global__ static void part_sums(struct cuda_table t, const uint8_t *classes, const bfloat *gradients, int count) {
    extern __shared__ float sums[]; /* [warp][class][32] */
    int warps = blockDim.x / WARP, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    int part = blockIdx.y, column = blockIdx.z * WARP + lane;
    for (int i = threadIdx.x; i < warps * t.classes * WARP; i += blockDim.x)
        sums[i] = 0;
    __syncthreads();
    const struct cuda_use *uses = t.uses + t.use_starts[part];
    int each = t.use_starts[part + 1] - t.use_starts[part], all = each * count;
    float *own = sums + warp * t.classes * WARP + lane;
    if (column < t.columns)
        for (int item = blockIdx.x * warps + warp; item < all; item += gridDim.x * warps) {
            size_t position = item / each;
            struct cuda_use use = uses[item % each];
            own[classes[position * t.cells + use.cell] * WARP] +=
                widen(gradients[(position * t.outputs + use.output) * t.columns + column]);
        }
    __syncthreads();
    for (int i = threadIdx.x; i < t.classes * WARP; i += blockDim.x) {
        int to = blockIdx.z * WARP + i % WARP;
        float sum = 0;
        for (int w = 0; w < warps; w++)
            sum += sums[w * t.classes * WARP + i];
        if (to < t.columns)
            t.partial[((size_t)blockIdx.x * t.rows + part * t.classes + i / WARP) * t.columns + to] = sum;
    }
}

__global__ static void add_chunks(struct cuda_table t) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, all = (size_t)t.rows * t.columns;
    if (i >= all)
        return;
    float sum = 0;
    for (int chunk = 0; chunk < t.chunks; chunk++)
        sum += t.partial[chunk * all + i];
    t.gradients[i] = sum;
}

/* One thread per weight: each part that the weight lies in, and each class. */
__global__ static void unmake_table(struct cuda_table t, float *weights) {
    int window = t.kernel_height * t.kernel_width, i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= t.filters * t.colours * window)
        return;
    int s = i % t.kernel_width, r = i / t.kernel_width % t.kernel_height, c = i / window % t.colours;
    int k = i / window / t.colours;
    float sum = 0;
    for (int y = 0; y < t.row_parts; y++) {
        struct cuda_part down = t.parts[y];
        if (r < down.from || r >= down.to)
            continue;
        for (int x = 0; x < t.column_parts; x++) {
            struct cuda_part across = t.parts[t.row_parts + x];
            if (s < across.from || s >= across.to)
                continue;
            size_t row = (size_t)(y * t.column_parts + x) * t.classes;
            for (int shown = 0; shown < t.classes; shown++)
                sum += t.pictures[((size_t)(shown * t.colours + c) * t.side + r + down.shift) * t.side + s +
                                  across.shift] *
                       t.gradients[(row + shown) * t.columns + k];
        }
    }
    weights[i] = sum;
}

extern "C" void cuda_table_gradients(struct cuda_table table, const uint8_t *classes, const bfloat *gradients,
                                     float *weights, int count, cudaStream_t stream) {
    int warps = table.classes < 128 ? 128 / table.classes : 1;
    warps = warps > BLOCK / WARP ? BLOCK / WARP : warps;
    dim3 grid(table.chunks, table.row_parts * table.column_parts, (table.columns + WARP - 1) / WARP);
    part_sums<<<grid, warps * WARP, (size_t)warps * table.classes * WARP * sizeof(float), stream>>>(table, classes,
                                                                                                    gradients, count);
    add_chunks<<<blocks((size_t)table.rows * table.columns), BLOCK, 0, stream>>>(table);
    size_t all = (size_t)table.filters * table.colours * table.kernel_height * table.kernel_width;
    unmake_table<<<blocks(all), BLOCK, 0, stream>>>(table, weights);
}
