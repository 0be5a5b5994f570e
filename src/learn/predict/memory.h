/* A cache of predictions: a hash table in which a new prediction replaces an older one in the same entry. A state is
 * identified by its instance and all of its bytes, never by its key alone. Safe for several threads. */
#ifndef LEARN_PREDICT_MEMORY_H
#define LEARN_PREDICT_MEMORY_H

#include "soloist_extra.h"

struct prediction_memory;

/* count: maximum number of predictions that are kept; numbers: number of floats per prediction; state: maximum number
 * of bytes of a state that is kept. Returns NULL if there is no memory or count is 0; all functions below accept NULL
 * as a table that keeps nothing. */
struct prediction_memory *prediction_memory_open(size_t count, size_t numbers, size_t state);
/* How many predictions fit into a number of bytes. */
size_t prediction_memory_room(size_t bytes, size_t numbers, size_t state);
/* How many bytes a number of predictions takes. */
size_t prediction_memory_bytes(size_t count, size_t numbers, size_t state);
/* From now on keeps at most `count` predictions, at least one. More than before are never kept. */
void prediction_memory_limit(struct prediction_memory *memory, size_t count);
void prediction_memory_close(struct prediction_memory *memory);
void prediction_memory_clear(struct prediction_memory *memory);
bool prediction_memory_find(struct prediction_memory *memory, const soloist_instance *instance, uint64_t key,
                            const void *state, size_t size, float *numbers);
void prediction_memory_keep(struct prediction_memory *memory, const soloist_instance *instance, uint64_t key,
                            const void *state, size_t size, const float *numbers);

#endif
