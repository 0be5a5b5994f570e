/* A network's priors as a bias of a policy (generalised NRPA): the weight of a move is e^(logit) * prior^factor.
 * Evaluating a state by the network takes far longer than a play-out. Therefore the network evaluates only states that
 * are near the root and occur more than once. It evaluates them in batches, and the priors are stored by state. In all
 * other states there is no bias. Each worker has its own table of priors. */
#ifndef SEARCH_NESTED_BIAS_H
#define SEARCH_NESTED_BIAS_H

#include "search/evaluator.h"
#include "search/search.h"

/* A move and the number by which its weight is multiplied: prior^factor in the formula above. */
struct nested_factor {
    soloist_move move;
    float factor;
};

/* The factors of a state's moves, sorted by move. */
struct nested_factors {
    const struct nested_factor *factors;
    int count;
};

struct nested_bias;

/* factor: the exponent of the prior in the formula above. depth: priors are used only in states at most this number of
 * moves from the root. states: maximum number of states whose priors are stored; fewer are stored if memory is short.
 * Returns NULL if memory is full. */
struct nested_bias *nested_bias_open(struct search_run *run, double factor, int depth, size_t states);
void nested_bias_close(struct nested_bias *bias); /* NULL is allowed */

/* nested_bias_start makes play-outs begin at the root; each call of nested_bias_start_step makes them begin one move
 * later. */
void nested_bias_start(struct nested_bias *bias);
void nested_bias_start_step(struct nested_bias *bias, soloist_move move);
/* The worker calls nested_bias_begin when a play-out begins, and nested_bias_step for every move of the play-out. */
void nested_bias_begin(struct nested_bias *bias);
void nested_bias_step(struct nested_bias *bias, soloist_move move);
/* Finds the factors of the play-out's current state. False: the factors are not known; the state may be queued for the
 * network. */
bool nested_bias_find(struct nested_bias *bias, struct nested_factors *factors);
/* The factor of a move. */
float nested_bias_factor(const struct nested_factors *factors, soloist_move move);
/* Called between play-outs: sends the queued states to the network in any of three cases: they fill a batch; the table
 * of priors is full; or the number of play-outs since the first of them was queued has reached the size of a batch.
 * False with an error: the network failed. */
bool nested_bias_ask(struct nested_bias *bias, soloist_error *error);

#endif
