/* Reorderings of a line. Many moves of a line may change places and lead to the same end, so which of them a solver
 * happens to play first says little, but which of them could come first says much. A game is replayed in random orders,
 * and each position's target names all moves that could come next. */
#ifndef LEARN_REORDERINGS_H
#define LEARN_REORDERINGS_H

#include "learn/train/samples.h"

/* Goes once through a game that ends with `score`; writes a record for each position, `count` of them: the moves of
 * the rest that lead to the same end if they come first, all alike, and what is still to come. The domain needs walks.
 * False: no memory, or the walk does not know the line; nothing is written then that counts. */
bool reorderings_samples(const struct samples *samples, const soloist_puzzle *puzzle, const soloist_move *moves,
                         size_t count, int32_t score, soloist_rng *rng, void *records);

#endif
