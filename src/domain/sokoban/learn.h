/* The richer set of planes that a network may read (soloist_learn.more_planes): facts that follow from walls, goals,
 * boxes and player, but that a small network hardly finds. Every number is 0 or 1. None depends on the instance's
 * options. */
#ifndef DOMAIN_SOKOBAN_LEARN_H
#define DOMAIN_SOKOBAN_LEARN_H

#include "domain/sokoban/sokoban.h"

/* The richer planes. Those of pushes have one plane per direction, which marks the boxes that can be pushed now in that
 * direction: CLOSER those whose push lowers the matching of boxes and goals by push distances, DEADLY those whose push
 * makes a deadlock by dead squares, frozen boxes or full lines, OTHER the rest. */
enum {
    MORE_REACH,                      /* squares that the player can reach */
    MORE_DEAD,                       /* squares from which a lone box can reach no goal */
    MORE_FROZEN,                     /* boxes that can never be pushed again without a deadlock */
    MORE_FAR,                        /* squares from which a lone box needs that many pushes, see learn_far */
    MORE_CLOSER = MORE_FAR + 4,      /* four planes */
    MORE_OTHER = MORE_CLOSER + 4,    /* four planes */
    MORE_DEADLY = MORE_OTHER + 4,    /* four planes */
    MORE_MATCHING = MORE_DEADLY + 4, /* set everywhere if the matching is that large, see learn_matching */
    MORE_PLANES = MORE_MATCHING + 6
};

extern const int learn_far[4], learn_matching[6];

/* Writes all of them; slot: MORE_PLANES planes of zeros. */
void learn_encode_more(const struct sokoban *game, const struct sokoban_state *state, float *slot);

static inline bool learn_is_push_plane(int plane) { return plane >= MORE_CLOSER && plane < MORE_MATCHING; }

#endif
