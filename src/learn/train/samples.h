/* What a network learns from: positions with the moves it should prefer and the value it should tell. The newest
 * `capacity` of them are kept, packed; when one is looked at it is unpacked, shown as planes and seen in one of the
 * domain's symmetries. Many threads add and look at the same time. */
#ifndef LEARN_SAMPLES_H
#define LEARN_SAMPLES_H

#include "net/loss.h"

/* A move and its share of the policy. */
struct sample_target {
    soloist_move move;
    float weight;
};

struct samples;

/* channels: planes that the network reads, 0 for those that all do.
 * targets: moves that a position's policy may name; of more the heaviest stay. The domain's states must be whole
 * (soloist_learn); `instance`, which outlives the samples, stands for all that the positions come from. NULL with an
 * error. */
struct samples *samples_open(const soloist_domain *domain, const soloist_instance *instance, int channels,
                             size_t capacity, int targets, soloist_error *error);
void samples_close(struct samples *samples);

/* Drops all of them; from now on at most so many are kept, and never more than there was room for. */
void samples_restart(struct samples *samples, size_t capacity);
void samples_shape(const struct samples *samples, soloist_shape *shape);

/* Are the instance's states, planes and actions like those of the samples? */
bool samples_fit(const struct samples *samples, const soloist_instance *instance);

/* Samples are written into the caller's memory first, each so many bytes long, and added together: a game's, say.
 * value: what is still to come, in points. */
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

/* Sample number index (0: any, below samples_count) in a symmetry, as a batch wants it: planes, policy (a number an
 * action, adding up to 1; of a drawn move the marks of net/loss.h) and value in points. drawn may be NULL where none
 * was. */
void samples_show(const struct samples *samples, struct sample_viewer *viewer, size_t index, int symmetry,
                  float *planes, float *policy, float *value, struct net_drawn *drawn);

/* All of them as a file, and back; false: not written, or no such file of the same kind of samples. */
bool samples_save(struct samples *samples, const char *path);
bool samples_load(struct samples *samples, const char *path);

#endif
