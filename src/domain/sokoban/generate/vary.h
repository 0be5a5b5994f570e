/* Changes a level at random, for a search that goes from one level to a similar one. */
#ifndef DOMAIN_SOKOBAN_GENERATE_VARY_H
#define DOMAIN_SOKOBAN_GENERATE_VARY_H

#include "domain/sokoban/file/level.h"

/* Draws one small change and makes it: a wall becomes floor, floor becomes wall, a goal or a box moves, or the player
 * starts in another region. The floor stays connected and within the board's outer wall, and the numbers of boxes and
 * goals stay the same. If allow_box_on_goal is false, neither a box nor the player starts on a goal. Returns false if
 * the change that was drawn is not possible; the level is then unchanged. The changed level may have no solution. */
bool sokoban_level_vary(struct sokoban_level *level, bool allow_box_on_goal, soloist_rng *rng);

#endif
