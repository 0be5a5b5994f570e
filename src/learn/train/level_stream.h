/* Threads that make instances before they are needed. Instances come in the order of their numbers, whatever the number
 * of threads. */
#ifndef LEARN_TRAIN_LEVEL_STREAM_H
#define LEARN_TRAIN_LEVEL_STREAM_H

#include "learn/train/games.h"

struct level_stream;

/* source and samples are borrowed. Instances whose planes or actions do not fit the samples are left out. first: number
 * of the first instance. Returns NULL with an error. */
struct level_stream *level_stream_open(const struct game_source *source, const struct samples *samples, uint64_t first,
                                       int threads, soloist_error *error);
void level_stream_close(struct level_stream *stream);
/* level_stream_rest ends the threads, so that no thread uses the source; level_stream_go_on starts threads again.
 * Instances that are already made are kept. */
void level_stream_rest(struct level_stream *stream);
bool level_stream_go_on(struct level_stream *stream, soloist_error *error);
/* The number of the next instance. */
uint64_t level_stream_number(struct level_stream *stream);
/* Waits for the next instance, which the caller frees, and its number. False with an error. */
bool level_stream_next(struct level_stream *stream, soloist_puzzle *puzzle, uint64_t *number, soloist_error *error);

#endif
