/* The richer set of planes that a network may read (soloist_learn.more_planes): facts that follow from walls, goals,
 * boxes and player, but that a small network can hardly compute. All values are 0 or 1, and none depends on the
 * instance's options. */
#ifndef DOMAIN_SOKOBAN_LEARN_H
#define DOMAIN_SOKOBAN_LEARN_H

#include "domain/sokoban/sokoban.h"

/* The richer planes. Three kinds are about pushes: CLOSER, OTHER and DEADLY have one plane per direction, which marks
 * boxes that can be pushed now in that direction. DEADLY marks the boxes whose push makes a deadlock (dead squares,
 * frozen boxes or full lines). Of the other boxes, CLOSER marks those whose push lowers the cost of the minimum
 * matching of boxes to goals by push distances, and OTHER marks the rest. */
enum {
    MORE_REACH,                      /* squares that the player can reach */
    MORE_DEAD,                       /* squares from which a lone box can reach no goal */
    MORE_FROZEN,                     /* boxes that can never be pushed again without a deadlock */
    MORE_FAR,                        /* plane i: squares from which a lone box needs >= learn_far[i] pushes to a goal */
    MORE_CLOSER = MORE_FAR + 4,      /* four planes */
    MORE_OTHER = MORE_CLOSER + 4,    /* four planes */
    MORE_DEADLY = MORE_OTHER + 4,    /* four planes */
    MORE_MATCHING = MORE_DEADLY + 4, /* plane i: 1 everywhere if the matching costs learn_matching[i] or more */
    MORE_PLANES = MORE_MATCHING + 6
};

extern const int learn_far[4], learn_matching[6];

/* Writes all richer planes. slot: MORE_PLANES planes, which the caller has set to zero. */
void learn_encode_more(const struct sokoban *game, const struct sokoban_state *state, float *slot);

static inline bool learn_is_push_plane(int plane) { return plane >= MORE_CLOSER && plane < MORE_MATCHING; }

#endif
