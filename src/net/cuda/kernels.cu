#include "net/cuda/kernels.h"

#include <cuda_bf16.h>

#define BLOCK 256

/* Copies of enum net_activation and enum optimiser_kind, which are defined in headers for C only. */
enum { PLAIN, ELU, RELU };
enum { ADAM, RMSPROP, SGD, RMSPROP_TF };

static int blocks(size_t count) { return (int)((count + BLOCK - 1) / BLOCK); }

__device__ static float widen(bfloat x) { return __bfloat162float(__ushort_as_bfloat16(x)); }
__device__ static bfloat narrow(float x) { return __bfloat16_as_ushort(__float2bfloat16(x)); }

__device__ static float activated(int activation, float x) {
    if (activation == PLAIN || x > 0)
        return x;
    return activation == RELU ? 0.0f : expm1f(x);
}

/* Each thread processes eight numbers (sixteen bytes) at a time. */
struct __align__(16) eight {
    bfloat x[8];
};

/* ---- layouts ---- */

__global__ static void spread_planes(const float *planes, bfloat *out, size_t count, int channels, int padded,
                                     int places) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    int channel = (int)(i % padded);
    size_t place = i / padded, position = place / places;
    out[i] = channel < channels ? narrow(planes[(position * channels + channel) * places + place % places]) : 0;
}

extern "C" void cuda_spread_planes(const float *planes, bfloat *out, int count, int channels, int padded, int places,
                                   cudaStream_t stream) {
    size_t all = (size_t)count * places * padded;
    spread_planes<<<blocks(all), BLOCK, 0, stream>>>(planes, out, all, channels, padded, places);
}

/* Finds which of the optimiser's weights belongs to number i of the padded layout; false if that is padding. */
__device__ static bool master_place(struct cuda_filter f, size_t i, size_t *place) {
    int channel = (int)(i % f.padded_channels);
    size_t window = i / f.padded_channels, out = window / f.places;
    *place = (out * f.channels + channel) * f.places + window % f.places;
    return channel < f.channels && out < (size_t)f.outs;
}

static size_t padded_size(struct cuda_filter f) { return (size_t)f.padded_outs * f.places * f.padded_channels; }

__global__ static void cast_weights(const float *weights, bfloat *out, struct cuda_filter f, size_t count) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, place;
    if (i < count)
        out[i] = master_place(f, i, &place) ? narrow(weights[place]) : 0;
}

extern "C" void cuda_cast_weights(const float *weights, bfloat *out, struct cuda_filter f, cudaStream_t stream) {
    cast_weights<<<blocks(padded_size(f)), BLOCK, 0, stream>>>(weights, out, f, padded_size(f));
}

__global__ static void cast_bias(const float *bias, float *out, int count, int padded) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < padded)
        out[i] = i < count ? bias[i] : 0;
}

extern "C" void cuda_cast_bias(const float *bias, float *out, int count, int padded, cudaStream_t stream) {
    cast_bias<<<blocks((size_t)padded), BLOCK, 0, stream>>>(bias, out, count, padded);
}

__global__ static void uncast_weights(const bfloat *gradients, float *out, struct cuda_filter f, size_t count) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, place;
    if (i < count && master_place(f, i, &place))
        out[place] = widen(gradients[i]);
}

__global__ static void uncast_wide_weights(const float *gradients, float *out, struct cuda_filter f, size_t count) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, place;
    if (i < count && master_place(f, i, &place))
        out[place] = gradients[i];
}

extern "C" void cuda_uncast_weights(const bfloat *gradients, float *out, struct cuda_filter f, cudaStream_t stream) {
    uncast_weights<<<blocks(padded_size(f)), BLOCK, 0, stream>>>(gradients, out, f, padded_size(f));
}

extern "C" void cuda_uncast_wide_weights(const float *gradients, float *out, struct cuda_filter f,
                                         cudaStream_t stream) {
    uncast_wide_weights<<<blocks(padded_size(f)), BLOCK, 0, stream>>>(gradients, out, f, padded_size(f));
}

