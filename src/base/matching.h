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
/* Solves from nothing. cost[r * stride + c]. Returns the total, or MATCHING_NEVER. */
int32_t matching_solve(struct matching *matching, const int32_t *cost, int stride);
/* Row `row` has new costs, everything else is as at the last call: repairs. Where the last call found no perfect
 * matching (or there was none), solves from nothing, so any number of rows may then differ. */
int32_t matching_change_row(struct matching *matching, const int32_t *cost, int stride, int row);
/* The column matched to a row. Only while a total is known. */
int matching_column(const struct matching *matching, int row);

#endif
