/* Minimum-cost perfect matching of rows (boxes) to columns (goals), rows <= columns: the Hungarian method by shortest
 * augmenting paths with potentials (Jonker and Volgenant). After one row changed its costs, the row is freed and
 * matched again with the old potentials: one augmentation, O(n^2), in place of O(n^3). */
#ifndef BASE_MATCHING_H
#define BASE_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCHING_NEVER INT32_MAX   /* cost of a pair that may not be matched */
#define MATCHING_LARGEST (1 << 20) /* costs are 0 .. MATCHING_LARGEST; what is above is taken as MATCHING_NEVER */
#define MATCHING_MOST 512
/* matching_kept and matching_size at their most. */
#define MATCHING_MOST_KEPT (16 + 8 * MATCHING_MOST)
#define MATCHING_MOST_SIZE (MATCHING_MOST_KEPT + 12 * MATCHING_MOST)

/* Pointer-free, so that it can be part of an undo record. All arrays live in one block that the caller provides:
 * matching_size(rows, columns) bytes, 8-byte aligned. Its first matching_kept(rows, columns) bytes are all that must be
 * copied to come back to a solved matching; the rest is scratch. Which optimal matching is found, and the potentials,
 * depend on the history of changes; the total does not. */
struct matching {
    int32_t rows, columns;
    int32_t total; /* MATCHING_NEVER: no perfect matching exists */
};

size_t matching_size(int rows, int columns);
size_t matching_kept(int rows, int columns);
void matching_open(struct matching *matching, int rows, int columns);
/* Solves from nothing. cost[row][column]: rows may lie anywhere, and several may be the same. Returns the total, or
 * MATCHING_NEVER. */
int32_t matching_solve(struct matching *matching, const int32_t *const *cost);
/* The same for rows = columns, setting out from potentials [columns] of a problem that is like this one. */
int32_t matching_solve_from(struct matching *matching, const int32_t *const *cost, const int32_t *potential);
/* Row `row` has new costs, `was` are those it had, everything else is as at the last call: repairs. Where the last call
 * found no perfect matching (or there was none), solves from nothing: any number of rows may then differ, and `was` is
 * not looked at. */
int32_t matching_change_row(struct matching *matching, const int32_t *const *cost, int row, const int32_t *was);
/* The column matched to a row. Only while a total is known. */
int matching_column(const struct matching *matching, int row);
/* The columns' potentials [columns], none above 0. Only while a total is known. */
const int32_t *matching_potential(const struct matching *matching);

/* Square problems whose rows are known beforehand. Potentials once fixed, a row comes down to its least reduced cost
 * and the columns that attain it. Where rows can be matched to such columns alone, no matching is cheaper, and the
 * total is the sum of the potentials and of the rows' least: a few operations on words in place of the whole problem.
 */
#define MATCHING_TIGHT_MOST 64

struct matching_row {
    uint64_t tight; /* the columns, none if the row has no finite cost */
    int32_t least;
};

struct matching_row matching_row_of(const int32_t *cost, const int32_t *potential, int columns);

struct matching_tight {
    uint64_t tight[MATCHING_TIGHT_MOST]; /* of each row: the caller fills it */
    uint64_t free;                       /* columns */
    uint8_t row_of[MATCHING_TIGHT_MOST], column_of[MATCHING_TIGHT_MOST];
};

/* Whether all rows can be matched, which they then are. */
bool matching_tight_solve(struct matching_tight *tight, int rows);
/* All rows being matched: whether they would still be if `row` had these columns. Changes nothing. */
bool matching_tight_keeps(const struct matching_tight *tight, int row, uint64_t columns);

#endif