/* ---- activations ---- */

__global__ static void activate(struct eight *values, const float *bias, size_t count, int channels, int activation) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    struct eight v = values[i];
    const float *b = bias + i * 8 % channels;
    for (int k = 0; k < 8; k++)
        v.x[k] = narrow(activated(activation, widen(v.x[k]) + b[k]));
    values[i] = v;
}

extern "C" void cuda_activate(bfloat *values, const float *bias, size_t count, int channels, int activation,
                              cudaStream_t stream) {
    activate<<<blocks(count / 8), BLOCK, 0, stream>>>((struct eight *)values, bias, count / 8, channels, activation);
}

__global__ static void finish_output(float *wide, bfloat *values, const float *bias, size_t count, int channels,
                                     int activation) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    float x = activated(activation, wide[i] + bias[i % channels]);
    wide[i] = x;
    values[i] = narrow(x);
}

extern "C" void cuda_finish_output(float *wide, bfloat *values, const float *bias, size_t count, int channels,
                                   int activation, cudaStream_t stream) {
    finish_output<<<blocks(count), BLOCK, 0, stream>>>(wide, values, bias, count, channels, activation);
}

__global__ static void widen_all(const bfloat *values, float *wide, size_t count) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < count)
        wide[i] = widen(values[i]);
}

extern "C" void cuda_widen(const bfloat *values, float *wide, size_t count, cudaStream_t stream) {
    widen_all<<<blocks(count), BLOCK, 0, stream>>>(values, wide, count);
}

__global__ static void close_up(const float *wide, float *out, size_t count, int places, int padded, int real) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, row = (size_t)places * real, in_row = i % row;
    if (i < count)
        out[i] = wide[(i / row * places + in_row % places) * padded + in_row / places];
}

extern "C" void cuda_close_up(const float *wide, float *out, int count, int places, int padded, int real,
                              cudaStream_t stream) {
    size_t all = (size_t)count * places * real;
    close_up<<<blocks(all), BLOCK, 0, stream>>>(wide, out, all, places, padded, real);
}

__global__ static void add(const struct eight *a, const struct eight *b, struct eight *out, size_t count,
                           int activation) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    struct eight x = a[i], y = b[i];
    for (int k = 0; k < 8; k++)
        x.x[k] = narrow(activated(activation, widen(x.x[k]) + widen(y.x[k])));
    out[i] = x;
}

extern "C" void cuda_add(const bfloat *a, const bfloat *b, bfloat *out, size_t count, int activation,
                         cudaStream_t stream) {
    add<<<blocks(count / 8), BLOCK, 0, stream>>>((const struct eight *)a, (const struct eight *)b, (struct eight *)out,
                                                 count / 8, activation);
}

extern "C" void cuda_sum(bfloat *to, const bfloat *from, size_t count, cudaStream_t stream) {
    cuda_add(to, from, to, count, PLAIN, stream);
}

__global__ static void slope(const struct eight *given, struct eight *gradients, size_t count, int activation) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    struct eight y = given[i], g = gradients[i];
    for (int k = 0; k < 8; k++) {
        float at = widen(y.x[k]);
        if (!(at > 0))
            g.x[k] = activation == RELU ? 0 : narrow(widen(g.x[k]) * (at + 1));
    }
    gradients[i] = g;
}

extern "C" void cuda_slope(const bfloat *given, bfloat *gradients, size_t count, int activation, cudaStream_t stream) {
    if (activation != PLAIN)
        slope<<<blocks(count / 8), BLOCK, 0, stream>>>((const struct eight *)given, (struct eight *)gradients,
                                                       count / 8, activation);
}

/* ---- pooling ---- */

__global__ static void pool(const bfloat *in, bfloat *out, size_t count, int places, int channels, int activation) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    const bfloat *from = in + i / channels * places * channels + i % channels;
    float sum = 0;
    for (int p = 0; p < places; p++)
        sum += widen(from[(size_t)p * channels]);
    out[i] = narrow(activated(activation, sum / places));
}

