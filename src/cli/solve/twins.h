/* `solve --reuse`: Sokoban levels that are the same game, turned or mirrored, are solved once. */
#ifndef CLI_TWINS_H
#define CLI_TWINS_H

#include "cli/solve/batch.h"

#define TWINS_NONE SIZE_MAX

/* By task: an earlier task that is the same game, or TWINS_NONE. To be freed. */
size_t *twins_find(const struct input *input);
/* The outcome of a task from that of its twin, replayed on the task itself; to be freed as any other. */
struct outcome *twins_answer(const struct batch *batch, size_t task, size_t twin, const struct outcome *known);

#endif
