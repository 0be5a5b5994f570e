/* What a network learns from: positions with their policy and value targets. The newest `capacity` of them are kept,
 * packed; a sample that is read is unpacked, encoded as planes and transformed by one of the domain's symmetries. If
 * the domain sets whole_states, its packed states are kept; otherwise the planes themselves are kept (as bits where
 * they are zeros and ones), so that no instance has to live as long as its samples. Several threads may add and read
 * samples at the same time. */
#ifndef LEARN_TRAIN_SAMPLES_H
#define LEARN_TRAIN_SAMPLES_H

#include "net/loss.h"

/* A move and its probability in the policy target. */
struct sample_target {
    soloist_move move;
    float weight;
};

struct samples;

/* channels: number of planes that the network reads; 0: all planes of the instance. targets: maximum number of moves in
 * a policy target; if a position has more, only the most probable are kept. `instance` represents all instances of the
 * same size (samples_fit): with whole_states every sample is decoded with it, otherwise only its symmetries are used.
 * It must outlive the samples. Returns NULL with an error. */
struct samples *samples_open(const soloist_domain *domain, const soloist_instance *instance, int channels,
                             size_t capacity, int targets, soloist_error *error);
void samples_close(struct samples *samples);

/* Drops all samples; from now on at most `capacity` samples are kept, but never more than the capacity given to
 * samples_open. */
void samples_restart(struct samples *samples, size_t capacity);
/* Drops all but the newest `most` samples, and numbers those that are kept by their age. False: no memory, and nothing
 * is changed. */
bool samples_keep(struct samples *samples, size_t most);
void samples_shape(const struct samples *samples, soloist_shape *shape);

/* Whether the instance's planes and actions, and with whole_states its states, have the same sizes as those of the
 * samples. */
bool samples_fit(const struct samples *samples, const soloist_instance *instance);

/* Samples, such as those of one game, are first written into the caller's memory, each samples_record_size bytes long,
 * and then added by one call of samples_add. instance: the instance to which the state belongs. value: the score still
 * to come, in points; for a least-cost domain as evaluator.h defines it. False: no memory, and the record is
 * undefined. */
size_t samples_record_size(const struct samples *samples);
bool samples_write(const struct samples *samples, void *record, const soloist_instance *instance, const void *state,
                   float value, const struct sample_target *targets, int count);
void samples_set_value(void *record, float value);
/* Marks the only target of a record as a move that was chosen at random from the policy. */
void samples_set_drawn(void *record, struct net_drawn drawn);
void samples_add(struct samples *samples, const void *records, size_t count);
void samples_shuffle(const struct samples *samples, void *records, size_t count, soloist_rng *rng);

size_t samples_count(const struct samples *samples);   /* number of samples kept now */
uint64_t samples_added(const struct samples *samples); /* number of samples that were ever added */
/* The largest absolute value of a value target, over all samples that were ever added. */
double samples_highest(const struct samples *samples);
int samples_symmetries(const struct samples *samples); /* at least 1 */

/* Scratch memory of one thread that reads samples; opening returns NULL if there is no memory. */
struct sample_viewer;
struct sample_viewer *sample_viewer_open(const struct samples *samples);
void sample_viewer_close(struct sample_viewer *viewer);

/* Writes sample number `index` (0 to samples_count - 1), transformed by a symmetry, into the arrays of a batch: planes,
 * policy and value (in points). The policy has one number per action: a probability or, if the move was chosen by PPO
 * self-play, a mark that net/loss.h describes. `drawn` may be NULL if samples_set_drawn was never used. */
void samples_show(const struct samples *samples, struct sample_viewer *viewer, size_t index, int symmetry,
                  float *planes, float *policy, float *value, struct net_drawn *drawn);

/* Writes the newest `most` samples (0: all) to a file. False: it cannot be written. */
bool samples_save(struct samples *samples, const char *path, size_t most);
/* Reads the samples of a file. False: it cannot be read, or its samples have another size. */
bool samples_load(struct samples *samples, const char *path);

#endif
