/* What a network learns from: positions with their policy and value targets. The newest `capacity` of them are kept,
 * packed; a sample that is read is unpacked, encoded as planes and transformed by one of the domain's symmetries. Many
 * threads may add and read at the same time. */
#ifndef LEARN_SAMPLES_H
#define LEARN_SAMPLES_H

#include "net/loss.h"

/* A move and its share of the policy. */
struct sample_target {
    soloist_move move;
    float weight;
};

struct samples;

/* channels: planes that the network reads; 0: as many as the instance has. targets: most moves in a position's policy;
 * of more, the most probable are kept. The domain's states must be whole (soloist_learn); `instance`, which outlives
 * the samples, stands for all that the positions come from. NULL with an error. */
struct samples *samples_open(const soloist_domain *domain, const soloist_instance *instance, int channels,
                             size_t capacity, int targets, soloist_error *error);
void samples_close(struct samples *samples);

/* Drops all samples; from now on at most `capacity` are kept, and never more than at opening. */
void samples_restart(struct samples *samples, size_t capacity);
void samples_shape(const struct samples *samples, soloist_shape *shape);

/* Are the instance's states, planes and actions like those of the samples? */
bool samples_fit(const struct samples *samples, const soloist_instance *instance);

/* Samples, such as those of one game, are first written into the caller's memory, each samples_record_size bytes long,
 * and then added together. value: the score still to come, in points. */
size_t samples_record_size(const struct samples *samples);
void samples_write(const struct samples *samples, void *record, const void *state, float value,
                   const struct sample_target *targets, int count);
void samples_set_value(void *record, float value);
/* Of a record with one target: it is a move that was drawn. */
void samples_set_drawn(void *record, struct net_drawn drawn);
void samples_add(struct samples *samples, const void *records, size_t count);
void samples_shuffle(const struct samples *samples, void *records, size_t count, soloist_rng *rng);

size_t samples_count(const struct samples *samples);   /* that are kept */
uint64_t samples_added(const struct samples *samples); /* in all */
double samples_highest(const struct samples *samples); /* value without its sign of all that were added */
int samples_symmetries(const struct samples *samples); /* at least 1 */

/* Scratch memory of one thread that looks at samples; NULL without memory. */
struct sample_viewer;
struct sample_viewer *sample_viewer_open(const struct samples *samples);
void sample_viewer_close(struct sample_viewer *viewer);

/* Sample number index (0: any, below samples_count) in a symmetry, as a batch wants it: planes, policy (one number per
 * action, adding up to 1; for a drawn move the marks of net/loss.h) and value in points. drawn may be NULL if no sample
 * is a drawn move. */
void samples_show(const struct samples *samples, struct sample_viewer *viewer, size_t index, int symmetry,
                  float *planes, float *policy, float *value, struct net_drawn *drawn);

/* Writes all samples to a file, and reads them back. False: the file cannot be written, or is not a file of the same
 * kind of samples. */
bool samples_save(struct samples *samples, const char *path);
bool samples_load(struct samples *samples, const char *path);

#endif
