/* The six counts by which players compare solutions. */
#ifndef SOKOBAN_COUNTS_H
#define SOKOBAN_COUNTS_H

#include "domain/sokoban/file/level.h"

struct sokoban_counts {
    int64_t moves, pushes;
    int64_t box_lines;        /* straight runs of pushes of one box */
    int64_t box_changes;      /* runs of pushes of one box, whatever steps lie between */
    int64_t pushing_sessions; /* runs of pushes without a step between, of whatever boxes */
    int64_t player_lines;     /* straight runs of moves */
};

/* Of a text that the referee accepted, which may have run lengths: upper case is a push. False if it is no such text,
 * or too long. */
bool sokoban_count_text(const char *solution, size_t length, struct sokoban_counts *counts);

#endif
