/* The inner loops of the CPU back end, compiled once for each instruction set: matrix products with bias and
 * activation, and the transforms of Winograd's convolution. All variants agree up to rounding. Channels are innermost
 * and padded with zeros to a multiple of CPU_CHANNELS, so that no loop over them needs a remainder. */
#ifndef NET_CPU_KERNEL_H
#define NET_CPU_KERNEL_H

#include "net/sprites.h"

#include <stddef.h>

#define CPU_CHANNELS 16

static inline int cpu_padded(int channels) { return (channels + CPU_CHANNELS - 1) / CPU_CHANNELS * CPU_CHANNELS; }

/* C = A B, or C += A B. A is read without being packed; B has been packed (cpu_pack). */
struct cpu_product {
    int rows, columns, depth; /* C is rows x columns, columns a multiple of CPU_CHANNELS */
    const float *a;           /* element (i, k) at a[i * a_row + k * a_step] */
    ptrdiff_t a_row, a_step;  /* one of the two is 1 */
    const float *b;           /* the packed B: panels of kernel->width columns, [panel][depth][width] */
    float *c;                 /* element (i, j) at c[i * c_row + j] */
    ptrdiff_t c_row;
    bool add;          /* C += A B instead of C = A B; then there is neither bias nor activation */
    const float *bias; /* one number per column, or NULL */
    enum net_activation activation;
};

/* Winograd's minimal filtering F(4x4, 3x3) (Lavin and Gray 2015): an output tile needs 36 multiplications per pair of
 * channels instead of 144. The multiplications are done as matrix products, one for each of the 36 points of a
 * transformed tile. A task is a sequence of consecutive tiles of one image. */
#define CPU_WINOGRAD_IN 6
#define CPU_WINOGRAD_OUT 4
#define CPU_WINOGRAD_POINTS (CPU_WINOGRAD_IN * CPU_WINOGRAD_IN)

struct cpu_winograd {
    int in_height, in_width, in_channels;    /* channels padded */
    int out_height, out_width, out_channels; /* channels padded */
    int pad, tiles_across;
    int first, count; /* first tile and number of tiles of this task */
    /* Distance in floats from the matrix (tiles x channels) of one point to that of the next point. */
    ptrdiff_t point;
    const float *in;       /* the input, [in_height][in_width][in_channels] */
    float *spread;         /* [point][tile][in_channels]: output of the input transform */
    const float *products; /* [point][tile][out_channels]: input of the output transform */
    float *out;            /* the output, [out_height][out_width][out_channels] */
    const float *bias;     /* NULL: none */
    enum net_activation activation;
    const float *zeros; /* in_channels zeros */
};

/* Sums of rows of a table (net/sprites.h): output i is the bias plus one row of the table for each cell that its window
 * touches (struct net_look). The index of the row is part * classes + class, where `class` is the class of this
 * cell. */
struct cpu_table {
    const struct net_looks *looks;
    int columns, classes; /* columns: length of a row and of an output, padded */
    const int32_t *class_of;
    float *table;
    float *out; /* [outputs][columns] */
    const float *bias;
    enum net_activation activation;
};

struct cpu_kernel {
    const char *name;
    int width; /* number of columns of a packed panel; the last panel may have fewer */
    void (*product)(const struct cpu_product *product);
    void (*winograd_input)(const struct cpu_winograd *task);
    void (*winograd_output)(const struct cpu_winograd *task);
    /* Transforms the gradients of the outputs, from which those of the weights are then computed. `in` holds the
     * gradients of the outputs, in tiles of 4x4. */
    void (*winograd_gradient)(const struct cpu_winograd *task);
    void (*table_sums)(const struct cpu_table *task);
    /* The reverse of table_sums, for gradients: adds each output to the rows of the table from which it was summed. */
    void (*table_add)(const struct cpu_table *task);
    /* out[i] = activation(a[i] + b[i]); b may be NULL: nothing is added. count: a multiple of CPU_CHANNELS. */
    void (*add)(enum net_activation activation, const float *a, const float *b, float *out, size_t count);
    /* Multiplies gradient[i] by the derivative of the activation, computed from the activation's output. */
    void (*slope)(enum net_activation activation, const float *given, float *gradient, size_t count);
};

#define CPU_VARIANTS 3 /* portable, AVX2, AVX-512 */
/* NULL if there is no such variant or the machine does not have its instructions. */
const struct cpu_kernel *cpu_kernel_variant(int variant);
const struct cpu_kernel *cpu_kernel_best(void);

/* Packs B, whose element (k, j) is at b[k * b_step + j * b_column], into depth x columns floats. */
void cpu_pack(const struct cpu_kernel *kernel, const float *b, ptrdiff_t b_step, ptrdiff_t b_column, int depth,
              int columns, float *packed);
extern const struct cpu_kernel cpu_kernel_portable, cpu_kernel_avx2, cpu_kernel_avx512;

#endif
