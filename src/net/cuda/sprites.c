/* Prepares the table of a convolution over sprites: copies to the GPU how windows lie on cells. */
#include "net/cuda/cuda.h"
#include "net/sprites.h"

#include <stdlib.h>
#include <string.h>

enum { most_chunks = 64, most_partial = 1 << 26 };

_Static_assert(sizeof(struct cuda_part) == sizeof(struct net_part), "the two are copied");
_Static_assert(sizeof(struct cuda_look) == sizeof(struct net_look), "the two are copied");

/* Allocates memory on the GPU and fills it. */
static bool put(void *pointer, const void *from, size_t size, soloist_error *error) {
    return cuda_take(pointer, size, error) &&
           cuda_check(cudaMemcpy(*(void **)pointer, from, size, cudaMemcpyHostToDevice), "copy to the card", error);
}

/* Lists for each part the outputs and cells where it occurs. */
static bool put_uses(struct cuda_table *table, const struct net_looks *looks, soloist_error *error) {
    int parts = looks->row_parts * looks->column_parts;
    size_t count = (size_t)looks->starts[looks->outputs];
    int32_t *starts = calloc((size_t)parts + 2, sizeof *starts);
    struct cuda_use *uses = malloc((count + 1) * sizeof *uses);
    bool good = starts && uses;
    if (!good)
        soloist_fail(error, 0, 0, "no memory for a network");
    /* starts[p + 2] counts the uses of part p, then becomes the end of part p - 1 while uses are listed. */
    for (size_t i = 0; good && i < count; i++)
        starts[looks->looks[i].part + 2]++;
    for (int part = 0; good && part < parts; part++)
        starts[part + 2] += starts[part + 1];
    for (int output = 0; good && output < looks->outputs; output++)
        for (int32_t i = looks->starts[output]; i < looks->starts[output + 1]; i++)
            uses[starts[looks->looks[i].part + 1]++] = (struct cuda_use){output, looks->looks[i].cell};
    good = good && put(&table->use_starts, starts, ((size_t)parts + 1) * sizeof *starts, error) &&
           put(&table->uses, uses, (count + 1) * sizeof *uses, error);
    free(starts);
    free(uses);
    return good;
}

static bool put_looks(struct cuda_table *table, const struct net_looks *looks, soloist_error *error) {
    struct net_part parts[2 * NET_MOST_PARTS];
    memcpy(parts, looks->rows, (size_t)looks->row_parts * sizeof *parts);
    memcpy(parts + looks->row_parts, looks->columns, (size_t)looks->column_parts * sizeof *parts);
    size_t count = (size_t)looks->starts[looks->outputs];
    return put(&table->parts, parts, (size_t)(looks->row_parts + looks->column_parts) * sizeof *parts, error) &&
           put(&table->starts, looks->starts, ((size_t)looks->outputs + 1) * sizeof *looks->starts, error) &&
           put(&table->looks, looks->looks, count * sizeof *looks->looks, error) && put_uses(table, looks, error);
}

bool cuda_open_table(struct cuda_runner *runner, struct cuda_layer *plan, soloist_error *error) {
    const struct net_sprites *sprites = &runner->head.net->sprites;
    const struct net_layer *layer = plan->layer;
    struct cuda_table *table = &plan->table;
    struct net_looks looks;
    if (!net_looks_open(&looks, sprites, layer))
        return soloist_fail(error, 0, 0, "no memory for a network");
    *table = (struct cuda_table){.rows = looks.row_parts * looks.column_parts * sprites->classes,
                                 .classes = sprites->classes,
                                 .columns = plan->out_channels,
                                 .filters = layer->out.channels,
                                 .row_parts = looks.row_parts,
                                 .column_parts = looks.column_parts,
                                 .outputs = looks.outputs,
                                 .cells = net_input(runner->head.net).height * net_input(runner->head.net).width,
                                 .colours = NET_SPRITE_COLOURS,
                                 .side = sprites->side,
                                 .kernel_height = layer->kernel_height,
                                 .kernel_width = layer->kernel_width};
    size_t size = (size_t)table->rows * (size_t)table->columns, chunks = most_partial / size;
    size_t pictures = (size_t)(sprites->classes * NET_SPRITE_COLOURS * sprites->side * sprites->side);
    table->chunks = chunks < 1 ? 1 : chunks > most_chunks ? most_chunks : (int)chunks;
    bool good = put(&table->pictures, sprites->pictures, pictures * sizeof(float), error) &&
                put_looks(table, &looks, error) && cuda_take(&table->table, size * sizeof(float), error);
    if (good && runner->head.options.train)
        good = cuda_take(&table->gradients, size * sizeof(float), error) &&
               cuda_take(&table->partial, size * (size_t)table->chunks * sizeof(float), error);
    net_looks_close(&looks);
    return good;
}

void cuda_close_table(struct cuda_table *table) {
    const void *memory[] = {table->pictures, table->parts, table->starts,    table->looks,  table->use_starts,
                            table->uses,     table->table, table->gradients, table->partial};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        cudaFree((void *)(uintptr_t)memory[i]);
}
