/* Deadlock tables (D5): they say which arrangements of walls and boxes in a small zone are dead if the player is
 * outside, whatever surrounds the zone. The zones are 2x2 to 2x5, 3x3 and 3x4. For every possible content of a window
 * of 3x5 cells, one bit says whether some zone in it is dead. */
#ifndef DOMAIN_SOKOBAN_DEADLOCK_DEADLOCK_TABLE_H
#define DOMAIN_SOKOBAN_DEADLOCK_DEADLOCK_TABLE_H

#include "domain/sokoban/sokoban.h"

#define DEADLOCK_ROWS 3
#define DEADLOCK_COLUMNS 5
#define DEADLOCK_WINDOWS 14348907 /* 3^15 */
#define DEADLOCK_ZONES 6
#define DEADLOCK_ENTRIES (81 + 729 + 6561 + 59049 + 19683 + 531441) /* sum of 3^cells over all zones */
/* This flag of an entry says that not all boxes can leave the zone. The other bits of the entry are the boxes that can
 * never be moved. */
#define DEADLOCK_ENCLOSED 0x8000u

/* The digits (in base 3) of an arrangement's number; the upper left cell is the lowest digit. */
enum { DEADLOCK_SPACE, DEADLOCK_WALL, DEADLOCK_BOX };

struct deadlock_tables {
    uint16_t entry[DEADLOCK_ENTRIES];
    uint8_t window[(DEADLOCK_WINDOWS + 7) / 8];
};

struct deadlock_zone {
    int rows, columns, first; /* first: index of the zone's first entry in deadlock_tables.entry */
};

extern const struct deadlock_zone deadlock_zones[DEADLOCK_ZONES];

/* deadlock_table_build.c: fills the tables; false if it was cancelled. */
bool deadlock_tables_build(struct deadlock_tables *tables, soloist_stop_token *stop);

/* deadlock_table.c: a window's index into deadlock_tables.window is the sum of a part for its walls and a part for its
 * boxes. If rules.deadlock_tables is on, this function computes the walls' part for every window of the board. False:
 * no memory. */
bool sokoban_windows_make(struct sokoban *game);
/* Whether a window around the square `box` shows that the position is dead. Tables must be attached. */
bool sokoban_window_is_dead(const struct sokoban *game, const uint64_t *boxes, int box, int player);
/* The same, but examines every window that contains the square; the reference for tests. */
bool sokoban_any_window_is_dead(const struct sokoban *game, const uint64_t *boxes, int box, int player);

#endif
