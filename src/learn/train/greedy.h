/* A policy by itself: every game is played by the move of highest prior, all games at once. The quickest measure of a
 * network. */
#ifndef LEARN_GREEDY_H
#define LEARN_GREEDY_H

#include "search/evaluator.h"

/* Scores of `count` games; false with an error: the network failed or is of another shape, or no memory. */
bool greedy_play(struct evaluator *evaluator, const soloist_puzzle *puzzles, int count, int32_t *scores,
                 soloist_error *error);

#endif
