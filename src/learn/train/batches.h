/* Several threads prepare batches while the back end works on an earlier one. Each batch is made by one thread and
 * depends only on its number, so that the same samples give the same batches for any number of threads. */
#ifndef LEARN_TRAIN_BATCHES_H
#define LEARN_TRAIN_BATCHES_H

#include "learn/train/samples.h"
#include "net/back_end.h"

enum batches_order {
    /* Never ends: samples are chosen at random, all equally likely; more samples may be added meanwhile. */
    BATCHES_DRAWN,
    BATCHES_EPOCH, /* every sample once, shuffled; the last batch may be smaller */
    BATCHES_PLAIN  /* every sample once, in stored order, without symmetries */
};

struct batches_options {
    enum batches_order order;
    int batch;          /* positions per batch */
    int threads;        /* threads that make batches */
    int ahead;          /* maximum number of batches that are ready or being made; 0: threads + 2 */
    uint64_t first;     /* number of the first batch; only for BATCHES_DRAWN */
    uint64_t seed;      /* seed for choosing samples, for shuffling and for symmetries */
    bool symmetries;    /* transform each position by a random symmetry */
    double value_scale; /* points of score that a value target of 1 stands for */
    /* The policy targets are moves that self-play by PPO chose at random from the policy. */
    bool drawn;
    size_t most;                         /* maximum number of samples used in an epoch; 0: all */
    size_t planes, actions;              /* number of floats per position */
    const struct net_back_end *back_end; /* allocates the batches' memory; NULL: malloc does */
};

struct batches;

/* Borrows the samples; there must be at least one. Returns NULL with an error. */
struct batches *batches_open(const struct samples *samples, const struct batches_options *options,
                             soloist_error *error);
void batches_close(struct batches *batches);
/* Gets the next batch, in order; the previous one must no longer be used. Does not set batch->loss. False at the end of
 * an epoch. */
bool batches_next(struct batches *batches, struct net_batch *batch);

#endif
