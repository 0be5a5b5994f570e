/* The cells of the feature space: how they are found by their features, and which one is visited next. */
#include "search/fess/fess.h"

#include <stdlib.h>
#include <string.h>

static struct fess_cell *cell_at(const struct fess *fess, uint32_t cell) { return table_extra(&fess->cells, cell); }

/* The cell of a state. If there is none yet, makes the cell, which will then be visited next. */
static uint32_t find_cell(struct fess *fess, const struct fess_node *node) {
    uint64_t id = (fess->options->keep ? node->past : node->features) & fess->dimensions;
    bool added;
    uint32_t cell = table_put(&fess->cells, id, &id, &added);
    if (cell != POOL_NONE && added) {
        heap_open(&cell_at(fess, cell)->open, fess->states.items.memory);
        fess->turn = cell;
    }
    return cell;
}

/* The features of a cell as one number; a smaller number means a better cell. */
static uint64_t id_of(const struct fess *fess, uint32_t cell) {
    uint64_t id;
    memcpy(&id, table_string(&fess->cells, cell), sizeof id);
    return id;
}

bool fess_enter_cell(struct fess *fess, uint32_t index) {
    const struct fess_node *node = fess_at(fess, index);
    uint32_t cell = find_cell(fess, node);
    if (cell == POOL_NONE || !heap_push(&cell_at(fess, cell)->open, fess_priority(node), index))
        return false;
    fess->open++;
    if (fess->best_cell == POOL_NONE || id_of(fess, cell) < id_of(fess, fess->best_cell))
        fess->best_cell = cell;
    return true;
}

/* The best cell that still holds a state. */
static uint32_t find_best_cell(const struct fess *fess) {
    uint32_t best = POOL_NONE;
    for (uint32_t cell = 1; cell <= table_count(&fess->cells); cell++)
        if (cell_at(fess, cell)->open.count && (best == POOL_NONE || id_of(fess, cell) < id_of(fess, best)))
            best = cell;
    return best;
}

static uint32_t take_from(struct fess *fess, uint32_t cell) {
    uint64_t priority;
    uint32_t index = POOL_NONE;
    if (heap_pop(&cell_at(fess, cell)->open, &priority, &index))
        fess->open--;
    return index;
}

/* Goes on, in cyclic order, to the next cell that holds a state; removes its best state and returns it. */
static uint32_t take_in_turn(struct fess *fess) {
    uint32_t index = POOL_NONE, count = table_count(&fess->cells);
    while (fess->open && index == POOL_NONE) {
        if (fess->turn > count)
            fess->turn = 1;
        index = take_from(fess, fess->turn++);
    }
    return index;
}

uint32_t fess_choose(struct fess *fess) {
    bool best = !fess->options->turns || (fess->options->best && fess->visits++ & 1);
    uint32_t index = POOL_NONE;
    if (best && fess->open) {
        if (!cell_at(fess, fess->best_cell)->open.count)
            fess->best_cell = find_best_cell(fess);
        index = take_from(fess, fess->best_cell);
    }
    return index == POOL_NONE ? take_in_turn(fess) : index;
}

void fess_close_cells(struct fess *fess) {
    for (uint32_t cell = 1; cell <= table_count(&fess->cells); cell++)
        heap_close(&cell_at(fess, cell)->open);
    table_close(&fess->cells);
}

/* ---- what the cells show ---- */

static int compare_ids(const void *a, const void *b) {
    uint64_t first = ((const uint64_t *)a)[0], second = ((const uint64_t *)b)[0];
    return (first > second) - (first < second);
}

/* The features that define cells, and their names. */
static int list_features(const struct fess *fess, struct search_picture *picture, int *shifts) {
    int count = 0;
    for (int i = 0; i < SOLOIST_MOST_FEATURES && fess->game->names[i]; i++)
        if (fess->dimensions >> (48 - 8 * i) & 255) {
            picture->features[count] = fess->game->names[i];
            shifts[count++] = 48 - 8 * i;
        }
    picture->shown.feature_count = (size_t)count;
    return count;
}

/* The best cells that hold a state, best first; of very many cells, the newest are looked at. */
void fess_paint(const void *subject, struct search_picture *picture) {
    enum { most = 1024 };
    const struct fess *fess = subject;
    uint64_t found[most][2]; /* id, cell */
    int shifts[SOLOIST_MOST_FEATURES], features = list_features(fess, picture, shifts);
    size_t count = 0;
    picture_kind(picture, SOLOIST_PICTURE_CELLS);
    for (uint32_t cell = table_count(&fess->cells); cell && count < most; cell--)
        if (cell_at(fess, cell)->open.count) {
            found[count][0] = id_of(fess, cell);
            found[count++][1] = cell;
        }
    qsort(found, count, sizeof *found, compare_ids);
    for (size_t i = 0; i < count; i++) {
        soloist_cell cell = {.states = cell_at(fess, (uint32_t)found[i][1])->open.count,
                             .chosen = found[i][1] == fess->turn};
        for (int f = 0; f < features; f++)
            cell.features[f] = (int)(found[i][0] >> shifts[f] & 255);
        picture_cell(picture, &cell);
    }
}
