/* A network as an evaluator for searches. Several threads encode their states directly into one batch, which the
 * network then computes; predictions are cached. For a network that accepts boards of any size, there is one queue per
 * board size. One call may evaluate states of several sizes; it is fastest if states of the same size are next to each
 * other. */
#ifndef LEARN_PREDICT_PREDICTOR_H
#define LEARN_PREDICT_PREDICTOR_H

#include "learn/predict/queue.h"
#include "search/evaluator.h"

#define PREDICTOR_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    QUEUE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                          \
    INT(T, remembered, 16384, 0, 16777216,                                                                             \
        "number of predictions that are remembered for states that occur again; 0: none")

SOLOIST_OPTIONS(predictor_options, PREDICTOR_OPTIONS);

struct predictor;

/* The domain must have the learn group. back_end: a name, or NULL for the best. Borrows net and copies the parameters.
 * Returns NULL with an error. */
struct predictor *predictor_open(const soloist_domain *domain, const struct net *net, const float *parameters,
                                 const char *back_end, const struct predictor_options *options, soloist_error *error);
void predictor_close(struct predictor *predictor);
struct evaluator *predictor_evaluator(struct predictor *predictor);
/* Replaces the weights and clears the cache of predictions. No other call may be in progress. */
bool predictor_set(struct predictor *predictor, const float *parameters, soloist_error *error);
/* For a network of fixed size: caches at most `count` predictions for states of `state` bytes, in at most `bytes`
 * bytes, instead of what the options say. If there is no memory, nothing is cached. No other call may be in progress.
 */
void predictor_remember(struct predictor *predictor, size_t count, size_t bytes, size_t state);

/* Whether the network's input planes and actions have this instance's sizes; if not, returns false with an error. */
bool predictor_reads(const struct net *net, const soloist_domain *domain, const soloist_instance *instance,
                     soloist_error *error);

struct predictor_counts {
    uint64_t judged;     /* number of states that the network has evaluated */
    uint64_t remembered; /* states whose prediction was found in the cache */
    uint64_t batches;
};
struct predictor_counts predictor_count(struct predictor *predictor);

#endif
