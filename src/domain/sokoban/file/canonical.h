/* One form for all levels that are the same game: turned or mirrored, with other walls or decoration outside the
 * player's area, or with the player elsewhere in his region. */
#ifndef SOKOBAN_CANONICAL_H
#define SOKOBAN_CANONICAL_H

#include "domain/sokoban/file/level.h"

#define SOKOBAN_CANONICAL_ROOM (2 + SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE)

/* A level seen in one of the eight ways; number 0 leaves it as it is. */
struct sokoban_view {
    int symmetry; /* 1: mirrored left to right, 2: top to bottom, 4: rows and columns changed; in order */
    int left, top, width, height; /* the rectangle around the player's area, in the level */
};

/* Writes the least of the eight forms (SOKOBAN_CANONICAL_ROOM bytes are enough) and which view it is; returns its
 * length. Two levels are the same game if and only if their forms are equal. */
size_t sokoban_canonical(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view);
/* The same where the walk counts too: the player's own square has to be the same. */
size_t sokoban_canonical_moves(const struct sokoban_level *level, unsigned char *form, struct sokoban_view *view);

/* The same game on the smallest board, without walls that nothing can touch and without decoration. */
void sokoban_level_tidy(const struct sokoban_level *level, struct sokoban_level *tidy);

/* Carries a solution (plain letters) over from one level to another that has the same form: writes LURD for `to`.
 * False if the levels or the solution do not fit together. */
bool sokoban_carry_solution(const struct sokoban_level *from, const struct sokoban_level *to, const char *letters,
                            size_t length, const soloist_sink *sink);

#endif
