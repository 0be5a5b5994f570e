/* A solution step by step: every position from the first to the last. */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include "cli/cli.h"

struct show {
    soloist_puzzle puzzle; /* the puzzle, parsed in the domain whose steps are shown */
    soloist_move *moves;
    size_t count; /* number of moves; there are count + 1 positions */
    size_t state_size;
    char *states;
};

/* Reads a solution's text, which a referee has accepted, and plays it. False with an error if it cannot be shown. */
bool show_open(const struct cli *cli, const soloist_puzzle *puzzle, const char *solution, struct show *show,
               soloist_error *error);
void show_close(struct show *show);
const void *show_state(const struct show *show, size_t step);
/* Position number `step` as text, which the caller frees. */
char *show_text(const struct show *show, size_t step);
/* The move played in position `step`, as text; "" at the end. */
void show_move(const struct show *show, size_t step, char *out, size_t room);

#endif
