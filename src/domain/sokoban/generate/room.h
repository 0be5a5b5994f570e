/* The first phase of the generator: a room is carved out of solid wall. */
#ifndef DOMAIN_SOKOBAN_GENERATE_ROOM_H
#define DOMAIN_SOKOBAN_GENERATE_ROOM_H

#include "domain/sokoban/file/level.h"

/* Fills level->cells with walls, and carves one connected room by a walk of `steps` steps that turns with probability
 * `turn`. Carved cells are INSIDE. The level's width and height must be set, at least 3 each. */
void room_carve(struct sokoban_level *level, int64_t steps, double turn, soloist_rng *rng);
/* Lists the carved cells in rising order; returns how many. */
int room_tiles(const struct sokoban_level *level, uint16_t *tiles);

#endif
