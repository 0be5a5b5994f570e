/* The solution that a command shows: the one that the user names, otherwise the one in the instance's file, otherwise a
 * new one that a search finds. */
#ifndef CLI_SHOW_SOLUTION_H
#define CLI_SHOW_SOLUTION_H

#include "cli/input/input.h"

struct solution_request {
    const char *command;   /* for messages */
    const char *solution;  /* as text; may be NULL */
    const char *solutions; /* a file of solutions; may be NULL */
    const char *method;    /* to solve with; NULL: auto */
    double time_s;
    uint64_t seed;
};

/* The text of a solution that the referee has accepted; the caller frees it. NULL after an error message; *status is
 * then the exit status. */
char *solution_find(struct cli *cli, const struct solution_request *request, const struct input *input,
                    const struct task *task, const soloist_puzzle *puzzle, int *status);
/* The first correct solution that the instance's own text holds; the caller frees it. NULL: none. */
char *solution_own(const soloist_puzzle *puzzle, const struct task *task);

#endif
