/* `solve --games FILE`: games with which searches begin. */
#ifndef CLI_SOLVE_GAMES_H
#define CLI_SOLVE_GAMES_H

#include "cli/solve/batch.h"

/* Reads a file of solutions for the batch's instances, replays each by the referee, and makes it the line with which
 * the search of its instance begins. Complains and returns false if the file cannot be read or a solution is wrong;
 * close the games all the same. */
bool games_open(const char *path, struct batch *batch);
void games_close(struct batch *batch);

#endif
