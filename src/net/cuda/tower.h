/* A tower: the plain 3x3 and 1x1 convolutions of 64 channels that a network begins with, computed in one launch. A
 * block of threads keeps the values of a few positions in shared memory from the first layer to the last, while the
 * weights are streamed through; so the card's global memory is used only for the inputs and for the values that are
 * asked for. The backward pass works the same way on gradients: with rotated windows, and derivatives instead of
 * activations. */
#ifndef NET_CUDA_TOWER_H
#define NET_CUDA_TOWER_H

#include "net/cuda/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOWER_CHANNELS 64
#define TOWER_FIRST_CHANNELS 16                       /* the most channels that the planes may have */
#define TOWER_MOST 24                                 /* layers */
#define TOWER_CHUNK (TOWER_CHANNELS * TOWER_CHANNELS) /* weights of one place of the window */

/* Values lie in a frame that includes the border of zeros around them. A layer's first value is at (at, at); the window
 * that it is computed from begins at (shift, shift). */
struct tower_layer {
    int height, width; /* of the output */
    int window, shift; /* side of the window; see above */
    int depth;         /* input channels, in units of sixteen */
    int activation;
    int clears;  /* the output does not cover all of the input: the frame is zeroed first */
    int numbers; /* the size differs from the layer before */
};

struct tower {
    int count, chunks; /* layers; places of all their windows together */
    /* The input: planes, or values of 64 channels if `channels` is 0; and where its first number lies. */
    int channels, height, width, from;
    int at, side; /* where the values of all layers lie; side of the frame */
    struct tower_layer layers[TOWER_MOST];
};

/* What one run reads and writes on the card. */
struct tower_run {
    const float *planes;
    bfloat *values; /* instead of planes; multiplied in place by the derivative at values_given */
    const bfloat *values_given;
    int values_activation;
    const bfloat *weights;           /* `chunks` chunks */
    const float *bias;               /* 64 per layer; NULL: none */
    bfloat *to[TOWER_MOST];          /* where the values of each layer go; NULL: nowhere */
    const bfloat *given[TOWER_MOST]; /* not NULL: multiply by the derivative there instead of applying the activation */
};

/* Call once before the first run; false: the card does not have enough shared memory. */
int tower_prepare(const struct tower *tower);
/* Converts master weights [64][channels][places] to chunks; turned: for the backward pass. */
void tower_cast_weights(const float *weights, bfloat *chunks, int channels, int places, int turned,
                        cudaStream_t stream);
void tower_launch(const struct tower *tower, const struct tower_run *run, int count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
