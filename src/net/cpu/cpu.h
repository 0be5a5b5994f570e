/* The internals of the CPU back end. Values between layers are laid out as [position][height][width][channel], with
 * channels padded (kernel.h). A convolution is computed in one of four ways; each ends in a matrix product.
 *
 * Parameters are packed again whenever they change; the flat array of net.h remains the master copy. A batch is divided
 * into slices of a few positions, small enough for the cache; each worker thread computes some of the slices. */
#ifndef NET_CPU_CPU_H
#define NET_CPU_CPU_H

#include "net/back_end.h"
#include "net/cpu/kernel.h"

#include <pthread.h>

enum cpu_way {
    CPU_NO_WEIGHTS, /* pool, add */
    CPU_DIRECT,     /* linear and 1x1: the input itself is the matrix */
    CPU_PLANES,     /* a convolution of the input planes: windows are gathered, channels first */
    CPU_WINDOWS,    /* any other convolution: windows are gathered, positions first */
    CPU_WINOGRAD    /* 3x3 with stride 1 */
};

struct cpu_layer {
    const struct net_layer *layer;
    enum cpu_way way;
    int in_channels, out_channels; /* padded, except for the input planes */
    int depth;                     /* inner dimension of the product */
    size_t in_size, out_size;      /* floats per position */
    int32_t *order;                /* [depth]: index within a filter's weights; -1: padding, zero */
    float *forward, *backward;     /* packed weights; backward is NULL for layers that read the input */
    float *bias;                   /* padded */
    size_t sums;                   /* offset of the gradients in a worker's sums: [depth][out_channels], then bias */
};

struct cpu_worker {
    struct cpu_runner *runner;
    pthread_t thread;
    bool running;
    int number;
    float *values[NET_MOST_LAYERS + 1];    /* values of a slice; values[0] are the planes, which are not owned */
    float *gradients[NET_MOST_LAYERS + 1]; /* with respect to the values; only for training */
    float *windows;                        /* one position's gathered windows */
    float *spread, *products, *packed, *spare;
    float *sums; /* gradients of the parameters, in the layout of the products */
    struct net_losses losses;
};

enum cpu_job {
    CPU_FORWARD,
    CPU_GRADIENTS,
    CPU_REDUCE, /* adds all workers' sums to those of the first */
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

/* forward.c and backward.c: one slice. */
void cpu_forward(struct cpu_worker *worker, int count);
/* Expects the gradients of the outputs in worker->gradients; adds those of the parameters to worker->sums. */
void cpu_backward(struct cpu_worker *worker, int count);
/* Convolves [count][height][width][in channels] by packed Winograd weights. */
struct cpu_winograd_plan {
    struct net_shape in, out; /* channels padded */
    int pad;
    const float *weights, *bias;
    enum net_activation activation;
};
void cpu_winograd_run(struct cpu_worker *worker, const struct cpu_winograd_plan *plan, const float *in, int count,
                      float *out);
int cpu_winograd_tiles(const struct cpu_runner *runner); /* most tiles per call */
/* Gathers the windows of one position: [output place][depth]. */
void cpu_windows(const struct cpu_layer *plan, const float *in, float *windows);

float *cpu_take(size_t count); /* zeroed, aligned for vectors; NULL: no memory */

#endif
