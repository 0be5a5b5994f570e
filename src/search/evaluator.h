/* How a search uses a network: it passes states and gets their values and the priors of their moves. This header only
 * declares the functions, as pointers in struct evaluator; src/learn implements them. */
#ifndef SEARCH_EVALUATOR_H
#define SEARCH_EVALUATOR_H

#include "soloist_extra.h"

/* One state to be evaluated. The caller sets the members up to and including `priors`, and owns all the memory. The
 * evaluator sets `value` and the array to which `priors` points. */
struct evaluation {
    const soloist_instance *instance;
    const void *state;         /* a state in which play has not ended */
    const soloist_move *moves; /* all its moves, in the order in which the domain's core lists them */
    int move_count;

    /* Array for move_count probabilities, which will add up to 1. NULL: only the value is wanted; then `moves` may be
     * NULL, and the prediction is not cached, because such callers evaluate each state only once. */
    float *priors;
    /* In a score domain: predicted score still to come, in the network's own scale. In a least-cost domain: see
     * step_value below. */
    float value;
};

/* An evaluator of one domain. Several threads may call it at once; each call blocks until its states are evaluated. */
struct evaluator {
    bool has_policy, has_value; /* if has_policy is false, priors are uniform; if has_value is false, values are 0 */
    double value_scale;         /* score that a value of 1 stands for; 0: not known */
    /* For least-cost domains: the network's value is 1 for a solved state, falls by step_value for each unit of cost to
     * go, and is 0 for a state without a solution. So the estimated cost to go is (1 - value) / step_value. 0: the
     * value has no such meaning. */
    double step_value;
    int batch; /* number of states per call with which the network is fastest; calls may pass more */
    /* The number of states of this instance that are evaluated within a small part of a second. A search that evaluates
     * more states than this checks its limits in between. NULL: any number. */
    int (*at_once)(const struct evaluator *self, const soloist_instance *instance);
    /* Called before a run of `threads` threads that may take `limit` bytes (0: any number). Returns how many bytes the
     * network takes for such a run. From now on, predictions that are remembered take at most an eighth of the limit.
     * NULL: the network takes no memory. */
    size_t (*expect)(struct evaluator *self, const soloist_instance *instance, int threads, size_t limit);
    /* The argument of `at_once` and `expect`. A copy of this struct that replaces other functions keeps it. */
    struct evaluator *self;
    /* Evaluations are computed on another device, so the cores of the calling threads are free meanwhile. */
    bool apart;
    /* Whether the network's planes and actions match those of the instance; otherwise the error says why not. Called
     * once per search. */
    bool (*fits)(const struct evaluator *evaluator, const soloist_instance *instance, soloist_error *error);
    /* Evaluates `count` states. False with an error: the back end failed, and no evaluation is valid. */
    bool (*judge)(struct evaluator *evaluator, struct evaluation *evaluations, int count, soloist_error *error);
    /* Clears the cache of predictions. The cache's key is the state and, unless the domain sets whole_states, also the
     * instance. If the key includes the instance, this function must be called before the instance is destroyed. */
    void (*forget)(struct evaluator *evaluator);
};

/* The definition of the opaque type soloist_network of the public API; src/learn creates networks. */
struct soloist_network {
    const soloist_domain *domain;
    struct evaluator *evaluator;
};

#endif
