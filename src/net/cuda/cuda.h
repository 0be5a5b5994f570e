/* The internals of the GPU back end: cuDNN convolves, cuBLAS multiplies, kernels.cu does the rest. Values are bfloat16;
 * the parameters that the optimiser changes are floats and stay on the GPU in the flat layout of net.h. The work for
 * each batch size is recorded once as a CUDA graph and replayed from then on, because a small batch spends nearly all
 * its time on kernel launches. */
#ifndef NET_CUDA_CUDA_H
#define NET_CUDA_CUDA_H

#include "net/back_end.h"
#include "net/cuda/kernels.h"
#include "net/cuda/sprites.h"
#include "net/cuda/tower.h"

#include <cublas_v2.h>
#include <cudnn.h>

struct cuda_layer {
    const struct net_layer *layer;
    int in_channels, out_channels; /* padded */
    size_t in_size, out_size;      /* number of values per position */
    struct cuda_filter filter;
    int depth;      /* inner dimension of the product, for cuBLAS */
    bool convolves; /* computed by cuDNN */
    bfloat *weights;
    float *bias;
    struct cuda_table table; /* if the layer reads sprites */
};

/* One layer of the tower: a convolution and, if one follows, the addition of a residual block. The fields are indices
 * of layers of the network. */
struct tower_step {
    /* out: the layer whose values the step computes: the addition or, if there is none, the convolution. */
    int conv, out;
    int skip; /* the layer that is added; 0: none */
};

enum cuda_job { CUDA_FORWARD, CUDA_GRADIENTS, CUDA_STEP };

struct cuda_recording {
    enum cuda_job job;
    int count;
    cudaGraphExec_t graph;
};
#define CUDA_RECORDINGS 48

struct cuda_runner {
    struct net_runner head;
    cudaStream_t stream;
    cudnnHandle_t dnn;
    cublasHandle_t blas;
    cudnnTensorDescriptor_t in, out;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    struct cuda_layer layers[NET_MOST_LAYERS + 1];
    struct tower tower, back_tower; /* for the forward and the backward pass; their `count` is 0 if there is no tower */
    struct tower_step steps[TOWER_MOST];
    int tower_last; /* the last layer that the tower computes; 0: there is no tower */
    bfloat *tower_weights, *back_weights;
    float *tower_bias;
    bfloat *values[NET_MOST_LAYERS + 1], *gradients[NET_MOST_LAYERS + 1], *spare, *short_sums;
    int owner[NET_MOST_LAYERS + 1]; /* owner[i]: the layer whose buffer holds the values of layer i */
    float *wide_policy, *wide_value, *wide_sums, *partial;
    float *parameters, *slopes, *mean, *square; /* flat arrays on the GPU; slopes: the gradients */
    struct cuda_step *step;
    void *workspace, *blas_workspace;
    /* Inputs and outputs, on the GPU and in pinned host memory. */
    float *planes, *policy, *value, *policy_targets, *value_targets, *drawn, *losses, *sums, *weights;
    int *has_targets;
    uint8_t *classes; /* [batch][cells]: which picture each cell shows, if the network has sprites */
    float *host_planes, *host_sums, *host_weights;
    int *host_has;
    struct cuda_recording recordings[CUDA_RECORDINGS];
    int recorded;
    bool plain; /* recording a graph has failed once: from then on no graphs are recorded */
};

#define CUDA_WORKSPACE ((size_t)256 << 20)
#define CUDA_BLAS_WORKSPACE ((size_t)32 << 20)

/* Functions that put work on the stream. Those that return bool return false with an error if they fail. */
/* tower.c: computes the first layers of a network as a tower (tower.h). The backward pass starts from the gradient of
 * the last layer's values and computes the gradients of all layers, each multiplied by the derivative of that layer's
 * activation. */
bool cuda_open_tower(struct cuda_runner *runner, soloist_error *error);
void cuda_cast_tower(struct cuda_runner *runner);
void cuda_run_tower(struct cuda_runner *runner, int count);
void cuda_run_tower_back(struct cuda_runner *runner, int count);
/* sprites.c */
bool cuda_open_table(struct cuda_runner *runner, struct cuda_layer *plan, soloist_error *error);
void cuda_close_table(struct cuda_table *table);
/* layers.c */
bool cuda_cast_parameters(struct cuda_runner *runner, soloist_error *error);
bool cuda_forward(struct cuda_runner *runner, int count, soloist_error *error);
bool cuda_backward(struct cuda_runner *runner, int count, soloist_error *error);

/* runner.c: allocates zeroed memory on the GPU and stores its address in *pointer. */
bool cuda_take(void *pointer, size_t size, soloist_error *error);
/* Each returns true if the status is success; otherwise false with an error. */
bool cuda_check(cudaError_t status, const char *what, soloist_error *error);
bool cuda_check_blas(cublasStatus_t status, const char *what, soloist_error *error);
bool cuda_check_dnn(cudnnStatus_t status, const char *what, soloist_error *error);

#endif
