/* How a search uses a network: states go in, priors of their moves and values come out. This header does not say what
 * computes them; src/learn fills in the table of functions. */
#ifndef SEARCH_EVALUATOR_H
#define SEARCH_EVALUATOR_H

#include "soloist_extra.h"

/* One state to be evaluated. The caller sets the fields down to `priors` and owns all the memory; the evaluator sets
 * *priors and `value`. */
struct evaluation {
    const soloist_instance *instance;
    const void *state;         /* a state in which play has not ended */
    const soloist_move *moves; /* all its moves, in the order in which the domain's core lists them */
    int move_count;

    /* Room for move_count probabilities, which will add up to 1. NULL: only the value is wanted; then moves may be
     * missing, and the prediction is not cached, since such callers evaluate each state only once. */
    float *priors;
    /* Predicted score still to come, in the network's own scale; for a least-cost domain see step_value below. */
    float value;
};

/* An evaluator of one domain. Several threads may call it at once; each call blocks until its states are evaluated. */
struct evaluator {
    bool has_policy, has_value; /* without a policy the priors are uniform; without a value the value is 0 */
    double value_scale;         /* score that a value of 1 stands for; 0: not known */
    /* Least-cost domains: the value is 1 for a solved state, less step_value for each unit of cost still to come, and 0
     * for a state without a solution. So the estimated cost to go is (1 - value) / step_value. 0: not such a network.
     */
    double step_value;
    int batch; /* the best number of states per call; more are allowed */
    /* Evaluations are computed on another device, so the cores of the calling threads are free meanwhile. */
    bool apart;
    /* False with an error: the instance's planes or actions do not match the network's. Called once per search. */
    bool (*fits)(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error);
    /* False with an error: the back end failed, and no evaluation is valid. */
    bool (*judge)(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error);
    /* Clears the cache of predictions. Predictions are cached by state and, unless the domain sets whole_states, also
     * by instance; if they are cached by instance, call this before the instance is destroyed. */
    void (*forget)(struct evaluator *evaluator);
};

/* The network as the public API knows it; src/learn creates it. */
struct soloist_network {
    const soloist_domain *domain;
    struct evaluator *evaluator;
};

#endif
