/* A network that is being trained: it runs on a back end and learns from batches of samples. It can train for whole
 * epochs with early stopping (Seify 2020, Algorithm 1), or step by step while new samples keep coming. */
#ifndef LEARN_TRAIN_TRAINER_H
#define LEARN_TRAIN_TRAINER_H

#include "learn/train/batches.h"
#include "learn/train/options.h"

struct trainer;

/* Borrows net. back_end: its name, or NULL for the best one. Returns NULL with an error. */
struct trainer *trainer_open(const struct net *net, const float *parameters, const char *back_end,
                             const struct training_options *options, soloist_error *error);
void trainer_close(struct trainer *trainer);
const char *trainer_back_end(const struct trainer *trainer);
/* Sets the parameters and resets the optimiser. */
bool trainer_set(struct trainer *trainer, const float *parameters, soloist_error *error);
bool trainer_get(struct trainer *trainer, float *parameters, soloist_error *error);
/* Copy the optimiser's state. The caller provides the two arrays in *memory, each with room for net->parameters
 * floats. */
bool trainer_get_memory(struct trainer *trainer, struct net_memory *memory, soloist_error *error);
bool trainer_set_memory(struct trainer *trainer, const struct net_memory *memory, soloist_error *error);

/* Sets the weight of the policy's entropy bonus. */
void trainer_set_entropy(struct trainer *trainer, double weight);

/* The options with which to open the batches for this trainer. */
struct batches_options trainer_batches(const struct trainer *trainer, enum batches_order order, uint64_t seed);
/* The learning rate after `steps` steps, when the share `done` (0 to 1) of the training is over. It rises during the
 * warm-up and then falls along half a cosine wave. */
double trainer_rate(const struct training_options *options, uint64_t steps, double done);
/* The weight of the value loss. highest: the highest value target among the samples. */
double trainer_value_weight(const struct training_options *options, double highest);

/* One training step; *losses are the losses before this step. highest: the highest value target among all samples. */
bool trainer_step(struct trainer *trainer, struct net_batch *batch, double rate, double highest,
                  struct net_losses *losses, soloist_error *error);
/* Computes logits [count][actions] and values [count] with the present weights. count: number of positions, at most one
 * batch. */
bool trainer_forward(struct trainer *trainer, const float *planes, int count, float *logits, float *values,
                     soloist_error *error);
/* One epoch; *losses are the means over its batches. Stopping the token ends the epoch early; `each_step` is called
 * before every step. */
bool trainer_epoch(struct trainer *trainer, const struct samples *samples, uint64_t seed, double rate, double highest,
                   soloist_stop_token *stop, void (*each_step)(void *user), void *user, struct net_losses *losses,
                   soloist_error *error);
/* Computes the losses on at most `most` samples (0: all), without symmetries and without learning. */
bool trainer_validate(struct trainer *trainer, const struct samples *samples, size_t most, double highest,
                      struct net_losses *losses, soloist_error *error);

#endif
