/* The policy without search: in each position it plays the move of highest prior. All games are played at once. This is
 * the quickest measure of a network. */
#ifndef LEARN_TRAIN_GREEDY_H
#define LEARN_TRAIN_GREEDY_H

#include "search/evaluator.h"

/* Plays `count` games and writes their scores. False with an error: the network failed or does not fit, or there is no
 * memory. */
bool greedy_play(struct evaluator *evaluator, const soloist_puzzle *puzzles, int count, int32_t *scores,
                 soloist_error *error);

#endif
