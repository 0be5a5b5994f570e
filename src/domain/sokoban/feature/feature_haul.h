/* A haul finds all the places to which one box can be brought while the other boxes stay where they are. A place is a
 * square together with the part of the floor that the player is in, because the box may divide the floor into up to
 * four parts. Places are listed in order of the number of pushes or pulls. On most squares a box does not divide the
 * floor; looking at the eight squares around it is enough to see this. */
#ifndef DOMAIN_SOKOBAN_FEATURE_FEATURE_HAUL_H
#define DOMAIN_SOKOBAN_FEATURE_FEATURE_HAUL_H

#include "domain/sokoban/sokoban.h"

struct haul_place {
    uint16_t square, before, pushes; /* before: index of the previous place on the path */
    uint8_t part, d;                 /* d: the direction of the last push or pull */
};

enum haul_kind {
    HAUL_PUSH, /* pushes to allowed squares, except those that make a deadlock by the quick rules */
    HAUL_FREE, /* pushes over all live squares */
    HAUL_PULL,
};

struct haul {
    const struct sokoban *game;
    enum haul_kind kind;
    struct board free;              /* floor without other boxes; the box's own square is free */
    uint64_t others[SOKOBAN_WORDS]; /* the other boxes */
    uint64_t known[SOKOBAN_WORDS];  /* squares for which part_next_to, parts and least_of have been computed */
    const uint64_t *allowed;        /* for HAUL_PUSH: squares to which a box may be pushed; set by the caller */
    int least;                      /* the least square of the connected area of `free` that the box is in */
    int count;                      /* number of places */
    /* [size]: with the box on this square, the part that each neighbour is in; SOKOBAN_NO_SIDE: the neighbour is not
     * free. */
    uint8_t (*part_next_to)[4];
    uint8_t *parts;            /* [size]: number of parts of the floor around a box on this square */
    uint16_t (*least_of)[4];   /* [size]: the least square of each of these parts */
    uint8_t *seen;             /* [size]: bit p says that the place of this square and part p has been reached */
    struct haul_place *places; /* [4 * size] */
};

/* The size in bytes of the memory block that haul_make needs. */
size_t haul_size(const struct sokoban *game);
void haul_make(struct haul *haul, const struct sokoban *game, void *block);

/* Finds all places to which the box on square `box` can be brought, with the player in the region whose least square is
 * `player`. The first place in the list is the one where the box is now. boxes: all boxes. */
void haul_from(struct haul *haul, enum haul_kind kind, const uint64_t *boxes, int box, int player);
/* The same for a box on any square of `from`, with the player in any part. walls: boxes that count as walls. */
void haul_from_all(struct haul *haul, enum haul_kind kind, const uint64_t *walls, const uint64_t *from);
/* The set of the squares of all places. */
void haul_squares(const struct haul *haul, uint64_t *squares);

#endif
