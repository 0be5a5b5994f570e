/* Batches made ahead by several threads while the back end works on the one before. Each batch is made by one thread
 * and depends only on its number, so that the same samples give the same batches for any number of threads. */
#ifndef LEARN_BATCHES_H
#define LEARN_BATCHES_H

#include "learn/train/samples.h"
#include "net/back_end.h"

enum batches_order {
    BATCHES_DRAWN, /* endless; samples are drawn uniformly, and more may be added meanwhile */
    BATCHES_EPOCH, /* every sample once, shuffled; the last batch is what is left */
    BATCHES_PLAIN  /* every sample once, in stored order, without symmetries */
};

struct batches_options {
    enum batches_order order;
    int batch;                           /* positions of one */
    int threads;                         /* that make them */
    int ahead;                           /* batches ready or in the making; 0: threads + 2 */
    uint64_t first;                      /* number of the first batch, where they are drawn */
    uint64_t seed;                       /* of draws, shuffles and symmetries */
    bool symmetries;                     /* each position in a random one */
    double value_scale;                  /* points that count 1 in the value targets */
    bool drawn;                          /* the samples are drawn moves */
    size_t most;                         /* samples used in one epoch; 0: all */
    size_t planes, actions;              /* of one position */
    const struct net_back_end *back_end; /* that gives the memory for them; NULL: malloc's will do */
};

struct batches;

/* Borrows the samples, of which there must be some. NULL with an error. */
struct batches *batches_open(const struct samples *samples, const struct batches_options *options,
                             soloist_error *error);
void batches_close(struct batches *batches);
/* The next batch, in order; the one before is given back. False at the end of an epoch. Does not touch loss. */
bool batches_next(struct batches *batches, struct net_batch *batch);

#endif