extern "C" void cuda_pool(const bfloat *in, bfloat *out, int count, int places, int channels, int activation,
                          cudaStream_t stream) {
    size_t all = (size_t)count * channels;
    pool<<<blocks(all), BLOCK, 0, stream>>>(in, out, all, places, channels, activation);
}

__global__ static void unpool(const bfloat *gradients, bfloat *out, size_t count, int places, int channels) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < count)
        out[i] = narrow(widen(gradients[i / channels / places * channels + i % channels]) / places);
}

extern "C" void cuda_unpool(const bfloat *gradients, bfloat *out, int count, int places, int channels,
                            cudaStream_t stream) {
    size_t all = (size_t)count * places * channels;
    unpool<<<blocks(all), BLOCK, 0, stream>>>(gradients, out, all, places, channels);
}

__global__ static void maximum(const bfloat *in, bfloat *out, size_t count, int places, int channels, int activation) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    const bfloat *from = in + i / channels * places * channels + i % channels;
    float most = widen(from[0]);
    for (int p = 1; p < places; p++)
        most = fmaxf(most, widen(from[(size_t)p * channels]));
    out[i] = narrow(activated(activation, most));
}

extern "C" void cuda_maximum(const bfloat *in, bfloat *out, int count, int places, int channels, int activation,
                             cudaStream_t stream) {
    size_t all = (size_t)count * channels;
    maximum<<<blocks(all), BLOCK, 0, stream>>>(in, out, all, places, channels, activation);
}

/* The gradient goes to the first cell that holds the maximum. */
__global__ static void unmaximum(const bfloat *in, const bfloat *gradients, bfloat *out, size_t count, int places,
                                 int channels) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    size_t first = i / channels * places * channels + i % channels;
    int at = 0;
    for (int p = 1; p < places; p++)
        at = widen(in[first + (size_t)p * channels]) > widen(in[first + (size_t)at * channels]) ? p : at;
    for (int p = 0; p < places; p++)
        out[first + (size_t)p * channels] = p == at ? gradients[i] : 0;
}

extern "C" void cuda_unmaximum(const bfloat *in, const bfloat *gradients, bfloat *out, int count, int places,
                               int channels, cudaStream_t stream) {
    size_t all = (size_t)count * channels;
    unmaximum<<<blocks(all), BLOCK, 0, stream>>>(in, gradients, out, all, places, channels);
}

__global__ static void at_plane(const bfloat *in, const float *plane, size_t size, bfloat *out, size_t count,
                                int places, int channels, int activation) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, position = i / channels;
    if (i >= count)
        return;
    float sum = 0;
    for (int p = 0; p < places; p++) {
        float weight = plane[position * size + p];
        if (weight != 0)
            sum += weight * widen(in[(position * places + p) * channels + i % channels]);
    }
    out[i] = narrow(activated(activation, sum));
}

extern "C" void cuda_at(const bfloat *in, const float *plane, size_t size, bfloat *out, int count, int places,
                        int channels, int activation, cudaStream_t stream) {
    size_t all = (size_t)count * channels;
    at_plane<<<blocks(all), BLOCK, 0, stream>>>(in, plane, size, out, all, places, channels, activation);
}

__global__ static void unat_plane(const bfloat *gradients, const float *plane, size_t size, bfloat *out, size_t count,
                                  int places, int channels) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, cell = i / channels, position = cell / places;
    if (i < count)
        out[i] = narrow(plane[position * size + cell % places] * widen(gradients[position * channels + i % channels]));
}

extern "C" void cuda_unat(const bfloat *gradients, const float *plane, size_t size, bfloat *out, int count, int places,
                          int channels, cudaStream_t stream) {
    size_t all = (size_t)count * places * channels;
    unat_plane<<<blocks(all), BLOCK, 0, stream>>>(gradients, plane, size, out, all, places, channels);
}

/* ---- sums, always added in the same order ---- */

