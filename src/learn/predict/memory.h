/* Predictions remembered: a table that keeps the latest of those that fall on the same place. A state is known by its
 * instance and all of its bytes, never by its key alone. Safe for several threads. */
#ifndef LEARN_MEMORY_H
#define LEARN_MEMORY_H

#include "soloist.h"

struct prediction_memory;

/* count: predictions kept at most; numbers: floats of one. NULL without memory, and for a count of 0 (which all
 * functions below take as a table that keeps nothing). */
struct prediction_memory *prediction_memory_open(size_t count, size_t numbers);
void prediction_memory_close(struct prediction_memory *memory);
void prediction_memory_clear(struct prediction_memory *memory);
bool prediction_memory_find(struct prediction_memory *memory, const soloist_instance *instance, uint64_t key,
                            const void *state, size_t size, float *numbers);
/* A state larger than PREDICTION_STATE bytes is not kept. */
#define PREDICTION_STATE 1024
void prediction_memory_keep(struct prediction_memory *memory, const soloist_instance *instance, uint64_t key,
                            const void *state, size_t size, const float *numbers);

#endif
