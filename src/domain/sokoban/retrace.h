/* Backward play for the case that a move is a push and the state holds the player's own square (optimal=moves). The
 * player stands where his last push ended, so this push is known except for its direction. Before it he stood where an
 * earlier push ended, or where he started. A backward move gives that earlier square and the direction of the push,
 * coded as square * 4 + direction. */
#ifndef DOMAIN_SOKOBAN_RETRACE_H
#define DOMAIN_SOKOBAN_RETRACE_H

#include "domain/sokoban/sokoban.h"

int sokoban_retrace_moves(const struct sokoban *game, const struct sokoban_state *state, soloist_move *moves);
int32_t sokoban_retrace_apply(const struct sokoban *game, struct sokoban_state *state, soloist_move move);
struct sokoban_shift sokoban_retrace_shift(const struct sokoban *game, const struct sokoban_state *state,
                                           soloist_move move);
int sokoban_retrace_expand(const struct sokoban *game, const struct sokoban_state *state, soloist_child *children);

#endif
