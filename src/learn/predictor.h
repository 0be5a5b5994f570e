/* A network as an evaluator: states are encoded straight into the batch, judged by one of several runners, and
 * remembered. Each runner serves one call at a time; a call waits for a free one. */
#ifndef LEARN_PREDICTOR_H
#define LEARN_PREDICTOR_H

#include "net/back_end.h"
#include "search/evaluator.h"

#define PREDICTOR_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                  \
    INT(T, batch, 16, 1, 65536, "positions that a network judges at once")                                             \
    INT(T, runners, 1, 1, 256, "calls that are served at once; each has a copy of the network's weights")              \
    INT(T, threads, 1, 1, 256, "threads of a runner on the processor")                                                 \
    INT(T, remembered, 16384, 0, 16777216, "predictions kept for states that come again; 0: none")

SOLOIST_OPTIONS(predictor_options, PREDICTOR_OPTIONS);

struct predictor;

/* The domain must have the learn group. back_end: a name, NULL for the best. Borrows net; NULL with an error. */
struct predictor *predictor_open(const soloist_domain *domain, const struct net *net, const float *parameters,
                                 const char *back_end, const struct predictor_options *options, soloist_error *error);
void predictor_close(struct predictor *predictor);
struct evaluator *predictor_evaluator(struct predictor *predictor);
/* Other weights; forgets all predictions. Not while a call is being served. */
bool predictor_set(struct predictor *predictor, const float *parameters, soloist_error *error);

struct predictor_counts {
    uint64_t judged;     /* by the network */
    uint64_t remembered; /* answered from memory */
};
struct predictor_counts predictor_count(struct predictor *predictor);

#endif
