/* A tower: the plain 3x3 and 1x1 convolutions of 64 channels that a network begins with, computed in one launch. A
 * block of threads keeps the values of a few positions in its shared memory from the first layer to the last, and
 * weights stream past them; so nothing but what goes in and what is asked for touches the card's memory. Backwards it
 * is the same game with gradients: windows turned round, and slopes in place of activations. */
#ifndef NET_CUDA_TOWER_H
#define NET_CUDA_TOWER_H

#include "net/cuda/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOWER_CHANNELS 64
#define TOWER_FIRST_CHANNELS 16                       /* the most that planes may have */
#define TOWER_MOST 24                                 /* layers */
#define TOWER_CHUNK (TOWER_CHANNELS * TOWER_CHANNELS) /* weights of one place of a filter's window */

/* Values lie in a frame that is wide enough for the zeros around them. A layer's first value stands at (at, at), and
 * what it is summed up from begins at (shift, shift). */
struct tower_layer {
    int height, width; /* of what it gives */
    int window, shift; /* the window's side */
    int depth;         /* channels that it reads, in sixteens */
    int activation;
    int clears;  /* leaves a part of what it reads standing: the frame becomes zero first */
    int numbers; /* has another size than the layer before */
};

struct tower {
    int count, chunks; /* layers; places of all their windows */
    /* What goes in: planes, or values of 64 channels where channels is 0; and where the first of it lies. */
    int channels, height, width, from;
    int at, side; /* where all layers' values lie; places of a row and of a column of the frame */
    struct tower_layer layers[TOWER_MOST];
};

/* What a run reads and writes on the card. */
struct tower_run {
    const float *planes;
    bfloat *values; /* instead of planes; they are replaced by themselves times the slope of values_given */
    const bfloat *values_given;
    int values_activation;
    const bfloat *weights;           /* `chunks` chunks */
    const float *bias;               /* 64 a layer; NULL: none */
    bfloat *to[TOWER_MOST];          /* where the layers' values go; NULL: nowhere */
    const bfloat *given[TOWER_MOST]; /* not NULL: the slope of that counts instead of an activation */
};

/* Once, before the first run; false: this card has not so much shared memory. */
int tower_prepare(const struct tower *tower);
/* Master weights [64][channels][places] to their chunks; turned: for the way back. */
void tower_cast_weights(const float *weights, bfloat *chunks, int channels, int places, int turned,
                        cudaStream_t stream);
void tower_launch(const struct tower *tower, const struct tower_run *run, int count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
