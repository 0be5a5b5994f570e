/* One canonical form for all levels that are the same game. Two levels are the same game if they differ only by a
 * rotation or reflection, in walls or decoration outside the player's area, or in where the player stands within his
 * region. */
#ifndef DOMAIN_SOKOBAN_FILE_CANONICAL_H
#define DOMAIN_SOKOBAN_FILE_CANONICAL_H

#include "domain/sokoban/file/level.h"

#define SOKOBAN_CANONICAL_ROOM (2 + SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE)

/* A level after one of the eight rotations and reflections of the board; number 0 leaves the level unchanged. */
struct sokoban_view {
    int symmetry;                 /* bits, applied in order: 1: mirror left-right, 2: mirror top-bottom, 4: transpose */
    int left, top, width, height; /* the bounding rectangle of the player's area, in the level */
};

/* A level has eight forms, one for each rotation or reflection. Writes the form that comes first in byte order and the
 * view that gives it; returns the form's length. SOKOBAN_CANONICAL_ROOM bytes are enough for every form. Two levels are
 * the same game if and only if their forms are equal. */
size_t sokoban_canonical(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view);
/* The same for costs that count steps: two levels then have equal forms only if the player stands on corresponding
 * squares. */
size_t sokoban_canonical_moves(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view);

/* Writes the canonical form of only the floor and the goals, as if there were neither boxes nor player. *symmetries:
 * how many of the eight rotations and reflections leave floor and goals unchanged: 1, 2, 4 or 8. */
size_t sokoban_canonical_room(const struct sokoban_level *level, unsigned char *form, int *symmetries);

/* Writes the same game on the smallest board, without unnecessary walls and without decoration. */
void sokoban_level_tidy(const struct sokoban_level *level, struct sokoban_level *tidy);

/* Converts a solution (plain letters) of the level `from` into a solution of the level `to`, which has the same
 * canonical form, and writes it as LURD. If the player stands on corresponding squares, the result is not longer. False
 * if the levels or the solution do not fit together. */
bool sokoban_carry_solution(const struct sokoban_level *from, const struct sokoban_level *to, const char *letters,
                            size_t length, const soloist_sink *sink);

#endif
