/* The six counts by which players compare solutions. */
#ifndef DOMAIN_SOKOBAN_FILE_COUNTS_H
#define DOMAIN_SOKOBAN_FILE_COUNTS_H

#include "domain/sokoban/file/level.h"

struct sokoban_counts {
    int64_t moves, pushes;
    int64_t box_lines;        /* straight runs of pushes of one box */
    int64_t box_changes;      /* runs of pushes of one box, even with steps between the pushes */
    int64_t pushing_sessions; /* runs of pushes, of any boxes, without a step between the pushes */
    int64_t player_lines;     /* straight runs of moves */
};

/* Computes the counts of a solution that the referee has accepted. The solution may contain run lengths; upper case is
 * a push. False if the text is invalid or too long. */
bool sokoban_count_text(const char *solution, size_t length, struct sokoban_counts *counts);

#endif
