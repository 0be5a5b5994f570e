/* Hauls: all the places that one box can be taken to while the others stay. A place is a square together with the part
 * of the floor that the player is then in, since the box may cut the floor into up to four parts. Places come in the
 * order of their distance. A box on most squares does not cut the floor, which the eight squares around it show. */
#ifndef SOKOBAN_FEATURE_HAUL_H
#define SOKOBAN_FEATURE_HAUL_H

#include "domain/sokoban/sokoban.h"

struct haul_place {
    uint16_t square, before, pushes; /* before: the place that it was reached from */
    uint8_t part, d;                 /* d: the direction of the last push or pull */
};

enum haul_kind {
    HAUL_PUSH, /* only where no rule of deadlock.c says that the box, with the others, is lost */
    HAUL_FREE, /* pushes over any live squares */
    HAUL_PULL,
};

struct haul {
    const struct sokoban *game;
    enum haul_kind kind;
    struct board free;              /* floor without other boxes; the box's own square is free */
    uint64_t others[SOKOBAN_WORDS]; /* the other boxes */
    uint64_t known[SOKOBAN_WORDS];  /* squares whose parts are known */
    const uint64_t *allowed;        /* of HAUL_PUSH: squares that a box may be pushed to, the caller's */
    int least;                      /* of the area that the box is in */
    int count;                      /* of places */
    uint8_t (*part_next_to)[4];     /* [size] the part in each direction; SOKOBAN_NO_SIDE: not free */
    uint8_t *parts;                 /* [size] how many */
    uint16_t (*least_of)[4];        /* [size] the least square of each part */
    uint8_t *seen;                  /* [size] bit p: with part p */
    struct haul_place *places;      /* [4 * size] */
};

/* The size of the arrays in bytes, and a haul over a block of that size. */
size_t haul_size(const struct sokoban *game);
void haul_make(struct haul *haul, const struct sokoban *game, void *block);

/* All places of the box at `box`, with the player in the region whose least square is `player`; the first place is
 * where the box stands. boxes: all boxes. */
void haul_from(struct haul *haul, enum haul_kind kind, const uint64_t *boxes, int box, int player);
/* The same with the player in any part, and from each of several squares at once; `walls` stay. */
void haul_from_all(struct haul *haul, enum haul_kind kind, const uint64_t *walls, const uint64_t *from);
/* The squares of the places. */
void haul_squares(const struct haul *haul, uint64_t *squares);

#endif
