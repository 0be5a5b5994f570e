/* A network's priors as a bias of a policy (generalised NRPA): a move weighs e^(logit) * prior^factor. A network is far
 * slower than a play-out, so it is asked only about states near the start that occur again, many at a time, and its
 * answers are remembered by state; all other states have no bias. Each worker has its own. */
#ifndef SEARCH_NESTED_BIAS_H
#define SEARCH_NESTED_BIAS_H

#include "search/evaluator.h"
#include "search/search.h"

/* The factor by which a prior changes a weight. */
struct nested_factor {
    soloist_move move;
    float factor;
};

/* The factors of a state's moves, by move. */
struct nested_factors {
    const struct nested_factor *factors;
    int count;
};

struct nested_bias;

/* factor: weight of a prior's logarithm; depth: number of moves from the root within which it counts; states: most
 * states remembered, fewer if memory is short. NULL: no memory. */
struct nested_bias *nested_bias_open(struct search_run *run, double factor, int depth, size_t states);
void nested_bias_close(struct nested_bias *bias); /* NULL is allowed */

/* Where play-outs begin: at the root, and move by move from there. */
void nested_bias_start(struct nested_bias *bias);
void nested_bias_start_step(struct nested_bias *bias, soloist_move move);
/* A play-out begins, and plays a move. */
void nested_bias_begin(struct nested_bias *bias);
void nested_bias_step(struct nested_bias *bias, soloist_move move);
/* The factors of the play-out's current state. False: not known; the state may be queued for the network. */
bool nested_bias_find(struct nested_bias *bias, struct nested_factors *factors);
/* The factor of a move. */
float nested_bias_factor(const struct nested_factors *factors, soloist_move move);
/* Between play-outs: asks the network if enough states are queued, or if they have waited for that many play-outs.
 * False with an error: the network failed. */
bool nested_bias_ask(struct nested_bias *bias, soloist_error *error);

#endif
