/* The six counts by which players compare solutions. */
#ifndef DOMAIN_SOKOBAN_FILE_COUNTS_H
#define DOMAIN_SOKOBAN_FILE_COUNTS_H

#include "domain/sokoban/file/level.h"

struct sokoban_counts {
    int64_t moves, pushes;
    int64_t box_lines;        /* straight runs of pushes of one box */
    int64_t box_changes;      /* runs of pushes of one box, whether or not there are steps between */
    int64_t pushing_sessions; /* runs of pushes, of one box or of several, without a step between them */
    int64_t player_lines;     /* straight runs of moves */
};

/* Counts a solution that the referee has accepted and that may contain run lengths; upper case is a push. False if it
 * is invalid or too long. */
bool sokoban_count_text(const char *solution, size_t length, struct sokoban_counts *counts);

#endif
