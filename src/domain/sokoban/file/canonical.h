/* One canonical form for all levels that are the same game. Two levels are the same game if they differ only by a
 * rotation or reflection, in walls or decoration outside the player's area, or in where the player stands within his
 * region. */
#ifndef DOMAIN_SOKOBAN_FILE_CANONICAL_H
#define DOMAIN_SOKOBAN_FILE_CANONICAL_H

#include "domain/sokoban/file/level.h"

#define SOKOBAN_CANONICAL_ROOM (2 + SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE)

/* A level seen in one of eight symmetries; number 0 leaves it unchanged. */
struct sokoban_view {
    int symmetry;                 /* bits, applied in order: 1: mirror left-right, 2: mirror top-bottom, 4: transpose */
    int left, top, width, height; /* the bounding rectangle of the player's area, in the level */
};

/* Writes the least, in byte order, of the eight forms (SOKOBAN_CANONICAL_ROOM bytes are enough) and the view that gives
 * it; returns the form's length. Two levels are the same game if and only if their forms are equal. */
size_t sokoban_canonical(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view);
/* The same for costs that count steps: then the player's own squares must be equal too. */
size_t sokoban_canonical_moves(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view);

/* Writes the canonical form of only the floor and the goals, as if there were neither boxes nor player. *symmetries:
 * how many of the eight symmetries leave floor and goals as they are: 1, 2, 4 or 8. */
size_t sokoban_canonical_room(const struct sokoban_level *level, unsigned char *form, int *symmetries);

/* Writes the same game on the smallest board, without unnecessary walls and without decoration. */
void sokoban_level_tidy(const struct sokoban_level *level, struct sokoban_level *tidy);

/* Converts a solution (plain letters) of the level `from` into a solution of the level `to`, which has the same
 * canonical form, and writes it as LURD. False if the levels or the solution do not fit together. */
bool sokoban_carry_solution(const struct sokoban_level *from, const struct sokoban_level *to, const char *letters,
                            size_t length, const soloist_sink *sink);

#endif