/* The sum of x over the threads of a block; every thread gets the result. */
__device__ static float block_sum(float x) {
    __shared__ float sums[BLOCK];
    __syncthreads();
    sums[threadIdx.x] = x;
    __syncthreads();
    for (int step = BLOCK / 2; step; step /= 2) {
        if (threadIdx.x < step)
            sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    return sums[0];
}

/* Rows are divided into runs of as many rows as the block's threads cover at once. Part p sums every CUDA_PARTS-th run,
 * with eight channels per thread. */
__global__ static void row_parts(const struct eight *gradients, float *partial, size_t rows, int channels) {
    __shared__ float sums[BLOCK][8];
    int eights = channels / 8;
    for (int first = 0; first < eights; first += BLOCK) { /* more than one round only for very wide layers */
        int wide = eights - first < BLOCK ? eights - first : BLOCK, row = threadIdx.x / wide, c = threadIdx.x % wide;
        float sum[8] = {0};
        int at_once = BLOCK / wide, used = at_once * wide;
        for (size_t r = (size_t)blockIdx.x * at_once + row; (int)threadIdx.x < used && r < rows;
             r += (size_t)CUDA_PARTS * at_once) {
            struct eight v = gradients[r * eights + first + c];
            for (int k = 0; k < 8; k++)
                sum[k] += widen(v.x[k]);
        }
        __syncthreads();
        for (int k = 0; k < 8; k++)
            sums[threadIdx.x][k] = sum[k];
        __syncthreads();
        for (int i = threadIdx.x; i < wide * 8; i += BLOCK) {
            float all = 0;
            for (int k = 0; k < at_once; k++)
                all += sums[k * wide + i / 8][i % 8];
            partial[(size_t)blockIdx.x * channels + first * 8 + i] = all;
        }
    }
}

/* Adds up the parts, with one block of threads per channel. */
__global__ static void add_parts(const float *partial, float *out, int channels) {
    float sum = 0;
    for (int p = threadIdx.x; p < CUDA_PARTS; p += BLOCK)
        sum += partial[(size_t)p * channels + blockIdx.x];
    sum = block_sum(sum);
    if (!threadIdx.x)
        out[blockIdx.x] = sum;
}

extern "C" void cuda_bias_sums(const bfloat *gradients, float *partial, float *out, size_t rows, int channels, int real,
                               cudaStream_t stream) {
    row_parts<<<CUDA_PARTS, BLOCK, 0, stream>>>((const struct eight *)gradients, partial, rows, channels);
    add_parts<<<real, BLOCK, 0, stream>>>(partial, out, channels);
}

__device__ static float block_most(float x) {
    __shared__ float most[BLOCK];
    __syncthreads();
    most[threadIdx.x] = x;
    __syncthreads();
    for (int step = BLOCK / 2; step; step /= 2) {
        if (threadIdx.x < step)
            most[threadIdx.x] = fmaxf(most[threadIdx.x], most[threadIdx.x + step]);
        __syncthreads();
    }
    return most[0];
}

/* ---- losses: the formulas of net/loss.c, one block per position ---- */

/* Where an action's logit is among those of its position; and the reverse: the action at a place, or -1 for padding. */
__device__ static int place_of(const struct cuda_loss &l, int action) {
    return action % l.places * l.padded + action / l.places;
}
__device__ static int action_at(const struct cuda_loss &l, int j) {
    int action = j % l.padded * l.places + j / l.padded;
    return action < l.actions ? action : -1;
}

/* The policy loss for plain targets. losses: policy, value (not set here), entropy. */
__device__ static void lose_targets(const struct cuda_loss &l, size_t at, float scale, float *losses) {
    const float *z = l.logits + at * l.row, *t = l.policy_targets + at * l.actions;
    bool taught = l.has_targets[0];
    float most = -INFINITY, sum = 0, weight = 0, cross = 0, entropy = 0;
    for (int i = threadIdx.x; i < l.actions; i += BLOCK)
        most = fmaxf(most, z[place_of(l, i)]);
    most = block_most(most);
    for (int i = threadIdx.x; i < l.actions; i += BLOCK)
        sum += expf(z[place_of(l, i)] - most);
    float log_sum = most + logf(block_sum(sum));
    for (int i = threadIdx.x; i < l.actions; i += BLOCK) {
        float log_p = z[place_of(l, i)] - log_sum, target = taught ? t[i] : 0;
        weight += target;
        cross -= target * log_p;
        entropy -= expf(log_p) * log_p;
    }
    weight = block_sum(weight);
    losses[0] = block_sum(cross);
    losses[2] = entropy = block_sum(entropy);
    for (int j = threadIdx.x; j < l.row; j += BLOCK) {
        int i = action_at(l, j);
        bool real = i >= 0;
        float log_p = real ? z[j] - log_sum : 0, p = expf(log_p), target = taught && real ? t[i] : 0;
        float slope = weight * p - target + l.weights[3] * p * (log_p + entropy);
        l.logit_gradients[at * l.row + j] = real ? narrow(scale * slope) : 0;
    }
}

/* The PPO loss of the move that self-play chose; the targets mark the actions. */
__device__ static void lose_drawn(const struct cuda_loss &l, size_t at, float scale, float *losses) {
    const float *z = l.logits + at * l.row, *marks = l.policy_targets + at * l.actions;
    float most = -INFINITY, sum = 0, own = 0, entropy = 0, then = l.drawn[at * 2], advantage = l.drawn[at * 2 + 1];
    for (int i = threadIdx.x; i < l.actions; i += BLOCK)
        most = marks[i] != 0 ? fmaxf(most, z[place_of(l, i)]) : most;
    most = block_most(most);
    for (int i = threadIdx.x; i < l.actions; i += BLOCK) {
        float part = marks[i] != 0 ? expf(z[place_of(l, i)] - most) : 0;
        sum += part;
        own += marks[i] < 0 ? part : 0;
    }
    sum = block_sum(sum);
    own = block_sum(own);
    float log_sum = most + logf(sum);
    for (int i = threadIdx.x; i < l.actions; i += BLOCK) {
        float log_p = marks[i] != 0 ? z[place_of(l, i)] - log_sum : 0;
        entropy -= expf(log_p) * log_p;
    }
    losses[2] = entropy = block_sum(entropy);
    float edge = advantage > 0 ? 1 + l.weights[5] : 1 - l.weights[5], now = own / sum / then;
    bool far = (advantage > 0) == (now > edge);
    float push = far ? 0 : advantage * now;
    losses[0] = -advantage * (far ? edge : now);
    for (int j = threadIdx.x; j < l.row; j += BLOCK) {
        int i = action_at(l, j);
        bool real = i >= 0 && marks[i] != 0;
        float log_p = real ? z[j] - log_sum : 0, p = expf(log_p);
        float slope = push * (p - (real && marks[i] < 0 ? p * sum / own : 0)) + l.weights[3] * p * (log_p + entropy);
        l.logit_gradients[at * l.row + j] = real ? narrow(scale * slope) : 0;
    }
}

__global__ static void lose(struct cuda_loss l) {
    size_t at = blockIdx.x;
    float scale = 1.0f / l.count, losses[3] = {0, 0, 0};
    if (l.actions && l.has_targets[2])
        lose_drawn(l, at, scale, losses);
    else if (l.actions)
        lose_targets(l, at, scale, losses);
    if (threadIdx.x < CUDA_CHANNELS && l.values)
        l.value_gradients[at * CUDA_CHANNELS + threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x)
        return;
    if (l.values && l.has_targets[1]) {
        float off = l.values[at * CUDA_CHANNELS] - l.value_targets[at], weight = off <= 0 ? l.weights[1] : l.weights[2];
        losses[1] = weight * off * off;
        l.value_gradients[at * CUDA_CHANNELS] = narrow(scale * 2 * l.weights[0] * weight * off);
    }
    for (int k = 0; k < 3; k++)
        l.losses[at * 3 + k] = losses[k];
}

__global__ static void add_losses(struct cuda_loss l, float *sums) {
    float parts[3] = {0, 0, 0};
    for (int i = threadIdx.x; i < l.count; i += BLOCK)
        for (int k = 0; k < 3; k++)
            parts[k] += l.losses[(size_t)i * 3 + k];
    for (int k = 0; k < 3; k++)
        parts[k] = block_sum(parts[k]) / l.count;
    if (threadIdx.x)
        return;
    for (int k = 0; k < 3; k++)
        sums[k] = parts[k];
    sums[3] = parts[0] + l.weights[0] * parts[1] - l.weights[3] * parts[2];
}

extern "C" void cuda_lose(struct cuda_loss loss, float *sums, cudaStream_t stream) {
    lose<<<loss.count, BLOCK, 0, stream>>>(loss);
    add_losses<<<1, BLOCK, 0, stream>>>(loss, sums);
}

/* ---- steps: the formulas of net/optimiser.c ---- */

__global__ static void square_parts(const float *gradients, float *partial, size_t count) {
    float sum = 0;
    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < count; i += (size_t)CUDA_PARTS * BLOCK)
        sum += gradients[i] * gradients[i];
    sum = block_sum(sum);
    if (!threadIdx.x)
        partial[blockIdx.x] = sum;
}

