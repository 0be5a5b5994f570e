/* `solve --reuse`: Sokoban levels that are the same game, up to rotation and reflection, are solved once. */
#ifndef CLI_SOLVE_DUPLICATES_H
#define CLI_SOLVE_DUPLICATES_H

#include "cli/solve/batch.h"

#define DUPLICATES_NONE SIZE_MAX

/* Returns an array with one element per task: the index of an earlier task that is the same game, or DUPLICATES_NONE.
 * The caller frees it. */
size_t *duplicates_find(const struct batch *batch);
/* Derives the outcome of a task from that of its original and replays the solution on the task itself. A proof is kept
 * only as far as it holds for the task. The result is freed like any other outcome. */
struct outcome *duplicates_answer(const struct batch *batch, size_t task, size_t original, const struct outcome *known);

#endif
