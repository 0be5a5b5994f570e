/* How a search sees a network: states go in, priors of their moves and values come out. This header does not know what
 * computes them; src/learn fills in the table. */
#ifndef SEARCH_EVALUATOR_H
#define SEARCH_EVALUATOR_H

#include "soloist_extra.h"

/* One state to be judged. The caller fills the first part and owns all of it. */
struct evaluation {
    const soloist_instance *instance;
    const void *state;         /* that is not ended */
    const soloist_move *moves; /* all its moves, in the order of core */
    int move_count;

    /* Room for move_count probabilities, which add up to 1. NULL: only the value is wanted; moves may then be absent,
     * and the prediction is not remembered, since such callers ask about each state only once. */
    float *priors;
    float value; /* predicted score still to come, in the network's own scale */
};

/* An evaluator of one domain. Several threads may call it at once; each call blocks until its states are judged. */
struct evaluator {
    bool has_policy, has_value; /* without a policy the priors are uniform; without a value the value is 0 */
    double value_scale;         /* points that a value of 1 stands for; 0: not known */
    int batch;                  /* the best number of states per call; more are allowed */
    bool apart; /* computed elsewhere than on the calling threads: while they wait, other threads can use their cores */
    /* False with an error: the instance's planes or actions do not match the network's. Called once per search. */
    bool (*fits)(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error);
    /* False with an error: the back end failed, and no evaluation is valid. */
    bool (*judge)(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error);
    /* Predictions are remembered by state and, unless states are whole (soloist_learn), by instance: call this before
     * such an instance is destroyed. */
    void (*forget)(struct evaluator *evaluator);
};

/* What a program holds: src/learn makes it. */
struct soloist_network {
    const soloist_domain *domain;
    struct evaluator *evaluator;
};

#endif
