/* A person plays the instances of a file in the terminal. */
#ifndef CLI_SHOW_PLAYING_H
#define CLI_SHOW_PLAYING_H

#include "cli/input/input.h"
#include "cli/show/draw.h"

struct playing_rules {
    const char *method; /* for hints and films; NULL: auto */
    const char *out;    /* the file in which games are saved; NULL: the default name */
    double time_s;      /* time limit for finding a hint, or the solution that a film shows */
    double delay_s;     /* seconds between the steps of a film */
    uint64_t seed;
    struct draw_style style;
};

/* Lets the user play the tasks, beginning with number `first`, until the user quits. Returns the exit status; -1: the
 * terminal cannot be switched to raw mode. */
int playing_run(const struct cli *cli, const struct input *input, size_t first, const struct playing_rules *rules);

#endif
