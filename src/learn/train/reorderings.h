/* Reorderings of a game. Many moves of a game can change places without changing the final position. Therefore the
 * order that the solver happened to choose teaches a network little. The set of all moves that could have been played
 * first teaches it more. A game is replayed in random orders, and the policy target of each position names all moves
 * that could come next. */
#ifndef LEARN_TRAIN_REORDERINGS_H
#define LEARN_TRAIN_REORDERINGS_H

#include "learn/train/samples.h"

/* Replays a game of `count` moves and final score `score` once, in a random order, and writes one record per position.
 * A position's policy target gives equal weight to every remaining move that can be played now without changing the
 * final position; the value target is the score still to come. The domain needs the walk group. False: no memory, or a
 * move is not among the walk's choices; `records` is then undefined. */
bool reorderings_samples(const struct samples *samples, const soloist_puzzle *puzzle, const soloist_move *moves,
                         size_t count, int32_t score, soloist_rng *rng, void *records);

#endif
