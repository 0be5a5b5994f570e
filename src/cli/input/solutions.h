/* Loads a file of solutions (engine/solutions.h) by its name. */
#ifndef CLI_INPUT_SOLUTIONS_H
#define CLI_INPUT_SOLUTIONS_H

#include "cli/input/input.h"
#include "engine/solutions.h"

/* Reads claimed solutions of the instances that come from the first source of the input. Complains and returns false if
 * the file cannot be read or is wrong. */
bool solutions_load(const struct cli *cli, const char *name, const struct input *input, struct solutions *solutions);

/* For a solution that the referee has rejected: whether it would be correct if the case of its letters were ignored. */
bool solutions_need_any_case(const soloist_puzzle *puzzle, const char *solution);

#endif
