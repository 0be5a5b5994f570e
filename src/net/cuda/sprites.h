/* Convolutions over sprites on the GPU, as sums of rows of a table (net/sprites.h). The terms of every sum are added in
 * a fixed order. */
#ifndef NET_CUDA_SPRITES_H
#define NET_CUDA_SPRITES_H

#include "net/cuda/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Like struct net_part and struct net_look, which are defined in headers for C only. */
struct cuda_part {
    int from, to, shift;
};
struct cuda_look {
    int32_t cell, part;
};
/* A cell, and an output whose window touches it. */
struct cuda_use {
    int32_t output, cell;
};

/* The convolution of one layer. All pointers are to memory on the GPU. */
struct cuda_table {
    int rows; /* rows of the table: row parts * column parts * classes; 0: the layer does not read sprites */
    int classes, columns, filters; /* columns: filters with padding */
    int row_parts, column_parts, outputs, cells;
    int colours, side, kernel_height, kernel_width;
    int chunks;                    /* number of partial sums into which the sums for a table's gradient are divided */
    const float *pictures;         /* [classes][colours][side][side] */
    const struct cuda_part *parts; /* the row parts, then the column parts */
    const int32_t *starts;         /* looks of each output */
    const struct cuda_look *looks;
    const int32_t *use_starts; /* uses of each part */
    const struct cuda_use *uses;
    float *table;     /* [rows][columns] */
    float *gradients; /* [rows][columns]; only for training */
    float *partial;   /* [chunks][rows][columns]; only for training */
};

/* Finds which picture each cell shows, from planes laid out as [count][channels][cells]. */
void cuda_classes(const float *planes, uint8_t *classes, int count, int channels, int cells, cudaStream_t stream);
void cuda_table_make(struct cuda_table table, const float *weights, cudaStream_t stream);
/* Computes the outputs [count][outputs][columns], with bias and activation. */
void cuda_table_sums(struct cuda_table table, const uint8_t *classes, const float *bias, int activation, bfloat *out,
                     int count, cudaStream_t stream);
/* Computes the gradients of the weights from those of the outputs. */
void cuda_table_gradients(struct cuda_table table, const uint8_t *classes, const bfloat *gradients, float *weights,
                          int count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