__global__ static void prepare_step(struct cuda_rule rule, struct cuda_step *step, const float *partial) {
    float sum = 0;
    for (int i = threadIdx.x; rule.clip > 0 && i < CUDA_PARTS; i += BLOCK)
        sum += partial[i];
    double length = sqrt((double)block_sum(sum));
    if (threadIdx.x)
        return;
    step->steps++;
    step->scale = 1;
    if (rule.clip > 0 && length > rule.clip)
        step->scale = (float)(rule.clip / length);
    step->rate = *rule.rate;
    step->root = 1;
    if (rule.kind == ADAM) {
        step->rate = (float)(*rule.rate / (1 - pow(rule.momentum, step->steps)));
        step->root = (float)(1 / sqrt(1 - pow(rule.squares, step->steps)));
    }
}

__global__ static void move_parameters(struct cuda_rule rule, const struct cuda_step *step, float *parameters,
                                       const float *gradients, float *mean, float *square, size_t count) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    float w = parameters[i], g = gradients[i] * step->scale + (float)rule.l2 * w, b1 = (float)rule.momentum;
    float b2 = (float)rule.squares, s = 0;
    if (rule.kind != SGD)
        square[i] = s = b2 * square[i] + (1 - b2) * g * g;
    if (rule.kind == ADAM) {
        float m = mean[i] = b1 * mean[i] + (1 - b1) * g;
        w -= step->rate * m / (sqrtf(s) * step->root + (float)rule.epsilon);
    } else if (rule.kind == RMSPROP) {
        w -= step->rate * g / (sqrtf(s) + (float)rule.epsilon);
    } else if (rule.kind == RMSPROP_TF) {
        w -= step->rate * g / sqrtf(s + (float)rule.epsilon);
    } else {
        w -= step->rate * g;
    }
    parameters[i] = w;
}

__global__ static void fill(float *numbers, float value, size_t count) {
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < count)
        numbers[i] = value;
}

extern "C" void cuda_fill(float *numbers, float value, size_t count, cudaStream_t stream) {
    fill<<<blocks(count), BLOCK, 0, stream>>>(numbers, value, count);
}

extern "C" void cuda_take_step(struct cuda_rule rule, struct cuda_step *step, float *parameters, const float *gradients,
                               float *mean, float *square, float *partial, size_t count, cudaStream_t stream) {
    if (rule.clip > 0)
        square_parts<<<CUDA_PARTS, BLOCK, 0, stream>>>(gradients, partial, count);
    prepare_step<<<1, BLOCK, 0, stream>>>(rule, step, partial);
    move_parameters<<<blocks(count), BLOCK, 0, stream>>>(rule, step, parameters, gradients, mean, square, count);
}
