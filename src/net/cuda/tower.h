/* A tower is the sequence of plain 3x3 and 1x1 convolutions of 64 channels with which a network begins; it is computed
 * in one kernel launch. A block of threads keeps the values of a few positions in shared memory from the first layer to
 * the last, while the weights are streamed through. Global memory is thus used only for the inputs and for values that
 * are needed later. The backward pass works in the same way on gradients, with rotated windows, and with derivatives
 * instead of activations. */
#ifndef NET_CUDA_TOWER_H
#define NET_CUDA_TOWER_H

#include "net/cuda/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOWER_CHANNELS 64
#define TOWER_FIRST_CHANNELS 16                       /* the most channels that the planes may have */
#define TOWER_MOST 24                                 /* most layers */
#define TOWER_CHUNK (TOWER_CHANNELS * TOWER_CHANNELS) /* weights of one place of the window */

/* Values are stored in a frame that includes the border of zeros around them. A layer's first value is at (at, at); the
 * window from which it is computed begins at (shift, shift). */
struct tower_layer {
    int height, width; /* size of the output */
    int window, shift; /* side of the window; see above */
    int depth;         /* input channels, in units of sixteen */
    int activation;
    int clears;  /* the output does not cover all of the input: the frame is zeroed first */
    int numbers; /* the size differs from the layer before */
};

struct tower {
    int count, chunks; /* number of layers, and of window places of all layers together */
    /* The input: planes, or values of 64 channels if `channels` is 0. from: where its first number is. */
    int channels, height, width, from;
    int at, side; /* where the values of all layers begin; side of the frame */
    struct tower_layer layers[TOWER_MOST];
};

/* The GPU memory that one run reads and writes. */
struct tower_run {
    const float *planes;
    bfloat *values; /* used instead of planes; multiplied in place by the derivative at values_given */
    const bfloat *values_given;
    int values_activation;
    const bfloat *weights;           /* `chunks` chunks */
    const float *bias;               /* 64 per layer; NULL: none */
    bfloat *to[TOWER_MOST];          /* where the values of each layer go; NULL: nowhere */
    const bfloat *given[TOWER_MOST]; /* not NULL: multiply by the derivative at these values; no activation */
};

/* Call once before the first run; false: the GPU does not have enough shared memory. */
int tower_prepare(const struct tower *tower);
/* Converts master weights [64][channels][places] to chunks; turned: for the backward pass. */
void tower_cast_weights(const float *weights, bfloat *chunks, int channels, int places, int turned,
                        cudaStream_t stream);
void tower_launch(const struct tower *tower, const struct tower_run *run, int count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
