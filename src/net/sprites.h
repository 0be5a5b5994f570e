/* A convolution over sprites, computed without painting the pictures. The part of a window that lies on one cell shows
 * a part of that cell's picture. So the contribution of this part of the window to the output depends only on the
 * picture and on how the window lies on the cell. All these contributions are kept in a table; an output is the bias
 * plus one row of the table per cell that the window touches. For windows of 8x8 with stride 4 over pictures of 8x8 at
 * most four rows are added. */
#ifndef NET_SPRITES_H
#define NET_SPRITES_H

#include "net/net.h"

#define NET_MOST_PARTS 64        /* maximum number of parts along one axis; enough for every kernel, stride and side */
#define NET_MOST_TABLE (1 << 24) /* maximum size of a table, in numbers */

/* How a window lies on a cell along one axis: row r of the kernel lies on row r + shift of the picture, for r from
 * `from` to `to` - 1. */
struct net_part {
    int from, to, shift;
};

/* One cell that a window touches. */
struct net_look {
    int32_t cell;
    int32_t part; /* index of the row part * column_parts + index of the column part */
};

struct net_looks {
    int row_parts, column_parts, outputs;
    struct net_part rows[NET_MOST_PARTS], columns[NET_MOST_PARTS];
    int32_t *starts;        /* looks[starts[i]] to looks[starts[i + 1] - 1] belong to output i; owned */
    struct net_look *looks; /* owned */
};

/* How many numbers the table of a convolution over sprites holds. */
size_t net_table_size(const struct net_sprites *sprites, const struct net_layer *layer);

/* False if there is no memory; then there is nothing to close. */
bool net_looks_open(struct net_looks *looks, const struct net_sprites *sprites, const struct net_layer *layer);
void net_looks_close(struct net_looks *looks);

/* The combination of a cell's planes (struct net_sprites). planes: the planes of one position, [plane][cell]. */
int net_class_at(const float *planes, int channels, size_t cells, size_t cell);

/* Computes the table [part][class][columns] from the layer's weights; columns: number of filters with padding. */
void net_table_make(const struct net_looks *looks, const struct net_sprites *sprites, const struct net_layer *layer,
                    const float *weights, int columns, float *table);
/* Computes the gradients of the weights from those of the table, and adds them to `weights`. */
void net_table_unmake(const struct net_looks *looks, const struct net_sprites *sprites, const struct net_layer *layer,
                      const float *table, int columns, float *weights);

#endif
