/* The project's own GPU kernels, for what cuDNN and cuBLAS do not offer; each is launched on a stream. Values are
 * bfloat16 (type `bfloat`), laid out as [position][height][width][channel] with channels padded to a multiple of
 * CUDA_CHANNELS. */
#ifndef NET_CUDA_KERNELS_H
#define NET_CUDA_KERNELS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_CHANNELS 8 /* sixteen bytes, the alignment that loads for the tensor cores need */

typedef uint16_t bfloat;

/* A layer's weights: `outs` filters over windows of `places` cells with `channels` channels each; padded_outs and
 * padded_channels include the padding. */
struct cuda_filter {
    int outs, padded_outs, channels, padded_channels, places;
};

/* The numbers that change with each step of the optimiser. They are kept on the GPU so that a recorded graph can be
 * replayed. */
struct cuda_step {
    double steps;
    /* For this step: the learning rate and a factor on the square root, both with Adam's bias corrections; and the
     * factor by which gradients are clipped. */
    float rate, root, scale;
};

struct cuda_rule { /* the fields of struct optimiser_options */
    int kind;
    const float *rate; /* on the GPU, because it changes */
    double momentum, squares, epsilon, l2, clip;
};

struct cuda_loss {
    int count, actions; /* actions 0: no policy */
    /* row: number of floats from one position's logits to those of the next position; places: number of cells; padded:
     * number of floats from one cell to the next. The logit of the action with number channel * places + place is at
     * place * padded + channel. */
    int row, places, padded;
    const float *logits, *values; /* values: [count][CUDA_CHANNELS]; NULL: the network has no value */
    const float *policy_targets, *value_targets;
    const float *drawn;     /* [count][2]: the fields of struct net_drawn */
    const int *has_targets; /* three flags on the GPU: policy, value, drawn */
    const float *weights;   /* on the GPU: value weight, under, over, entropy, the learning rate, clip range */
    bfloat *logit_gradients, *value_gradients;
    float *losses; /* [count][3]: the losses of each position: policy, value, entropy */
};

/* Converts floats laid out as [count][channels][places] to bfloat16 laid out as [count][places][padded channels]. */
void cuda_spread_planes(const float *planes, bfloat *out, int count, int channels, int padded, int places,
                        cudaStream_t stream);
/* Converts the optimiser's weights [outs][channels][places] to bfloat16 [padded outs][places][padded channels]. */
void cuda_cast_weights(const float *weights, bfloat *out, struct cuda_filter filter, cudaStream_t stream);
/* Copies the bias and pads it with zeros. */
void cuda_cast_bias(const float *bias, float *out, int count, int padded, cudaStream_t stream);
/* Converts gradients from the layout of cuda_cast_weights back to the optimiser's; they are bfloat16 or, in the wide
 * variant, floats. */
void cuda_uncast_weights(const bfloat *gradients, float *out, struct cuda_filter filter, cudaStream_t stream);
void cuda_uncast_wide_weights(const float *gradients, float *out, struct cuda_filter filter, cudaStream_t stream);

/* Replaces each value y by activation(y + bias). channels: number of channels with padding, which is the length of
 * `bias`. */
void cuda_activate(bfloat *values, const float *bias, size_t count, int channels, int activation, cudaStream_t stream);
/* Does the same as cuda_activate for an output of the network, in floats (`wide`); also converts the result to
 * bfloat16. */
void cuda_finish_output(float *wide, bfloat *values, const float *bias, size_t count, int channels, int activation,
                        cudaStream_t stream);
void cuda_widen(const bfloat *values, float *wide, size_t count, cudaStream_t stream);
/* Copies an output [count][places][padded] without its padding to [count][real][places]. */
void cuda_close_up(const float *wide, float *out, int count, int places, int padded, int real, cudaStream_t stream);
void cuda_add(const bfloat *a, const bfloat *b, bfloat *out, size_t count, int activation, cudaStream_t stream);
void cuda_pool(const bfloat *in, bfloat *out, int count, int places, int channels, int activation, cudaStream_t stream);
void cuda_unpool(const bfloat *gradients, bfloat *out, int count, int places, int channels, cudaStream_t stream);
/* Pooling by the maximum, and its backward pass; `in` are the values over which the maximum is taken. */
void cuda_maximum(const bfloat *in, bfloat *out, int count, int places, int channels, int activation,
                  cudaStream_t stream);
void cuda_unmaximum(const bfloat *in, const bfloat *gradients, bfloat *out, int count, int places, int channels,
                    cudaStream_t stream);
/* For each position, multiplies the values of each cell by the number that one input plane holds for this cell, and
 * sums the products over all cells. plane: this input plane of the first position; size: number of floats from one
 * position's planes to those of the next position. */
void cuda_at(const bfloat *in, const float *plane, size_t size, bfloat *out, int count, int places, int channels,
             int activation, cudaStream_t stream);
void cuda_unat(const bfloat *gradients, const float *plane, size_t size, bfloat *out, int count, int places,
               int channels, cudaStream_t stream);
/* Multiplies the gradients by the derivative of the activation, computed from the activation's output. */
void cuda_slope(const bfloat *given, bfloat *gradients, size_t count, int activation, cudaStream_t stream);
void cuda_sum(bfloat *to, const bfloat *from, size_t count, cudaStream_t stream);
/* Sums the gradients over all rows, which gives the gradients of the bias. partial: CUDA_PARTS x channels floats of
 * scratch space. */
#define CUDA_PARTS 512
void cuda_bias_sums(const bfloat *gradients, float *partial, float *out, size_t rows, int channels, int real,
                    cudaStream_t stream);

/* Computes the losses and the gradients of the outputs; `sums` receives four numbers: policy loss, value loss, entropy
 * and total loss. */
void cuda_lose(struct cuda_loss loss, float *sums, cudaStream_t stream);

void cuda_fill(float *numbers, float value, size_t count, cudaStream_t stream);
/* One step of the optimiser. partial: CUDA_PARTS floats of scratch space. */
void cuda_take_step(struct cuda_rule rule, struct cuda_step *step, float *parameters, const float *gradients,
                    float *mean, float *square, float *partial, size_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
