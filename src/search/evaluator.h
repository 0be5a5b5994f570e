/* How a search sees a network: states go in, priors of their moves and values come out. What computes them is not known
 * here; src/learn fills the table in. */
#ifndef SEARCH_EVALUATOR_H
#define SEARCH_EVALUATOR_H

#include "soloist.h"

/* One state to be judged. The caller fills the first part and owns all of it. */
struct evaluation {
    const soloist_instance *instance;
    const void *state;         /* that is not ended */
    const soloist_move *moves; /* all its moves, in the order of core */
    int move_count;

    /* Room for move_count: each move's share, they add up to 1. NULL: only the value is wanted; then there need be no
     * moves, and nothing is remembered, for whoever asks so asks of each state once. */
    float *priors;
    float value; /* guess at what is still to come, in the network's own scale */
};

/* An evaluator of one domain. Several threads may call it at once; each call blocks until its states are judged. */
struct evaluator {
    bool has_policy, has_value; /* without a policy priors are even, without a value it is 0 */
    double value_scale;         /* points that a value of 1 stands for; 0: not known */
    int batch;                  /* so many states at once are judged best; more are allowed */
    bool apart;                 /* not computed by the threads that ask: while they wait, others can use their cores */
    /* False with an error: planes or actions of the instance are not those of the network. Asked once a search. */
    bool (*fits)(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error);
    /* False with an error: the back end failed, nothing is known. */
    bool (*judge)(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error);
    /* Predictions are remembered by state, and unless states are whole (soloist_learn) by instance: one that goes away
     * then has to be forgotten. */
    void (*forget)(struct evaluator *evaluator);
};

/* What a program holds: src/learn makes it. */
struct soloist_network {
    const soloist_domain *domain;
    struct evaluator *evaluator;
};

#endif
