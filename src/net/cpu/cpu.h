/* The processor's back end inside. Values between layers lie as [position][height][width][channel], channels padded
 * (kernel.h). A convolution goes one of four ways; each is a matrix product in the end.
 *
 * Parameters are packed anew whenever they change; the flat array of net.h stays the truth. A batch is cut into slices
 * of a few positions, small enough for the cache; each worker thread takes its share of them. */
#ifndef NET_CPU_CPU_H
#define NET_CPU_CPU_H

#include "net/back_end.h"
#include "net/cpu/kernel.h"

#include <pthread.h>

enum cpu_way {
    CPU_NO_WEIGHTS, /* pool, add */
    CPU_DIRECT,     /* linear and 1x1: what comes is the matrix */
    CPU_PLANES,     /* a convolution of the input planes: windows gathered channels first */
    CPU_WINDOWS,    /* any other: windows gathered position first */
    CPU_WINOGRAD    /* 3x3 at stride 1 */
};

struct cpu_layer {
    const struct net_layer *layer;
    enum cpu_way way;
    int in_channels, out_channels; /* padded; of the input planes: as they are */
    int depth;                     /* of the product */
    size_t in_size, out_size;      /* floats of a position's value */
    int32_t *order;                /* [depth]: place within a filter's weights; -1: padding, zero */
    float *forward, *backward;     /* packed weights; backward is NULL for layers that read the input */
    float *bias;                   /* padded */
    size_t sums;                   /* place of the gradients among a worker's sums: [depth][out_channels], then bias */
};

struct cpu_worker {
    struct cpu_runner *runner;
    pthread_t thread;
    bool running;
    int number;
    float *values[NET_MOST_LAYERS + 1];    /* of a slice; values[0] is not owned: the planes */
    float *gradients[NET_MOST_LAYERS + 1]; /* with respect to them; training only */
    float *windows;                        /* one position's gathered windows */
    float *spread, *products, *packed, *spare;
    float *sums; /* gradients of the parameters in the layout of the products */
    struct net_losses losses;
};

enum cpu_job {
    CPU_FORWARD,
    CPU_GRADIENTS,
    CPU_REDUCE, /* all workers' sums into the first one's */
    CPU_PACK,   /* parameters that have changed */
    CPU_QUIT
};

struct cpu_runner {
    struct net_runner head;
    const struct cpu_kernel *kernel;
    struct cpu_layer layers[NET_MOST_LAYERS + 1];
    float *parameters, *gradients, *planes, *zeros;
    float *block; /* where one layer's weights are laid out before packing */
    size_t block_size;
    struct optimiser optimiser;
    size_t sums; /* floats of a worker's sums */
    int slice;   /* positions */
    int threads;
    struct cpu_worker *workers;

    /* The job at hand. */
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    bool locks;
    enum cpu_job job;
    uint64_t jobs; /* begun */
    int busy;      /* workers that have not ended it */
    const struct net_batch *batch;
    float *logits, *outputs;
};

/* layers.c: what each layer needs; false without memory. */
bool cpu_layers_open(struct cpu_runner *runner);
void cpu_layers_close(struct cpu_runner *runner);
/* Packs one layer's parameters; block: runner->block_size floats of scratch room. */
void cpu_layers_pack(struct cpu_runner *runner, int index, float *block);
/* Adds a worker's sums to the flat gradients. */
void cpu_layers_unpack(struct cpu_runner *runner, const float *sums);

/* worker.c */
bool cpu_worker_open(struct cpu_worker *worker, struct cpu_runner *runner);
void cpu_worker_close(struct cpu_worker *worker);
/* Does its share of the job. */
void cpu_worker_work(struct cpu_worker *worker);

/* forward.c and backward.c: one slice. */
void cpu_forward(struct cpu_worker *worker, int count);
/* The outputs' gradients stand in worker->gradients; the parameters' are added to worker->sums. */
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
int cpu_winograd_tiles(const struct cpu_runner *runner); /* at once */
/* Gathers the windows of one position: [output place][depth]. */
void cpu_windows(const struct cpu_layer *plan, const float *in, float *windows);

float *cpu_take(size_t count); /* zeroed, aligned for vectors; NULL without memory */

#endif
