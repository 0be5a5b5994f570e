/* `solve --reuse`: Sokoban levels that are the same game, turned or mirrored, are solved once. */
#ifndef CLI_DUPLICATES_H
#define CLI_DUPLICATES_H

#include "cli/solve/batch.h"

#define DUPLICATES_NONE SIZE_MAX

/* By task: an earlier task that is the same game, or DUPLICATES_NONE. To be freed. */
size_t *duplicates_find(const struct input *input);
/* The outcome of a task from that of its original, replayed on the task itself; to be freed as any other. */
struct outcome *duplicates_answer(const struct batch *batch, size_t task, size_t original, const struct outcome *known);

#endif
