/* A tower is the sequence of 3x3 and 1x1 convolutions of 64 channels with which a network begins, with the additions of
 * residual blocks; it is computed in one kernel launch. A block of threads keeps the values of a few positions in
 * shared memory from the first layer to the last, while the weights are streamed through. Global memory is thus used
 * only for the inputs and for values that are needed later, by a residual block's addition for example. The backward
 * pass works in the same way on gradients, with rotated windows, and with derivatives instead of activations. */
#ifndef NET_CUDA_TOWER_H
#define NET_CUDA_TOWER_H

#include "net/cuda/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOWER_CHANNELS 64
#define TOWER_FIRST_CHANNELS TOWER_CHANNELS           /* maximum number of channels of the planes */
#define TOWER_MOST 48                                 /* maximum number of layers */
#define TOWER_CHUNK (TOWER_CHANNELS * TOWER_CHANNELS) /* number of weights for one cell of the window */

/* Values are stored in a frame, a square of cells that includes a border of zeros around them. The first value of every
 * layer is at row tower.at and column tower.at of the frame; the window from which this value is computed begins at row
 * `shift` and column `shift`. */
struct tower_layer {
    int height, width; /* size of the output */
    int window, shift; /* window: side of the window; shift: see above */
    int depth;         /* number of input channels with padding, divided by 16: 1 or 4 */
    int activation;
    int clears; /* the output does not cover all of the input, so the frame is zeroed before the output is stored */
    /* Height or width differs from the previous layer's, so the addresses of the rows are computed again. */
    int numbers;
};

struct tower {
    int count, chunks; /* count: number of layers; chunks: number of cells in a window, summed over all layers */
    /* The input: planes or, if `channels` is 0, values of 64 channels. from: row and column of the input's first number
     * in the frame. */
    int channels, height, width, from;
    int at, side; /* at: row and column of every layer's first value in the frame; side: side of the frame */
    int boards;   /* maximum number of positions per block, each with a frame of its own; set by tower_prepare */
    struct tower_layer layers[TOWER_MOST];
};

/* The GPU memory that one run reads and writes. */
struct tower_run {
    const float *planes;
    /* The input, if it is not `planes`. It is first multiplied, in place, by the derivative of the activation
     * values_activation; the derivative is computed from values_given. */
    bfloat *values;
    const bfloat *values_given;
    int values_activation;
    const bfloat *weights;  /* `chunks` chunks */
    const float *bias;      /* 64 numbers per layer; NULL: none */
    bfloat *to[TOWER_MOST]; /* where the values of each layer are written; NULL: they are not written */
    /* If not NULL: the activation is not applied; instead the result is multiplied by the activation's derivative,
     * computed from these values. */
    const bfloat *given[TOWER_MOST];
    /* If not NULL: these values are added before the activation, or before the multiplication by the derivative. They
     * may be the values that an earlier layer writes. */
    const bfloat *skip[TOWER_MOST];
};

/* The parameters of a tower's layers. layers[i].weight and layers[i].bias are offsets into the flat array
 * `parameters`. */
struct tower_parameters {
    const float *parameters;
    int count;
    struct {
        size_t weight, bias;
        int channels, places;
        int chunk, turned; /* first chunk for the forward pass (chunk) and for the backward pass (turned; -1: none) */
    } layers[TOWER_MOST];
    bfloat *chunks, *turned_chunks;
    float *bias; /* 64 numbers per layer */
};

/* Call once before the first run; false: the GPU does not have enough shared memory. */
int tower_prepare(struct tower *tower);
/* Converts the optimiser's weights [64][channels][places] of all layers to chunks, in one launch. For the backward pass
 * windows are rotated. */
void tower_cast(const struct tower_parameters *parameters, cudaStream_t stream);
void tower_launch(const struct tower *tower, const struct tower_run *run, int count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
