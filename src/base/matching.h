/* Minimum-cost perfect matching of rows (boxes) to columns (goals), rows <= columns: the Hungarian method by shortest
 * augmenting paths with potentials (Jonker and Volgenant). After the costs of one row have changed, that row is freed
 * and matched again under the old potentials: one augmentation, O(n^2) instead of O(n^3). */
#ifndef BASE_MATCHING_H
#define BASE_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCHING_NEVER INT32_MAX   /* cost of a pair that may not be matched */
#define MATCHING_LARGEST (1 << 20) /* costs are 0 .. MATCHING_LARGEST; anything above counts as MATCHING_NEVER */
#define MATCHING_MOST 512
/* The greatest values that matching_kept and matching_size can return. */
#define MATCHING_MOST_KEPT (16 + 8 * MATCHING_MOST)
#define MATCHING_MOST_SIZE (MATCHING_MOST_KEPT + 12 * MATCHING_MOST)

/* This struct has no pointers, so that it can be part of an undo record. All arrays are in one block that the caller
 * provides: matching_size(rows, columns) bytes, 8-byte aligned. To return to a solved matching later, it is enough to
 * copy the first matching_kept(rows, columns) bytes; the rest is scratch space. If there are several optimal matchings,
 * the earlier calls determine which of them is found, and with which potentials; the total is always the same. */
struct matching {
    int32_t rows, columns;
    int32_t total; /* MATCHING_NEVER: no perfect matching exists */
};

size_t matching_size(int rows, int columns);
size_t matching_kept(int rows, int columns);
void matching_open(struct matching *matching, int rows, int columns);
/* Solves from scratch. cost[row][column]: the rows may be anywhere in memory, and several row pointers may be equal.
 * Returns the total, or MATCHING_NEVER. */
int32_t matching_solve(struct matching *matching, const int32_t *const *cost);
/* The same as matching_solve, but starts from potential[column], the potentials of a similar problem. rows = columns is
 * required. */
int32_t matching_solve_from(struct matching *matching, const int32_t *const *cost, const int32_t *potential);
/* Repairs the matching after the costs of `row` have changed; `was` are its old costs. All other costs must be as in
 * the last call. If the last call found no perfect matching (or there was no last call), this solves from scratch. In
 * that case the costs of any number of rows may have changed, and `was` is not used. */
int32_t matching_change_row(struct matching *matching, const int32_t *const *cost, int row, const int32_t *was);
/* The column matched to a row. Valid only if the last call found a perfect matching. */
int matching_column(const struct matching *matching, int row);
/* The potentials of the columns; none is above 0. Valid only if the last call found a perfect matching. */
const int32_t *matching_potential(const struct matching *matching);

/* A faster method for square problems (rows = columns) in which all rows of costs that can occur are known in advance.
 * For fixed potentials, a row is summarised by its least reduced cost and the columns that attain it (its tight
 * columns). If all rows can be matched to tight columns, that matching is optimal, and its total is the sum of the
 * potentials and of the rows' least reduced costs. To find such a matching takes only a few word operations; the whole
 * problem need not be solved. */
#define MATCHING_TIGHT_MOST 64

struct matching_row {
    uint64_t tight; /* the tight columns; none if the row has no finite cost */
    int32_t least;
};

struct matching_row matching_row_of(const int32_t *cost, const int32_t *potential, int columns);

struct matching_tight {
    uint64_t tight[MATCHING_TIGHT_MOST]; /* tight columns of each row; filled by the caller */
    uint64_t free;                       /* columns that are not matched */
    uint8_t row_of[MATCHING_TIGHT_MOST], column_of[MATCHING_TIGHT_MOST];
};

/* Returns whether all rows can be matched to tight columns; if so, they are matched. */
bool matching_tight_solve(struct matching_tight *tight, int rows);
/* May be called only if all rows are matched. Returns whether all rows could still be matched to tight columns if `row`
 * had the tight columns `columns` instead. Changes nothing. */
bool matching_tight_keeps(const struct matching_tight *tight, int row, uint64_t columns);

#endif
