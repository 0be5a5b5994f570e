/* The internals of the CPU back end. Values between layers are laid out as [position][height][width][channel], with
 * channels padded (kernel.h). A convolution is computed in one of several ways; all but one end in a matrix product.
 *
 * Whenever parameters change, they are packed again from the flat array of net.h. A batch is divided into slices of a
 * few positions, small enough for the cache; each worker thread computes some of the slices. */
#ifndef NET_CPU_CPU_H
#define NET_CPU_CPU_H

#include "net/back_end.h"
#include "net/cpu/kernel.h"
#include "net/sprites.h"

#include <pthread.h>

enum cpu_way {
    CPU_NO_WEIGHTS, /* layers without weights: pool, add and at; also sprites, whose pictures are never painted */
    CPU_TABLE,      /* a convolution over sprites: sums of rows of a table (net/sprites.h) */
    CPU_DIRECT,     /* linear layers and 1x1 convolutions: the input itself is the matrix */
    CPU_PLANES,     /* a convolution of the input planes: windows are gathered, with channels outermost */
    CPU_WINDOWS,    /* any other convolution: windows are gathered, with channels innermost */
    CPU_WINOGRAD    /* 3x3 with stride 1 */
};

struct cpu_layer {
    const struct net_layer *layer;
    enum cpu_way way;
    int in_channels, out_channels; /* numbers of channels with padding; input planes have no padding */
    int depth;                     /* inner dimension of the product */
    int group;                     /* positions whose windows are gathered at once for the gradients of the weights */
    size_t in_size, out_size;      /* floats per position */
    /* order[k]: the index, within a filter's weights, of the weight at inner index k of the product; -1: padding, that
     * is, a weight of zero. */
    int32_t *order;
    float *forward, *backward; /* packed weights; `backward` is NULL for layers that read the network's input */
    float *bias;               /* padded */
    /* sums: offset of the layer's gradients in cpu_worker.sums. The gradients of the weights are laid out as
     * [sum_rows][out_channels]; the gradients of the bias follow. sum_rows is `depth` or, for CPU_WINOGRAD, the number
     * of points times in_channels. */
    size_t sums, sum_rows;
    struct net_looks looks; /* for CPU_TABLE; the table is `forward`, [depth][out_channels] */
};

struct cpu_worker {
    struct cpu_runner *runner;
    pthread_t thread;
    bool running;
    int number;
    /* The values of each layer for one slice; values[0] are the input planes, which the worker does not own. */
    float *values[NET_MOST_LAYERS + 1];
    float *gradients[NET_MOST_LAYERS + 1]; /* gradients with respect to `values`; only for training */
    float *windows;                        /* the gathered windows of one position, or of a group */
    float *spread, *products, *packed, *spare;
    int32_t *classes; /* which picture each cell of one position shows */
    float *sums;      /* sums of the gradients of the parameters, laid out as the matrix products need them */
    struct net_losses losses;
};

enum cpu_job {
    CPU_FORWARD,
    CPU_GRADIENTS,
    CPU_REDUCE, /* adds the sums of all other workers to those of the first worker */
    CPU_PACK,   /* packs parameters that have changed */
    CPU_QUIT
};

struct cpu_runner {
    struct net_runner head;
    const struct cpu_kernel *kernel;
    struct cpu_layer layers[NET_MOST_LAYERS + 1];
    float *parameters, *gradients, *planes, *zeros;
    float *block; /* scratch space for one layer's weights before packing */
    size_t block_size;
    struct optimiser optimiser;
    size_t sums; /* floats in a worker's sums */
    int slice;   /* positions per slice */
    int threads;
    struct cpu_worker *workers;

    /* The current job. */
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    bool locks;
    enum cpu_job job;
    uint64_t jobs; /* jobs begun so far */
    int busy;      /* workers that have not finished the job */
    const struct net_batch *batch;
    float *logits, *outputs;
};

/* layers.c: prepares the tables of each layer; false if there is no memory. */
bool cpu_layers_open(struct cpu_runner *runner);
void cpu_layers_close(struct cpu_runner *runner);
/* Packs one layer's parameters; block: runner->block_size floats of scratch space. */
void cpu_layers_pack(struct cpu_runner *runner, int index, float *block);
/* Adds a worker's sums to the flat gradients. */
void cpu_layers_unpack(struct cpu_runner *runner, const float *sums);

/* worker.c */
bool cpu_worker_open(struct cpu_worker *worker, struct cpu_runner *runner);
void cpu_worker_close(struct cpu_worker *worker);
/* Does the worker's part of the job. */
void cpu_worker_work(struct cpu_worker *worker);

/* forward.c: computes the network for one slice of `count` positions. */
void cpu_forward(struct cpu_worker *worker, int count);
/* backward.c: the backward pass of one slice. The gradients of the outputs must be in worker->gradients; adds the
 * gradients of the parameters to worker->sums. */
void cpu_backward(struct cpu_worker *worker, int count);
/* A convolution by packed Winograd weights; its input is laid out as [count][height][width][in channels]. */
struct cpu_winograd_plan {
    struct net_shape in, out; /* with padded channels */
    int pad;
    const float *weights, *bias;
    enum net_activation activation;
};
void cpu_winograd_run(struct cpu_worker *worker, const struct cpu_winograd_plan *plan, const float *in, int count,
                      float *out);
/* Adds the gradients of the weights to the worker's sums, in the transformed domain: 36 numbers (points) for each 3x3
 * kernel. */
void cpu_winograd_sums(struct cpu_worker *worker, const struct cpu_layer *plan, const float *in, const float *gradient,
                       int count);
int cpu_winograd_tiles(const struct cpu_runner *runner); /* maximum number of tiles per call */
/* Gathers the windows of one position into an array [output place][depth]. */
void cpu_windows(const struct cpu_layer *plan, const float *in, float *windows);

/* Finds which picture each cell of a position shows, for a network with sprites. */
void cpu_classes(struct cpu_worker *worker, int position);

float *cpu_take(size_t count); /* allocates `count` floats, zeroed and aligned for vectors; NULL: no memory */

#endif
