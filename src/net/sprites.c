#include "net/sprites.h"

#include <stdlib.h>
#include <string.h>

/* ---- where windows lie ---- */

/* The cell in which output number `at` of an axis begins, and how far into the cell. */
static int first_cell(const struct net_layer *layer, int side, int at, int *phase) {
    int start = at * layer->stride - layer->pad;
    int cell = start >= 0 ? start / side : -((side - 1 - start) / side);
    *phase = start - cell * side;
    return cell;
}

static int touched(int side, int kernel, int phase) { return (phase + kernel - 1) / side + 1; }

/* Numbers the parts of one axis: those of the windows that begin at the same phase follow each other. */
static int number_parts(const struct net_layer *layer, int side, int kernel, int outputs, struct net_part *parts,
                        int *first) {
    bool found[NET_SPRITE_SIDE] = {false};
    int count = 0, phase;
    for (int at = 0; at < outputs && at < side; at++) { /* phases repeat after at most `side` outputs */
        first_cell(layer, side, at, &phase);
        if (found[phase])
            continue;
        found[phase] = true;
        first[phase] = count;
        for (int i = 0; i < touched(side, kernel, phase); i++) {
            int from = i * side - phase, to = from + side;
            parts[count++] = (struct net_part){from > 0 ? from : 0, to < kernel ? to : kernel, phase - i * side};
        }
    }
    return count;
}

size_t net_table_size(const struct net_sprites *sprites, const struct net_layer *layer) {
    struct net_part parts[NET_MOST_PARTS];
    int first[NET_SPRITE_SIDE];
    int rows = number_parts(layer, sprites->side, layer->kernel_height, layer->out.height, parts, first);
    int columns = number_parts(layer, sprites->side, layer->kernel_width, layer->out.width, parts, first);
    return (size_t)(rows * columns) * (size_t)sprites->classes * (size_t)layer->out.channels;
}

/* ---- looks ---- */

struct axis {
    int side, kernel, cells, first[NET_SPRITE_SIDE];
};

/* Lists the looks of one output, or only counts them if `looks` is NULL. */
static int look(const struct net_layer *layer, const struct axis *rows, const struct axis *columns, int column_parts,
                int output, struct net_look *looks) {
    int row_phase, column_phase, count = 0;
    int top = first_cell(layer, rows->side, output / layer->out.width, &row_phase);
    int left = first_cell(layer, columns->side, output % layer->out.width, &column_phase);
    for (int i = 0; i < touched(rows->side, rows->kernel, row_phase); i++)
        for (int k = 0; k < touched(columns->side, columns->kernel, column_phase); k++) {
            int y = top + i, x = left + k;
            if (y < 0 || y >= rows->cells || x < 0 || x >= columns->cells)
                continue;
            if (looks)
                looks[count] = (struct net_look){y * columns->cells + x, (rows->first[row_phase] + i) * column_parts +
                                                                             columns->first[column_phase] + k};
            count++;
        }
    return count;
}

bool net_looks_open(struct net_looks *looks, const struct net_sprites *sprites, const struct net_layer *layer) {
    int side = sprites->side, height = layer->in.height / side, width = layer->in.width / side, count = 0;
    struct axis rows = {side, layer->kernel_height, height, {0}}, columns = {side, layer->kernel_width, width, {0}};
    *looks = (struct net_looks){.outputs = layer->out.height * layer->out.width};
    looks->row_parts = number_parts(layer, side, rows.kernel, layer->out.height, looks->rows, rows.first);
    looks->column_parts = number_parts(layer, side, columns.kernel, layer->out.width, looks->columns, columns.first);
    for (int i = 0; i < looks->outputs; i++)
        count += look(layer, &rows, &columns, looks->column_parts, i, NULL);
    looks->starts = malloc(((size_t)looks->outputs + 1) * sizeof *looks->starts);
    looks->looks = malloc(((size_t)count + 1) * sizeof *looks->looks);
    if (!looks->starts || !looks->looks) {
        net_looks_close(looks);
        return false;
    }
    looks->starts[0] = 0;
    for (int i = 0; i < looks->outputs; i++)
        looks->starts[i + 1] =
            looks->starts[i] + look(layer, &rows, &columns, looks->column_parts, i, looks->looks + looks->starts[i]);
    return true;
}

void net_looks_close(struct net_looks *looks) {
    free(looks->starts);
    free(looks->looks);
    looks->starts = NULL;
    looks->looks = NULL;
}

int net_class_at(const float *planes, int channels, size_t cells, size_t cell) {
    int class = 0;
    for (int i = 0; i < channels; i++)
        class |= (planes[(size_t)i * cells + cell] > 0.5f) << i;
    return class;
}

/* ---- the table ---- */

/* One weight's place in the kernel, and the row of the table to which it contributes with the brightness of a pixel. */
struct stroke {
    size_t weight; /* offset within one filter's weights */
    float pixel;
};

/* Lists the weights that contribute to a row of the table; pixels that are black contribute nothing. */
static int strokes_of(const struct net_looks *looks, const struct net_sprites *sprites, const struct net_layer *layer,
                      int row, struct stroke *strokes) {
    int part = row / sprites->classes, side = sprites->side, count = 0;
    const float *picture = sprites->pictures + row % sprites->classes * NET_SPRITE_COLOURS * side * side;
    struct net_part down = looks->rows[part / looks->column_parts], across = looks->columns[part % looks->column_parts];
    for (int c = 0; c < NET_SPRITE_COLOURS; c++)
        for (int r = down.from; r < down.to; r++)
            for (int s = across.from; s < across.to; s++) {
                float pixel = picture[(c * side + r + down.shift) * side + s + across.shift];
                if (pixel > 0)
                    strokes[count++] =
                        (struct stroke){(size_t)((c * layer->kernel_height + r) * layer->kernel_width + s), pixel};
            }
    return count;
}

#define MOST_STROKES (NET_SPRITE_COLOURS * NET_SPRITE_SIDE * NET_SPRITE_SIDE)

void net_table_make(const struct net_looks *looks, const struct net_sprites *sprites, const struct net_layer *layer,
                    const float *weights, int columns, float *table) {
    struct stroke strokes[MOST_STROKES];
    size_t filter = layer->weight_count / (size_t)layer->out.channels;
    int rows = looks->row_parts * looks->column_parts * sprites->classes;
    for (int row = 0; row < rows; row++, table += columns) {
        int count = strokes_of(looks, sprites, layer, row, strokes);
        for (int k = 0; k < columns; k++) {
            const float *from = weights + (size_t)k * filter;
            float sum = 0;
            for (int i = 0; k < layer->out.channels && i < count; i++)
                sum += strokes[i].pixel * from[strokes[i].weight];
            table[k] = sum;
        }
    }
}

void net_table_unmake(const struct net_looks *looks, const struct net_sprites *sprites, const struct net_layer *layer,
                      const float *table, int columns, float *weights) {
    struct stroke strokes[MOST_STROKES];
    size_t filter = layer->weight_count / (size_t)layer->out.channels;
    int rows = looks->row_parts * looks->column_parts * sprites->classes;
    for (int row = 0; row < rows; row++, table += columns) {
        int count = strokes_of(looks, sprites, layer, row, strokes);
        for (int k = 0; k < layer->out.channels; k++)
            for (int i = 0; i < count; i++)
                weights[(size_t)k * filter + strokes[i].weight] += strokes[i].pixel * table[k];
    }
}
